package import Foundation

/// The order of rows by one column of a query, also by an aggregate.
///
/// ```swift
/// orderBy: [.reverse(.sum(\.price)), .forward(.key(\.destination))]
/// ```
public struct QueryOrder<Root: PersistentModel>: Equatable, Sendable {
    package let term: QueryTerm
    package let order: SortOrder

    /// The least first; `nil` before all else.
    public static func forward<Value>(_ column: QueryColumn<Root, Value>) -> Self {
        Self(term: column.term, order: .forward)
    }

    /// The greatest first; `nil` after all else.
    public static func reverse<Value>(_ column: QueryColumn<Root, Value>) -> Self {
        Self(term: column.term, order: .reverse)
    }
}
