import StrataMigrations

/// Which database, in every result that has to do with one.
struct DatabaseSummary: Encodable, Sendable {
    /// `postgres://app@db.internal/shop`
    var url: String
    var schema: String
    /// `15.20`
    var server: String

    init(_ address: DatabaseAddress, serverVersion: Int, schemaName: String) {
        url = address.text
        schema = schemaName
        server = DatabaseAddress.text(version: serverVersion)
    }

    /// `postgres://app@db.internal/shop (PostgreSQL 15.20)`
    var line: String { "\(url) (PostgreSQL \(server))" + (schema == "public" ? "" : ", schema \(schema)") }
}
