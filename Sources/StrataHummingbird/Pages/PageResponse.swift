#if Hummingbird
import Foundation
import HTTPTypes
public import Hummingbird
public import Strata

/// The answer with one page of a list: an array, and a `Link` header that leads to the pages beside it (RFC 8288).
///
/// ```swift
/// let page = try await models.fetchPage(descriptor, at: PagePlace(of: request))
/// return PageResponse(try await models.snapshots(of: page.objects, only: \.name, \.destination), of: page)
/// ```
/// The links are the request's own query with another cursor, relative to the URL that was asked for (RFC 3986, 5.2), so they hold
/// behind a proxy as well, whatever it does to the path: `<?city=Riga&size=50&after=AZk…>; rel="next"`.
public struct PageResponse<Item: Encodable & Sendable>: ResponseGenerator, Sendable {
    private let items: [Item]
    private let next: PageCursor?
    private let previous: PageCursor?

    /// An answer with what was made of the objects of a page.
    public init<T: PersistentModel>(_ items: [Item], of page: CursorPage<T>) {
        self.items = items
        next = page.next
        previous = page.previous
    }

    /// Encodes the items with the context's `responseEncoder`.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try context.responseEncoder.encode(items, from: request, context: context)
        let links = [link("next", "after", next, request), link("prev", "before", previous, request)].compactMap { $0 }
        if !links.isEmpty { response.headers[.link] = links.joined(separator: ", ") }
        return response
    }

    private func link(_ relation: String, _ name: String, _ cursor: PageCursor?, _ request: Request) -> String? {
        guard let cursor else { return nil }
        // As the client wrote them: nothing is decoded and encoded again.
        let kept = (request.uri.query ?? "").split(separator: "&").filter { part in
            !["after", "before"].contains(part.prefix { $0 != "=" })
        }
        let query = (kept.map(String.init) + ["\(name)=\(cursor.text)"]).joined(separator: "&")
        return "<?\(Self.quoted(query))>; rel=\"\(relation)\""
    }

    /// What may not stand between angle brackets, escaped.
    private static func quoted(_ text: String) -> String {
        text.replacingOccurrences(of: "<", with: "%3C").replacingOccurrences(of: ">", with: "%3E")
    }
}

extension HTTPField.Name {
    /// `Link` (RFC 8288).
    static let link = Self("Link")!
}
#endif
