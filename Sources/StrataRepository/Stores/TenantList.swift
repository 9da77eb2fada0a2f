package import StrataClient
import StrataModels

/// Reads which tenants there are, where their tables are their own and where they are not.
package protocol TenantListing: StoreOperation {
    /// Complete when the operation was carried out.
    var tenants: [String] { get }
}

/// Reads which tenants there are: the stores in schemas that begin with the prefix.
package struct TenantList: TenantListing {
    private enum Step { case library, stores, done }

    private let naming: TenantNaming
    /// The only one that is asked for; `nil` for all.
    private let schema: String?
    private let found = Found()
    private var step = Step.library

    private final class Found {
        var hasLibrary = false
        var schemas: [String] = []
    }

    package init(_ naming: TenantNaming) {
        self.naming = naming
        schema = nil
    }

    /// Whether there is this one.
    package init(_ naming: TenantNaming, schema: String) {
        self.naming = naming
        self.schema = schema
    }

    /// By name.
    package var tenants: [String] { found.schemas.compactMap(naming.tenant).sorted() }

    package mutating func next() throws -> PostgresBatch? {
        let found = found
        switch step {
        case .library:
            step = .stores
            let name = "\(LibrarySchema.store.schema).\(LibrarySchema.store.name)"
            let query: SQLFragment = "SELECT pg_catalog.to_regclass(\(bind: name)) IS NOT NULL"
            return PostgresBatch(try query.statement(name: "look for tenants")) {
                found.hasLibrary = try $0.decode(0, as: Bool.self)
            }
        case .stores:
            step = .done
            guard found.hasLibrary else { return nil }
            // A schema that somebody has dropped by hand has left its row here.
            var query: SQLFragment = """
                SELECT s.schema_name FROM \(LibrarySchema.store) AS s \
                JOIN pg_catalog.pg_namespace AS n ON n.nspname = s.schema_name \
                WHERE pg_catalog.starts_with(s.schema_name, \(bind: naming.prefix))
                """
            if let schema { query.append(" AND s.schema_name = \(bind: schema)") }
            return PostgresBatch(try query.statement(name: "list tenants")) {
                found.schemas.append(try $0.decode(0))
            }
        case .done: return nil
        }
    }
}
