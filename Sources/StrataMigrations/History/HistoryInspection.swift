import Foundation
package import StrataClient
package import StrataModels
package import StrataRepository

/// What a database says about the triggers of its history. Reads only, and blocks the thread.
package struct HistoryInspection: Sendable {
    /// Something that keeps the history from being whole.
    package struct Finding: Hashable, Sendable {
        /// The table; `nil` where it is none of the schema's.
        package var table: String?
        /// The trigger, the function or the sequence.
        package var name: String
        /// `nil` for a problem of another release, which ``word`` names.
        package var problem: HistoryFinding.Problem?
        /// What the database calls the problem.
        package var word: String

        /// `history: trigger trip.strata_history_update is disabled`
        package var line: String {
            let place = table.map { "\($0).\(name)" } ?? name
            switch problem {
            case .disabled: return "history: trigger \(place) is disabled: changes are not recorded"
            case .missing: return "history: \(place) is missing: changes are not recorded"
            case .stale: return "history: \(place) is not what the tables need"
            case .superfluous: return "history: trigger \(place) belongs to nothing that is recorded"
            case .foreign: return "history: function \(place) belongs to a role that does not own the table"
            case .powerless:
                return "history: the owner of \(place) may not write the history: writes to the table fail"
            case .cached: return "history: sequence \(place) must have CACHE 1: changes come out of order"
            case .pending: return "history: \(name)"
            case .undescribed: return "history: the database was not told what to record"
            case .outdated, .unreadable, nil: return "history: \(place) is \(word)"
            }
        }

        /// Whether fitting the triggers is enough; nobody knows that of a problem of another release.
        var isMendable: Bool {
            switch problem {
            case .disabled, .missing, .stale, .superfluous: true
            case .foreign, .powerless, .cached, .pending, .undescribed, .outdated, .unreadable, nil: false
            }
        }
    }

    /// Whether the database has the tables and functions of a history.
    package private(set) var exists = false
    /// Of the schema's triggers and their functions.
    package private(set) var findings: [Finding] = []
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
            let word = try row.decode(2, as: String.self)
            return Finding(
                table: try row.decodeIfPresent(0), name: try row.decode(1),
                problem: HistoryFinding.Problem(rawValue: word), word: word)
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
        JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = 'strata'
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
