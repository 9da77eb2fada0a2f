package import StrataClient
package import StrataModels

/// Looks whether tables that somebody else makes fit the models, and where keys of new rows come from. One round trip; writes nothing, locks
/// nothing, and needs nothing of Strata's in the database.
package final class ExternalStoreVerification: StoreOperation {
    private let mapping: StoreMapping
    private let definition: DatabaseDefinition
    private let inspection: DatabaseInspection
    private var isSent = false
    private var identifier: String?
    /// The time zone of a session.
    private var timeZone = ""
    /// By table and column, the sequence's `pg_class.oid`.
    private var sequences: [String: [String: Int64]] = [:]

    package init(_ mapping: StoreMapping) {
        self.mapping = mapping
        definition = DatabaseDefinition(mapping)
        inspection = DatabaseInspection(schemas: [mapping.schemaName])
    }

    package func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        var batch = PostgresBatch()
        batch.begin(.repeatableRead, readOnly: true)
        try inspection.add(to: &batch)
        batch.add(
            PostgresStatement(
                Self.sequences, parameters: try PostgresParameters(mapping.schemaName),
                name: "inspect sequences of keys"),
            onRow: { row in
                self.sequences[try row.decode(0), default: [:]][try row.decode(1)] = try row.decodeIfPresent(2)
            })
        batch.add(
            PostgresStatement(
                Self.identity, parameters: try PostgresParameters(mapping.schemaName), name: "identify the store"),
            onRow: { row in
                self.identifier = try row.decode(0)
                self.timeZone = try row.decode(1)
            })
        batch.commit()
        return batch
    }

    /// Who the store is. The mapping learns the types of the columns.
    ///
    /// Throws `storeDoesNotFit` with everything that does not fit, and `unsupportedFeature` for moments without time zone where sessions are
    /// not in UTC.
    package func identity() throws(SwiftDataError) -> StoreIdentity {
        let difference = DefinitionDifference(
            definition, found: inspection[mapping.schemaName] ?? DatabaseInspection.Contents(),
            properties: mapping.propertyNames, remedy: "change the class, or have a migration written",
            tables: .external)
        guard difference.misfits.isEmpty, let identifier else {
            throw SwiftDataError(
                .storeDoesNotFit,
                "The models do not fit the tables in the schema \"\(mapping.schemaName)\", which are external:\n"
                    + difference.misfits.map { "- " + $0 }.joined(separator: "\n")
                    + "\nWhere the tables have changed, introspect writes the classes anew.")
        }
        learnTypes()
        try requireUTC()
        return StoreIdentity(identifier: identifier, advice: difference.advice)
    }

    private func actualTable(of entity: EntityMapping) -> TableDefinition? {
        inspection[mapping.schemaName]?.definition.table(named: entity.table.name)
    }

    private func learnTypes() {
        for entity in mapping.entities {
            guard let expected = definition.table(named: entity.table.name), let actual = actualTable(of: entity) else {
                continue
            }
            var found = FoundColumns()
            for column in expected.columns {
                guard let type = actual.column(named: column.name)?.type, type != column.type else { continue }
                if type.isInteger {
                    found.narrow = found.narrow ?? (column.name, type.description)
                } else if type.base != .other("varchar") {
                    found.rounding[column.name] = type.description
                    if type.base == .other("timestamp") { found.withoutTimeZone = found.withoutTimeZone ?? column.name }
                }
            }
            entity.learn(found)
        }
    }

    /// A pooler's sessions are not Strata's to set, and in another zone the server would shift what is written.
    private func requireUTC() throws(SwiftDataError) {
        guard !["UTC", "ETC/UTC", "GMT", "ETC/GMT"].contains(timeZone.uppercased()) else { return }
        for entity in mapping.entities {
            guard let name = entity.foundColumns.withoutTimeZone else { continue }
            throw SwiftDataError(
                .unsupportedFeature,
                "The column \(entity.table.name).\(name) is timestamp without time zone and is taken as UTC, but the server's sessions are "
                    + "in \(timeZone), and behind a pooler (preparedStatements = .unnamed) the container cannot change that. "
                    + "Run ALTER ROLE … SET timezone = 'UTC' for the role that connects.")
        }
    }

    /// Where keys of new rows come from, by the index of their root class: the identifiers of sequences.
    package var keySequences: [Int: Int64] {
        var found: [Int: Int64] = [:]
        for entity in mapping.entities
        where entity.parent == nil
            && actualTable(of: entity)?.column(named: entity.key)?.isNumberedBySequence == true
        {
            found[entity.index] = sequences[entity.table.name]?[entity.key]
        }
        return found
    }

    /// The sequence that a column's default asks, or that an identity column has (manual, 53.13).
    private static let sequences = PreparedSQL(
        """
        SELECT c.relname::text, a.attname::text, coalesce(
            (SELECT s.oid FROM pg_catalog.pg_attrdef d
             JOIN pg_catalog.pg_depend p ON p.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND p.objid = d.oid
                 AND p.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
             JOIN pg_catalog.pg_class s ON s.oid = p.refobjid AND s.relkind = 'S'
             WHERE d.adrelid = c.oid AND d.adnum = a.attnum LIMIT 1),
            (SELECT s.oid FROM pg_catalog.pg_depend p
             JOIN pg_catalog.pg_class s ON s.oid = p.objid AND s.relkind = 'S'
             WHERE p.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                 AND p.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND p.refobjid = c.oid
                 AND p.refobjsubid = a.attnum AND p.deptype = 'i' AND a.attidentity <> '' LIMIT 1))::bigint AS sequence
        FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_index x ON x.indrelid = c.oid AND x.indisprimary AND x.indnkeyatts = 1
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
        WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p')
            AND (a.atthasdef OR a.attidentity <> '')
        """)

    /// The same for everybody who opens these tables in this database.
    private static let identity = PreparedSQL(
        """
        SELECT pg_catalog.md5(pg_catalog.current_database() || '.' || $1::text)::pg_catalog.uuid::text,
            pg_catalog.current_setting('TimeZone')
        """)
}
