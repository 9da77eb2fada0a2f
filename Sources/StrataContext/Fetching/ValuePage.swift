public import StrataModels

/// One page of values, with the places where the pages beside it begin: `fetchPage(_:selecting:after:size:)`.
public struct ValuePage<Row> {
    /// The values in the descriptor's order, whichever way the page was reached: a row for each object.
    public let rows: [Row]
    /// For `fetchPage(_:selecting:after:size:)`; `nil` on the last page. Of an empty page it leads to where its cursor came from.
    public let next: PageCursor?
    /// For `fetchPage(_:selecting:before:size:)`; `nil` on the first page. Of an empty page it leads to where its cursor came from.
    public let previous: PageCursor?
}

extension ValuePage: Sendable where Row: Sendable {}
