package import StrataClient
package import StrataModels

/// The tables in which rows name their tenant, and how they name it: those of the roots of hierarchies.
private struct TenantTables {
    let tables: [(name: TableName, column: Column)]

    init(_ mapping: StoreMapping) {
        tables = mapping.entities.compactMap { entity in
            guard entity.parent == nil, !entity.isView, let slot = entity.descriptor.tenant?.slot,
                let column = entity.columns[slot]
            else { return nil }
            return (entity.table, column)
        }
    }
}

/// Reads the tenants that have a row. As everybody: the server refuses a role from which a policy would hide rows.
package struct TenantRowsList: TenantListing {
    private final class Found { var tenants: [String] = [] }

    private let tables: TenantTables
    private let found = Found()
    private var isSent = false

    package init(_ mapping: StoreMapping) { tables = TenantTables(mapping) }

    /// In no order.
    package var tenants: [String] { found.tenants }

    package mutating func next() throws -> PostgresBatch? {
        guard !isSent, !tables.tables.isEmpty else { return nil }
        isSent = true
        let found = found
        let lists = tables.tables.map { name, column -> SQLFragment in
            "SELECT DISTINCT \(identifier: column.name)::text FROM \(name) WHERE \(identifier: column.name) IS NOT NULL"
        }
        let everybody: SQLFragment = "SELECT pg_catalog.set_config('row_security', 'off', true)"
        var batch = PostgresBatch(try everybody.statement(name: "see all tenants"))
        batch.add(
            try lists.joined(separator: " UNION ").statement(name: "list tenants"),
            onRow: { found.tenants.append(try $0.decode(0)) })
        return batch
    }
}

/// Deletes all rows of a tenant, in one statement: rules between them are asked when it ends, and all are gone then. What subclasses and pairs have of them goes
/// along (ON DELETE CASCADE).
package struct TenantRowsDeletion: StoreOperation {
    private final class Found { var rows: Int64 = 0 }

    private let tables: TenantTables
    private let tenant: TenantName
    private let found = Found()
    private var isSent = false

    package init(_ tenant: TenantName, in mapping: StoreMapping) {
        tables = TenantTables(mapping)
        self.tenant = tenant
    }

    /// How many objects were deleted.
    package var rows: Int { Int(found.rows) }

    package mutating func next() throws -> PostgresBatch? {
        guard !isSent, !tables.tables.isEmpty else { return nil }
        isSent = true
        let found = found
        let setting: SQLFragment =
            "SELECT pg_catalog.set_config(\(bind: RowPolicyDefinition.setting), \(bind: tenant.text), true)"
        var parts: [SQLFragment] = []
        var counts: [SQLFragment] = []
        for (index, (name, column)) in tables.tables.enumerated() {
            // The condition is there for roles that no policy is for.
            parts.append(
                "d\(raw: "\(index)") AS (DELETE FROM \(name) WHERE \(identifier: column.name) = \(bind: tenant.text)::text::\(raw: "\(column.type)") RETURNING 1)"
            )
            counts.append("(SELECT count(*) FROM d\(raw: "\(index)"))")
        }
        let deletion: SQLFragment = """
            WITH \(parts.joined(separator: ", ")) SELECT (\(counts.joined(separator: " + ")))::bigint
            """
        var batch = PostgresBatch(try setting.statement(name: "be the tenant"))
        batch.add(
            try deletion.statement(name: "delete the tenant's rows"), onRow: { found.rows = try $0.decode(0) })
        return batch
    }
}
