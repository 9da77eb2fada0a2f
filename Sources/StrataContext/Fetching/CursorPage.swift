public import StrataModels

/// One page of a fetch, with the places where the pages beside it begin.
public struct CursorPage<T: PersistentModel> {
    /// The objects in the descriptor's order, whichever way the page was reached.
    public let objects: [T]
    /// For `fetchPage(_:after:size:)`; `nil` on the last page. Of an empty page it leads to where its cursor came from.
    public let next: PageCursor?
    /// For `fetchPage(_:before:size:)`; `nil` on the first page. Of an empty page it leads to where its cursor came from.
    public let previous: PageCursor?
}
