/// How many objects of each group a fetch finds: the first ones in the descriptor's order.
///
/// ```swift
/// var latest = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate, order: .reverse)])
/// latest.groupLimit = .first(3, ofEach: \.destination)
/// ```
public struct GroupLimit<Root: PersistentModel>: Equatable, Sendable {
    package let count: Int
    package let keys: [QueryTerm]

    /// The first objects of each combination of values. `nil` is a group too.
    public static func first<each Value: Sendable>(
        _ count: Int, ofEach keyPaths: repeat KeyPath<Root, each Value>
    ) -> Self {
        var keys: [QueryTerm] = []
        repeat keys.append(QueryColumn<Root, each Value>.key(each keyPaths).term)
        return Self(count: count, keys: keys)
    }

    /// The first objects of each combination of keys, which may be expressions, or parts of the calendar.
    ///
    /// ```swift
    /// latest.groupLimit = .first(1, ofEach: .key(\.startDate, by: .month, in: .gmt))
    /// ```
    public static func first<each Value: Sendable>(
        _ count: Int, ofEach keys: repeat QueryColumn<Root, each Value>
    ) -> Self {
        var terms: [QueryTerm] = []
        repeat terms.append((each keys).term)
        return Self(count: count, keys: terms)
    }
}
