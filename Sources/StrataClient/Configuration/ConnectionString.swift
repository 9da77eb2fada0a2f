import CLibPQ
import Foundation

/// Connection strings and environment variables, read by libpq itself so that they mean what they mean to psql.
enum ConnectionString {
    static func parse(_ text: String) throws(PostgresError) -> [String: String] {
        guard !text.utf8.contains(0) else {
            throw PostgresError(.invalidConfiguration, "The connection string holds the character U+0000 (NUL).")
        }
        try requireEncoded(text)
        var message: UnsafeMutablePointer<CChar>?
        guard let list = PQconninfoParse(text, &message) else {
            let reason = message.map { String(cString: $0) } ?? "out of memory"
            if let message { PQfreemem(message) }
            throw PostgresError(
                .invalidConfiguration, "The connection string cannot be read: \(withoutQuotations(reason))")
        }
        defer { PQconninfoFree(list) }
        return options(list) { $0.val }
    }

    /// A password with `@` or `/` in it ends somewhere else than it seems, and libpq's messages would show the rest of it
    /// as a host or a port.
    private static func requireEncoded(_ text: String) throws(PostgresError) {
        guard let scheme = text.firstRange(of: "://") else { return }
        let address = text[scheme.upperBound...].prefix { $0 != "?" }
        guard let at = address.firstIndex(of: "@") else { return }
        if !address[..<at].contains("/"), !address[address.index(after: at)...].contains("@") { return }
        throw PostgresError(
            .invalidConfiguration,
            "The database URL is ambiguous: in a password, a user or a database name, write @ as %40 and / as %2F.")
    }

    /// libpq's settings from the environment when it names a server.
    static func environment() throws(PostgresError) -> [String: String]? {
        if let url = value(of: "DATABASE_URL") { return try parse(url) }
        let naming = ["PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"]
        guard naming.contains(where: { value(of: $0) != nil }) else { return nil }
        guard let list = PQconndefaults() else {
            throw PostgresError(.invalidConfiguration, "libpq could not read the PG* variables: out of memory.")
        }
        defer { PQconninfoFree(list) }
        // A service file's values show only as values, the others also as set variables; compiled-in defaults are left
        // to libpq.
        return options(list) { option in
            guard let value = option.val else { return nil }
            if let compiled = option.compiled, strcmp(compiled, value) == 0 { return nil }
            return value
        }
    }

    /// libpq marks password fields with `*`; these are the ones of all versions.
    static func isSecret(_ keyword: String) -> Bool {
        keyword == "password" || keyword == "sslpassword" || keyword.hasSuffix("secret")
            || keyword == "scram_client_key"
            || keyword == "scram_server_key"
    }

    /// The environment's value, or nil when it is missing or empty.
    static func value(of variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func options(
        _ list: UnsafeMutablePointer<PQconninfoOption>, value: (PQconninfoOption) -> UnsafeMutablePointer<CChar>?
    ) -> [String: String] {
        var options: [String: String] = [:]
        var next = list
        while let keyword = next.pointee.keyword {
            if let text = value(next.pointee) { options[String(cString: keyword)] = String(cString: text) }
            next += 1
        }
        return options
    }

    /// libpq quotes parts of the string in its messages, and those may hold the password.
    private static func withoutQuotations(_ reason: String) -> String {
        let parts = reason.split(separator: "\"", omittingEmptySubsequences: false)
        let kept = parts.enumerated().map { $0.offset % 2 == 0 ? String($0.element) : "…" }
        return ServerReport.trimmed(kept.joined(separator: "\""))
    }
}
