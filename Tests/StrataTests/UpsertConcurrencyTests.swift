import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Model private class Login {
    @Attribute(.unique) var email: String
    @Attribute(.unique) var code: String
    var visits: Int = 0
    init(_ email: String, _ code: String, visits: Int = 0) {
        self.email = email
        self.code = code
        self.visits = visits
    }
}

@Model private final class StaffLogin: Login {
    @Attribute(.unique) var badge: Int
    init(_ email: String, _ code: String, badge: Int, visits: Int = 0) {
        self.badge = badge
        super.init(email, code, visits: visits)
    }
}

/// Contexts that write the same unique values at the same time.
@Suite struct UpsertConcurrencyTests {
    private static let contexts = 8
    private static let keys = 6

    /// One task a context; each does `rounds` saves of several rows in an order of its own.
    private func inContexts(
        _ container: ModelContainer, rounds: Int,
        _ body: @escaping @Sendable (ModelContext, Int, inout SeededGenerator) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.contexts {
                group.addTask {
                    var random = SeededGenerator(UInt64(number))
                    for round in 0..<rounds { try await body(ModelContext(container), round, &random) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func insert(_ keys: [Int], round: Int, _ context: ModelContext) {
        for key in keys {
            let name = "\(round)-\(key)"
            if key.isMultiple(of: 2) {
                context.insert(Login("e\(name)", "c\(name)", visits: round))
            } else {
                // The other constraint orders the rows the other way round.
                context.insert(StaffLogin("e\(name)", "c\(round)-\(9 - key)x", badge: round * 100 - key, visits: round))
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `eight contexts that upsert the same rows in different orders all succeed`() async throws {
        try await withModelStore(Login.self, StaffLogin.self) { store in
            let rounds = 25
            try await inContexts(store.container, rounds: rounds) { context, round, random in
                if round % 5 == 4 { context.uniquePolicy = .ignore }
                Self.insert((0..<Self.keys).shuffled(using: &random), round: round, context)
                try await context.save()
                #expect(!context.hasChanges)
            }
            let all = try await ModelContext(store.container).fetch(FetchDescriptor<Login>())
            #expect(all.count == rounds * Self.keys)
            #expect(Set(all.map(\.email)).count == all.count)
            #expect(all.count { $0 is StaffLogin } == all.count / 2)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `eight contexts that upsert and delete the same rows all succeed`() async throws {
        try await withModelStore(Login.self, StaffLogin.self) { store in
            try await inContexts(store.container, rounds: 25) { context, round, random in
                if Int.random(in: 0..<3, using: &random) == 0 {
                    for login in try await context.fetch(FetchDescriptor<Login>()).shuffled(using: &random).prefix(4) {
                        context.delete(login)
                    }
                } else {
                    // The same few values in every round.
                    let keys = (0..<Self.keys).shuffled(using: &random).prefix(4)
                    Self.insert(Array(keys), round: 0, context)
                }
                try await context.save()
            }
            let all = try await ModelContext(store.container).fetch(FetchDescriptor<Login>())
            #expect(Set(all.map(\.email)).count == all.count)
            #expect(all.count <= Self.keys)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `updates of the same rows in different orders do not end in a deadlock`() async throws {
        try await withModelStore(Login.self, StaffLogin.self) { store in
            let first = ModelContext(store.container)
            Self.insert(Array(0..<Self.keys), round: 0, first)
            try await first.save()
            try await inContexts(store.container, rounds: 15) { context, round, random in
                context.conflictPolicy = .overwrite
                for login in try await context.fetch(FetchDescriptor<Login>()).shuffled(using: &random) {
                    login.visits = Int.random(in: 0..<9, using: &random)
                }
                try await context.save()
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a save that the server ends to undo a deadlock is done again`() async throws {
        try await withModelStore(Login.self, StaffLogin.self) { store in
            let context = ModelContext(store.container)
            for name in ["a", "b"] { context.insert(Login(name, name)) }
            try await context.save()
            // A session that takes the rows in the other order, and is not the one to be ended.
            let other = try await store.database.connect()
            defer { other.close() }
            try await other.run(
                "BEGIN", "SET LOCAL deadlock_timeout = '10min'", "UPDATE login SET code = 'b2' WHERE email = 'b'")
            let container = store.container
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let third = ModelContext(container)
                    for login in try await third.fetch(FetchDescriptor<Login>()) { login.visits = 2 }
                    try await third.save()
                }
                // It holds the first row when it waits for the second.
                try await waitUntil { try await store.isWaitingForLock() }
                try await other.run("UPDATE login SET code = 'a2' WHERE email = 'a'", "COMMIT")
                try await group.waitForAll()
            }
            let all = try await ModelContext(container).fetch(FetchDescriptor<Login>(sortBy: [SortDescriptor(\.email)]))
            #expect(all.map(\.visits) == [2, 2])
            #expect(all.map(\.code) == ["a2", "b2"])
        }
    }

    @Test func `a row that a transaction cannot see makes it one to repeat`() async throws {
        try await withModelStore(Login.self, StaffLogin.self) { store in
            let context = ModelContext(store.container)
            do {
                try await context.transaction(isolation: .repeatableRead) {
                    _ = try await context.fetchCount(FetchDescriptor<Login>())
                    let other = ModelContext(store.container)
                    other.insert(Login("a", "a", visits: 1))
                    try await other.save()
                    context.insert(Login("a", "a", visits: 2))
                    try await context.save()
                }
                Issue.record("no error")
            } catch let error as SwiftDataError {
                #expect(error.isRetryable)
                #expect(error.code == .conflict)
            }
            // With attempts it is done again, in a context and a transaction that see the row.
            let runs = Shared(0)
            let visits = try await store.container.withContext(isolation: .repeatableRead, attempts: 3) { context in
                runs.withLock { $0 += 1 }
                _ = try await context.fetchCount(FetchDescriptor<Login>())
                if runs.value == 1 {
                    let other = ModelContext(store.container)
                    other.insert(Login("b", "b", visits: 1))
                    try await other.save()
                }
                let login = Login("b", "b", visits: 2)
                context.insert(login)
                try await context.save()
                return login.visits
            }
            #expect(runs.value == 2)
            #expect(visits == 2)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Login>()) == 2)
        }
    }
}
