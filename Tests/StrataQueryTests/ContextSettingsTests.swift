import Foundation
import Strata
import StrataModelTestSupport
import Testing

@Suite struct ContextSettingsTests {
    private static let tenant: SQLStatement = "SELECT coalesce(current_setting('app.tenant', true), '')"

    private func tenant(_ context: ModelContext) async throws -> String {
        try await context.fetch(String.self, sql: Self.tenant)[0]
    }

    @Test func `each statement finds them in its own round trip, and the next one does not`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self, connections: 1) { store in
            let context = ModelContext(store.container)
            context.settings = ["app.tenant": "17", "app.zone": "'); DROP TABLE voyage; --"]
            #expect(context.settings["app.tenant"] == "17")
            store.recorder.reset()
            #expect(try await tenant(context) == "17")
            #expect(store.recorder.roundTrips == 1)
            #expect(!store.recorder.statements.contains("BEGIN"))
            #expect(try { try context.fetch(String.self, sql: Self.tenant) }() == ["17"])
            let zone = try await context.fetch(String.self, sql: "SELECT current_setting('app.zone')")
            #expect(zone == ["'); DROP TABLE voyage; --"])
            // The same connection, for others.
            #expect(try await tenant(ModelContext(store.container)) == "")
            context.settings = [:]
            #expect(try await tenant(context) == "")
        }
    }

    @Test func `triggers and policies find them in saves and enumerations`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self, connections: 1) { store in
            try await store.database.execute(
                """
                CREATE FUNCTION note_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN NEW.home_port := current_setting('app.tenant'); RETURN NEW; END $$
                """,
                "CREATE TRIGGER note_tenant BEFORE INSERT ON voyage FOR EACH ROW EXECUTE FUNCTION note_tenant()")
            let context = ModelContext(store.container)
            context.settings = ["app.tenant": "17"]
            context.insert(Voyage("v", "Kiel", day: 1))
            try await context.save()
            context.insert(Voyage("w", "Kiel", day: 2))
            try { try context.save() }()
            let ports = try await ModelContext(store.container).fetch(FetchDescriptor<Voyage>()).map(\.homePort)
            #expect(ports == ["17", "17"])
            try await store.database.execute(
                "ALTER TABLE voyage ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY own ON voyage USING (home_port = current_setting('app.tenant'))",
                "CREATE ROLE settings_guest", "GRANT ALL ON voyage, cruise, stop TO settings_guest")
            var seen = 0
            context.settings = ["app.tenant": "17", "role": "settings_guest"]
            try await context.enumerate(FetchDescriptor<Voyage>(), batchSize: 1) { _ in seen += 1 }
            #expect(seen == 2)
            context.settings["app.tenant"] = "18"
            try await context.enumerate(FetchDescriptor<Voyage>(), batchSize: 1) { _ in seen += 1 }
            #expect(seen == 2)
            try await store.database.execute("DROP OWNED BY settings_guest", "DROP ROLE settings_guest")
        }
    }

    @Test func `rows that go by COPY find them`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self, connections: 1) { store in
            try await store.database.execute(
                """
                CREATE FUNCTION note_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN NEW.name := current_setting('app.tenant'); RETURN NEW; END $$
                """,
                "CREATE TRIGGER note_tenant BEFORE INSERT ON stop FOR EACH ROW EXECUTE FUNCTION note_tenant()")
            let context = ModelContext(store.container)
            context.settings = ["app.tenant": "17"]
            try await context.insert(into: Stop.self, \.name, rows: ["first"])
            try await context.transaction {
                // What was told behind a savepoint is taken back with it.
                await #expect(throws: CancellationError.self) {
                    try await context.transaction {
                        try await context.insert(into: Stop.self, \.name, rows: ["gone"])
                        throw CancellationError()
                    }
                }
                try await context.insert(into: Stop.self, \.name, rows: ["second"])
            }
            let names = try await ModelContext(store.container).fetch(FetchDescriptor<Stop>()).map(\.name)
            #expect(names == ["17", "17"])
        }
    }

    @Test func `going back to a savepoint takes nothing of them away`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            struct Back: Error {}
            let context = ModelContext(store.container)
            context.settings = ["app.tenant": "17"]
            try await context.transaction {
                do {
                    try await context.transaction {
                        #expect(try await tenant(context) == "17")
                        throw Back()
                    }
                } catch is Back {}
                #expect(try await tenant(context) == "17")
            }
        }
    }

    @Test func `one that the server does not take fails the call and says so`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            let context = ModelContext(store.container)
            context.settings = ["work_mem": "secret"]
            do {
                _ = try await context.fetch(FetchDescriptor<Voyage>())
                Issue.record("The server took it.")
            } catch let error as SwiftDataError {
                #expect(error.code == .storeFailure && error.sqlState == "22023")
                #expect(!"\(error)".contains("secret"))
            }
            context.settings = ["app.tenant": "a\u{0}b"]
            await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(FetchDescriptor<Voyage>()) }
            context.settings = [:]
            #expect(try await context.fetch(FetchDescriptor<Voyage>()).isEmpty)
        }
    }
}
