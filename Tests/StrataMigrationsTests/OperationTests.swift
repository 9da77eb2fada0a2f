import Foundation
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
                "allow-classes", "end-in-step", "switch-hidden-names", "record-history", "verify", "verify-again",
                "record-version",
            ])
    }

    /// The key of a table of pairs is one that statements rely on. Read as text, the step dropped a constraint and no more.
    @Test func `a primary key that is replaced does not wait`() {
        let key = ReplacePrimaryKey(name: "b_pkey", older: "a_pkey", table: "b")
        #expect(
            key.statements(SchemaSQL(schemaName: "public")) == [
                """
                ALTER TABLE "public"."b" DROP CONSTRAINT "a_pkey",
                ADD CONSTRAINT "b_pkey" PRIMARY KEY USING INDEX "b_pkey"
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

/// Nobody reads what was written for PostgreSQL or for people to learn what it meant. `Writing` and `SQL` are not among the folders: the ledger
/// keeps a step as text, by the words of its file and by its tokens.
@Suite("Generated text is not read back") struct GeneratedTextTests {
    private static let folders = [
        "StrataMigrations/Operations", "StrataMigrations/Planning", "StrataMigrations/Steps",
        "StrataMigrations/Running", "StrataMigrations/History", "StrataContext/Migrating",
    ]

    /// Each with what it reads instead.
    private static let allowed = [
        // Types as a frozen schema has them: `text[]`.
        #"hasSuffix("[]")"#,
        // Options of an attribute in a frozen schema.
        #"options.contains("transformable")"#, #"options.contains("externalStorage")"#,
        #"options.contains("preserveValueOnDeletion")"#,
        // A stage's name in the ledger: `0004_v3_v4.down`.
        "hasSuffix(StageProgress.rollbackSuffix)", "hasSuffix(Self.rollbackSuffix)",
        // A version in the ledger, and a message that is made shorter.
        #"text.split(separator: ".", omittingEmptySubsequences: false)"#, "split(whereSeparator: \\.isWhitespace)",
        // Names of Swift types.
        "String(reflecting: entity.descriptor.type)", #"name.contains { $0.contains("(") }"#,
    ]

    /// Somebody else's SQL, and checksums: the only texts that are taken apart.
    private static let tokenizing: Set = ["FillExpression.swift", "RunStatement.swift", "MigrationStep+Checksum.swift"]

    @Test func `planner, runner and context`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let reading = try Regex(
            #"hasPrefix\(|hasSuffix\(|split\((separator|whereSeparator|maxSplits)|contains\("|firstRange|components\(|starts\(with|Match\("#
        )
        var found: [String] = []
        var files = 0
        for folder in Self.folders {
            for file in try FileManager.default.contentsOfDirectory(atPath: sources.appending(path: folder).path()) {
                files += 1
                let text = try String(contentsOf: sources.appending(path: "\(folder)/\(file)"), encoding: .utf8)
                if text.contains("SQLTokenizer."), !Self.tokenizing.contains(file) { found.append("\(file): tokens") }
                for line in text.split(separator: "\n") where line.contains(reading) {
                    let isComment = line.drop { $0 == " " }.hasPrefix("//")
                    if isComment || Self.allowed.contains(where: { line.contains($0) }) { continue }
                    found.append("\(folder)/\(file): \(line.drop { $0 == " " })")
                }
            }
        }
        #expect(files > 90)
        #expect(found == [])
    }
}
