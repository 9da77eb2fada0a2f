import Foundation
package import StrataClient

/// Takes passwords out of what is written, whatever text they got into.
package struct Redaction: Sendable {
    private var secrets: Set<String> = []

    package init() {
        if let password = ProcessInfo.processInfo.environment["PGPASSWORD"] { add(password) }
    }

    /// Remembers the secrets of a configuration, also in the form they have in a URL.
    package mutating func add(_ configuration: PostgresConfiguration) {
        for (key, value) in configuration.options where Self.isSecret(key) { add(value) }
    }

    package mutating func add(_ secret: String) {
        // A password of one or two characters would take apart every text, and protects nothing.
        guard secret.count > 2 else { return }
        secrets.insert(secret)
        if let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) { secrets.insert(encoded) }
        if let encoded = secret.addingPercentEncoding(withAllowedCharacters: .urlPasswordAllowed) {
            secrets.insert(encoded)
        }
    }

    package func callAsFunction(_ text: String) -> String {
        // Longest first: one secret may be part of another.
        let known = secrets.sorted { ($0.count, $0) > ($1.count, $1) }
            .reduce(text) { $0.replacing($1, with: "********") }
        // A URL that never became a configuration, say with a misspelled scheme.
        return known.replacing(/(:\/\/[^\/\s:@]*:)[^\/\s@]+@/) { $0.1 + "********@" }
    }

    private static func isSecret(_ keyword: String) -> Bool {
        keyword.hasSuffix("password") || keyword.hasSuffix("secret") || keyword.hasPrefix("scram_")
    }
}
