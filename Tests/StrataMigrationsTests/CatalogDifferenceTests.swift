import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@Suite struct CatalogDifferenceTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let sql: [String]
        let lines: [String]
        var testDescription: String { sql.joined(separator: "; ") }

        init(_ sql: String..., lines: [String]) {
            self.sql = sql
            self.lines = lines
        }
    }

    private static let columns: [Change] = [
        Change(
            "ALTER TABLE toy ALTER code TYPE varchar COLLATE \"C\"",
            lines: ["~ column toy.code: the type is varchar, expected text"]),
        Change(
            "ALTER TABLE toy ALTER code DROP NOT NULL", lines: ["~ column toy.code: is NULL, expected NOT NULL"]),
        Change(
            "ALTER TABLE dog ALTER born SET NOT NULL", lines: ["~ column dog.born: is NOT NULL, expected NULL"]),
        Change(
            "ALTER TABLE toy ALTER code SET DEFAULT 'x'",
            lines: ["~ column toy.code: the default is 'x'::text, expected none"]),
        Change(
            "ALTER TABLE dog ALTER class DROP DEFAULT",
            lines: ["~ column dog.class: the default is none, expected 'Dog'::text"]),
        Change(
            "ALTER TABLE toy ALTER code TYPE text COLLATE \"default\"",
            lines: ["~ column toy.code: the collation is none, expected C"]),
        Change("ALTER TABLE dog ADD note text", lines: ["- column dog.note is extra: text NULL"]),
        Change("ALTER TABLE puppy DROP weight", lines: ["+ column puppy.weight is missing: bigint NOT NULL"]),
        Change(
            "ALTER TABLE dog ALTER pk SET GENERATED ALWAYS",
            lines: [
                "~ column dog.pk: the identity is (isAlways: true, maximum: 1099511627775, minimum: 1), "
                    + "expected (isAlways: false, maximum: 1099511627775, minimum: 1)"
            ]),
        Change(
            "ALTER TABLE toy ALTER code SET STORAGE EXTERNAL",
            lines: ["~ column toy.code: the storage is external, expected none"]),
        Change("ALTER TABLE puppy DROP weight", "ALTER TABLE puppy ADD weight bigint NOT NULL", lines: []),
    ]

    private static let constraints: [Change] = [
        Change(
            "ALTER TABLE dog DROP CONSTRAINT dog_name_born_key",
            lines: ["+ unique constraint dog.dog_name_born_key is missing: (name, born)"]),
        Change(
            "ALTER TABLE dog RENAME CONSTRAINT dog_name_born_key TO other",
            lines: ["~ unique constraint dog.dog_name_born_key: its name is other"]),
        Change(
            "ALTER TABLE dog ADD CONSTRAINT extra UNIQUE (name)",
            lines: ["- unique constraint dog.extra is extra: (name)"]),
        Change(
            "ALTER TABLE toy DROP CONSTRAINT toy_pkey",
            lines: ["+ primary key toy.toy_pkey is missing: (pk)"]),
        Change(
            "ALTER TABLE toy DROP CONSTRAINT toy_owner_fkey",
            "ALTER TABLE toy ADD CONSTRAINT toy_owner_fkey FOREIGN KEY (owner) REFERENCES dog (pk) ON DELETE SET NULL",
            lines: ["~ foreign key toy.toy_owner_fkey: ON DELETE is SET NULL, expected CASCADE"]),
        Change(
            "ALTER TABLE toy DROP CONSTRAINT toy_owner_fkey",
            lines: ["+ foreign key toy.toy_owner_fkey is missing: (owner) → dog"]),
        Change(
            "ALTER TABLE toy DROP CONSTRAINT toy_owner_fkey",
            """
            ALTER TABLE toy ADD CONSTRAINT toy_owner_fkey FOREIGN KEY (owner) REFERENCES dog (pk)
            ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE NOT VALID
            """,
            lines: [
                "~ foreign key toy.toy_owner_fkey: is NOT VALID",
                "~ foreign key toy.toy_owner_fkey: is ON UPDATE with an action, DEFERRABLE",
            ]),
        Change(
            "ALTER TABLE dog DROP CONSTRAINT dog_class_check",
            "ALTER TABLE dog ADD CONSTRAINT dog_class_check CHECK (class IN ('Dog'))",
            lines: ["~ check dog.dog_class_check: the condition is class IN (Dog), expected class IN (Dog, Puppy)"]),
        Change(
            "ALTER TABLE dog DROP CONSTRAINT dog_class_check",
            "ALTER TABLE dog ADD CONSTRAINT dog_class_check CHECK (class IN ('Puppy', 'Dog')) NOT VALID",
            lines: ["~ check dog.dog_class_check: is NOT VALID"]),
        Change(
            "ALTER TABLE dog ADD CONSTRAINT positive CHECK (pk > 0)",
            lines: ["- check dog.positive is extra: (pk > 0)"]),
        Change(
            "ALTER TABLE toy ADD CONSTRAINT apart EXCLUDE USING btree (code WITH =)",
            lines: ["~ constraint toy.apart: is an exclusion constraint"]),
    ]

    private static let others: [Change] = [
        Change("DROP INDEX dog_born_idx", lines: ["+ index dog.dog_born_idx is missing: (born)"]),
        Change(
            "DROP INDEX dog_born_idx", "CREATE INDEX dog_born_idx ON dog (born DESC) INCLUDE (name)",
            lines: [
                "~ index dog.dog_born_idx: the list of columns is [born DESC], expected [born]",
                "~ index dog.dog_born_idx: the list of included columns is [name], expected none",
            ]),
        Change(
            "DROP INDEX dog_born_idx", "CREATE INDEX dog_born_idx ON dog USING hash (born)",
            lines: ["~ index dog.dog_born_idx: the method is hash, expected btree"]),
        Change(
            "CREATE INDEX more ON dog (lower(name)) WHERE pk > 1",
            lines: ["- index dog.more is extra: (lower(name))"]),
        Change(
            "UPDATE pg_catalog.pg_index SET indisvalid = false WHERE indexrelid = 'dog_born_idx'::regclass",
            lines: [
                "+ index dog.dog_born_idx is missing: (born)",
                "~ index dog.dog_born_idx: is not valid (its building failed, or goes on)",
            ]),
        Change(
            "CREATE FUNCTION strata_sync() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            "CREATE TRIGGER strata_sync_1 BEFORE INSERT ON dog FOR EACH ROW EXECUTE FUNCTION strata_sync()",
            lines: [
                "- trigger dog.strata_sync_1 is left over from a migration",
                "- function strata_sync is left over from a migration",
            ]),
        Change(
            "ALTER TABLE toy DISABLE TRIGGER ALL",
            lines: ["~ table toy: triggers that check foreign keys are disabled"]),
        Change("ALTER TABLE toy SET UNLOGGED", lines: ["~ table toy: is UNLOGGED"]),
        Change(
            "CREATE RULE quiet AS ON DELETE TO toy DO INSTEAD NOTHING", lines: ["~ table toy: has the rule quiet"]),
        Change("DROP TABLE toy", lines: ["+ table toy is missing"]),
        Change(
            "DROP TABLE toy", "CREATE VIEW toy AS SELECT 1", lines: ["~ table toy: there is a view of that name"]),
        Change("CREATE TABLE stray (a int)", lines: ["- table stray is extra"]),
        Change("CREATE TABLE legacy_one (a int)", "CREATE TABLE spatial (a int UNIQUE)", lines: []),
        Change("CREATE SEQUENCE counter", lines: ["- sequence counter is extra"]),
    ]

    @Test(arguments: columns + constraints + others)
    func `A change by hand is named`(change: Change) async throws {
        let mapping = StoreMapping(KennelModels.schema)
        let expected = DatabaseDefinition(mapping)
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            for statement in TableCreation.all(mapping).map(\.text) { try await database.execute(statement) }
            let before = try await CatalogInspection.read(schemaName: "public", connection: connection)
            #expect(before.exists)
            #expect(try Self.readBlocking(connection) == before)
            #expect(CatalogDifference(expected: expected, found: before).lines == [])

            for statement in change.sql { try await database.execute(statement) }
            let found = try await CatalogInspection.read(schemaName: "public", connection: connection)
            let difference = CatalogDifference(
                expected: expected, found: found, ignoring: try IgnoredParts(["spatial", "legacy_*"]))
            #expect(difference.lines.sorted() == change.lines.sorted())
            #expect(difference.isEmpty == change.lines.isEmpty)
        }
    }

    @Test func `What others have added to tables is ignored by pattern, what is expected never`() async throws {
        let mapping = StoreMapping(KennelModels.schema)
        let expected = DatabaseDefinition(mapping)
        let table = try #require(expected.tables.first)
        let column = try #require(table.columns.last).name
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            for statement in TableCreation.all(mapping).map(\.text) { try await database.execute(statement) }
            try await database.execute(
                "ALTER TABLE \"\(table.name)\" ADD COLUMN etl_mark bigint, ADD CONSTRAINT audit_check CHECK (etl_mark > 0)",
                "CREATE INDEX tmp_by_mark ON \"\(table.name)\" (etl_mark DESC)",
                "CREATE UNIQUE INDEX tmp_unique ON \"\(table.name)\" (etl_mark)")
            let found = try await CatalogInspection.read(schemaName: "public", connection: connection)
            func lines(_ patterns: String...) throws -> [String] {
                CatalogDifference(expected: expected, found: found, ignoring: try IgnoredParts(patterns)).lines
            }
            #expect(try lines().count == 4)
            let all = ["column:etl_*", "constraint:\(table.name).audit_*", "index:\(table.name).tmp_*"]
            #expect(try lines(all[0], all[1], all[2]) == [])
            #expect(try lines(all[0], all[1]).allSatisfy { $0.contains("index \(table.name).tmp_") })
            #expect(try lines(all[0], all[1], "index:other.tmp_*").count == 2)
            try await database.execute("ALTER TABLE \"\(table.name)\" DROP COLUMN \"\(column)\" CASCADE")
            let less = try await CatalogInspection.read(schemaName: "public", connection: connection)
            let difference = CatalogDifference(
                expected: expected, found: less, ignoring: try IgnoredParts(["column:*", "index:*", "constraint:*"]))
            #expect(difference.lines.contains { $0.hasPrefix("+ column \(table.name).\(column) is missing") })
            #expect(throws: MigrationError.self) { try IgnoredParts(["rule:x"]) }
            #expect(try IgnoredParts(["table:legacy_*"]).tables == ["legacy_*"])
        }
    }

    @Test func `All kinds of tables are found as they were created, and a missing schema is told`() async throws {
        for schema in [ClubModels.schema, DefaultModels.schema] {
            let mapping = StoreMapping(schema)
            try await withTestDatabase { database in
                let connection = try await database.connect()
                defer { connection.close() }
                for statement in TableCreation.all(mapping).map(\.text) { try await database.execute(statement) }
                let found = try await CatalogInspection.read(schemaName: "public", connection: connection)
                let frozen = try FrozenSchema(freezing: schema)
                #expect(CatalogDifference(expected: frozen.database, found: found).lines == [])
                #expect(CatalogDifference(expected: frozen.database, found: found.definition).isEmpty)
                let nowhere = try await CatalogInspection.read(schemaName: "nowhere", connection: connection)
                #expect(!nowhere.exists)
                #expect(
                    CatalogDifference(expected: frozen.database, found: nowhere).lines.count
                        == frozen.database.tables.count)
            }
        }
    }

    private static func readBlocking(_ connection: PostgresConnection) throws -> CatalogInspection {
        try CatalogInspection.read(schemaName: "public", connection: connection)
    }
}
