import StrataClient
import StrataRepository
import StrataTestSupport
import Testing

/// What one store of a database with many takes: no more than in a database with few.
@Suite struct ManyStoresTests {
    @Test func `What the history and the inspection of a store read does not grow with the number of stores`()
        async throws
    {
        try await HistoryStore.with { store in
            // Tables of few pages are read whole where they have an index, since that is cheaper: here it is about tables of many.
            try await store.run("SET enable_seqscan = off")
            for number in 1...3 { try await store.create("few_\(number)") }
            // What the session learns of the catalogs it learns once.
            _ = try await store.reads("first")
            let few = try await store.reads("second")
            for number in 1...60 { try await store.create("many_\(number)") }
            try await store.run("ANALYZE")
            _ = try await store.reads("third")
            let many = try await store.reads("fourth")
            for (place, count) in many {
                let before = few[place] ?? 0
                #expect(count <= before + before / 5 + 40, "\(place): \(before) with four stores, then \(count)")
            }
        }
    }

    @Test
    func `Functions of triggers have names that no other store's have, and stores of earlier versions keep theirs`()
        async throws
    {
        try await HistoryStore.with { store in
            let functions = """
                SELECT n.nspname, p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                WHERE p.proname LIKE 'strata\\_history\\_%' AND n.nspname <> 'public' ORDER BY 1, 2
                """
            let long = String(repeating: "x", count: 38)
            try await store.create("one", long: long)
            try await store.create("two", long: String(long.dropLast()))
            let (one, two) = (try await store.number(of: "one"), try await store.number(of: "two"))
            #expect(
                try await store.rows(functions) == [
                    "(one,strata_history_\(one)_item)", "(one,strata_history_\(one)_\(long))",
                    "(two,strata_history_\(two)_item)", "(two,strata_history_\(two)_\(long.dropLast()))",
                ])

            // With the names that version 6 gave.
            try await store.run(
                "UPDATE strata.history_description SET tracked = tracked - 'prefix'",
                "SELECT strata.history_sync('two')")
            let names = ["(two,strata_history_item)", "(two,strata_history_\(long.dropLast()))"]
            #expect(try await store.rows(functions).suffix(2) == names)
            #expect(try await store.rows("SELECT * FROM strata.history_findings('two')") == [])
            // Another description is no reason to make triggers of tables in use anew.
            let later = HistoryStore.description("item", property: "later").json
            _ = try await store.text("SELECT strata.history_describe('two', '\(later)')")
            #expect(try await store.rows(functions).suffix(1) == ["(two,strata_history_item)"])
            #expect(try await store.rows("SELECT * FROM strata.history_findings('two')") == [])
            // Who wants the other names asks for them: it locks the tables of that store.
            try await store.run(
                """
                UPDATE strata.history_description SET tracked = tracked || jsonb_build_object('prefix', 'strata_history_' || store || '_')
                WHERE store = (SELECT number FROM strata.store WHERE schema_name = 'two')
                """, "SELECT strata.history_sync('two')")
            #expect(try await store.rows(functions).suffix(1) == ["(two,strata_history_\(two)_item)"])
            #expect(try await store.rows("SELECT * FROM strata.history_findings('two')") == [])
        }
    }

    @Test
    func
        `An upgrade makes missing indexes if nobody is in the way, and gives a second owner the functions that are new`()
        async throws
    {
        try await HistoryStore.with { store in
            let role = "second_owner_\(UInt32.random(in: 0 ... .max))"
            try await store.run(
                "CREATE ROLE \(role)", #"GRANT CREATE ON DATABASE "\#(store.database.name)" TO \#(role)"#)
            let indexes = """
                SELECT indexname FROM pg_indexes WHERE schemaname = 'strata' AND tablename = 'history_entity' ORDER BY 1
                """
            // As version 6 has left it.
            try await store.run(
                "DROP INDEX strata.history_entity_store_idx, strata.history_entity_base_word_idx",
                "DROP FUNCTION strata.history_objects", "SELECT strata.history_grant('\(role)', 'own')")
            let other = try await store.database.connect()
            defer { other.close() }
            // A step of a migration has a store's row before it writes the table.
            try await other.execute("BEGIN")
            try await other.execute("SELECT FROM strata.store FOR UPDATE")
            try await store.run(LibrarySchema.upgrade + LibraryFunctions.creation)
            #expect(try await store.rows(indexes) == ["(history_entity_pkey)"])
            try await other.execute("ROLLBACK")
            try await store.run(LibrarySchema.upgrade)
            #expect(
                try await store.rows(indexes) == [
                    "(history_entity_base_word_idx)", "(history_entity_pkey)", "(history_entity_store_idx)",
                ])
            try await store.run("SET ROLE \(role)")
            try await store.create("three")
            #expect(try await store.rows("SELECT * FROM strata.history_findings('three')") == [])
            try await store.run("RESET ROLE", "DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }
}

extension HistoryStore {
    fileprivate static func description(
        _ tables: String..., property: String = "title"
    ) -> HistoryDescription {
        HistoryDescription(
            entities: tables.map {
                .init(name: $0, table: $0, classes: [$0], properties: [.init(name: property, column: "title")])
            }, links: [])
    }

    /// A schema with two tables whose history is recorded.
    fileprivate func create(_ schema: String, long: String = "note") async throws {
        let description = Self.description("item", long)
        try await run(
            "CREATE SCHEMA \(schema)", "CREATE TABLE \(schema).item (pk bigint PRIMARY KEY, title text)",
            "CREATE TABLE \(schema).\(long) (pk bigint PRIMARY KEY, title text)",
            "SELECT strata.history_describe('\(schema)', '\(description.json)')")
    }

    fileprivate func number(of schema: String) async throws -> String {
        try await text("SELECT number FROM strata.store WHERE schema_name = '\(schema)'") ?? ""
    }

    /// How many rows of catalogs and of the history's own tables it takes to make a store, to look at it and to forget it.
    fileprivate func reads(_ schema: String) async throws -> [String: Int] {
        try await run("BEGIN")
        // The server's counts go on from the transactions before.
        let before = try await rowsRead()
        try await create(schema)
        _ = try await text("SELECT count(*) FROM strata.history_findings('\(schema)')")
        var batch = PostgresBatch()
        try DatabaseInspection(schemas: [schema, "strata"]).add(to: &batch)
        try TenantVacancy(schema).addReading(to: &batch, hasStores: true)
        try await connection.run(batch)
        try await run("SELECT strata.history_forget('\(schema)')")
        let after = try await rowsRead()
        try await run("ROLLBACK")
        return after.merging(before, uniquingKeysWith: -)
    }

    private func rowsRead() async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let query = """
            SELECT r::text, pg_stat_get_xact_tuples_returned(r) + pg_stat_get_xact_tuples_fetched(r) FROM unnest(
                '{pg_class,pg_proc,pg_trigger,pg_attribute,pg_depend,pg_type,pg_constraint,pg_index,
                strata.history_entity,strata.history_property,strata.history_description}'::regclass[]) AS r
            """
        try await connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL(query, isCached: false))) { row in
                counts[try row.decode(0)] = Int(try row.decode(1, as: Int64.self))
            })
        return counts
    }
}
