import StrataClient
import StrataMigrations
import StrataRepository

/// Whether migrations were ever applied to a PostgreSQL schema: then its tables are theirs to create and change.
struct MigrationRecordQuery: StoreOperation {
    private enum Step { case tables, rows, done }

    private let schemaName: String
    private let answer = Answer()
    private var step = Step.tables

    private final class Answer {
        var value = false
    }

    init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    var hasRecord: Bool { answer.value }

    mutating func next() throws -> PostgresBatch? {
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
        return PostgresBatch(try query.statement(name: "look for migrations")) { row in
            answer.value = try row.decode(0, as: Bool.self)
        }
    }
}
