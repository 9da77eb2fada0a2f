#if Hummingbird
import HTTPTypes
public import Hummingbird
public import Strata

/// The answer with one object: its JSON and its `ETag`; 304 for a client that has it already (`If-None-Match`).
///
/// ```swift
/// return try SnapshotResponse(try await models.snapshots(of: [trip], only: \.name, \.destination)[0])
/// ```
public struct SnapshotResponse<T: PersistentModel>: ResponseGenerator, Sendable {
    private let snapshot: ModelSnapshot<T>
    private let tag: String
    private let status: HTTPResponse.Status
    private let headers: HTTPFields

    /// An answer with a snapshot.
    ///
    /// - Parameters:
    ///   - status: 201 for an object that was made, for example.
    ///   - headers: more headers, such as `Location`.
    /// - Throws: what ``EntityTag``'s `init` of a snapshot throws.
    public init(_ snapshot: ModelSnapshot<T>, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) throws {
        self.snapshot = snapshot
        tag = try EntityTag(snapshot).description
        self.status = status
        self.headers = headers
    }

    /// Encodes the snapshot with the context's `responseEncoder`.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        if request.isKnown(tag) {
            // With what a cache has to know of the answer that it keeps (RFC 9110, 15.4.5).
            var headers = headers
            headers[.eTag] = tag
            return Response(status: .notModified, headers: headers)
        }
        var response = try context.responseEncoder.encode(snapshot, from: request, context: context)
        response.status = status
        response.headers.append(contentsOf: headers)
        response.headers[.eTag] = tag
        return response
    }
}

extension Request {
    /// Whether a client that reads has what this tag names: `If-None-Match`.
    ///
    /// Weak comparison (RFC 9110, 13.1.2): proxies that compress make tags weak. Tags of this package have no commas.
    func isKnown(_ tag: String) -> Bool {
        guard method == .get || method == .head, let known = headers[.ifNoneMatch] else { return false }
        return known.split(separator: ",").contains { part in
            let text = part.trimmingOWS()
            return text == "*" || (text.hasPrefix("W/") ? text.dropFirst(2) : text) == tag
        }
    }
}

/// Snapshots are answers of routes, alone and in arrays, encoded by the context's `responseEncoder`.
extension ModelSnapshot: ResponseGenerator {}
extension ModelSnapshot: ResponseEncodable {}
#endif
