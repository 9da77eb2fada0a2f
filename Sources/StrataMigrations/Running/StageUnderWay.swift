package import StrataClient
package import StrataRepository

/// A stage that was begun and is not complete, as far as the ledger alone tells it: for programs that do not have its
/// script, such as those of the version before.
package struct StageUnderWay: Hashable, Sendable {
    package var stage: StageName
    /// The furthest phase in which a step was begun that does more than verify.
    package private(set) var phase = MigrationPhase.expand
    private var columns: [String: Set<String>] = [:]

    package init(_ stage: StageName) {
        self.stage = stage
    }

    /// What the stage's steps have changed already, with the columns of a table whose `NOT NULL` or foreign keys they have: the definition
    /// of neither version fits those. Until contract begins, the stage's triggers keep these columns fit for programs of both versions, and
    /// a view that was replaced has all that the older one had; from then on a program of the version before must not write, and the list is
    /// empty.
    package var unsettled: [String: Set<String>] { phase < .contract ? columns : [:] }

    /// Takes in a step of the ledger; `directive` is `nil` where nobody has written down what the step was.
    mutating func add(_ directive: String?, isDone: Bool) {
        guard let step = directive.flatMap(StepDirective.recorded) else { return }
        if step.execution != .verify { phase = max(phase, step.phase) }
        guard isDone else { return }
        for (index, table) in step.tables.enumerated() {
            columns[table, default: []].formUnion(index == 0 ? step.columns : [])
        }
    }

    // MARK: Reading

    /// The name of the stage under way; no row where there is none.
    static func name(in schemaName: String) -> SQLFragment {
        """
        SELECT s.stage FROM \(MigrationLedger.steps) AS s WHERE s.schema_name = \(bind: schemaName) GROUP BY s.stage \
        HAVING NOT EXISTS (SELECT FROM \(MigrationLedger.versions) AS v WHERE v.schema_name = \(bind: schemaName) \
        AND v.stage = s.stage AND v.applied >= min(s.started)) ORDER BY min(s.started) DESC, s.stage DESC LIMIT 1
        """
    }

    /// A query for the steps of the stage under way, for ``read(_:into:)``.
    package static func steps(in schemaName: String) -> SQLFragment {
        """
        SELECT o.stage, o.content[1], o.state = 'done' FROM \(MigrationLedger.steps) AS o \
        WHERE o.schema_name = \(bind: schemaName) AND o.stage = (\(name(in: schemaName)))
        """
    }

    /// Takes in a row of ``steps(in:)``.
    package static func read(_ row: PostgresRow, into stage: inout StageUnderWay?) throws {
        var found = try stage ?? StageUnderWay(StageName(recorded: row.decode(0)))
        found.add(try row.decodeIfPresent(1), isDone: try row.decode(2))
        stage = found
    }
}
