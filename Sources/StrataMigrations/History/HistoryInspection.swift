import Foundation
package import StrataClient
package import StrataModels
package import StrataRepository

/// What a database says about the triggers of its history. Reads only, and blocks the thread.
package struct HistoryInspection: Sendable {
    /// Whether the database has the tables and functions of a history.
    package private(set) var exists = false
    /// Of the schema's triggers and their functions.
    package private(set) var findings: [HistoryFinding] = []
    /// Functions in Strata's own schema that are not those of this version of the library.
    package private(set) var otherFunctions: [String] = []
    /// What is recorded; `nil` where the database was not told.
    package private(set) var description: HistoryDescription?
    /// Whether a stage in progress has another one in view.
    package private(set) var hasNext = false

    package init(_ schemaName: String, on connection: PostgresConnection) throws {
        exists = try connection.rows(Self.existence) { try $0.decode(0, as: Bool.self) } == [true]
        guard exists else { return }
        let asked: SQLFragment = """
            SELECT relation, name, problem FROM strata.history_findings(\(bind: schemaName)) ORDER BY 1, 2, 3
            """
        findings = try connection.rows(asked) { row in
            HistoryFinding(
                schemaName: schemaName, table: try row.decodeIfPresent(0), name: try row.decode(1),
                reported: try row.decode(2))
        }
        let read: SQLFragment = """
            SELECT d."current"::text, d."next" IS NOT NULL FROM strata.history_description AS d \
            JOIN strata.store AS s ON s."number" = d."store" WHERE s."schema_name" = \(bind: schemaName)
            """
        let described = try connection.rows(read) {
            (try $0.decode(0, as: String.self), try $0.decode(1, as: Bool.self))
        }
        description = try described.first.map { json, _ in
            try JSONDecoder().decode(HistoryDescription.self, from: Data(json.utf8))
        }
        hasNext = described.first?.1 ?? false
        let sources = Dictionary(
            try connection.rows(Self.functions) {
                (try $0.decode(0, as: String.self), try $0.decode(1, as: String.self))
            }
        ) { first, _ in first }
        // Those of another release are that release's matter: its number says so, and the next command that changes something
        // replaces older ones.
        guard sources[LibraryFunction.historyVersion.name] == LibraryFunction.historyVersion.source else { return }
        otherFunctions = LibraryFunctions.all.filter { sources[$0.name] != $0.source }.map(\.name).sorted()
    }

    private static let existence: SQLFragment = """
        SELECT pg_catalog.to_regclass('strata.history_description') IS NOT NULL \
        AND pg_catalog.to_regprocedure('strata.history_findings(text)') IS NOT NULL
        """

    private static let functions: SQLFragment = """
        SELECT p.proname::text, p.prosrc FROM pg_catalog.pg_proc AS p \
        WHERE p.oid = ANY (\(SchemaObjects.of(LibrarySchema.name, .functions)))
        """

    /// What is not as it must be for this to be recorded, one line each; nothing is expected of an empty description.
    package func lines(expecting expected: HistoryDescription) -> [String] {
        let isRecording = description.map { !$0.isEmpty } ?? false
        guard !expected.isEmpty else {
            return isRecording ? ["history: is recorded, and the plan says that it is not"] : []
        }
        guard exists else { return ["history: the database has no tables for it: nothing is recorded"] }
        var lines = findings.map(\.line)
        if let description, !hasNext, description.withoutFormerNames != expected.withoutFormerNames {
            lines.append("history: what is recorded is not what this version says")
        }
        return lines
            + otherFunctions.map { "history: function strata.\($0) is not that of this version of the library" }
    }
}

extension PostgresConnection {
    fileprivate func rows<Value>(
        _ sql: SQLFragment, _ decode: (PostgresRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try withoutActuallyEscaping(decode) { decode in
            try run(PostgresBatch(try sql.statement()) { values.append(try decode($0)) })
        }
        return values
    }
}
