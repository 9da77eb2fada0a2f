import Foundation
import StrataClient
import StrataModels

extension Translation {
    private func historyScope() throws -> HistoryScope {
        guard let history else { throw unsupported("a transaction of the history in a predicate over models") }
        return history
    }

    /// A property of a transaction, of one of its changes, or of the object that was changed.
    func property(_ keyPath: AnyKeyPath, of operand: HistoryOperand) throws -> PredicateOperand {
        let found: PredicateOperand? =
            switch operand {
            case .transaction: try property(ofTransaction: keyPath)
            case .change(let row): property(keyPath, ofChange: row)
            case .identifier(let row): try property(keyPath, ofIdentifier: row)
            case .token, .context: nil
            }
        if let found { return found }
        throw unsupported(
            "a property of type \(type(of: keyPath).valueType) at this place of a predicate over the history",
            "ask for it in memory, in the fetched transactions")
    }

    private func property(ofTransaction keyPath: AnyKeyPath) throws -> PredicateOperand? {
        typealias Subject = DefaultHistoryTransaction
        let scope = try historyScope()
        switch keyPath {
        case \Subject.token: return .history(.token)
        case \Subject.context: return .history(.context)
        case \Subject.storeIdentifier: return .value(Self.storeIdentifier(scope))
        case \Subject.changes:
            return .sequence(SQLSequence(source: .changes(HistoryChangeSequence(scope: scope)), path: "changes"))
        default: return HistoryColumn.all.first { $0.isOf(keyPath) }.map { .value($0.expression) }
        }
    }

    private func property(_ keyPath: AnyKeyPath, ofChange row: HistoryRow) -> PredicateOperand? {
        switch keyPath {
        case \HistoryChange.changedPersistentIdentifier: .history(.identifier(row))
        case \HistoryChange.changeIdentifier:
            .value(SQLExpression(sql: row.number(), type: .int8, path: "changeIdentifier"))
        case \HistoryChange.transactionIdentifier: .value(HistoryColumn.transactionIdentifier.expression)
        default: nil
        }
    }

    private func property(_ keyPath: AnyKeyPath, ofIdentifier row: HistoryRow) throws -> PredicateOperand? {
        let scope = try historyScope()
        switch keyPath {
        case \PersistentIdentifier.id: return .history(.identifier(row))
        case \PersistentIdentifier.storeIdentifier: return .value(Self.storeIdentifier(scope))
        case \PersistentIdentifier.entityName:
            let name: SQLFragment = """
                (SELECT CASE WHEN e.name = ANY(\(bind: scope.entityNames)) THEN e.name ELSE e.next_name END \
                FROM \(HistorySchema.entity) AS e WHERE e.id = \(row.entity))
                """
            var expression = SQLExpression(sql: name, type: .text, path: "entityName")
            expression.historyEntity = row.entity
            return .value(expression)
        default: return nil
        }
    }

    /// The same for all rows, but no value that the predicate captured.
    private static func storeIdentifier(_ scope: HistoryScope) -> SQLExpression {
        SQLExpression(sql: "\(bind: scope.storeIdentifier)", type: .text, path: "storeIdentifier")
    }

    /// Whether the class of a changed object is one of these, asked by number.
    func isEntity(_ entity: SQLFragment, named names: [String]) throws -> SQLExpression {
        .condition("\(entity) = ANY(\(try historyScope().entities(named: names)))")
    }

    /// Whether a changed object is one of these.
    func isObject(_ row: HistoryRow, among values: [Any]) throws -> SQLExpression {
        let scope = try historyScope()
        var keys: [String: [RowKey]] = [:]
        for value in values {
            guard let identifier = value as? PersistentIdentifier else {
                throw unsupported("a comparison of changedPersistentIdentifier with a captured \(type(of: value))")
            }
            guard identifier.storeIdentifier == scope.storeIdentifier else { continue }
            keys[identifier.entityName, default: []].append(identifier.key)
        }
        return keys.sorted { $0.key < $1.key }.reduce(SQLExpression.false) { result, element in
            let entities = scope.entities(named: [element.key])
            return result.or(
                SQLExpression.condition(Self.isKey(row, among: element.value))
                    .and(.condition("\(row.entity) = ANY(\(entities))")))
        }
    }

    private static func isKey(_ row: HistoryRow, among keys: [RowKey]) -> SQLFragment {
        let numbers = keys.filter(\.isInteger)
        guard numbers.count < keys.count else { return "\(row.key) = ANY(\(bind: numbers, of: .integer))" }
        return "\(row.namedKey) = ANY(\(bind: keys.map(\.description)))"
    }

    /// The value that `context` has for a key.
    func contextValue(_ key: PredicateOperand) throws -> PredicateOperand {
        guard case .constant(let constant) = key, let name = constant as? String else {
            throw unsupported("a subscript of context that is not captured")
        }
        return .value(
            SQLExpression(
                sql:
                    "(\(identifier: LibrarySchema.name).history_context(\(HistoryScope.transaction).context) ->> \(bind: name))",
                type: .text, nullness: .none,
                path: "context[\"\(name)\"]"))
    }

    /// `token > other` and its relatives.
    func compareToken(_ op: OrderOperator, _ other: PredicateOperand) throws -> SQLExpression {
        let scope = try historyScope()
        guard case .constant(let value) = other, let token = value as? DefaultHistoryToken else {
            throw unsupported("a comparison of a token with something that is no captured token")
        }
        guard let position = token.positions[scope.storeIdentifier] else {
            // At the beginning of this store's history everything is after the token.
            return op == .greater || op == .greaterOrEqual ? .true : .false
        }
        historyPositions.append(position)
        if op == .greater, position == scope.start { return .true }
        let covered = covered(by: position)
        var isItself = SQLExpression.false
        if let mark = position.mark {
            let transaction = HistoryScope.transaction
            isItself = SQLExpression.condition("\(transaction).xid = \(bind: String(mark.transaction))::xid8")
                .and(.condition("\(transaction).generation = \(bind: mark.generation)"))
        }
        switch op {
        case .greater: return covered.not()
        case .greaterOrEqual: return covered.not().or(isItself)
        case .lessOrEqual: return covered
        case .less: return covered.and(isItself.not())
        }
    }

    private func covered(by position: HistoryPosition) -> SQLExpression {
        let transaction = HistoryScope.transaction
        let earlier = SQLExpression.condition("\(transaction).generation < \(bind: position.generation)")
        func lies(in snapshot: HistorySnapshot) -> SQLExpression {
            earlier.or(
                SQLExpression.condition("\(transaction).generation = \(bind: position.generation)").and(
                    .condition(
                        "pg_visible_in_snapshot(\(transaction).xid, \(bind: snapshot))",
                        shape: .atom)))
        }
        var covered = SQLExpression.false
        if let base = position.base { covered = lies(in: base) }
        if let page = position.page {
            let number: SQLFragment = """
                (SELECT max(c.seq) FROM \(HistorySchema.change) AS c WHERE c.xid = \(transaction).xid \
                AND c.generation = \(transaction).generation AND c.entity = ANY(\(HistoryScope.entities)))
                """
            covered = covered.or(
                lies(in: page.ceiling).and(
                    .condition("\(number) <= \(bind: page.upto)", opposite: "\(number) > \(bind: page.upto)")))
        }
        return covered
    }
}
