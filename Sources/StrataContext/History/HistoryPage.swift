public import StrataModels

/// A part of the history, and where to go on.
public struct HistoryPage: Sendable {
    /// The transactions, in the order in which they took effect.
    public let transactions: [DefaultHistoryTransaction]
    /// The place after them, also when there were none, or none that matched.
    public let token: DefaultHistoryToken
    /// Whether there was nothing more when the page was read.
    public let isLast: Bool
}
