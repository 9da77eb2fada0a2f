import Foundation
import Hummingbird

/// What a form has sent (`application/x-www-form-urlencoded`), in its order.
struct FormFields: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// The longest form: a value of 100 000 characters, each of which may take twelve.
    static let maximumLength = 4_000_000

    /// Reads the body of a request. Throws the status 413 for a long one, and 400 for what is no form.
    init(_ request: Request) async throws {
        let buffer = try await request.body.collect(upTo: Self.maximumLength)
        try self.init(String(buffer: buffer))
    }

    init(_ text: String) throws {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields.append((try Self.decoded(parts[0]), parts.count > 1 ? try Self.decoded(parts[1]) : ""))
        }
    }

    private static func decoded(_ text: Substring) throws -> String {
        guard let decoded = text.replacing("+", with: " ").removingPercentEncoding, !decoded.contains("\0") else {
            throw HTTPError(.badRequest, message: "The form cannot be read.")
        }
        return decoded
    }

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
