import Foundation
import StrataModels

/// Finds the token after which a predicate reads: the one in a `$0.token > token` that must be true for all of it.
enum HistoryStart {
    static func token(of predicate: Predicate<DefaultHistoryTransaction>) -> DefaultHistoryToken? {
        token(in: PredicateTree(predicate).expression)
    }

    fileprivate static func token(in node: any PredicateExpression) -> DefaultHistoryToken? {
        (node as? any HistoryStartNode)?.startToken
    }
}

/// A node that can say after which token everything lies for which it is true.
private protocol HistoryStartNode {
    var startToken: DefaultHistoryToken? { get }
}

extension PredicateExpressions.Conjunction: HistoryStartNode {
    fileprivate var startToken: DefaultHistoryToken? {
        HistoryStart.token(in: lhs) ?? HistoryStart.token(in: rhs)
    }
}

extension PredicateExpressions.PredicateEvaluate: HistoryStartNode {
    fileprivate var startToken: DefaultHistoryToken? {
        HistoryStart.token(in: PredicateTree(predicate).expression)
    }
}

extension PredicateExpressions.Comparison: HistoryStartNode {
    fileprivate var startToken: DefaultHistoryToken? {
        switch op {
        case .greaterThan: (lhs as? any HistoryTokenNode)?.isToken == true ? captured(rhs) : nil
        case .lessThan: (rhs as? any HistoryTokenNode)?.isToken == true ? captured(lhs) : nil
        default: nil
        }
    }

    private func captured(_ node: some PredicateExpression) -> DefaultHistoryToken? {
        (node as? PredicateExpressions.Value<DefaultHistoryToken>)?.value
    }
}

/// `$0.token`, without its types.
private protocol HistoryTokenNode {
    var isToken: Bool { get }
}

extension PredicateExpressions.KeyPath: HistoryTokenNode {
    fileprivate var isToken: Bool { keyPath == \DefaultHistoryTransaction.token }
}
