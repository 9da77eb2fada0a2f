#if Hummingbird
import HTTPTypes
public import Hummingbird
public import Strata

extension Request {
    /// The place in the history after the last event that a client has had: its `Last-Event-ID`, else `after` in its query.
    ///
    /// `nil` for one that begins now: `history(after:)` then gives what is committed from then on. A page that was
    /// rendered of some moment passes that moment's token as `?after=`; an `EventSource` sends the header by itself when it comes
    /// again. `now` is no place as well: ``EventStream`` gives it to a client that must not go on where it was, and as a header it
    /// counts more than what the URL still says.
    /// - Throws: ``Problem`` 400 for what is no token.
    public func lastHistoryToken() throws -> DefaultHistoryToken? {
        let text = try headers[.lastEventID] ?? only("after").map(String.init) ?? ""
        guard !text.isEmpty, text != ServerSentEvent.beginAnew else { return nil }
        guard let token = DefaultHistoryToken(text) else {
            throw Problem(.badRequest, detail: "Last-Event-ID is not an event of this stream. Begin without it.")
        }
        return token
    }
}

extension HTTPField.Name {
    /// `Last-Event-ID` (HTML, 9.2.4).
    static let lastEventID = Self("Last-Event-ID")!
}
#endif
