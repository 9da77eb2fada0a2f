#if Hummingbird
import Foundation
public import HTTPTypes
public import Hummingbird
import NIOCore

/// An error as a client sees it: a status, and a body of the type `application/problem+json` (RFC 9457).
///
/// ```json
/// {"code": "refusedPatch", "detail": "The body names what may not be written.", "status": 422, "title": "Unprocessable Content",
///  "errors": [{"detail": "cannot be written", "pointer": "#/budget"}]}
/// ```
/// `type` is `about:blank`, which need not be written (RFC 9457, 4.2.1): the status says what kind of problem it is, and `code`
/// which of Strata's errors. No stored value, no SQL and no text of the server is part of it.
public struct Problem: Error, Sendable, Equatable {
    /// A place in the request's body, and what is wrong there.
    public struct Place: Sendable, Equatable, Encodable {
        /// What is wrong.
        public var detail: String
        /// A JSON pointer as a fragment (RFC 6901, 6), such as `#/bucketList/2/title`.
        public var pointer: String

        /// A place and what is wrong there.
        public init(_ pointer: String, _ detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }

    /// The status of the answer.
    public var status: HTTPResponse.Status
    /// What happened and what to do, for whoever reads the client's log.
    public var detail: String?
    /// The name of the ``SwiftDataError``'s code, where there was one that the client can do something about.
    public var code: String?
    /// The places in the body that are wrong.
    public var errors: [Place]
    /// When to ask again; `Retry-After` has whole seconds, at least one, so it is rounded up.
    public var retryAfter: Duration?

    /// A problem of a program's own.
    public init(
        _ status: HTTPResponse.Status, detail: String? = nil, code: String? = nil, errors: [Place] = [],
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.detail = detail
        self.code = code
        self.errors = errors
        self.retryAfter = retryAfter
    }
}

extension Problem: Encodable {
    private enum Key: CodingKey { case title, status, detail, code, errors }

    /// Writes title, status, and what else is known.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(status.reasonPhrase, forKey: .title)
        try container.encode(status.code, forKey: .status)
        try container.encodeIfPresent(detail, forKey: .detail)
        try container.encodeIfPresent(code, forKey: .code)
        if !errors.isEmpty { try container.encode(errors, forKey: .errors) }
    }
}

extension Problem: HTTPResponseError {
    /// The answer.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try encoder.encode(self)
        var headers: HTTPFields = [.contentType: "application/problem+json", .contentLength: "\(body.count)"]
        if let retryAfter { headers[.retryAfter] = "\(retryAfter.secondsToWait)" }
        let answer = Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
        // A body would be taken for the beginning of the next answer.
        return request.method == .head ? answer.createHeadResponse() : answer
    }
}

extension Duration {
    fileprivate var secondsToWait: Int64 { max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)) }
}
#endif
