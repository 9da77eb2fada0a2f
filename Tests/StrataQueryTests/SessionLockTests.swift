import Foundation
import Logging
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Locks by name that last longer than a transaction.
@Suite struct SessionLockTests {
    private struct Stopped: Error {}
    /// Of this database: `pg_locks` has those of all.
    private static let locks =
        "FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"

    private func withStore(_ body: (ModelStore) async throws -> Void) async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { try await body($0) }
    }

    private func isFree(_ name: String, _ store: ModelStore) async throws -> Bool {
        try await store.container.tryWithAdvisoryLock(name) { () async throws -> Bool in true } ?? false
    }

    @Test func `a lock holds over transactions, against everybody who asks for its name`() async throws {
        try await withStore { store in
            let context = ModelContext(store.container)
            let result = try await store.container.withAdvisoryLock("nightly") {
                for number in 0..<2 {
                    try await store.container.withContext { $0.insert(Stop("s\(number)", of: nil)) }
                    #expect(try await !isFree("nightly", store))
                }
                let taken = try await context.tryWithAdvisoryLock("nightly") { () async throws -> Int in 1 }
                #expect(taken == nil)
                #expect(try await isFree("weekly", store))
                return try await context.fetchCount(FetchDescriptor<Stop>())
            }
            #expect(result == 2)
            #expect(try await isFree("nightly", store))
            try await context.withAdvisoryLock("nightly") { () async throws -> Void in
                #expect(try await !isFree("nightly", store))
            }
            let blocking = try {
                try store.container.withAdvisoryLock("nightly") {
                    try store.container.tryWithAdvisoryLock("nightly") { 1 } == nil
                }
            }()
            #expect(blocking)
        }
    }

    @Test func `a lock ends with its block, also by an error, and its connection with it`() async throws {
        try await withStore { store in
            store.recorder.reset()
            await #expect(throws: Stopped.self) {
                try await store.container.withAdvisoryLock("nightly") { () async throws -> Void in throw Stopped() }
            }
            #expect(store.recorder.roundTrips == 3)
            #expect(try await isFree("nightly", store))
            let holders = "SELECT pid::text \(Self.locks)"
            try await store.container.withAdvisoryLock("nightly") { () async throws -> Void in
                #expect(try await store.database.texts(holders).count == 1)
            }
            #expect(try await store.database.texts(holders).isEmpty)
        }
    }

    @Test func `one at a time has the lock, and who is cancelled waits no longer`() async throws {
        try await withStore { store in
            let order = Shared<[Int]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        try await store.container.withAdvisoryLock("nightly") { () async throws -> Void in
                            order.withLock { $0.append(number) }
                            try await store.container.withContext { $0.insert(Stop("s\(number)", of: nil)) }
                            order.withLock { $0.append(number) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let numbers = order.value
            #expect(numbers.count == 8)
            for index in stride(from: 0, to: numbers.count, by: 2) { #expect(numbers[index] == numbers[index + 1]) }
            try await store.container.withAdvisoryLock("nightly") { () async throws -> Void in
                let waiting = Task {
                    try await store.container.withAdvisoryLock("nightly") { () async throws -> Void in }
                }
                while try await store.database.texts(
                    "SELECT pid::text \(Self.locks) AND NOT granted"
                ).isEmpty { await Task.yield() }
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
            }
            // What is cancelled while it has the lock keeps it until its block returns, and gives it back.
            let holding = Task {
                try await store.container.withAdvisoryLock("nightly") { () async throws -> Bool in
                    withUnsafeCurrentTask { $0?.cancel() }
                    return Task.isCancelled
                }
            }
            #expect(try await holding.value)
            #expect(try await isFree("nightly", store))
        }
    }

    @Test func `a lock that was lost with its connection is told`() async throws {
        try await withStore { store in
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.container.withAdvisoryLock("nightly") { () async throws -> Void in
                    try await store.database.execute(
                        "SELECT pg_terminate_backend(pid) \(Self.locks)")
                    while try await !isFree("nightly", store) { await Task.yield() }
                }
            }
            #expect(error?.code == .storeFailure)
            #expect(error?.message.contains("\"nightly\" was lost with its connection before the block ended") == true)
        }
    }

    @Test func `behind a pooler a lock is refused, and a direct URL leads past it`() async throws {
        try await withStore { store in
            let proxy = try PoolerProxy(before: store.database.configuration)
            defer { proxy.stop() }
            var pooled = ModelConfiguration(url: try #require(proxy.url(for: store.database)))
            pooled.preparedStatements = .unnamed
            var passing = pooled
            passing.directURL = store.database.foundationURL
            let schema = Schema([Voyage.self, Cruise.self, Stop.self])
            let runs = Shared(0)
            let refused = try await ModelContainer(for: schema, configurations: [pooled], logger: Logger(label: "test"))
            let error = await #expect(throws: SwiftDataError.self) {
                try await refused.withAdvisoryLock("nightly") { () async throws -> Void in runs.withLock { $0 += 1 } }
            }
            #expect(error?.code == .unsupportedFeature)
            #expect(error?.message.contains("directURL") == true)
            #expect(runs.value == 0)
            await refused.close()
            let direct = try await ModelContainer(for: schema, configurations: [passing], logger: Logger(label: "test"))
            try await direct.withAdvisoryLock("nightly") { () async throws -> Void in runs.withLock { $0 += 1 } }
            #expect(runs.value == 1)
            await direct.close()
        }
    }
}
