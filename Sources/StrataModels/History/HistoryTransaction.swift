public import Foundation

/// What one transaction changed, and who made it.
public protocol HistoryTransaction: PredicateInput, Hashable, Identifiable, Sendable {
    /// The type of ``token``.
    associatedtype TokenType: HistoryToken
    /// The type of ``transactionIdentifier``.
    associatedtype TransactionIdentifier: Codable, Comparable, Hashable, Sendable

    /// Names the transaction in its store.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The place in the history right after this transaction.
    var token: TokenType { get }
    /// When it made its first change.
    var timestamp: Date { get }
    /// Who made it, as they said.
    var author: String? { get }
    /// The store it changed.
    var storeIdentifier: String { get }
    /// What it did to each object, one change an object, in order.
    var changes: [HistoryChange] { get }
}
