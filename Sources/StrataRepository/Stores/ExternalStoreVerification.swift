package import StrataClient
package import StrataModels

/// Looks whether tables that somebody else makes fit the models, and which of them give keys to new rows. One round trip; writes nothing, locks
/// nothing, and needs nothing of Strata's in the database.
package final class ExternalStoreVerification: StoreOperation {
    private let mapping: StoreMapping
    /// What the models need of each PostgreSQL schema.
    private let definitions: [String: DatabaseDefinition]
    private let inspection: DatabaseInspection
    private var isSent = false
    private var identifier: String?
    /// The time zone of a session.
    private var timeZone = ""
    /// The labels of enum types, under the names by which columns have them.
    private var labels: [String: [String]] = [:]
    /// By table, those that inherit from it.
    private var heirs: [TableName: [TableName]] = [:]

    package init(_ mapping: StoreMapping) {
        self.mapping = mapping
        definitions = Dictionary(
            uniqueKeysWithValues: mapping.schemaNames.map { ($0, DatabaseDefinition(mapping, in: $0)) })
        inspection = DatabaseInspection(schemas: mapping.schemaNames)
    }

    package func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        var batch = PostgresBatch()
        batch.begin(.repeatableRead, readOnly: true)
        try inspection.add(to: &batch)
        batch.add(
            PostgresStatement(
                Self.identity, parameters: try PostgresParameters(mapping.schemaName), name: "identify the store"),
            onRow: { row in
                self.identifier = try row.decode(0)
                self.timeZone = try row.decode(1)
            })
        batch.add(
            PostgresStatement(Self.enumerationQuery, name: "inspect enum types"),
            onRow: { row in self.labels[try row.decode(0)] = try row.decode(1) })
        batch.add(
            PostgresStatement(
                Self.parentQuery, parameters: try PostgresParameters(mapping.schemaNames), name: "inspect inheritance"),
            onRow: { row in
                let table = TableName(schema: try row.decode(0), name: try row.decode(1))
                self.heirs[table, default: []].append(
                    TableName(schema: try row.decode(2), name: try row.decode(3)))
            })
        batch.commit()
        return batch
    }

    /// Who the store is, and the mapping with what was found in the tables.
    ///
    /// Throws `storeDoesNotFit` with everything that does not fit, and `unsupportedFeature` for moments without time zone where sessions are
    /// not in UTC.
    package func verified() throws(SwiftDataError) -> (identity: StoreIdentity, mapping: StoreMapping) {
        let differences = mapping.schemaNames.map { name in
            DefinitionDifference(
                definitions[name] ?? DatabaseDefinition(), found: inspection[name] ?? DatabaseInspection.Contents(),
                properties: mapping.propertyNames(in: name), remedy: "change the class, or have a migration written",
                tables: .external, enumerations: Set(labels.keys), parts: mapping.partColumns(in: name),
                otherSchemas: Dictionary(
                    uniqueKeysWithValues: mapping.schemaNames.map { ($0, inspection[$0]?.definition ?? .init()) }))
        }
        let misfits = lines(differences.map(\.misfits)) + missingLabels
        guard misfits.isEmpty, let identifier else {
            throw SwiftDataError(
                .storeDoesNotFit,
                "The models do not fit the tables in \(schemas), which are external:\n"
                    + misfits.map { "- " + $0 }.joined(separator: "\n")
                    + "\nWhere the tables have changed, introspect writes the classes anew.")
        }
        let found = StoreMapping(
            mapping.schema, in: mapping.schemaName, recordsHistory: mapping.recordsHistory, tables: mapping.tables,
            found: self.found)
        try requireUTC(found)
        let identity = StoreIdentity(
            identifier: identifier, advice: lines(differences.map(\.advice)) + unreadHeirs(found))
        return (identity, found)
    }

    /// What was found of each PostgreSQL schema, in their order; of all but the store's own with the schema's name.
    private func lines(_ found: [[String]]) -> [String] {
        zip(mapping.schemaNames, found).flatMap { name, lines in
            name == mapping.schemaName ? lines : lines.map { "in the schema \"\(name)\": \($0)" }
        }
    }

    private var schemas: String {
        let names = mapping.schemaNames.map { "\"\($0)\"" }.joined(separator: ", ")
        return mapping.schemaNames.count == 1 ? "the schema \(names)" : "the schemas \(names)"
    }

    /// Heirs without a class, of a table of which another heir has one.
    private func unreadHeirs(_ found: StoreMapping) -> [String] {
        let classTables = Set(mapping.entities.map(\.table))
        return zip(mapping.entities, found.entities).filter(\.1.found.hasHeirs).flatMap { entity, _ in
            (heirs[entity.table] ?? []).filter { !classTables.contains($0) }.map {
                "\($0.name) inherits from \(entity.table.name) and has no class: its rows are not read, because others of its heirs have classes"
            }
        }
    }

    /// Classes with objects that no label of the class column's type stands for.
    private var missingLabels: [String] {
        mapping.entities.compactMap { entity in
            guard let name = entity.classColumn, !entity.entity.isAbstract,
                let type = actualTable(of: entity.root)?.column(named: name)?.type,
                let labels = labels[type.base.name], !labels.contains(entity.discriminator)
            else { return nil }
            return
                "column \(entity.root.table.name).\(name) is \(type), which has no label \(entity.discriminator) for rows of \(entity.name): "
                + "add it, or give the class another with @Model(discriminator:)"
        }
    }

    private func actualTable(of entity: EntityMapping) -> TableDefinition? {
        inspection[entity.table.schema]?.definition.table(named: entity.table.name)
    }

    /// What the tables are where they are not what the models have.
    private var found: [TableName: FoundTable] {
        let classTables = Set(mapping.entities.map(\.table))
        var tables: [TableName: FoundTable] = [:]
        for entity in mapping.entities where entity.base === entity {
            guard let expected = definitions[entity.table.schema]?.table(named: entity.table.name),
                let actual = actualTable(of: entity)
            else { continue }
            var found = FoundTable()
            // Where heirs have classes, their rows are objects of these. Of others, as of a table that was divided by hand, they are read as ever.
            found.hasHeirs = heirs[entity.table]?.contains(where: classTables.contains) == true
            for column in expected.columns {
                guard let type = actual.column(named: column.name)?.type, type != column.type else { continue }
                if let part = entity.key.part(ofColumn: column.name) {
                    if type.base == .other("timestamp") { found.keyTypes[part.name] = "timestamp" }
                    if type.isPadded {
                        found.keyTypes[part.name] = "bpchar"
                        // The property has what the key has: without the blanks that fill it up.
                        found.converted[column.name] = ColumnConversion(read: "text", written: "bpchar")
                        continue
                    }
                }
                let isEnumeration = labels[type.base.name] != nil
                if entity.isClassColumn(column.name), type.isInteger {
                    found.converted[column.name] = ColumnConversion(read: "text", written: type.description)
                } else if let conversion = ColumnConversion(of: column.type, in: type, isEnumeration: isEnumeration) {
                    found.converted[column.name] = conversion
                    if type.base == .other("timestamp") { found.withoutTimeZone = found.withoutTimeZone ?? column.name }
                } else if type.isInteger {
                    found.narrow = found.narrow ?? (column.name, type.description)
                } else if type.base != .other("varchar") {
                    found.rounding[column.name] = type.description
                    if type.base == .other("timestamp") { found.withoutTimeZone = found.withoutTimeZone ?? column.name }
                }
            }
            found.staysBehind =
                entity.parent != nil
                && !actual.foreignKeys.contains { key in
                    key.columns == entity.key.names && key.onDelete == .cascade
                        && entity.chain.contains { parent in
                            let schema = key.referencedSchema ?? entity.table.schema
                            return parent !== entity
                                && parent.table == TableName(schema: schema, name: key.referencedTable)
                        }
                }
            tables[entity.table] = found
        }
        return tables
    }

    /// A pooler's sessions are not Strata's to set, and in another zone the server would shift what is written.
    private func requireUTC(_ mapping: StoreMapping) throws(SwiftDataError) {
        guard !["UTC", "ETC/UTC", "GMT", "ETC/GMT"].contains(timeZone.uppercased()) else { return }
        for entity in mapping.entities {
            guard let name = entity.found.withoutTimeZone else { continue }
            throw SwiftDataError(
                .unsupportedFeature,
                "The column \(entity.table.name).\(name) is timestamp without time zone and is taken as UTC, but the server's sessions are "
                    + "in \(timeZone), and behind a pooler (preparedStatements = .unnamed) the container cannot change that. "
                    + "Run ALTER ROLE … SET timezone = 'UTC' for the role that connects.")
        }
    }

    /// The root classes to whose new rows a sequence gives keys, by their index.
    package var numbered: Set<Int> {
        Set(
            mapping.entities.filter { entity in
                entity.parent == nil && entity.key.isSingle
                    && actualTable(of: entity)?.column(named: entity.key.first)?.isNumberedBySequence == true
            }
            .map(\.index))
    }

    private static let enumerationQuery = PreparedSQL(
        """
        SELECT pg_catalog.format_type(t.oid, NULL),
            ARRAY(SELECT e.enumlabel::text FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = t.oid)
        FROM pg_catalog.pg_type AS t WHERE t.typtype = 'e'
        """)

    private static let parentQuery = PreparedSQL(
        """
        SELECT n.nspname::text, c.relname::text, m.nspname::text, h.relname::text
        FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhparent
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_class h ON h.oid = i.inhrelid JOIN pg_catalog.pg_namespace m ON m.oid = h.relnamespace
        WHERE n.nspname = ANY ($1::text[]) AND c.relkind = 'r' ORDER BY 1, 2, 3, 4
        """)

    /// The same for everybody who opens these tables in this database.
    private static let identity = PreparedSQL(
        """
        SELECT pg_catalog.md5(pg_catalog.current_database() || '.' || $1::text)::pg_catalog.uuid::text,
            pg_catalog.current_setting('TimeZone')
        """)
}
