import StrataModels
import StrataRepository

/// The rows of a page as they come, of objects or of values: how many there are, and where the pages beside begin.
///
/// A statement reads one row beyond the page's size, which says that there is a next page.
struct PageRows {
    let request: PageRequest
    private(set) var count = 0
    private var first: PageCursor?
    private var last: PageCursor?
    /// Whether there is a row beyond the page, away from its cursor.
    private var goesOn = false

    init(_ request: PageRequest) { self.request = request }

    /// Whether a row is one of the page.
    mutating func isNext() -> Bool {
        guard count < request.size else {
            goesOn = true
            return false
        }
        count += 1
        return true
    }

    /// Notes the place of the row that was the next.
    mutating func note(_ place: @autoclosure () -> PageCursor) {
        if count == 1 { first = place() }
        if count == request.size { last = place() }
    }

    /// How many rows a statement may give where a context limits them: the one beyond the page is none of those that it gives.
    func limit(_ limit: Int?) -> Int? {
        guard let limit, limit < .max else { return nil }
        return request.size > limit ? limit : limit + 1
    }

    /// Rows in the order of the fetch, whichever way the page was reached.
    func inOrder<Row>(_ rows: [Row]) -> [Row] { request.direction == .forward ? rows : rows.reversed() }

    /// For the page behind this one; `nil` on the last.
    var next: PageCursor? { request.direction == .forward ? away : back }

    /// For the page before this one; `nil` on the first.
    var previous: PageCursor? { request.direction == .forward ? back : away }

    private var away: PageCursor? { goesOn ? last : nil }

    /// The way back leads to what lies before the first row, or around the cursor where there is none.
    private var back: PageCursor? {
        request.cursor.map { first ?? $0.moved(by: request.direction == .forward ? 1 : -1) }
    }

    /// What a page's failure means: a cursor that somebody made up may hold texts that are no values of their columns.
    ///
    /// Nothing else in the statement is a text that the server reads as something else, and of such a parameter's data exception (class 22) it
    /// says where that is. Of those of an expression, such as a division by zero, it does not.
    func explain<T>(_ error: any Error, of type: T.Type) -> any Error {
        guard request.cursor != nil, let underlying = (error as? SwiftDataError)?.underlying,
            underlying.sqlState?.hasPrefix("22") == true, underlying.serverContext != nil
        else { return error }
        return SwiftDataError(
            .invalidPageCursor,
            "A page cursor of \(T.self) holds what is no place in the order of the fetch. Begin with the first page.",
            underlying: underlying)
    }
}
