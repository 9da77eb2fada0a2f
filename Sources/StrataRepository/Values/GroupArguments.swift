import Foundation
import StrataClient
import StrataModels

/// What a query for groups computes of each object, and under which names the groups know it.
///
/// A statement says an expression in several places, and a parameter in two places is two parameters to the server, which cannot know
/// then that both expressions are the same. So where there are parameters, the expressions are written once, in a query that the groups
/// select from.
struct GroupArguments {
    private let entries: [(term: QueryTerm, argument: ValueArgument)]
    /// The same under the names by which the groups know them.
    private let named: [ValueArgument]
    private let keys: [QueryTerm]
    private let isNested: Bool

    /// - Parameter isNested: whether the groups are of a page of objects.
    init(_ query: ValueQuery, _ translator: PredicateTranslator, _ scope: TableScope, isNested: Bool) throws {
        var entries: [(term: QueryTerm, argument: ValueArgument)] = []
        for term in query.leaves where !entries.contains(where: { $0.term.hasArgument(of: term) }) {
            if let argument = try translator.argument(term, on: scope) { entries.append((term, argument)) }
        }
        for term in query.leaves where term.role == .key || term.role == .aggregate(.countDistinct) {
            let entry = entries.first { $0.term.hasArgument(of: term) }
            guard case .expression(let value, _)? = entry?.argument else { continue }
            switch value.form {
            case .interval:
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "\(value.path) is a CalendarInterval, and PostgreSQL takes a month for 30 days and a day for 24 hours where it looks for "
                        + "values that are the same. Select the values, and group them in memory.")
            case .serverText(let text):
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "\(value.path) is \(text.type) in the database, of which a row has the text, and equal values may have several. Select the values, and "
                        + "group them in memory.")
            case .plain, .json, .secondsSince1970, .opaqueText, .transformed: break
            }
        }
        let isNested =
            isNested || entries.contains { $0.argument.expressions.contains { $0.sql.hasBindings || $0.isLiteral } }
        var count = 0
        named = entries.map { entry in
            guard isNested else { return entry.argument }
            let names = entry.argument.expressions.indices.map { "q.v\(raw: String(count + $0))" as SQLFragment }
            count += names.count
            return entry.argument.named(names)
        }
        self.entries = entries
        self.isNested = isNested
        keys = query.keys
    }

    /// `FROM …`: what the groups are made of.
    ///
    /// - Parameters:
    ///   - rows: the objects.
    ///   - suffix: order and limits of the objects.
    func source(rows: SQLFragment, suffix: SQLFragment) -> SQLFragment {
        guard isNested else { return rows }
        let expressions = entries.flatMap(\.argument.expressions)
        let columns = expressions.enumerated().map { index, expression in
            "\(expression.sql) AS v\(raw: String(index))" as SQLFragment
        }
        let list: SQLFragment = columns.isEmpty ? "1" : columns.joined(separator: ", ")
        return "FROM (SELECT \(list) \(rows)\(suffix)) AS q"
    }

    /// What stands in a row.
    func selected(_ query: ValueQuery) throws -> [ValueArgument] {
        try query.terms.enumerated().map { index, term in
            try reference(query.isDistinct ? term.asKey : term, isExact: query.exactAverages[index])
        }
    }

    /// A term in the words of the groups.
    func reference(_ term: QueryTerm, isExact: Bool? = nil) throws -> ValueArgument {
        switch term.argument {
        case .arithmetic(let arithmetic): return .expression(try computed(arithmetic), nil)
        case .constant(let number): return .expression(try CapturedValue(number, path: "").expression(like: nil), nil)
        default: break
        }
        let place = entries.firstIndex { $0.term.hasArgument(of: term) }
        let argument = place.map { named[$0] }
        if case .aggregate(let function) = term.role {
            let isExact = isExact ?? argument?.isDecimal ?? false
            var property: AnyAttributeProperty?
            if case .expression(_, let own)? = argument, function.isOneOfThem { property = own }
            return .expression(try function.expression(of: argument, isExact: isExact), property)
        }
        guard let argument, keys.contains(where: { $0.hasArgument(of: term) }) else {
            guard term.role != .key else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "The rows are no groups by \(argument?.path ?? "an object"), which stands as a key in having or orderBy alone. Select it too."
                )
            }
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(argument?.path ?? "An object") has many values in a group, and a row holds one. Make it a key, .key(…), or ask for an "
                    + "aggregate of it: .minimum(…), .maximum(…), .count(of: …).")
        }
        return argument
    }

    private func computed(_ arithmetic: GroupArithmetic) throws -> SQLExpression {
        let (left, right) = (try number(arithmetic.left), try number(arithmetic.right))
        var (type, nullness) = (left.type, SQLExpression.Nullness.never)
        let sql: SQLFragment
        if arithmetic.op == .divide {
            (type, nullness) = (arithmetic.isExact ? .numeric : .float8, .none)
            sql = "\(left.converted(to: type).operand) / NULLIF(\(right.converted(to: type).sql), 0)"
        } else {
            if left.isNullable || right.isNullable { nullness = .none }
            sql = "\(left.operand) \(raw: arithmetic.op.rawValue) \(right.converted(to: type).operand)"
        }
        var result = SQLExpression(
            sql: sql, type: type, nullness: nullness, shape: .comparison,
            path: left.path.isEmpty ? right.path : left.path)
        result.mayBeNaN = left.mayBeNaN || right.mayBeNaN
        return result
    }

    private func number(_ term: QueryTerm) throws -> SQLExpression {
        let argument = try reference(term)
        guard case .expression(let number, _) = argument, number.form == .plain,
            AggregateFunction.numbers.contains(number.type)
        else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(argument.path) is not stored as a number: nothing can be computed of it in SQL. Select it, and compute in memory."
            )
        }
        return number
    }

    /// The terms of `ORDER BY` for sort descriptors, which must go by keys.
    func order<T: PersistentModel>(
        by sort: [SortDescriptor<T>], _ translator: PredicateTranslator, _ scope: TableScope
    ) throws -> [SQLFragment] {
        // Refuses comparators, as every fetch does.
        _ = try translator.order(sort, on: scope)
        return try sort.flatMap { descriptor -> [SQLFragment] in
            guard let keyPath = descriptor.keyPath else { return [] }
            let terms = try translator.terms(by: keyPath, of: ObjectReference(scope))
            guard let value = terms.last,
                let place = entries.indices.first(where: { index in
                    keys.contains { $0.hasArgument(of: entries[index].term) }
                        && entries[index].argument.sortExpressions.last!.sql.isSame(as: value.sql)
                })
            else {
                throw SwiftDataError(
                    .unsupportedSortDescriptor,
                    "The rows are groups or distinct values and cannot be sorted by \(terms.last?.path ?? "\(T.self)"), of which a group has many "
                        + "values. Select it too, or sort by an aggregate: orderBy: [.forward(.minimum(…))].")
            }
            let named = named[place].sortExpressions
            let isFolded = LocalizedStandardSortKey.isValue(of: keyPath)
            return (isFolded ? named.map(\.folded) + named : named).map { $0.ordered(descriptor.order) }
        }
    }

    /// Which groups are wanted.
    func condition(_ condition: GroupCondition, _ translation: Translation) throws -> SQLExpression {
        switch condition {
        case .and(let one, let other):
            return try self.condition(one, translation).and(self.condition(other, translation))
        case .or(let one, let other):
            return try self.condition(one, translation).or(self.condition(other, translation))
        case .not(let inner): return try self.condition(inner, translation).not()
        case .compare(let term, let comparison, let other):
            var left = try value(term)
            let right: PredicateOperand
            switch other {
            case .value(let value): right = PredicateOperand(value)
            case .term(let term):
                var known = try value(term)
                // An order of what is not there is false, whichever of both it is.
                if known.isNullable, comparison.orderOperator != nil {
                    known = known.unwrapped()
                    left.nullness = .none
                }
                right = .value(known)
            }
            guard let op = comparison.orderOperator else { return try translation.equal(.value(left), right) }
            return try translation.compare(.value(left), op, right)
        }
    }
}

