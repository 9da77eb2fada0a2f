import StrataClient
import StrataModels

/// Something with elements: the objects of a to-many relationship, or the values of an array; perhaps filtered.
struct SQLSequence {
    enum Source {
        case related(RelationshipMapping, of: ObjectReference)
        /// An array, and what one element of it is.
        case array(SQLExpression, element: SQLExpression)
        /// An array or a dictionary inside of JSON.
        case json(JSONSequence)
        /// What a transaction of the history changed.
        case changes(HistoryChangeSequence)
        /// A captured collection without elements.
        case empty
    }

    /// Adds a condition on an element.
    typealias Filter = (PredicateOperand) throws -> SQLExpression

    var source: Source
    var path: String
    var filters: [Filter] = []
    /// What is true when there is a sequence at all, where it was reached through an optional.
    var presence: SQLExpression?

    func filtered(by filter: @escaping Filter) -> SQLSequence {
        var result = self
        result.filters.append(filter)
        return result
    }

    /// `EXISTS` an element that passes all filters.
    func exists(in translation: Translation) throws -> SQLExpression {
        if case .empty = source { return .false }
        if case .changes(let changes) = source { return try changes.exists(translation, all) }
        let rows = try rows(in: translation)
        return .condition("EXISTS (\(rows))", opposite: "NOT EXISTS (\(rows))", shape: .atom)
    }

    /// How many elements pass all filters.
    func count(in translation: Translation) throws -> SQLExpression {
        if case .array(let array, _) = source, filters.isEmpty {
            return SQLExpression(
                sql: "cardinality(\(array.sql))::bigint", type: .int8, requires: array.requires, path: path)
        }
        if case .json(let list) = source, filters.isEmpty { return list.count(in: translation) }
        if case .empty = source { return SQLExpression(sql: "0::bigint", type: .int8) }
        if case .changes(let changes) = source {
            return SQLExpression(sql: try changes.count(translation, all), type: .int8, path: path)
        }
        let rows = try rows(in: translation) { _ in "count(*)" }
        return SQLExpression(sql: "(\(rows))", type: .int8, path: path)
    }

    /// What is computed of a value of all elements that pass all filters.
    ///
    /// The values are a query of their own: an aggregate of what belongs to the owner alone would be one of the owner's query
    /// (manual, 4.2.7).
    func aggregate(
        _ function: AggregateFunction, isExact: Bool = false, in translation: Translation,
        of value: (PredicateOperand) throws -> SQLExpression
    ) throws -> SQLExpression {
        if case .changes = source { throw translation.unsupported("the \(function.name) of \(path)") }
        var argument: SQLExpression?
        let rows = try rows(in: translation) { element in
            let value = try value(element)
            argument = value
            return "\(value.sql) AS v"
        }
        guard let argument else { throw translation.unsupported("the \(function.name) of \(path)") }
        let alias = translation.aliases.alias()
        var result = try function.expression(
            of: .expression(argument, nil).named(["\(alias).v"]), isExact: isExact)
        result.sql = "(SELECT \(result.sql) FROM (\(rows)) AS \(alias))"
        result.shape = .atom
        result.requires = []
        return result
    }

    /// All filters on one element.
    private func all(_ element: PredicateOperand) throws -> SQLExpression {
        try filters.reduce(SQLExpression.true) { $0.and(try $1(element)) }
    }

    /// `SELECT … FROM … WHERE …`: a column of the elements that pass all filters; none where nobody looks at it.
    private func rows(
        in translation: Translation, column: (PredicateOperand) throws -> SQLFragment = { _ in "" }
    ) throws -> SQLFragment {
        switch source {
        case .related(let relationship, let owner):
            let (scope, link) = try elements(of: relationship, owner, translation)
            let element = PredicateOperand.object(ObjectReference(scope, path: path))
            let conditions = try filters.map { try $0(element) }
            let all = scope.selecting(conditions.reduce(link) { $0.and($1) }.sql)
            let column = try column(element)
            // By now all tables that are asked for are joined.
            return Self.select(column, "\(scope.from) WHERE \(all)")
        case .json(let list):
            var selected: SQLFragment = ""
            let rows = try list.rows(translation) { element in
                selected = try column(element)
                return try all(element)
            }
            return Self.select(selected, rows)
        case .empty, .changes: return "SELECT WHERE FALSE"
        case .array(let array, let element):
            let alias = translation.aliases.alias()
            var value = element
            value.sql = "\(alias).v"
            let condition = try all(.value(value))
            return Self.select(
                try column(.value(value)), "FROM unnest(\(array.sql)) AS \(alias)(v) WHERE \(condition.sql)")
        }
    }

    private static func select(_ column: SQLFragment, _ rows: SQLFragment) -> SQLFragment {
        column.isEmpty ? "SELECT \(rows)" : "SELECT \(column) \(rows)"
    }

    /// A variable over the objects of the relationship, and what ties them to their owner.
    private func elements(
        of relationship: RelationshipMapping, _ owner: ObjectReference, _ translation: Translation
    ) throws -> (TableScope, SQLExpression) {
        switch relationship.storage {
        case .inverseForeignKey(let holder, let column):
            let scope = TableScope(relationship.destination, .present, aliases: translation.aliases)
            let foreignKey = scope.column(named: column.name, of: holder)
            if let several = scope.columns(column, of: holder) {
                return (scope, .condition(owner.scope.isTarget(of: several.columns, several.row)))
            }
            return (scope, .condition("\(foreignKey) = \(owner.scope.key())"))
        case .joinTable(let table, let own, let other):
            let alias = translation.aliases.alias()
            let scope = TableScope(
                relationship.destination, .present, key: other.value(of: alias), reference: (other, alias),
                in: FromClause(translation.aliases.item(table), as: alias), requires: [],
                aliases: translation.aliases)
            return (scope, .condition(owner.scope.isTarget(of: own, alias)))
        case .foreignKey:
            throw SwiftDataError(
                .unsupportedPredicate,
                "\(path) is kept as a to-one relationship and cannot be searched as a collection.")
        }
    }
}
