package import StrataModels

/// Which page of a fetch is read: so many objects beyond a place in its order.
package struct PageRequest {
    package enum Direction {
        case forward, backward
    }

    /// Where the page begins; `nil` for the first, or the last.
    package let cursor: PageCursor?
    package let direction: Direction
    package let size: Int

    /// Throws ``SwiftDataError`` for a size below one.
    package init(_ cursor: PageCursor?, _ direction: Direction, size: Int) throws {
        guard size > 0, size < Int.max else {
            throw SwiftDataError(.unsupportedFeature, "The size of a page is \(size); it is one at least.")
        }
        self.cursor = cursor
        self.direction = direction
        self.size = size
    }
}
