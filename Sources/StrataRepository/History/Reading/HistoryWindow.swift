/// How many transactions a page looks at, of a history that may have any number.
///
/// A page has the transactions whose last changes come first, and numbers of transactions do not say which these are: one that began early
/// may have changed its last row late. To look at all would make each page as slow as the whole. So a page looks at the transactions that began
/// first, ``covered`` and further ``overlapping`` ones. Of what comes behind these, each began when all but those that ran at the same time
/// were over. As fewer than ``overlapping`` run at once, at least one of the further ones was over; and so all that lies behind them changed its first
/// row after the earliest of *their* last changes. What is covered, and ended its changing before that one, comes before everything else.
package struct HistoryWindow: Sendable {
    /// Transactions that are delivered at most, beside the limit.
    package var covered: Int
    /// More than ever run at once on one server.
    package var overlapping: Int

    package init(covered: Int, overlapping: Int) {
        self.covered = covered
        self.overlapping = overlapping
    }

    /// For servers of any size: each transaction that runs is a process of the server.
    package static let standard = HistoryWindow(covered: 5000, overlapping: 5000)
}
