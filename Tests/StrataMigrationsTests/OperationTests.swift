import StrataRepository
import Testing

@testable import StrataMigrations

/// What follows from the kind of an operation alone.
@Suite("Operations") struct OperationTests {
    /// New code opens beside these, and beside no others, while they are pending in contract.
    @Test func `what may wait for old code`() {
        #expect(
            MigrationOperation.allCases.filter(\.mayWaitForOldCode).map(\.rawValue) == [
                "drop-tables", "drop-column", "set-storage", "set-default", "drop-views", "loosen-column",
                "omit-column",
                "forbid-empty", "require-column", "validate-constraint", "drop-constraint", "build-index", "drop-index",
                "add-check", "allow-classes", "end-in-step", "switch-hidden-names", "record-history", "verify",
                "verify-again",
                "record-version",
            ])
    }

    /// The key of a table of pairs is one that statements rely on. Read as text, the step dropped a constraint and no more.
    @Test func `a primary key that is replaced does not wait`() {
        let key = ReplacePrimaryKey(name: "b_pkey", index: "b_pkey__new", older: "a_pkey", table: "b")
        #expect(
            key.statements(SchemaSQL(schemaName: "public")) == [
                """
                ALTER TABLE "public"."b" DROP CONSTRAINT "a_pkey",
                ADD CONSTRAINT "b_pkey" PRIMARY KEY USING INDEX "b_pkey__new"
                """
            ])
        #expect(!key.kind.mayWaitForOldCode)
    }

    @Test func `a unique index does not wait, whoever plans it`() {
        let index = IndexDefinition(name: "i", columns: ["a"], isUnique: true)
        let build = BuildIndex(definition: index, host: TableDefinition(name: "t", columns: []))
        #expect(build.kind == .buildUniqueIndex)
        #expect(
            build.statements(SchemaSQL(schemaName: "public")) == [
                #"CREATE UNIQUE INDEX CONCURRENTLY "i" ON "public"."t" ("a")"#
            ])
    }

    @Test(
        "A statement of the plan's own is followed where it may change tables",
        arguments: [
            ("SELECT 1", false), ("  (select 1)", false), ("-- why\nupdate t SET a = 1", false),
            ("WITH a AS (SELECT 1) DELETE FROM t", false), ("CREATE VIEW v AS SELECT 1", true), ("DROP VIEW v", true),
            ("SELECTED", true), ("", true),
        ]) func ownStatements(_ text: String, _ mayChangeTables: Bool)
    {
        #expect(RunStatement(text: text).mayChangeTables == mayChangeTables)
    }

    @Test func `names change hidden or not`() {
        let hidden = Rename(kind: .index, from: "a", to: "b")
        let seen = Rename(kind: .column(table: "t"), from: "a", to: "b")
        func kind(_ renames: [Rename]) -> MigrationOperation {
            SwitchNames(renames: renames, version: .init(2, 0, 0), tables: []).kind
        }
        #expect(kind([hidden]) == .switchHiddenNames)
        #expect(kind([hidden, seen]) == .switchNames)
        #expect(seen.inverse.inverse == seen)
    }
}
