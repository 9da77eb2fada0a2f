package import StrataClient
package import StrataRepository

/// A definition with its conditions, its defaults and what its columns are computed by as the server prints them, by which they can be compared with
/// those of a database.
///
/// The server is asked: each table whose indexes or checks have conditions, or whose columns have defaults or are computed, is made as a temporary one, read like those that are there,
/// and forgotten, in a transaction that is rolled back. No table of the database is touched. Definitions without conditions take no
/// round trip.
package struct PrintedDefinition {
    /// What is expected, as it would be read.
    package let definition: DatabaseDefinition
    /// What could not be asked, and so not compared: conditions are then expected to be what they are.
    package let unread: [String]
    /// By table what comments of computed columns are to say. The text that the server prints is another one.
    package let marks: [String: [String: DefinitionMark]]

    /// Asks and blocks the thread: four round trips.
    ///
    /// - Parameter found: what the database has, to be expected where the server may not be asked.
    package init(
        _ definition: DatabaseDefinition, found: DatabaseDefinition, on connection: PostgresConnection
    ) throws {
        let printing = ConditionPrinting(definition)
        guard !printing.isEmpty else {
            self.init(definition, marks: [:])
            return
        }
        try connection.run(printing.beginning)
        var failure: PostgresError?
        do {
            try connection.run(printing.making)
            try connection.run(try printing.reading())
        } catch let error as PostgresError where !error.isConnectionLoss { failure = error }
        try connection.run(ConditionPrinting.ending)
        self.init(try printing.result(failure, found: found))
    }

    fileprivate init(
        _ definition: DatabaseDefinition, unread: [String] = [], marks: [String: [String: DefinitionMark]]
    ) {
        self.definition = definition
        self.unread = unread
        self.marks = marks
    }

    private init(_ other: PrintedDefinition) { self = other }
}

/// What the server is asked, and what is made of its answers.
private final class ConditionPrinting {
    private let definition: DatabaseDefinition
    private let tables: [TableDefinition]
    private var schemaName = ""
    private var inspection: DatabaseInspection?

    init(_ definition: DatabaseDefinition) {
        self.definition = definition
        tables = definition.tables.compactMap { $0.conditioned }
    }

    var isEmpty: Bool { tables.isEmpty }

    var beginning: PostgresBatch {
        var batch = PostgresBatch()
        batch.begin()
        return batch
    }

    static var ending: PostgresBatch {
        PostgresBatch(PostgresStatement("ROLLBACK", name: "forget the expected conditions"))
    }

    var making: PostgresBatch {
        var batch = PostgresBatch()
        for table in tables {
            batch.add(statement(table.creation(in: "pg_temp")))
            for index in table.indexes { batch.add(statement(table.creation(of: index, in: "pg_temp"))) }
        }
        batch.add(
            PostgresStatement(
                "SELECT nspname::text FROM pg_catalog.pg_namespace WHERE oid = pg_catalog.pg_my_temp_schema()",
                name: "find the expected conditions"),
            onRow: { row in self.schemaName = try row.decode(0) })
        return batch
    }

    private func statement(_ sql: SQLFragment) -> PostgresStatement {
        PostgresStatement(PreparedSQL(sql.text, isCached: false), name: "make the expected conditions")
    }

    func reading() throws -> PostgresBatch {
        let inspection = DatabaseInspection(schemas: [schemaName])
        self.inspection = inspection
        var batch = PostgresBatch()
        try inspection.add(to: &batch)
        return batch
    }

    func result(_ failure: PostgresError?, found: DatabaseDefinition) throws -> PrintedDefinition {
        if let failure {
            guard failure.lacksRight || failure.sqlState == "25006" else { throw failure }
            let names = tables.map(\.name).joined(separator: ", ")
            return PrintedDefinition(
                definition.takingConditions(from: found),
                unread: [
                    "defaults, what columns are computed by, and conditions of indexes and checks, of \(names): \(failure.message)"
                ], marks: definition.columnMarks)
        }
        let printed = inspection?[schemaName]?.definition
        return PrintedDefinition(
            printed.map(definition.takingConditions) ?? definition, marks: definition.columnMarks)
    }
}

extension DatabaseDefinition {
    /// The same with the conditions that things of the same name have there: what is left to compare where the server cannot be asked how it
    /// prints the expected ones.
    package func takingConditions(from other: DatabaseDefinition) -> DatabaseDefinition {
        var result = self
        for place in tables.indices {
            guard let table = other.table(named: tables[place].name) else { continue }
            for (index, column) in tables[place].columns.enumerated() where tables[place].hasServerDefault(column) {
                guard let printed = table.column(named: column.name)?.defaultExpression else { continue }
                result.tables[place].columns[index].defaultExpression = printed
            }
            for (index, column) in tables[place].columns.enumerated() where column.generation != nil {
                guard let printed = table.column(named: column.name)?.generation else { continue }
                result.tables[place].columns[index].generation = printed
            }
            for (index, check) in tables[place].checks.enumerated() where check.isExpression {
                guard let printed = table.checks.first(where: { $0.name == check.name }) else { continue }
                result.tables[place].checks[index].condition = printed.condition
            }
            for (index, definition) in tables[place].indexes.enumerated() where definition.predicate != nil {
                guard let printed = table.indexes.first(where: { $0.name == definition.name }) else { continue }
                result.tables[place].indexes[index].predicate = printed.predicate
            }
        }
        return result
    }

    /// The conditions of indexes and checks, and the defaults of columns, by table and name: all that versions may differ in which fit the same tables, where the server
    /// could not be asked.
    package var conditions: [[String]: String] {
        var result: [[String]: String] = [:]
        for table in tables {
            for column in table.columns where table.hasServerDefault(column) {
                result[[table.name, column.name]] = column.defaultExpression
            }
            for column in table.columns where column.generation != nil {
                result[[table.name, column.name]] = column.generation?.sql
            }
            for check in table.checks {
                if case .expression(let condition) = check.condition {
                    result[[table.name, check.name]] = condition.sql
                }
            }
            for index in table.indexes { result[[table.name, index.name]] = index.predicate?.sql }
        }
        return result
    }
}

extension DatabaseDefinition {
    fileprivate var columnMarks: [String: [String: DefinitionMark]] {
        var result: [String: [String: DefinitionMark]] = [:]
        for table in tables {
            for column in table.columns where column.mark != nil {
                result[table.name, default: [:]][column.name] = column.mark
            }
        }
        return result
    }
}

extension TableDefinition {
    /// The columns with what has conditions or defaults; `nil` where nothing has any.
    fileprivate var conditioned: TableDefinition? {
        let checks = checks.filter(\.isExpression)
        let indexes = indexes.filter { $0.predicate != nil }
        let isPrinted = { (column: ColumnDefinition) in hasServerDefault(column) || column.generation != nil }
        guard !checks.isEmpty || !indexes.isEmpty || self.columns.contains(where: isPrinted) else { return nil }
        let columns = self.columns.map {
            ColumnDefinition(
                name: $0.name, type: $0.type, isNullable: true, collation: $0.collation,
                defaultExpression: hasServerDefault($0) ? $0.defaultExpression : nil,
                isGenerated: $0.isGenerated && $0.generation != nil, generation: $0.generation)
        }
        return TableDefinition(name: name, columns: columns, checks: checks, indexes: indexes)
    }
}

extension CheckDefinition {
    fileprivate var isExpression: Bool { if case .expression = condition { true } else { false } }
}
