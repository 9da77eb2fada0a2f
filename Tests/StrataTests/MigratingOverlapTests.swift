import Foundation
import Strata
import StrataMigrations
import StrataTestSupport
import Testing

/// Programs of the version that a database is leaving, started anew while the stage is applied phase by phase.
@Suite struct MigratingOverlapTests {
    /// Columns that a stage makes required, loosens, refers from, or renames side by side.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var plan: any SchemaMigrationPlan.Type
        var old: any VersionedSchema.Type
        var new: any VersionedSchema.Type
    }

    static let cases = [
        Case(
            testDescription: "renamed side by side", plan: OverlapRenamedPlan.self, old: MigratingReleased.self,
            new: MigratingRenamed.self),
        Case(
            testDescription: "required", plan: OverlapRequiredPlan.self, old: OverlapLoose.self, new: OverlapStrict.self
        ),
        Case(
            testDescription: "optional", plan: OverlapOptionalPlan.self, old: OverlapStrictFirst.self,
            new: OverlapLooseSecond.self),
        Case(
            testDescription: "referring", plan: OverlapReferringPlan.self, old: OverlapFree.self, new: OverlapBound.self
        ),
    ]

    @Test("the old program starts after expand and after backfill, with and without its plan", arguments: cases)
    func restarts(_ example: Case) async throws {
        try await withMigratingStore { store in
            try await store.apply(example.plan, through: .contract, to: 1)
            for phase in [MigrationPhase.expand, .backfill] {
                try await store.apply(example.plan, through: phase)
                for policy in [MigrationPolicy.apply, .verify] {
                    try await store.with(example.old, plan: example.plan, policy) { _ in }
                }
                try await store.with(example.old, plan: nil) { _ in }
                let reader = try await store.open(example.old, plan: nil, allowsSave: false)
                await reader.close()
            }
            // The new one, too, from here on.
            try await store.with(example.new, plan: example.plan, .verify) { _ in }
            try await store.with(example.new, plan: nil) { _ in }
            try await store.apply(example.plan, through: .contract)
            try await store.with(example.new, plan: example.plan, .verify) { _ in }
        }
    }

    @Test("between backfill and contract of a rename side by side the old program starts, reads and writes")
    func sideBySide() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { context in
                context.insert(MigratingReleased.Guest(name: "Ada"))
                try await context.save()
            }
            try await store.apply(OverlapRenamedPlan.self, through: .backfill)
            for plan in [MigratingReleasedPlan.self, nil] as [(any SchemaMigrationPlan.Type)?] {
                try await store.with(MigratingReleased.self, plan: plan) { context in
                    context.insert(MigratingReleased.Guest(name: "Old"))
                    try await context.save()
                }
            }
            try await store.with(MigratingRenamed.self, plan: OverlapRenamedPlan.self, .verify) { context in
                context.insert(MigratingRenamed.Guest(fullName: "New"))
                try await context.save()
            }
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { context in
                let names = try await context.fetch(FetchDescriptor<MigratingReleased.Guest>()).map(\.name)
                #expect(names.sorted() == ["Ada", "New", "Old", "Old"])
            }
            try await store.apply(OverlapRenamedPlan.self, through: .contract)
            #expect(
                try await store.texts("SELECT full_name FROM guest ORDER BY 1") == ["Ada", "New", "Old", "Old"])
        }
    }

    @Test("a container of the old version stays ready until its tables are taken away, and says what is under way")
    func readiness() async throws {
        try await withMigratingStore { store in
            try await store.apply(OverlapRenamedPlan.self, through: .contract, to: 1)
            let old = try await store.open(MigratingReleased.self, plan: nil)
            #expect("\(await old.readiness())" == "store default: ready")
            for phase in [MigrationPhase.expand, .backfill] {
                try await store.apply(OverlapRenamedPlan.self, through: phase)
                let readiness = await old.readiness()
                guard case .migrating? = readiness.stores.first?.state else {
                    Issue.record("behind \(phase): \(readiness)")
                    continue
                }
                #expect(readiness.isReady)
            }
            try await store.apply(OverlapRenamedPlan.self, through: .contract)
            let readiness = await old.readiness()
            #expect(!readiness.isReady)
            #expect("\(readiness)" == "store default: incompatible with the models")
            await old.close()
        }
    }

    @Test("what is nobody's stage is refused as ever: a required column that nothing fills")
    func foreignColumn() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { _ in }
            try await store.apply(OverlapRenamedPlan.self, through: .backfill)
            try await store.database.execute("ALTER TABLE guest ADD COLUMN theirs int NOT NULL")
            let error = try await #require(throws: SwiftDataError.self) {
                try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { _ in }
            }
            #expect(error.code == .storeDoesNotFit)
            #expect(error.message.contains("guest.theirs"))
            #expect(!error.message.contains("full_name"), "\(error.message)")
        }
    }

    @Test("once contract has begun the old program is refused, and told why")
    func contracting() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { _ in }
            try await store.apply(OverlapRenamedPlan.self, through: .backfill)
            // As a run leaves it that is ended behind the removal of the triggers.
            let scripts = try MigrationChain(plan: OverlapRenamedPlan.self).scripts(in: "public")
            let isFirstOfContract = try #require(
                scripts[1].steps.first { $0.phase == .contract && $0.execution != .verify })
            var options = RunnerOptions()
            options.afterStep = { step in if step == isFirstOfContract.id { throw MigratingRefusal() } }
            let runner = MigrationRunner(
                configuration: store.database.configuration, schemaName: "public", options: options)
            await #expect(throws: MigrationError.self) { try await offThePool { try runner.apply(scripts) } }
            let error = try await #require(throws: SwiftDataError.self) {
                try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { _ in }
            }
            #expect(error.code == .backwardMigration)
            #expect(error.message.contains("phase contract"))
            let second = try await #require(throws: SwiftDataError.self) {
                try await store.with(MigratingReleased.self, plan: nil) { _ in }
            }
            #expect(second.code == .storeDoesNotFit)
            #expect(second.message.contains("has begun its phase contract"), "\(second.message)")
        }
    }
}

