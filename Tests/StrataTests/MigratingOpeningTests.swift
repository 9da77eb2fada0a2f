import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

/// What opening costs, who waits for whom, and what is left of an opening that failed.
@Suite struct MigratingOpeningTests {
    @Test("creating a store takes three round trips, opening it again three")
    func roundTrips() async throws {
        try await withMigratingStore { store in
            for way in ["created", "opened"] {
                let recorder = StatementRecorder()
                let container = try await ModelContainer(
                    opening: Schema(versionedSchema: MigratingReleased.self), migrationPlan: MigratingReleasedPlan.self,
                    migrations: .apply,
                    configurations: [ModelConfiguration(url: try #require(store.database.foundationURL))],
                    logger: Logger(label: "test"), observer: recorder)
                await container.close()
                #expect(recorder.roundTrips == 3, "\(way): \(recorder.flushes)")
            }
        }
    }

    @Test("of two programs that open an old database at once one migrates, and the other waits and opens it then")
    func twoAtOnce() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { context in
                context.insert(MigratingReleased.Guest(name: "Ada"))
                try await context.save()
            }
            let gate = MigratingGate.shared
            let configuration = ModelConfiguration(url: try #require(store.database.foundationURL))
            let second = Task {
                await gate.isEntered.wait()
                return try await names(configuration, Logger(label: "second") { _ in WaitingHandler(gate: gate) })
            }
            let first = try await names(configuration, Logger(label: "first"))
            #expect(first == ["Ada!"])
            #expect(try await second.value == ["Ada!"])
            #expect(gate.runs.withLock { $0 } == 1)
            #expect(try await store.recordedVersions() == ["1.0.0 baseline", "2.0.0 0002_v1_v2"])
        }
    }

    private func names(_ configuration: ModelConfiguration, _ logger: Logger) async throws -> [String] {
        let container = try await ModelContainer(
            for: Schema(versionedSchema: MigratingNicknames.self), migrationPlan: MigratingGatedPlan.self,
            configurations: [configuration], logger: logger)
        let guests = try await ModelContext(container).fetch(FetchDescriptor<MigratingNicknames.Guest>())
        let names = guests.map(\.name)
        await container.close()
        return names
    }

    @Test("a closure that throws leaves the database as it was, and once the cause is gone it opens")
    func refusal() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { context in
                context.insert(MigratingReleased.Guest(name: "Ada"))
                context.insert(MigratingReleased.Guest(name: "bad"))
                try await context.save()
            }
            let error = try await #require(throws: MigrationError.self) {
                try await store.with(MigratingNicknames.self, plan: MigratingStrictPlan.self) { _ in }
            }
            #expect(error.code == .stepFailed)
            #expect(error.message.contains("willMigrate of 0002_v1_v2"), "\(error.message)")
            #expect(error.places.contains { $0.contains("run willMigrate with version 1.0.0") })
            #expect(try await store.texts("SELECT name FROM guest ORDER BY pk") == ["Ada", "bad"])
            #expect(
                try await store.texts(
                    "SELECT attname::text FROM pg_attribute WHERE attrelid = 'guest'::regclass AND attnum > 0")
                    == ["pk", "name"])
            #expect(try await store.recordedVersions() == ["1.0.0 baseline"])
            // The program of the version before goes on.
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self, .verify) { context in
                let bad = try await context.fetch(
                    FetchDescriptor<MigratingReleased.Guest>(predicate: #Predicate { $0.name == "bad" }))
                bad.first?.name = "Bob"
                try await context.save()
            }
            try await store.with(MigratingNicknames.self, plan: MigratingStrictPlan.self) { _ in }
            #expect(try await store.texts("SELECT name FROM guest ORDER BY pk") == ["ADA", "BOB"])
            #expect(try await store.recordedVersions() == ["1.0.0 baseline", "2.0.0 0002_v1_v2"])
        }
    }
}

/// Holds a closure back until another program waits for it.
final class MigratingGate: Sendable {
    static let shared = MigratingGate()

    let isEntered = MigratingSignal()
    let isWaitedFor = MigratingSignal()
    let runs = Mutex(0)
}

/// Given once, and waited for by whoever likes, blocking or not.
final class MigratingSignal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func give() { semaphore.signal() }

    /// Whether the signal came within a minute.
    @discardableResult
    func block() -> Bool {
        defer { semaphore.signal() }
        return semaphore.wait(timeout: .now() + 60) == .success
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.block()
                continuation.resume()
            }
        }
    }
}

/// Gives the signal when the container says that it waits.
private struct WaitingHandler: LogHandler {
    let gate: MigratingGate
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if event.message.description == "waiting for another process to migrate" { gate.isWaitedFor.give() }
    }
}

enum MigratingGatedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingReleased.self, MigratingNicknames.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: MigratingReleased.self, toVersion: MigratingNicknames.self,
                willMigrate: { context in
                    let gate = MigratingGate.shared
                    gate.runs.withLock { $0 += 1 }
                    gate.isEntered.give()
                    guard gate.isWaitedFor.block() else { throw MigratingRefusal() }
                    for guest in try context.fetch(FetchDescriptor<MigratingReleased.Guest>()) { guest.name += "!" }
                }, didMigrate: nil)
        ]
    }
}

enum MigratingStrictPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingReleased.self, MigratingNicknames.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: MigratingReleased.self, toVersion: MigratingNicknames.self,
                willMigrate: { context in
                    for guest in try context.fetch(
                        FetchDescriptor<MigratingReleased.Guest>(sortBy: [SortDescriptor(\.name)]))
                    {
                        if guest.name == "bad" { throw MigratingRefusal() }
                        guest.name = guest.name.uppercased()
                    }
                }, didMigrate: nil)
        ]
    }
}
