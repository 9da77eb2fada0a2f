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
    private let tag: EntityTag
    private let status: HTTPResponse.Status
    private let headers: HTTPFields

    /// An answer with a snapshot.
    ///
    /// - Parameters:
    ///   - status: 201 for an object that was made, for example.
    ///   - headers: more headers, such as `Location`.
    /// - Throws: what encoding the snapshot throws.
    public init(_ snapshot: ModelSnapshot<T>, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) throws {
        self.snapshot = snapshot
        tag = try EntityTag(snapshot)
        self.status = status
        self.headers = headers
    }

    /// Encodes the snapshot with the context's `responseEncoder`.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        if request.method == .get || request.method == .head, isKnown(to: request) {
            return Response(status: .notModified, headers: [.eTag: tag.description])
        }
        var response = try context.responseEncoder.encode(snapshot, from: request, context: context)
        response.status = status
        response.headers.append(contentsOf: headers)
        response.headers[.eTag] = tag.description
        return response
    }

    /// Weak comparison (RFC 9110, 13.1.2): proxies that compress make tags weak.
    private func isKnown(to request: Request) -> Bool {
        request.headers[.ifNoneMatch]?.split(separator: ",").contains { part in
            let text = part.trimmingOWS()
            return text == "*" || EntityTag(text.hasPrefix("W/") ? text.dropFirst(2) : text) == tag
        } ?? false
    }
}

/// Snapshots are answers of routes, alone and in arrays, encoded by the context's `responseEncoder`.
extension ModelSnapshot: @retroactive ResponseGenerator {}
extension ModelSnapshot: @retroactive ResponseEncodable {}