enum OverlapRenamedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingReleased.self, MigratingRenamed.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: MigratingReleased.self, toVersion: MigratingRenamed.self,
                changes: [.sideBySide(\MigratingRenamed.Guest.fullName)])
        ]
    }
}

enum OverlapLoose: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        var name: String?
        init(name: String?) { self.name = name }
    }
}

enum OverlapStrict: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        var name: String = "none"
        var code: String
        init(name: String, code: String) { (self.name, self.code) = (name, code) }
    }
}

enum OverlapRequiredPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [OverlapLoose.self, OverlapStrict.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: OverlapLoose.self, toVersion: OverlapStrict.self,
                changes: [.filled(\OverlapStrict.Guest.code, with: "upper(name)")])
        ]
    }
}

enum OverlapStrictFirst: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        var name: String
        init(name: String) { self.name = name }
    }
}

enum OverlapLooseSecond: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        var name: String?
        init(name: String?) { self.name = name }
    }
}

enum OverlapOptionalPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [OverlapStrictFirst.self, OverlapLooseSecond.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: OverlapStrictFirst.self, toVersion: OverlapLooseSecond.self)]
    }
}

enum OverlapFree: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self, Room.self] }
    @Model final class Guest {
        var room: Room?
        init(room: Room?) { self.room = room }
    }
    @Model final class Room {
        @Relationship(deleteRule: .noAction, inverse: \Guest.room) var guests: [Guest] = []
        init() {}
    }
}

enum OverlapBound: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self, Room.self] }
    @Model final class Guest {
        var room: Room?
        init(room: Room?) { self.room = room }
    }
    @Model final class Room {
        @Relationship(deleteRule: .nullify, inverse: \Guest.room) var guests: [Guest] = []
        init() {}
    }
}

enum OverlapReferringPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [OverlapFree.self, OverlapBound.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: OverlapFree.self, toVersion: OverlapBound.self)]
    }
}
