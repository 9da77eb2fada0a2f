package import StrataClient
import StrataRepository

/// Whether migrations were ever applied to a PostgreSQL schema: then its tables are theirs to create and change. And the
/// stage under way, if there is one.
package struct MigrationRecordQuery: StoreOperation {
    private enum Step { case tables, rows, done }

    private let schemaName: String
    private let answer = Answer()
    private var step = Step.tables

    private final class Answer {
        var value = false
        var stage: StageUnderWay?
    }

    package init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    package var hasRecord: Bool { answer.value }
    package var stage: StageUnderWay? { answer.stage }

    package mutating func next() throws -> PostgresBatch? {
        let answer = answer
        let query: SQLFragment
        switch step {
        case .tables:
            let name = SQLFragment.literal("\(MigrationLedger.versions.schema).\(MigrationLedger.versions.name)")
            query = SQLFragment("SELECT pg_catalog.to_regclass(\(raw: name)) IS NOT NULL")
            step = .rows
        case .rows:
            guard answer.value else { return nil }
            query = """
                SELECT EXISTS (SELECT FROM \(MigrationLedger.versions) WHERE schema_name = \(bind: schemaName)) \
                OR EXISTS (SELECT FROM \(MigrationLedger.steps) WHERE schema_name = \(bind: schemaName))
                """
            step = .done
        case .done:
            return nil
        }
        var batch = PostgresBatch(try query.statement(name: "look for migrations")) { row in
            answer.value = try row.decode(0, as: Bool.self)
        }
        if case .done = step {
            let steps = StageUnderWay.steps(in: schemaName)
            batch.add(
                try steps.statement(name: "look for a stage under way"),
                onRow: { try StageUnderWay.read($0, into: &answer.stage) })
        }
        return batch
    }
}
