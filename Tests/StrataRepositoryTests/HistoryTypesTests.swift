import StrataClient
import StrataRepository
import StrataTestSupport
import Testing

/// Changes are seen in columns of every type, whatever the type thinks is equal.
@Suite struct HistoryTypesTests {
    @Test func `Every column of every type is named when it changes, and only then`() async throws {
        var columns: [(name: String, type: String, values: [String])] = [
            ("b", "boolean", ["true", "false"]), ("i2", "smallint", ["1", "2"]), ("i8", "bigint", ["1", "2"]),
            ("f4", "real", ["1.5", "'NaN'"]), ("f8", "double precision", ["'NaN'", "'Infinity'"]),
            ("n", "numeric", ["1.5", "'NaN'"]), ("t", "text", ["'abc'", "'ABC'"]),
            ("v", "varchar(9)", ["'abc'", "'ABC'"]),
            ("by", #"bytea"#, [#"'\x00'"#, #"'\x01'"#]),
            ("d", "date", ["'2026-01-01'", "'infinity'"]), ("tz", "timestamptz", ["'2026-01-01'", "'2026-01-02'"]),
            ("iv", "interval", ["'1 day'", "'2 days'"]), ("u", "uuid", ["gen_random_uuid()", "gen_random_uuid()"]),
            ("jb", "jsonb", [#"'{"a": 1}'"#, #"'{"a": 2}'"#]), ("js", "json", [#"'{"a": 1}'"#, #"'{"a":1}'"#]),
            ("ts", "text[]", ["'{a,b}'", "'{b,a}'"]), ("ns", "numeric[]", ["'{1,NULL}'", "'{1}'"]),
            ("p", "point", ["'(1,1)'", "'(1,2)'"]), ("dom", "short", ["'a'", "'b'"]),
            ("en", "colour", ["'red'", "'blue'"]), ("r", "int4range", ["'[1,2)'", "'[1,3)'"]),
            ("inet", "inet", ["'::1'", "'::2'"]),
            ("Odd \"name\"", "integer", ["1", "2"]),
        ]
        try await HistoryStore.with { store in
            func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
            // Not every server is built with these.
            do {
                try await store.run(
                    "CREATE COLLATION indifferent (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
                columns.append(("ci", "text COLLATE indifferent", ["'abc'", "'ABC'"]))
            } catch let error as PostgresError where error.sqlState == "0A000" {}
            if (try? await store.text("SELECT '<a/>'::xml")) != nil {
                columns.append(("x", "xml", ["'<a/>'", "'<b/>'"]))
            }
            try await store.run(
                "CREATE DOMAIN short AS varchar(3)", "CREATE TYPE colour AS ENUM ('red', 'blue')",
                "CREATE TABLE everything (pk bigint PRIMARY KEY, "
                    + columns.map { "\(quoted($0.name)) \($0.type)" }.joined(separator: ", ") + ")",
                "INSERT INTO everything (pk) VALUES (1)")
            let description = HistoryDescription(
                entities: [
                    .init(
                        name: "Everything", table: "everything", classes: ["Everything"],
                        properties: columns.map { .init(name: $0.name, column: $0.name, preserved: true) })
                ], links: [])
            _ = try await store.text("SELECT strata.history_describe('public', '\(description.json)')")
            for column in columns {
                let name = quoted(column.name)
                // Of nothing to something, something else, the same, and nothing.
                try await store.run(
                    "UPDATE everything SET \(name) = \(column.values[0])",
                    "UPDATE everything SET \(name) = \(column.values[1])",
                    "UPDATE everything SET \(name) = \(name)", "UPDATE everything SET \(name) = NULL",
                    "UPDATE everything SET \(name) = NULL")
                let expected = Array(repeating: "Everything#1 U \(column.name)", count: 3)
                #expect(try await store.recorded() == expected, "\(column.type)")
            }
            try await store.run("DELETE FROM everything")
            #expect(try await store.recorded().count == 1)
        }
    }
}
