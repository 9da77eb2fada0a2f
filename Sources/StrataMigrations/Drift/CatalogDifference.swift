package import StrataRepository

/// Where a database is not exactly what a definition says: names, types, nullability, defaults, constraints and indexes. Only
/// the order of columns does not count, since a column that was added later is always the last one.
///
/// `DefinitionDifference` asks whether Strata can work with the tables; this asks whether they are the same.
package struct CatalogDifference: Hashable, Sendable {
    /// `+ index trip.trip_name_idx is missing`, `- column trip.note is extra`, `~ column trip.name: type is varchar, expected
    /// text`.
    package let lines: [String]

    /// - Parameter ignored: what belongs to others and is not looked at. What is expected is never ignored.
    package init(
        expected: DatabaseDefinition, found: DatabaseDefinition, ignoring ignored: IgnoredParts = IgnoredParts()
    ) {
        self.init(expected, found, ignored, otherRelations: [:], peculiarities: [], uniqueColumns: nil)
    }

    /// The same with what a definition cannot say: constraints that are not valid, indexes whose building failed, triggers that
    /// a migration left.
    package init(
        expected: DatabaseDefinition, found: CatalogInspection, ignoring ignored: IgnoredParts = IgnoredParts()
    ) {
        self.init(
            expected, found.definition, ignored, otherRelations: found.otherRelations,
            peculiarities: found.peculiarities, uniqueColumns: found.uniqueColumns)
    }

    /// The same, with what comments say of columns that the server computes: a container is opened by that.
    package init(
        expected: PrintedDefinition, found: CatalogInspection, ignoring ignored: IgnoredParts = IgnoredParts()
    ) {
        let difference = CatalogDifference(expected: expected.definition, found: found, ignoring: ignored)
        lines = difference.lines + Self.otherMarks(expected, found)
    }

    /// Columns that are computed as they should be, and say that it is by something else. One that says nothing may have been made by hand.
    private static func otherMarks(_ expected: PrintedDefinition, _ found: CatalogInspection) -> [String] {
        expected.definition.tables.flatMap { table in
            table.columns.compactMap { column -> String? in
                guard let mark = expected.marks[table.name]?[column.name],
                    let other = found.columnMarks[table.name]?[column.name], other != mark,
                    found.definition.table(named: table.name)?.column(named: column.name)?.generation
                        == column.generation
                else { return nil }
                return "~ column \(table.name).\(column.name): its comment is \(other), expected \(mark)"
            }
        }
    }

    private init(
        _ expected: DatabaseDefinition, _ found: DatabaseDefinition, _ ignored: IgnoredParts,
        otherRelations: [String: String], peculiarities: [CatalogInspection.Peculiarity],
        uniqueColumns: [String: Set<Set<String>>]?
    ) {
        var found = found
        found.tables.removeAll { expected.table(named: $0.name) == nil && ignored.tables.covers($0.name) }
        found.tables = found.tables.map { table in
            expected.table(named: table.name).map { ignored.stripping(table, expected: $0).asDivided(like: $0) }
                ?? table
        }
        found.sequences.removeAll { expected.sequence(named: $0.name) == nil && ignored.tables.covers($0.name) }
        // What a view shows is compared by what the server makes of it: see ViewInspection.
        found.views = found.views.compactMap { view in
            expected.view(named: view.name).map {
                ViewDefinition(
                    name: view.name, columns: view.columns, query: $0.query, key: $0.key,
                    isMaterialized: view.isMaterialized, isInvokers: $0.isInvokers && view.isInvokers)
            }
        }
        // What a table of others computes a column by, a class does not say.
        for (place, table) in found.tables.enumerated() {
            guard let expected = expected.table(named: table.name) else { continue }
            for (index, column) in table.columns.enumerated() where column.generation != nil {
                guard let wanted = expected.column(named: column.name), wanted.isGenerated, wanted.generation == nil
                else {
                    continue
                }
                found.tables[place].columns[index].generation = nil
            }
        }
        // Nearly always the two are the same, and equal values have equal parts.
        let (old, new) = (expected.normalized, found.normalized)
        let changes = old == new ? [] : PartChange.between(old.parts, new.parts)
        var lines = changes.map { Self.line($0, otherRelations: otherRelations) }
        for peculiarity in peculiarities {
            // A table that is extra as a whole has its line; what is in it is its owner's business.
            if let table = peculiarity.table, expected.table(named: table) == nil, expected.view(named: table) == nil {
                continue
            }
            if ignored.covers(peculiarity, expected: expected) { continue }
            lines.append("\(peculiarity.isLeftOver ? "-" : "~") \(peculiarity.text)")
        }
        for view in expected.views where view.isMaterialized && found.view(named: view.name)?.isMaterialized == true {
            guard let uniqueColumns, uniqueColumns[view.name]?.contains(Set(view.key)) != true else { continue }
            lines.append(
                "~ view \(view.name): has no unique index of its key, by which it is refreshed while others read it")
        }
        self.lines = lines
    }

    package var isEmpty: Bool { lines.isEmpty }

    // MARK: Lines

    private static func line(_ change: PartChange, otherRelations: [String: String]) -> String {
        switch change {
        case .removed(let part):
            if [.table, .sequence, .view].contains(part.kind), let kind = otherRelations[part.name] {
                "~ \(part.label): there is \(kind) of that name"
            } else {
                "+ \(part.label) is missing\(content(part))"
            }
        case .added(let part): "- \(part.label) is extra\(content(part))"
        case .renamed(let part, let other): "~ \(part.label): its name is \(other.name)"
        case .changed(let part, let field, let expected, let found):
            if field == "isNullable" {
                "~ \(part.label): is \(nullability(found)), expected \(nullability(expected))"
            } else if field == "generation" {
                "~ \(part.label): is computed by \(found.map(sql) ?? "nothing"), expected \(expected.map(sql) ?? "nothing")"
            } else {
                "~ \(part.label): \(words[field] ?? field) is \(value(found)), expected \(value(expected))"
            }
        }
    }

    /// What the thing is, where its name does not tell.
    private static func content(_ part: ComparedPart) -> String {
        switch part.kind {
        case .column:
            guard let type = part.fields["type"] else { return "" }
            return ": \(type.readable) \(nullability(part.fields["isNullable"]))"
        case .unique, .primaryKey, .foreignKey, .index:
            guard case .list(let columns) = part.fields["columns"] else { return "" }
            let target = part.fields["referencedTable"].map { " → " + $0.readable } ?? ""
            return ": (\(columns.map(\.readable).joined(separator: ", ")))\(target)"
        case .check: return part.fields["condition"].map { ": " + condition($0) } ?? ""
        default: return ""
        }
    }

    private static func nullability(_ isNullable: JSONTree?) -> String {
        isNullable == .bool(true) ? "NULL" : "NOT NULL"
    }

    private static func value(_ tree: JSONTree?) -> String {
        switch tree {
        case nil: "none"
        case .object: condition(tree ?? .null)
        default: tree?.readable ?? "none"
        }
    }

    /// An expression that the server has not printed has its columns apart.
    private static func sql(_ tree: JSONTree) -> String {
        if case .list(let parts) = tree { parts.map(\.readable).joined() } else { tree.readable }
    }

    /// A check as SQL would have it, anything else field by field.
    private static func condition(_ tree: JSONTree) -> String {
        if let expression = tree.fields["expression"]?.fields["_0"] { return sql(expression) }
        if let list = tree.fields["isOneOf"]?.fields, let column = list["column"],
            case .list(let values) = list["values"]
        {
            return "\(column.readable) IN (\(values.map(\.readable).joined(separator: ", ")))"
        }
        return tree.readable
    }

    private static let words = [
        "defaultExpression": "the default", "isDeferrable": "deferrable",
        "isInitiallyDeferred": "INITIALLY DEFERRED", "isUnique": "unique",
        "nullsNotDistinct": "NULLS NOT DISTINCT", "onDelete": "ON DELETE",
        "isGenerated": "generated", "isNullable": "nullable", "method": "the method", "columns": "the list of columns",
        "referencedTable": "the referenced table", "referencedSchema": "the referenced schema",
        "referencedColumns": "the list of referenced columns", "predicate": "the predicate",
        "included": "the list of included columns", "type": "the type",
        "condition": "the condition", "collation": "the collation", "identity": "the identity",
        "storage": "the storage", "isInvokers": "security_invoker", "policy": "the policy of tenants",
    ]
}

extension TableDefinition {
    /// The same with what the database does not say: how long partitions are that are made from now on.
    fileprivate func asDivided(like expected: TableDefinition) -> TableDefinition {
        var table = self
        if table.partitioning?.column == expected.partitioning?.column { table.partitioning = expected.partitioning }
        return table
    }
}
