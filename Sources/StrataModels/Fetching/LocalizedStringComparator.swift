public import Foundation

/// How people expect text to be sorted: without regard to case and accents.
///
/// ```swift
/// SortDescriptor(\Trip.name, comparator: .localizedStandard)
/// ```
///
/// It stands where Foundation has `String.StandardComparator`, which on Linux has `lexical` only. There is no user on a
/// server, so there is no user's language either: the order is the same in every locale, in PostgreSQL and in memory.
public struct LocalizedStringComparator: Hashable, Sendable {
    /// Without case and accents, as `localizedStandardContains` compares; strings that are the same then go by their
    /// Unicode scalars. Digits are not compared as numbers: `"Day 10"` comes before `"Day 2"`.
    public static let localizedStandard = LocalizedStringComparator()
    /// The same as ``localizedStandard``.
    public static let localized = LocalizedStringComparator()
}

extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by text without regard to case and accents.
    ///
    /// ```swift
    /// FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
    /// ```
    ///
    /// An index on the column is of no use to this order.
    public init(
        _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringComparator,
        order: SortOrder = .forward
    ) {
        self.init(sendable(keyPath.appending(path: \.localizedStandardSortKey)), order: order)
    }

    /// Sorts by optional text without regard to case and accents: `nil` first.
    public init(
        _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringComparator,
        order: SortOrder = .forward
    ) {
        self.init(sendable(keyPath.appending(path: \.localizedStandardSortKey)), order: order)
    }
}
