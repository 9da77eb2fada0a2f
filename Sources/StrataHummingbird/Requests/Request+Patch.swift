#if Hummingbird
import Foundation
public import Hummingbird
public import Strata

extension Request {
    /// The patch that the body holds: the properties that its JSON names.
    ///
    /// ```swift
    /// let patch = try await request.patch(of: Trip.self, context)
    /// try await models.apply(patch, to: trip, allowing: \.name, \.destination)
    /// ```
    /// Read with the context's `requestDecoder` if that is a `JSONDecoder`, so dates follow its strategy.
    /// - Throws: ``Problem``: 422 that names the property for a value of the wrong type, 400 for what is no JSON object, 415 for a
    ///   `Content-Type` that is not JSON, and Hummingbird's 413 for a body beyond `maxUploadSize`.
    public func patch<T: PersistentModel>(of _: T.Type, _ context: some RequestContext) async throws -> ModelPatch<T> {
        try requireJSON()
        let body = try await body.collect(upTo: context.maxUploadSize)
        let decoder = context.requestDecoder as? JSONDecoder ?? Self.standardDecoder
        do {
            return try decoder.decode(ModelPatch<T>.self, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw Problem(error)
        }
    }

    /// `application/json`, or a media type that is based on it such as `application/merge-patch+json` (RFC 6839).
    private func requireJSON() throws {
        guard let type = headers[.contentType] else { return }
        let essence = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard essence == "application/json" || essence.hasSuffix("+json") else {
            throw Problem(.unsupportedMediaType, detail: "The body must be JSON.")
        }
    }

    private static var standardDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
#endif
