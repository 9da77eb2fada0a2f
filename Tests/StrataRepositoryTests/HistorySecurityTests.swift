import StrataClient
import StrataRepository
import StrataTestSupport
import Testing

/// What the role of an application can do to the history, and what it cannot.
@Suite struct HistorySecurityTests {
    /// Roles belong to the server, not to the database: one name a test.
    private func asApplication(
        _ role: String, _ store: HistoryStore, grants: [String] = [], _ body: () async throws -> Void
    ) async throws {
        try await store.run(
            "CREATE ROLE \(role)", "GRANT ALL ON ALL TABLES IN SCHEMA public TO \(role)",
            "GRANT ALL ON SCHEMA public TO \(role)")
        for grant in grants { _ = try await store.text("SELECT strata.history_grant('\(role)', '\(grant)')") }
        try await store.run("SET SESSION AUTHORIZATION \(role)")
        do {
            try await body()
            try await store.run("RESET SESSION AUTHORIZATION", "DROP OWNED BY \(role)", "DROP ROLE \(role)")
        } catch {
            try? await store.run("RESET SESSION AUTHORIZATION", "DROP OWNED BY \(role)", "DROP ROLE \(role)")
            throw error
        }
    }

    @Test(
        "The application's role can neither write history nor delete it nor switch it off",
        arguments: [
            "INSERT INTO strata.history_change (xid, entity, generation, op) VALUES ('1', 1, 1::smallint, 'I')",
            "UPDATE strata.history_change SET pk = 1", "DELETE FROM strata.history_change",
            "TRUNCATE strata.history_change",
            "DELETE FROM strata.history_transaction", "UPDATE strata.store SET deleted_below = '9'",
            "SELECT nextval('strata.history_change_seq')", "SELECT strata.history_begin(1)",
            "SELECT strata.history_describe('public', '{}')", "SELECT strata.history_sync('public')",
            "SELECT strata.history_reset('public', 'Trip')", "SELECT strata.history_delete('public', '{}', '{}')",
            "SELECT strata.history_prune('public', now(), 0)", "SELECT strata.history_forget('public')",
            "SELECT strata.history_grant('public', 'own')",
            "SELECT strata_history_1_trip()", "ALTER TABLE trip DISABLE TRIGGER strata_history_insert",
            "DROP TRIGGER strata_history_insert ON trip", "SET session_replication_role = 'replica'",
            "DROP FUNCTION strata_history_1_trip() CASCADE",
        ])
    func refused(_ statement: String) async throws {
        try await HistoryStore.with { store in
            let role = "history_app_\(abs(statement.hashValue))"
            try await asApplication(role, store, grants: ["write"]) {
                let error = await #expect(throws: PostgresError.self) { try await store.run(statement) }
                #expect(["42501", "0A000"].contains(error?.sqlState ?? ""), "\(String(describing: error))")
            }
        }
    }

    @Test func `Forged settings, hostile temporary tables and search paths change nothing`() async throws {
        try await HistoryStore.with { store in
            try await asApplication("history_forger", store) {
                try await store.run(
                    "CREATE TEMP TABLE history_change (x int)", "CREATE TEMP TABLE store (number int, generation int)",
                    "CREATE FUNCTION pg_temp.pg_current_xact_id() RETURNS xid8 LANGUAGE sql AS $$SELECT '1'::xid8$$",
                    "SET search_path = pg_temp, public", "SET strata.history = 'off'", "SET strata.process = 'me'",
                    "SET strata.history_wide_1 = 'off'", "INSERT INTO public.tag (pk, name) VALUES (1, 'a')",
                    #"INSERT INTO public.doc (pk, number) VALUES (1, 1)"#, #"UPDATE public.doc SET scan = '\x01'"#)
            }
            #expect(try await store.recorded() == ["Tag#1 I", "Doc#1 I", "Doc#1 U scan"])
        }
    }

    @Test func `Row-level security of a table hides nothing from its history`() async throws {
        try await HistoryStore.with { store in
            try await store.run(
                "INSERT INTO trip (pk, class, name, destination) VALUES (1, 'Trip', 'a', 'mine'), (2, 'BusinessTrip', 'b', 'yours')",
                "INSERT INTO business_trip (pk, per_diem) VALUES (2, 1)",
                "ALTER TABLE trip ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY mine ON trip USING (destination = 'mine')")
            _ = try await store.recorded()
            try await asApplication("history_row_reader", store, grants: ["write"]) {
                let visible = try await store.text("SELECT count(*) FROM trip")
                #expect(visible == "1")
                try await store.run(
                    "INSERT INTO trip (pk, class, name, destination) VALUES (3, 'Trip', 'c', 'mine')",
                    "UPDATE trip SET name = 'z'",
                    // The row that says which class it is cannot be seen.
                    "UPDATE business_trip SET per_diem = 2", "DELETE FROM trip")
                await #expect(throws: PostgresError.self) {
                    try await store.run(
                        "INSERT INTO trip (pk, class, name, destination) VALUES (4, 'Trip', 'd', 'yours')")
                }
            }
            #expect(
                try await store.recorded() == [
                    "Trip#3 I", "Trip#1 U name | Trip#3 U name", "BusinessTrip#2 u perDiem",
                    "Trip#1 D name=z,starts=NULL | Trip#3 D name=z,starts=NULL",
                ])
        }
    }

    @Test func `A reader reads, and a pruner deletes`() async throws {
        try await HistoryStore.with { store in
            try await store.run("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            try await asApplication("history_reader", store, grants: ["read"]) {
                let count = try await store.text("SELECT count(*) FROM strata.history_change")
                #expect(count == "1")
                let findings = try await store.rows("SELECT * FROM strata.history_findings('public')")
                #expect(findings == [])
                let generation = try await store.text("SELECT strata.history_adopt('public')")
                #expect(generation != nil)
            }
            try await asApplication("history_pruner", store, grants: ["prune"]) {
                try await store.settle()
                let deleted = try await store.text("SELECT strata.history_prune('public', 'infinity', NULL)")
                #expect(deleted == "1")
                let count = try await store.text("SELECT count(*) FROM strata.history_change")
                #expect(count == "0")
            }
        }
    }
}
