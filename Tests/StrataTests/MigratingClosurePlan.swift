import Foundation
import Strata
import Synchronization

/// What the closures of a plan have seen.
final class Seen: Sendable {
    let before = Mutex<[PersistentIdentifier]>([])
    let after = Mutex<[PersistentIdentifier]>([])
}

struct MigratingRefusal: Error {}

enum MigratingNicknames: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        var name: String
        var nickname: String?
        init(name: String) { self.name = name }
    }
}

enum MigratingClosurePlan: SchemaMigrationPlan {
    static let seen = Mutex<Seen?>(nil)

    static var schemas: [any VersionedSchema.Type] { [MigratingReleased.self, MigratingNicknames.self] }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: MigratingReleased.self, toVersion: MigratingNicknames.self,
                willMigrate: { context in
                    let guests = try context.fetch(FetchDescriptor<MigratingReleased.Guest>())
                    seen.withLock { $0 }?.before.withLock { $0 = guests.map(\.persistentModelID) }
                    for guest in guests {
                        let isBad = guest.name == "bad"
                        guest.name = guest.name.uppercased()
                        if isBad { throw MigratingRefusal() }
                    }
                },
                didMigrate: { context in
                    let guests = try context.fetch(FetchDescriptor<MigratingNicknames.Guest>())
                    seen.withLock { $0 }?.after.withLock { $0 = guests.map(\.persistentModelID) }
                    for guest in guests { guest.nickname = guest.name.prefix(1) + "." }
                })
        ]
    }
}
