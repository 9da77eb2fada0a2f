import StrataRepository

extension MigrationPlanner {
    /// Throws where a table that is one would have to be divided, or the other way about, or by another date: PostgreSQL turns none into the other,
    /// so each row would have to be written once more. Partitions of another length are made from now on, and need no step.
    func refuseOtherPartitions() throws(MigrationError) {
        for (table, oldTable) in keptTables {
            let kept = table.partitioning.flatMap { flows.kept(ColumnPlace(table: table.name, column: $0.column)) }
            guard kept?.column != oldTable.partitioning?.column || (kept == nil) != (table.partitioning == nil) else {
                continue
            }
            let name = entityName(of: table)
            throw MigrationError(
                .planRefused,
                "\(name) is \(Self.division(table)) in version \(new.version), and was \(Self.division(oldTable)) in \(old.version): PostgreSQL divides no "
                    + "table that is there, and puts no partitions together.",
                places: [name],
                remedy:
                    "declare a new class of the form that you want, write to both, copy the rows in a custom stage or with INSERT … SELECT, and drop this one"
            )
        }
    }

    private static func division(_ table: TableDefinition) -> String {
        table.partitioning.map { "divided by \($0.column)" } ?? "not divided"
    }

    private func entityName(of table: TableDefinition) -> String {
        new.entities.first { $0.table == table.name }?.name ?? table.name
    }

    /// Throws where an index or a foreign key would be built over partitions that have rows: `CREATE INDEX` of all of them takes no
    /// `CONCURRENTLY`, and `ADD FOREIGN KEY` no `NOT VALID`, so writers would wait for as long as it takes to read the table.
    func refuseBuildsOverPartitions() throws(MigrationError) {
        let operations = draft.entries.values.flatMap { $0 }.map(\.operation)
        for table in new.database.tables where table.partitioning != nil {
            let tableNames = [table.name, names.table(table.name)]
            let name = entityName(of: table)
            for operation in operations {
                let (index, foreignKey): (String?, String?) =
                    switch operation {
                    case let build as BuildIndex where tableNames.contains(build.host.name):
                        (build.definition.name, nil)
                    case let build as BuildUniqueIndex where tableNames.contains(build.table): (build.name, nil)
                    case let drop as DropIndex where tableNames.contains(drop.table): (drop.name, nil)
                    case let key as AddForeignKey where tableNames.contains(key.table) && !key.isChecked:
                        (nil, key.key.name)
                    case let key as ReplaceForeignKey where tableNames.contains(key.table): (nil, key.key.name)
                    default: (nil, nil)
                    }
                if let index { throw refusedIndex(index, name, table) }
                if let foreignKey { throw refusedForeignKey(foreignKey, name) }
            }
        }
    }

    private func refusedIndex(_ index: String, _ name: String, _ table: TableDefinition) -> MigrationError {
        MigrationError(
            .planRefused,
            "The index \(index) of \(name) would be built or dropped over all partitions at once, and PostgreSQL does neither CONCURRENTLY: writers would "
                + "wait.",
            places: [name],
            remedy:
                "build it by hand, as the manual says in 5.12.2.2: CREATE INDEX … ON ONLY \(table.name), CREATE INDEX CONCURRENTLY on each partition, "
                + "ALTER INDEX … ATTACH PARTITION each, or DROP INDEX where that takes a moment; then write the step yourself, or take over what is there with baseline"
        )
    }

    private func refusedForeignKey(_ key: String, _ name: String) -> MigrationError {
        MigrationError(
            .planRefused,
            "The foreign key \(key) of \(name) would be checked under a lock, and PostgreSQL adds none NOT VALID to a partitioned table before version "
                + "18: writers would wait.",
            places: [name],
            remedy:
                "give the other end deleteRule: .noAction, which has no foreign key; or declare a new class with the relationship"
        )
    }
}
