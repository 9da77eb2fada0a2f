import StrataRepository

extension MigrationPlanner {
    /// Policies of tables: what differs goes first of all that phase contract does, and comes last, so that all between sees the rows of all tenants.
    mutating func planPolicies() {
        for (table, oldTable) in keptTables {
            guard continued(oldTable.policy, of: oldTable) != table.policy else { continue }
            if let policy = oldTable.policy {
                draft.add(.dropPolicies, DropPolicy(policy: policy, table: oldTable.name))
            }
            add(table.policy, to: table)
        }
        for table in createdTables { add(table.policy, to: table) }
    }

    private mutating func add(_ policy: RowPolicyDefinition?, to table: TableDefinition) {
        guard let policy else { return }
        if case .column(let column, let type) = policy.condition {
            let nobody = type == "text" ? "''" : type == "uuid" ? "'00000000-0000-0000-0000-000000000000'" : "0"
            let name = quoted(column)
            let query = """
                SELECT \(newKey(table.name, isLate: true))::text, 'no tenant' FROM \(self.table(table.name))
                WHERE \(name) IS NULL OR \(name) = \(nobody)
                """
            draft.add(
                .verifyTenants,
                Verify(subject: "that rows of \(table.name) name a tenant", queries: [query], tables: [table.name]))
        }
        draft.add(.addPolicies, AddPolicy(policy: policy, table: table.name))
    }

    /// What the policy of an old table says behind the switch: the server renames in it what is renamed. `nil` where something of it is not kept.
    private func continued(_ policy: RowPolicyDefinition?, of oldTable: TableDefinition) -> RowPolicyDefinition? {
        guard let policy else { return nil }
        let tables = Dictionary(flows.tables.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var columns: [String: [String: String]] = [:]
        for (new, old) in keptTables { columns[old.name] = newColumns(of: new, old) }
        return policy.renaming {
            tables[$0]
        } column: {
            columns[$0 ?? oldTable.name]?[$1]
        }
    }
}
