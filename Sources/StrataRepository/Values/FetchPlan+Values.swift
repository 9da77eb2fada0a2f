import Foundation
import StrataClient
import StrataModels

extension FetchPlan {
    /// The statement that reads values, and how to read its rows.
    ///
    /// Throws ``SwiftDataError`` for what cannot be translated.
    package func values(_ query: ValueQuery) throws -> ValueSelection {
        query.isGrouped ? try groups(query) : try objectValues(query)
    }

    /// The statement that reads values of one page of objects, and of one object more.
    package func page(of query: ValueQuery, _ page: PageRequest) throws -> PageStatement<ValueSelection> {
        guard !query.isGrouped else {
            throw SwiftDataError(
                .unsupportedFeature,
                "A page or a stream of \(entity.name) values has a row for each object, and keys and aggregates make groups. Fetch these "
                    + "with fetch(_:selecting:).")
        }
        let arguments = try query.terms.map { try objectArgument($0, on: scope) }
        let columns = [scope.key()] + arguments.flatMap(\.expressions).map(\.sql)
        let (statement, order) = try self.page(
            page, selecting: columns.joined(separator: ", ")
        ) { try objectOrder(query, on: $0) }
        return PageStatement(
            statement: statement, order: order, width: columns.count,
            content: ValueSelection(
                statement, arguments, first: 1, tables: entity.tables, replacements: overlay?.replacements ?? [:]))
    }

    /// One row an object.
    private func objectValues(_ query: ValueQuery) throws -> ValueSelection {
        let arguments = try query.terms.map { try objectArgument($0, on: scope) }
        let order = orderBy(try objectOrder(query, on: scope).map { $0.sql() })
        let columns = arguments.flatMap(\.expressions).map(\.sql).joined(separator: ", ")
        return try selection("SELECT \(columns) \(scope.from)\(whereClause)\(order)\(limits)", arguments)
    }

    private func objectArgument(_ term: QueryTerm, on scope: TableScope) throws -> ValueArgument {
        guard let argument = try PredicateTranslator(mapping: mapping, store: store).argument(term, on: scope) else {
            throw Self.noValue
        }
        return argument
    }

    /// The query's order, then the descriptor's.
    private func objectOrder(_ query: ValueQuery, on scope: TableScope) throws -> [SortTerm] {
        let asked = try query.order.flatMap { term, order in
            try objectArgument(term, on: scope).orderExpressions().map { SortTerm(expression: $0, order: order) }
        }
        return asked + (try PredicateTranslator(mapping: mapping, store: store).order(of: descriptor, on: scope))
    }

    /// One row a group: one for each combination of the keys' values, and one for all objects without a key.
    private func groups(_ query: ValueQuery) throws -> ValueSelection {
        let translator = PredicateTranslator(mapping: mapping, store: store)
        let isLimited = descriptor.fetchLimit != nil || (descriptor.fetchOffset ?? 0) > 0
        let keys = query.keys
        guard !keys.isEmpty || query.leaves.contains(where: \.isAggregate) else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "A query of \(entity.name) selects numbers alone, .number(…), which are of no object and of no group. Select a key or an "
                    + "aggregate too: .key(…), .count.")
        }
        let limitsObjects = isLimited && keys.isEmpty
        let arguments = try GroupArguments(query, translator, scope, isNested: limitsObjects)
        let selected = try arguments.selected(query)
        let having = try query.having.map {
            " HAVING \(try arguments.condition($0, translator.translation(scope.generator)).falsehood().sql)"
                as SQLFragment
        }
        var order = try query.order.flatMap { term, order in
            try arguments.reference(term).orderExpressions().map { $0.ordered(order) }
        }
        guard keys.isEmpty || descriptor.orderBy.isEmpty else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                "The orderBy of a descriptor for \(entity.name) is an order of objects, and the rows are groups. Give the order to "
                    + "fetch(_:selecting:having:orderBy:).")
        }
        if !keys.isEmpty { order += try arguments.order(by: descriptor.sortBy, translator, scope) }
        if isLimited || !order.isEmpty || overlay?.isUsed == true {
            // Each group is at one place then.
            order += try keys.flatMap { try arguments.reference($0).sortExpressions.map { $0.ordered(.forward) } }
        }
        let objectOrder =
            limitsObjects ? orderBy(try translator.order(of: descriptor, on: scope).map { $0.sql() }) : ""
        let groups = try keys.flatMap { try arguments.reference($0).expressions.map(\.sql) }.withoutRepetition
        let rows: SQLFragment = "\(scope.from)\(whereClause)"
        let source = arguments.source(rows: rows, suffix: limitsObjects ? "\(objectOrder)\(limits)" : "")
        var sql: SQLFragment = "SELECT \(selected.flatMap(\.expressions).map(\.sql).joined(separator: ", ")) \(source)"
        if !groups.isEmpty { sql.append(" GROUP BY \(groups.joined(separator: ", "))") }
        if let having { sql.append(having) }
        if !order.isEmpty { sql.append(" ORDER BY \(order.withoutRepetition.joined(separator: ", "))") }
        if isLimited, !limitsObjects { sql.append(limits) }
        return try selection(sql, selected)
    }

    private func selection(_ sql: SQLFragment, _ arguments: [ValueArgument]) throws -> ValueSelection {
        ValueSelection(
            try statement(sql, "values of \(entity.name)"), arguments, tables: entity.tables,
            replacements: overlay?.replacements ?? [:])
    }

    private static var noValue: SwiftDataError {
        SwiftDataError(.unsupportedKeyPath, "An object of \(T.self) is no value of a row. Select its properties.")
    }
}

extension [SQLFragment] {
    /// Each text once, at its first place.
    fileprivate var withoutRepetition: [SQLFragment] {
        reduce(into: []) { result, fragment in
            if !result.contains(where: { $0.isSame(as: fragment) }) { result.append(fragment) }
        }
    }
}

extension SQLExpression {
    /// A key by which it is sorted.
    fileprivate func ordered(as key: KeyColumns) -> SQLExpression {
        guard !key.isSingle else { return self }
        var result = self
        result.sql = key.ordered(sql)
        return result
    }
}

extension ValueArgument {
    /// The values by which somebody asks to sort, if their form has an order that means something.
    func orderExpressions() throws -> [SQLExpression] {
        let documents: Set<PostgresType> = [.json, .jsonb, .bytea]
        guard sortExpressions.allSatisfy({ $0.form == .plain && !documents.contains($0.type) }) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                "\(path) is stored in a form that has no order. Sort by another value, or sort the fetched objects in memory."
            )
        }
        return sortExpressions
    }

    /// The values by which it is sorted: identifiers by class, then by key.
    var sortExpressions: [SQLExpression] {
        switch self {
        case .expression(let expression, _): [expression]
        case .identifier(let entity, let key, let className):
            [className].compactMap { $0 } + [key.ordered(as: entity.key)]
        }
    }
}
