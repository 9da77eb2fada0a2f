import HTTPTypes
import Hummingbird
import StrataBrowsing
import StrataHummingbird

extension StudioPages {
    /// What a page is told of changes: which classes, and nothing of their objects.
    private struct Notice: Encodable {
        var classes: [String]
        var transactions: Int
    }

    /// The changes since the page was made that asks; a browser that comes again says where it was.
    func live(_ schemaName: String, _ request: Request) throws -> EventStream<ChangeNotices> {
        let place = request.headers[.lastEventID] ?? request.uri.queryParameters["since"].map { String($0) }
        if let place, place.wholeMatch(of: /\d{1,20}:\d{1,20}:[\d,]*/) == nil {
            throw HTTPError(.badRequest, message: "This is no moment of the database.")
        }
        return EventStream(browser.changes(in: schemaName, since: place)) { notice in
            try ServerSentEvent(
                json: Notice(classes: notice.classes, transactions: notice.transactions), id: notice.snapshot)
        }
    }
}

extension HTTPField.Name {
    /// `Last-Event-ID`.
    fileprivate static let lastEventID = Self("Last-Event-ID")!
}
