package import StrataModels

/// The names of tenants, and of the PostgreSQL schemas that hold their tables.
package struct TenantNaming: Hashable, Sendable {
    /// How the names of the schemas begin.
    package let prefix: String

    package init(prefix: String) {
        self.prefix = prefix
    }

    /// The schema of a tenant.
    ///
    /// Names of other characters would be quoted well; but two names that differ in capital letters only are one host name, and one that
    /// has a slash or a blank is no part of a path or of a list of names.
    package func schema(of tenant: String) throws(SwiftDataError) -> String {
        let bytes = tenant.utf8
        let isName = bytes.first.map { Self.isLetterOrDigit($0) } ?? false
        guard isName, bytes.allSatisfy({ Self.isLetterOrDigit($0) || $0 == 0x5F || $0 == 0x2D }) else {
            throw SwiftDataError(
                .invalidTenantName,
                "\(Self.shown(tenant)) cannot be the name of a tenant: names have small letters of ASCII, digits, _ and -, and begin with a "
                    + "letter or a digit.")
        }
        guard tenant != "all" else {
            throw SwiftDataError(
                .invalidTenantName, "\"all\" cannot be the name of a tenant: commands call all tenants so.")
        }
        guard !prefix.isEmpty else {
            throw SwiftDataError(
                .invalidTenantName,
                "\(Self.shown(tenant)) cannot be the name of a tenant without a prefix of schemas: any schema could be a tenant's."
            )
        }
        let schema = prefix + tenant
        guard schema.utf8.count <= Self.longest else {
            throw SwiftDataError(
                .invalidTenantName,
                "\(Self.shown(tenant)) cannot be the name of a tenant: with the prefix \"\(prefix)\" it has \(schema.utf8.count) bytes, and "
                    + "names of PostgreSQL schemas have at most \(Self.longest).")
        }
        guard !Self.isReserved(schema) else {
            throw SwiftDataError(
                .invalidTenantName,
                "\"\(tenant)\" cannot be the name of a tenant: the PostgreSQL schema \"\(schema)\" is not a tenant's.")
        }
        return schema
    }

    /// The tenant whose tables are in a schema; `nil` for a schema that is none's.
    package func tenant(of schema: String) -> String? {
        guard schema.hasPrefix(prefix) else { return nil }
        let tenant = String(schema.dropFirst(prefix.count))
        return (try? self.schema(of: tenant)) == schema ? tenant : nil
    }

    /// NAMEDATALEN - 1 (PostgreSQL manual, 4.1.1): the server would cut longer ones, and two tenants would have one schema.
    private static let longest = 63

    private static func isReserved(_ schema: String) -> Bool {
        ["public", "information_schema", LibrarySchema.name].contains(schema) || schema.hasPrefix("pg_")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte >= 0x61 && byte <= 0x7A || byte >= 0x30 && byte <= 0x39
    }

    private static func shown(_ tenant: String) -> String {
        tenant.count > 100 ? "\"\(tenant.prefix(100))…\"" : "\"\(tenant)\""
    }
}
