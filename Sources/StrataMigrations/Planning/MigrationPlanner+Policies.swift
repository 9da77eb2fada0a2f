import StrataRepository

extension MigrationPlanner {
    /// Policies of tables: what differs goes first of all that phase contract does, and comes last, so that all between sees the rows of all tenants.
    mutating func planPolicies() {
        for (table, oldTable) in keptTables {
            if isKept(oldTable.policy, of: oldTable, by: table) { continue }
            if let policy = oldTable.policy {
                draft.add(
                    .dropPolicies,
                    DropPolicy(policy: policy, table: oldTable.name, isFollowed: table.policy != nil))
            }
            add(table.policy, to: table, isReplacement: oldTable.policy != nil)
        }
        for table in createdTables { add(table.policy, to: table, isReplacement: false) }
    }

    /// The old tables whose policies the stage drops, before anything that they use goes.
    var tablesLosingPolicies: [String] {
        keptTables.compactMap { table, oldTable in
            oldTable.policy == nil || isKept(oldTable.policy, of: oldTable, by: table) ? nil : oldTable.name
        }
    }

    private mutating func add(_ policy: RowPolicyDefinition?, to table: TableDefinition, isReplacement: Bool) {
        guard let policy else { return }
        if case .column(let column, let type) = policy.condition {
            let nobody =
                switch type.base {
                case .uuid: "'00000000-0000-0000-0000-000000000000'"
                case .bigint: "0"
                default: "''"
                }
            let name = quoted(column)
            let query = """
                SELECT \(newKey(table.name, isLate: true))::text, 'no tenant' FROM \(self.table(table.name))
                WHERE \(name) IS NULL OR \(name) = \(nobody)
                """
            draft.add(
                .verifyTenants,
                Verify(subject: "that rows of \(table.name) name a tenant", queries: [query], tables: [table.name]))
        }
        draft.add(.addPolicies, AddPolicy(policy: policy, table: table.name, isReplacement: isReplacement))
    }

    /// Whether the policy of an old table is the new one's behind the switch: the server renames in it what is renamed. It is none whose column, or table, does
    /// not go on.
    private func isKept(
        _ policy: RowPolicyDefinition?, of oldTable: TableDefinition, by table: TableDefinition
    ) -> Bool {
        guard let policy else { return table.policy == nil }
        let tables = Dictionary(flows.tables.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var columns: [String: [String: String]] = [:]
        for (new, old) in keptTables { columns[old.name] = newColumns(of: new, old) }
        let continued = policy.renaming(
            table: { tables[$0] }, column: { columns[$0 ?? oldTable.name]?[$1] })
        return continued != nil && continued == table.policy
    }
}