extension GroupArguments {
    /// A term as what is compared. What lies behind an object that may be missing is an optional of a group: no condition there leads to that
    /// object.
    private func value(_ term: QueryTerm) throws -> SQLExpression {
        guard case .expression(var expression, _) = try reference(term) else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "An identifier cannot be compared in a condition on groups. Filter by it in the predicate.")
        }
        if !expression.requires.isEmpty { (expression.nullness, expression.requires) = (.none, []) }
        return expression
    }
}

extension GroupCondition.Comparison {
    /// `nil` for equality.
    fileprivate var orderOperator: OrderOperator? {
        switch self {
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .equal: nil
        }
    }
}

extension ValueArgument {
    fileprivate var isDecimal: Bool {
        guard case .expression(let expression, _) = self else { return false }
        return expression.type == .numeric && expression.swiftType != UInt64.self && expression.swiftType != UInt.self
    }
}

extension SQLExpression {
    /// The same number in another type.
    fileprivate func converted(to type: PostgresType) -> SQLExpression {
        guard self.type != type else { return self }
        var result = SQLExpression(
            sql: "\(operand)::\(raw: type.description)", type: type, nullness: nullness, path: path)
        result.mayBeNaN = mayBeNaN
        return result
    }

    /// Whether it is a constant, by which the server groups nothing.
    fileprivate var isLiteral: Bool { isTrue || isFalse }
}
