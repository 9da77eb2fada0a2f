import CLibPQ
import Foundation

/// Connection strings and environment variables, read by libpq itself so that they mean what they mean to psql.
enum ConnectionString {
    /// Reads a `postgres://` URL.
    ///
    /// - Parameter name: What errors call it.
    static func parse(url: String, name: String = "The database URL") throws(PostgresError) -> [String: String] {
        guard isURL(url) else { throw unlikeURL(name) }
        return try parse(url, name: name)
    }

    /// Reads a URL, or keywords and values.
    static func parse(_ text: String, name: String = "The connection string") throws(PostgresError) -> [String: String]
    {
        guard !text.utf8.contains(0) else {
            throw PostgresError(.invalidConfiguration, "\(name) holds the character U+0000 (NUL).")
        }
        try requireEncoded(text, name: name)
        var message: UnsafeMutablePointer<CChar>?
        guard let list = PQconninfoParse(text, &message) else {
            let reason = message.map { String(cString: $0) } ?? "out of memory"
            if let message { PQfreemem(message) }
            throw unreadable(text, name: name, reason)
        }
        defer { PQconninfoFree(list) }
        return options(list) { $0.val }
    }

    private static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    private static func unlikeURL(_ name: String) -> PostgresError {
        PostgresError(
            .invalidConfiguration,
            "\(name) must begin with postgres:// or postgresql://: write postgres://user@host:5432/database.")
    }

    private static func unreadable(_ text: String, name: String, _ reason: String) -> PostgresError {
        // A password with a question mark in it would show its rest as a parameter, but leaves an @ behind it.
        if isURL(text), let query = text.firstIndex(of: "?"), !text[query...].contains("@"),
            let parameter = reason.firstMatch(of: /invalid URI query parameter: "([a-zA-Z_]+)"/)
        {
            return PostgresError(
                .invalidConfiguration, "\(name) has a parameter that libpq does not know: \(parameter.1).")
        }
        let form = isURL(text) ? " Write postgres://user@host:5432/database." : ""
        return PostgresError(.invalidConfiguration, "\(name) cannot be read: \(withoutQuotations(reason)).\(form)")
    }

    /// A password with `@` or `/` in it ends somewhere else than it seems, and libpq's messages would show the rest of it
    /// as a host or a port.
    private static func requireEncoded(_ text: String, name: String) throws(PostgresError) {
        guard let scheme = text.firstRange(of: "://") else { return }
        let address = text[scheme.upperBound...].prefix { $0 != "?" }
        guard let at = address.firstIndex(of: "@") else { return }
        if !address[..<at].contains("/"), !address[address.index(after: at)...].contains("@") { return }
        throw PostgresError(
            .invalidConfiguration,
            "\(name) is ambiguous: in a password, a user or a database name, write @ as %40 and / as %2F.")
    }

    /// libpq's settings from the environment when it names a server.
    static func environment() throws(PostgresError) -> [String: String]? {
        if let text = value(of: "DATABASE_URL") { return try parse(databaseURL: text) }
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

    /// The variables that name a server, as far as they are set and count.
    static var namingVariables: [String] {
        value(of: "DATABASE_URL") == nil ? naming.filter { value(of: $0) != nil } : ["DATABASE_URL"]
    }

    private static let naming = ["PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"]

    /// libpq's keywords and values are taken as well; what is neither was meant to be a URL.
    static func parse(databaseURL text: String) throws(PostgresError) -> [String: String] {
        if !isURL(text), let options = try? parse(text) { return options }
        return try parse(url: text, name: "DATABASE_URL")
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
