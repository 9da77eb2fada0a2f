#if Hummingbird
public import Foundation
import HTTPTypes
public import Hummingbird

/// The bytes that a client sent as a body, and what it says they are.
public struct Upload: Sendable, Equatable {
    /// The body.
    public let data: Data
    /// Its media type in small letters, without parameters: `image/png`.
    public let contentType: String
}

extension Request {
    /// The body as it is, for a property of type `Data` such as one with `@Attribute(.externalStorage)`.
    ///
    /// ```swift
    /// let upload = try await request.upload(of: ["image/jpeg", "image/png"], upTo: 5_000_000)
    /// ```
    /// Taken piece by piece as the client sends it, up to the limit: that is what one request can make the program hold, and PostgreSQL
    /// takes a value in one piece. A body that says it is longer is refused before any of it is read. The type is what the client says
    /// it is; nobody looks into the bytes. A client that stops in the middle is waited for as long as the server's ``ClientPatience`` says; without it, for
    /// ever.
    /// - Parameters:
    ///   - types: the media types that are taken, in small letters.
    ///   - limit: the most bytes.
    /// - Throws: ``Problem``: 415 with the types in `Accept`, for another type or none; 413 for a longer body; 408 for one that stops in the middle; 400 for an
    ///   empty one.
    public func upload(of types: [String], upTo limit: Int) async throws -> Upload {
        let type = headers[.contentType].map { $0.prefix { $0 != ";" }.trimmingOWS().lowercased() }
        guard let type, types.contains(type) else {
            throw HTTPError(
                .unsupportedMediaType, headers: [.accept: types.joined(separator: ", ")],
                message: "This takes \(types.joined(separator: ", ")).")
        }
        let tooLong = Problem(.contentTooLarge, detail: "This takes \(limit) bytes at most.")
        if let announced = headers[.contentLength].flatMap(Int.init), announced > limit { throw tooLong }
        var data = Data()
        for try await piece in body {
            guard data.count + piece.readableBytes <= limit else { throw tooLong }
            data.append(contentsOf: piece.readableBytesView)
        }
        guard !data.isEmpty else { throw Problem(.badRequest, detail: "The body is empty.") }
        return Upload(data: data, contentType: type)
    }
}
#endif
