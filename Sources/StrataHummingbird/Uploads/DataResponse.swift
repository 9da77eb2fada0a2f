#if Hummingbird
public import Foundation
public import HTTPTypes
public import Hummingbird

/// The answer with bytes that somebody has uploaded, and an `ETag`; 304 for a client that has them already (`If-None-Match`).
///
/// ```swift
/// DataResponse(photo.data, contentType: photo.contentType)
/// ```
/// Sent in pieces of 32 KB, as fast as the client takes them; one that has not taken a piece for `patience` is let go. One that takes nothing while the
/// service shuts down is what a server has ``ClientPatience`` for. What was uploaded may say it is one thing and be another, and it comes from the
/// page's own server: `X-Content-Type-Options: nosniff` keeps browsers from guessing, and a `Content-Security-Policy` of
/// `default-src 'none'; sandbox` keeps what is shown on its own from running scripts.
public struct DataResponse: ResponseGenerator, Sendable {
    private let data: Data
    private let headers: HTTPFields
    private let patience: Duration

    /// An answer with bytes.
    ///
    /// - Parameters:
    ///   - headers: more headers, such as `Cache-Control`; those that are the answer's own are not replaced.
    ///   - patience: how long a client may take for 32 KB.
    public init(
        _ data: Data, contentType: String, headers: HTTPFields = [:], patience: Duration = .seconds(60)
    ) {
        self.data = data
        self.patience = patience
        var own = headers
        own[.contentType] = contentType
        own[.contentLength] = nil
        own[.eTag] = "\"\(data.count)-\(String(EntityTag.digest(data), radix: 36))\""
        own[.xContentTypeOptions] = "nosniff"
        own[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        self.headers = own
    }

    /// Status 200 with the bytes, or 304 without.
    public func response(from request: Request, context: some RequestContext) -> Response {
        if request.isKnown(headers[.eTag] ?? "") {
            var kept = headers
            kept[.contentType] = nil
            return Response(status: .notModified, headers: kept)
        }
        let body = ResponseBody(contentLength: data.count) { [data, patience] writer in
            try await Transmission(SoleWriter(writer), patience).send(whole: data)
        }
        let answer = Response(status: .ok, headers: headers, body: body)
        return request.method == .head ? answer.createHeadResponse() : answer
    }
}
#endif
