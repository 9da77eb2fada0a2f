/// A place in the history of a container, across processes and restarts.
///
/// It says exactly which transactions lie before it. So no change is missed and none comes twice, in whichever order
/// transactions commit. Keep the last one you were given, and fetch what is after it:
///
/// ```swift
/// let news = try await context.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > lastToken }))
/// if let last = news.last { lastToken = last.token }
/// ```
///
/// Tokens of one store that a consumer is given are ordered as it is given them. Its encoded form is one string.
public struct DefaultHistoryToken: HistoryToken {
    /// The place in each store, by the store's identifier; at the beginning in those that are not here.
    package var positions: [String: HistoryPosition]

    package init(_ positions: [String: HistoryPosition] = [:]) {
        self.positions = positions
    }

    /// The token itself.
    public var id: DefaultHistoryToken { self }

    /// The place in each store, by the store's identifier, as text; never `nil`.
    ///
    /// SwiftData's is a number for each store: a place among transactions that commit in any order is not one number.
    public var tokenValue: [String: String]? { positions.mapValues(\.text) }

    /// Whether a transaction lies before this place.
    package func covers(_ mark: HistoryPosition.Mark, store: String) -> Bool {
        positions[store]?.covers(mark) ?? false
    }

    /// The transaction whose token this is.
    private var mark: (store: String, mark: HistoryPosition.Mark)? {
        for (store, position) in positions {
            if let mark = position.mark { return (store, mark) }
        }
        return nil
    }

    /// Whether this place is before another. A transaction's token is after another token exactly if the transaction
    /// does not lie before that.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        if let (store, mark) = rhs.mark { return !lhs.covers(mark, store: store) }
        if let (store, mark) = lhs.mark { return rhs.covers(mark, store: store) }
        for store in Set(lhs.positions.keys).union(rhs.positions.keys).sorted() {
            guard let right = rhs.positions[store] else { return false }
            guard let left = lhs.positions[store] else { return true }
            if left != right { return HistoryPosition.precedes(left, right) }
        }
        return false
    }
}
