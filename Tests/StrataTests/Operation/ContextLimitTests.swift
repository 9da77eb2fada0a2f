import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import Testing

/// A context has times of its own for its transactions, in place of its configuration's.
@Suite struct ContextLimitTests {
    private static let schema = Schema([Graph.Parent.self, Graph.Child.self])

    private func settings(_ context: ModelContext) async throws -> [String] {
        try await context.fetch(
            String.self,
            sql: """
                SELECT current_setting(name)
                FROM unnest(ARRAY['transaction_timeout', 'idle_in_transaction_session_timeout']) AS name
                """)
    }

    private func hasTransactionTimeout(_ store: ModelStore) async throws -> Bool {
        try await ModelContext(store.container).fetch(
            Int.self, sql: "SELECT current_setting('server_version_num')::bigint"
        )
        .first ?? 0 >= 170_000
    }

    @Test(arguments: [false, true])
    func aTransactionHasTheTimesOfItsContextAndTheNextThoseOfTheConfiguration(isBlocking: Bool) async throws {
        func configure(_ configuration: inout ModelConfiguration) {
            configuration.limits.idleInTransactionTimeout = .seconds(60)
        }
        try await withModelStore(of: Self.schema, configure: configure) { store in
            let context = ModelContext(store.container)
            context.idleInTransactionTimeout = .seconds(7)
            let hasTransactionTimeout = try await hasTransactionTimeout(store)
            if hasTransactionTimeout { context.transactionTimeout = .seconds(9) }
            let names = "SELECT current_setting('idle_in_transaction_session_timeout')"
            func blocking() throws -> [String] {
                try context.transaction(isolation: nil) { try context.fetch(String.self, sql: "\(raw: names)") }
            }
            func suspending() async throws -> [String] {
                try await context.transaction(isolation: nil) { () async throws -> [String] in
                    try await context.fetch(String.self, sql: "\(raw: names)")
                }
            }
            let within = isBlocking ? try blocking() : try await suspending()
            #expect(within == ["7s"])
            if hasTransactionTimeout {
                let within = try await context.transaction(isolation: nil) { () async throws -> [String] in
                    try await settings(context)
                }
                #expect(within == ["9s", "7s"])
                #expect(try await settings(context) == ["0", "1min"])
            }
            #expect(try await context.fetch(String.self, sql: "\(raw: names)") == ["1min"])
        }
    }

    @Test func theServerEndsATransactionThatDoesNothing() async throws {
        try await withModelStore(of: Self.schema) { store in
            let context = ModelContext(store.container)
            context.idleInTransactionTimeout = .milliseconds(50)
            await #expect {
                try await context.transaction {
                    context.insert(Graph.Parent("A"))
                    try await context.save()
                    // Until the server has ended it.
                    try await waitForEnd(of: store)
                    _ = try await context.fetchCount(FetchDescriptor<Graph.Parent>())
                }
            } throws: { error in (error as? SwiftDataError)?.sqlState == "25P03" }
            let count = try await ModelContext(store.container).fetchCount(FetchDescriptor<Graph.Parent>())
            #expect(count == 0)
        }
    }

    private func waitForEnd(of store: ModelStore) async throws {
        let idle: SQLStatement = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
            """
        while try await ModelContext(store.container).fetch(Int.self, sql: idle) != [0] {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// A longer time than the configuration's counts from then on, too.
    @Test func aTransactionMayTakeLongerThanTheConfigurationSays() async throws {
        try await withModelStore(of: Self.schema) { store in
            guard try await hasTransactionTimeout(store) else { return }
            let container = try await store.reopened(Self.schema) { $0.limits.transactionTimeout = .milliseconds(200) }
            let context = ModelContext(container)
            context.transactionTimeout = .seconds(60)
            try await context.transaction {
                context.insert(Graph.Parent("A"))
                try await context.save()
                _ = try await context.fetch(Int.self, sql: "SELECT count(pg_sleep(0.4))")
            }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Graph.Parent>()) == 1)
            await container.close()
        }
    }

    @Test func aTimeThatIsNoneIsRefusedAndNothingStaysOpen() async throws {
        try await withModelStore(of: Self.schema) { store in
            let context = ModelContext(store.container)
            context.idleInTransactionTimeout = .zero
            await #expect(throws: SwiftDataError.storeFailure) {
                try await context.transaction { context.insert(Graph.Parent("A")) }
            }
            #expect(store.container.poolUse[0].inUse == 0)
            context.idleInTransactionTimeout = nil
            try await context.transaction { context.insert(Graph.Parent("A")) }
            #expect(try await context.fetchCount(FetchDescriptor<Graph.Parent>()) == 1)
        }
    }
}
