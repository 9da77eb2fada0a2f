import Foundation
import Strata

/// Somebody who may change trips.
@Model public final class Account {
    /// How history and logs call them.
    @Attribute(.unique) public var name: String
    /// SHA-256 of the token that they show. The token itself is nowhere.
    @Attribute(.unique, .hidden) var tokenDigest: String

    init(name: String, tokenDigest: String) {
        self.name = name
        self.tokenDigest = tokenDigest
    }
}

extension Account {
    /// The name of the account whose token this is. One round trip: PostgreSQL works the digest out and looks it up.
    static func name(byToken token: String, in models: ModelContext) async throws -> String? {
        try await models.fetch(
            String.self,
            sql: """
                SELECT \(\Account.name) FROM \(Account.self) WHERE \(\Account.tokenDigest) = \(digest(of: token))
                """
        ).first
    }

    /// The digest of a token, as SQL: Foundation on Linux has no SHA-256, and no further package is needed.
    private static func digest(of token: String) -> SQLStatement {
        "encode(sha256(convert_to(\(token), 'UTF8')), 'hex')"
    }

    /// The digest of a token. One round trip.
    static func digest(of token: String, in models: ModelContext) async throws -> String {
        try await models.fetch(String.self, sql: "SELECT \(digest(of: token))")[0]
    }

    /// 160 bits that nobody guesses.
    static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<5).map { _ in String(UInt32.random(in: 0 ... .max, using: &generator), radix: 36) }.joined(
            separator: "-")
    }
}
