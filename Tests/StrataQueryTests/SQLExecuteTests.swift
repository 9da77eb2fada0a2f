import Foundation
import Strata
import StrataModelTestSupport
import Testing

@Suite struct SQLExecuteTests {
    private func withVoyages(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            let context = ModelContext(store.container)
            for number in 0..<4 { context.insert(Voyage("v\(number)", "Kiel", day: number)) }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func rename(_ name: String, to new: String) -> SQLStatement {
        "UPDATE \(table: Voyage.self) SET \(column: \Voyage.name) = \(new) WHERE \(\Voyage.name) = \(name)"
    }

    @Test func `a statement is a transaction of its own, with the author in the history`() async throws {
        try await withVoyages { store, context in
            context.author = "harbour"
            let before = try await store.container.currentHistoryToken()
            store.recorder.reset()
            #expect(try await context.execute(rename("v1", to: "first")) == 1)
            #expect(store.recorder.roundTrips == 1)
            let sent = store.recorder.statements
            #expect(sent.first == "BEGIN")
            #expect(sent.suffix(4) == ["SET CONSTRAINTS ALL IMMEDIATE", "CLOSE ALL", "DISCARD TEMP", "COMMIT"])
            #expect(
                sent.contains(
                    "UPDATE \"public\".\"voyage\" SET \"name\" = $1::text WHERE \"voyage\".\"name\" = $2::text"))
            #expect(sent.last == "COMMIT")
            #expect(context.historyToken != nil)
            let transactions = try await context.fetchHistory(
                HistoryDescriptor(predicate: #Predicate<DefaultHistoryTransaction> { $0.token > before }))
            #expect(transactions.map(\.author) == ["harbour"])
            #expect(transactions.first?.changes.count == 1)
            #expect(try { try context.execute(rename("nobody", to: "x")) }() == 0)
        }
    }

    @Test func `temporary tables may have constraints that are checked at the end`() async throws {
        try await withVoyages { _, context in
            try await context.transaction {
                try await context.execute("CREATE TEMP TABLE harbour (id int PRIMARY KEY)")
                try await context.execute(
                    "CREATE TEMP TABLE berth (harbour int REFERENCES harbour DEFERRABLE INITIALLY DEFERRED)")
                try await context.execute("INSERT INTO berth VALUES (1)")
                try await context.execute("INSERT INTO harbour VALUES (1)")
            }
        }
    }

    @Test func `within a transaction it is part of it, and goes with it`() async throws {
        try await withVoyages { store, context in
            struct Stopped: Error {}
            await #expect(throws: Stopped.self) {
                try await context.transaction {
                    try await context.execute(rename("v0", to: "other"))
                    let seen = try await context.fetch(FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)]))
                    #expect(seen.first?.name == "other")
                    throw Stopped()
                }
            }
            // What was read of it is read again.
            let voyages = try await context.fetch(FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)]))
            #expect(voyages.map(\.name) == ["v0", "v1", "v2", "v3"])
            store.recorder.reset()
            try await context.transaction {
                let changed = try await context.execute(rename("v0", to: "zero"))
                #expect(changed == 1)
                #expect(
                    try await context.fetch(
                        String.self, sql: "SELECT \(\Voyage.name) FROM \(Voyage.self) WHERE \(\Voyage.name) = \("zero")"
                    )
                        == ["zero"])
            }
            #expect(store.recorder.statements.filter { $0 == "BEGIN" }.count == 1)
            try { try context.transaction { try context.execute(rename("zero", to: "v0")) } }()
            #expect(
                try await context.fetch(Int.self, sql: "SELECT count(*) FROM \(Voyage.self) WHERE name = 'v0'") == [1])
        }
    }

    @Test func `unsaved changes are refused, saved or left out`() async throws {
        try await withVoyages { store, context in
            let count: SQLStatement = "SELECT count(*) FROM \(Voyage.self)"
            context.insert(Voyage("new", "Kiel", day: 9))
            let error = await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(Int.self, sql: count) }
            #expect(error?.code == .unsupportedFeature)
            #expect(error?.message.contains("Call save() first") == true)
            #expect(store.recorder.statements.filter { $0.contains("count(*)") }.isEmpty)
            #expect(try await context.fetch(Int.self, sql: count, includePendingChanges: false) == [4])
            try await context.transaction {
                try await context.save()
                #expect(try await context.fetch(Int.self, sql: count) == [5])
            }
        }
    }

    @Test func `a save over what SQL has changed is a conflict`() async throws {
        try await withVoyages { _, context in
            let voyage = try #require(
                try await context.fetch(FetchDescriptor<Voyage>(predicate: #Predicate { $0.name == "v2" })).first)
            try await context.execute(rename("v2", to: "theirs"))
            voyage.name = "mine"
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .conflict)
            context.rollback()
            try await context.refresh([voyage])
            #expect(voyage.name == "theirs")
        }
    }

    @Test func `rows of a statement that writes are committed once they are read`() async throws {
        try await withVoyages { store, context in
            let sql: SQLStatement = """
                UPDATE \(table: Voyage.self) SET \(column: \Voyage.homePort) = \("Oslo") WHERE \(\Voyage.name) < \("v2") \
                RETURNING \(\Voyage.name)
                """
            await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(Int.self, sql: sql) }
            let ports = try await context.fetch(String.self, sql: "SELECT DISTINCT home_port FROM \(Voyage.self)")
            #expect(ports == ["Kiel"])
            store.recorder.reset()
            #expect(Set(try await context.fetch(String.self, sql: sql)) == ["v0", "v1"])
            #expect(store.recorder.roundTrips == 2)
            #expect(
                try await context.fetch(Int.self, sql: "SELECT count(*) FROM \(Voyage.self) WHERE home_port = 'Oslo'")
                    == [2])
        }
    }

    @Test func `where nothing may be written the server says whether a query writes`() async throws {
        try await withVoyages { store, _ in
            let counted: SQLStatement = "SELECT count(*) FROM \(Voyage.self) WHERE \(\Voyage.homePort) <> 'DELETE'"
            let count = try await store.container.read { try await $0.fetch(Int.self, sql: counted) }
            #expect(count == [4])
            let inOne = try await store.container.read(isolation: .repeatableRead) {
                try await $0.fetch(Int.self, sql: counted)
            }
            #expect(inOne == [4])
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.container.read {
                    try await $0.fetch(
                        Int.self,
                        sql: "WITH gone AS (DELETE FROM \(table: Stop.self) RETURNING 1) SELECT count(*) FROM gone")
                }
            }
            #expect(error?.code == .readOnly)
            #expect(error?.underlying?.sqlState == "25006")
        }
    }

    @Test func `what would stay with a connection, or be over at once, is refused`() async throws {
        try await withVoyages { store, context in
            store.recorder.reset()
            for text in [
                "CREATE TEMP TABLE picked (pk bigint)", "CREATE LOCAL TEMPORARY TABLE picked (pk bigint)",
                "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
                "SET LOCAL lock_timeout = 1", "LOCK TABLE stop", "DECLARE c CURSOR FOR SELECT 1",
            ] {
                let error = await #expect(throws: SwiftDataError.self) { try await context.execute("\(raw: text)") }
                #expect(error?.code == .unsupportedFeature, "\(text)")
            }
            #expect(store.recorder.statements.isEmpty)
            try await context.transaction {
                try await context.execute("SET LOCAL lock_timeout = 1000")
                try await context.execute("CREATE TEMP TABLE picked ON COMMIT DROP AS SELECT pk FROM voyage")
                let picked = try await context.fetch(Int.self, sql: "SELECT count(*) FROM picked")
                #expect(picked == [4])
            }
        }
    }

    @Test func `temporary tables and cursors end with the transaction, however they were made`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self, connections: 1) { store in
            let context = ModelContext(store.container)
            func left() async throws -> [Int] {
                try await context.fetch(
                    Int.self,
                    sql: """
                        SELECT (SELECT count(*) FROM pg_class WHERE relpersistence = 't')
                        + (SELECT count(*) FROM pg_cursors WHERE NOT name = '')
                        """)
            }
            try await context.execute("SELECT name INTO TEMP picked FROM voyage")
            #expect(try await left() == [0])
            let none = try await context.fetch(String.self, sql: "SELECT name INTO TEMP picked FROM voyage")
            #expect(none.isEmpty)
            #expect(try await left() == [0])
            try await context.execute("DO $$ BEGIN CREATE TEMP TABLE made (n int); END $$")
            #expect(try await left() == [0])
            try await context.transaction {
                try await context.execute("CREATE TEMP TABLE picked AS SELECT generate_series(1, 9) AS n")
                try await context.execute("DECLARE reader CURSOR FOR SELECT n FROM picked")
                #expect(try await context.fetch(Int.self, sql: "FETCH 2 FROM reader") == [1, 2])
                try await context.transaction { _ = try await context.execute("CREATE TEMP VIEW few AS SELECT 1 AS n") }
                #expect(try await context.fetch(Int.self, sql: "SELECT count(*) FROM picked, few") == [9])
            }
            #expect(try await left() == [0])
            // A table may be named as the keyword is.
            try await context.execute("CREATE TABLE temp (n int)")
            #expect(try await context.execute("INSERT INTO temp VALUES (1)") == 1)
            #expect(try await context.fetch(Int.self, sql: "SELECT n FROM temp") == [1])
            // What reads costs nothing for it.
            store.recorder.reset()
            #expect(try await context.fetch(Int.self, sql: "SELECT 1") == [1])
            #expect(store.recorder.statements == ["SELECT 1"])
        }
    }

    @Test func `the server's error comes with its code, and reading stays reading`() async throws {
        try await withVoyages { store, context in
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.execute("UPDATE \(table: Voyage.self) SET nothing = \(1)")
            }
            #expect(error?.code == .storeFailure)
            #expect(error?.underlying?.sqlState == "42703")
            let only = await #expect(throws: SwiftDataError.self) {
                try await store.container.read { context in try await context.execute(rename("v0", to: "x")) }
            }
            #expect(only?.code == .readOnly)
            let count = try await store.container.read { context in
                try await context.fetch(Int.self, sql: "SELECT count(*) FROM \(Voyage.self)")
            }
            #expect(count == [4])
        }
    }
}
