package import StrataClient
import StrataModels

/// What stands in some schemas of a database, read from the system catalogs in one round trip.
///
/// ```swift
/// let inspection = DatabaseInspection(schemas: ["public"])
/// var batch = PostgresBatch()
/// try inspection.add(to: &batch)
/// try await connection.run(batch)
/// inspection["public"]?.definition
/// ```
package final class DatabaseInspection {
    /// One schema.
    package struct Contents {
        package var definition = DatabaseDefinition()
        /// Names that are neither tables nor sequences, with what they are: a table of that name cannot be created.
        package var otherRelations: [String: String] = [:]
        /// Of which definitions views say that they were made, where they do. Their own definitions have columns and no query.
        package var marks: [String: DefinitionMark] = [:]
        /// By table of which expressions columns say that the server computes them, where they do.
        package var columnMarks: [String: [String: DefinitionMark]] = [:]
        /// By view the columns that have a unique index each: by one of its key a materialized view can be refreshed while others read
        /// it.
        package var uniqueColumns: [String: Set<String>] = [:]
        /// By table the columns whose collation takes different texts for the same.
        package var looseColumns: [String: Set<String>] = [:]
    }

    private let schemas: [String]
    private var contents: [String: Contents] = [:]

    package init(schemas: [String]) {
        self.schemas = schemas
    }

    /// What was found; `nil` for a schema that does not exist.
    package subscript(schema: String) -> Contents? { contents[schema] }

    /// Adds the queries. What an earlier run found is forgotten when the first answer arrives.
    package func add(to batch: inout PostgresBatch) throws {
        let parameters = try PostgresParameters(schemas)
        batch.add(
            PostgresStatement(CatalogQueries.columns, parameters: parameters, name: "inspect columns"),
            onResult: { _ in self.contents = [:] }, onRow: readColumn)
        batch.add(
            PostgresStatement(CatalogQueries.constraints, parameters: parameters, name: "inspect constraints"),
            onRow: readConstraint)
        batch.add(
            PostgresStatement(CatalogQueries.indexes, parameters: parameters, name: "inspect indexes"), onRow: readIndex
        )
        batch.add(
            PostgresStatement(CatalogQueries.sequences, parameters: parameters, name: "inspect sequences"),
            onRow: readSequence)
        batch.add(
            PostgresStatement(CatalogQueries.policies, parameters: parameters, name: "inspect policies"),
            onRow: readPolicy)
    }

    /// Changes the table, if it was among the columns' answer: another transaction may have created it since.
    private func update(_ row: PostgresRow, _ change: (inout TableDefinition) throws -> Void) throws {
        let schema = try row.decode(0, as: String.self)
        let name = try row.decode(1, as: String.self)
        guard let index = contents[schema]?.definition.tables.lastIndex(where: { $0.name == name }) else { return }
        try change(&contents[schema, default: Contents()].definition.tables[index])
    }

    private func readColumn(_ row: PostgresRow) throws {
        let schema = try row.decode(0, as: String.self)
        var found = contents[schema] ?? Contents()
        contents[schema] = nil
        defer { contents[schema] = found }
        guard let name = try row.decodeIfPresent(1, as: String.self) else { return }
        let kind = try row.decode(2, as: String.self)
        guard kind == "r" || kind == "p" else {
            if let kind = Self.kinds[kind] { found.otherRelations[name] = kind }
            if kind == "v" || kind == "m" { try Self.readView(row, name, isMaterialized: kind == "m", into: &found) }
            return
        }
        if found.definition.tables.last?.name != name {
            let partitioning = try row.decodeIfPresent(15, as: String.self).map { PartitioningDefinition(column: $0) }
            found.definition.tables.append(TableDefinition(name: name, partitioning: partitioning))
        }
        guard let column = try Self.column(row) else { return }
        found.definition.tables[found.definition.tables.count - 1].columns.append(column)
        if try row.decode(14) { found.looseColumns[name, default: []].insert(column.name) }
        if let mark = try row.decodeIfPresent(17, as: String.self).flatMap(DefinitionMark.init(comment:)) {
            found.columnMarks[name, default: [:]][column.name] = mark
        }
    }

    private static func readView(
        _ row: PostgresRow, _ name: String, isMaterialized: Bool, into found: inout Contents
    ) throws {
        if found.definition.views.last?.name != name {
            found.definition.views.append(
                ViewDefinition(
                    name: name, columns: [], query: [], isMaterialized: isMaterialized,
                    isInvokers: try row.decodeIfPresent(16, as: Bool.self) ?? false))
            found.marks[name] = try row.decodeIfPresent(13, as: String.self).flatMap(DefinitionMark.init(comment:))
        }
        guard let column = try column(row) else { return }
        found.definition.views[found.definition.views.count - 1].columns.append(column)
    }

    private static let kinds = [
        "v": "a view", "m": "a materialized view", "f": "a foreign table", "S": "a sequence",
        "partition": "a partition",
    ]

    private static func column(_ row: PostgresRow) throws -> ColumnDefinition? {
        guard let name = try row.decodeIfPresent(3, as: String.self) else { return nil }
        var identity: ColumnDefinition.Identity?
        let identityKind = try row.decode(8, as: String.self)
        if !identityKind.isEmpty {
            identity = ColumnDefinition.Identity(
                minimum: try row.decodeIfPresent(9) ?? 1, maximum: try row.decodeIfPresent(10) ?? Int64.max,
                isAlways: identityKind == "a")
        }
        let isGenerated = try row.decode(11, as: Bool.self)
        let expression = try row.decodeIfPresent(7, as: String.self)
        return ColumnDefinition(
            name: name, type: ColumnType(printed: try row.decode(4)), isNullable: try !row.decode(5, as: Bool.self),
            collation: try row.decodeIfPresent(6), defaultExpression: isGenerated ? nil : expression,
            identity: identity, isGenerated: isGenerated,
            generation: isGenerated ? expression.map { ColumnExpression(printed: $0) } : nil,
            storage: try row.decodeIfPresent(12, as: String.self).flatMap { storages[$0] })
    }

    private static let storages: [String: ColumnDefinition.Storage] = [
        "p": .plain, "e": .external, "m": .main, "x": .extended,
    ]

    private func readConstraint(_ row: PostgresRow) throws {
        let name = try row.decode(2, as: String.self)
        let columns = try row.decode(4, as: [String].self)
        switch try row.decode(3, as: String.self) {
        case "p": try update(row) { $0.primaryKey = PrimaryKeyDefinition(name: name, columns: columns) }
        case "u":
            let unique = UniqueDefinition(
                name: name, columns: columns, isDeferrable: try row.decode(9), isInitiallyDeferred: try row.decode(11),
                nullsNotDistinct: try row.decode(12))
            try update(row) { $0.uniques.append(unique) }
        case "c":
            let condition = CheckDefinition.Condition(printed: try row.decode(10))
            try update(row) { $0.checks.append(CheckDefinition(name: name, condition: condition)) }
        default: try readForeignKey(row, name: name, columns: columns)
        }
    }

    private func readForeignKey(_ row: PostgresRow, name: String, columns: [String]) throws {
        let schema = try row.decode(0, as: String.self)
        let referencedSchema = try row.decode(5, as: String.self)
        let foreignKey = ForeignKeyDefinition(
            name: name, columns: columns, referencedSchema: referencedSchema == schema ? nil : referencedSchema,
            referencedTable: try row.decode(6), referencedColumns: try row.decode(7),
            onDelete: Self.actions[try row.decode(8, as: String.self)] ?? .noAction,
            emptied: try row.decodeIfPresent(13, as: [String].self))
        try update(row) { $0.foreignKeys.append(foreignKey) }
    }

    private static let actions: [String: ForeignKeyDefinition.Action] = [
        "a": .noAction, "r": .restrict, "c": .cascade, "n": .setNull, "d": .setDefault,
    ]

    private func readIndex(_ row: PostgresRow) throws {
        let flags = try row.decode(7, as: [Int].self)
        let keys = zip(try row.decode(4, as: [String].self), flags).map { column, flags in
            // `indoption`: 1 for DESC, 2 for NULLS FIRST; and 4 for what is compared as bytes.
            let folded = TextFold.read(printed: column, isByBytes: flags & 4 != 0)
            return IndexKeyDefinition(
                folded?.column ?? column, fold: folded?.fold, isDescending: flags & 1 != 0, nullsFirst: flags & 2 != 0)
        }
        var index = IndexDefinition(
            name: try row.decode(2), methodName: try row.decode(3), keys: keys, included: try row.decode(8),
            isUnique: try row.decode(5), nullsNotDistinct: try row.decode(9),
            predicate: try row.decodeIfPresent(6, as: String.self).map { ColumnExpression(printed: $0) })
        if index.method == "gin", index.columns.count == 1,
            let (fullText, columns) = FullText.read(printed: index.columns[0])
        {
            index.method = fullText.method.rawValue
            index.keys = columns.map { IndexKeyDefinition($0) }
        } else if index.method == "gin", index.columns.count == 1,
            let column = TrigramIndex.column(printed: index.columns[0])
        {
            index.method = Schema.ModelIndex.Method.trigram.rawValue
            index.keys = [IndexKeyDefinition(column)]
        } else if let operatorClass = try row.decodeIfPresent(10, as: String.self) {
            index.method += "(\(operatorClass))"
        }
        try update(row) { $0.indexes.append(index) }
        if index.columns.count == 1, index.isUnique(of: index.columns) {
            try noteUniqueColumn(index.columns[0], of: row.decode(1), in: row.decode(0))
        }
    }

    private func noteUniqueColumn(_ column: String, of name: String, in schema: String) {
        guard contents[schema]?.definition.view(named: name) != nil else { return }
        contents[schema]?.uniqueColumns[name, default: []].insert(column)
    }

    private func readPolicy(_ row: PostgresRow) throws {
        let policy = RowPolicyDefinition(
            printed: try row.decode(2), check: try row.decodeIfPresent(3), isForced: try row.decode(4))
        try update(row) { $0.policy = policy }
    }

    private func readSequence(_ row: PostgresRow) throws {
        let sequence = SequenceDefinition(
            name: try row.decode(1), start: try row.decode(2), minimum: try row.decode(3), maximum: try row.decode(4))
        let schema = try row.decode(0, as: String.self)
        contents[schema]?.definition.sequences.append(sequence)
    }
}
