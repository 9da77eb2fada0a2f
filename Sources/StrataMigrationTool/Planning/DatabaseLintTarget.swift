import StrataClient
import StrataMigrationFiles
import StrataMigrations
import StrataRepository

extension LintTarget {
    /// What a server tells about itself and its tables. Reads only.
    init(schemaName: String, on connection: PostgresConnection) throws {
        var timeZone = "UTC"
        var deadlockTimeout = 1000
        try connection.run(
            PostgresBatch(PostgresStatement(Self.settings)) { row in
                timeZone = try row.decode(0, as: String.self)
                deadlockTimeout = Int(try row.decode(1, as: Int64.self))
            })
        let parameters = try PostgresParameters(schemaName)
        var triggerFunctions: [String: [String: String]] = [:]
        try connection.run(
            PostgresBatch(PostgresStatement(Self.functions, parameters: parameters)) { row in
                let table = try row.decode(0, as: String.self)
                triggerFunctions[table, default: [:]][try row.decode(1, as: String.self)] = try row.decode(2)
            })
        var domains: Set<String> = []
        try connection.run(
            PostgresBatch(PostgresStatement(Self.constrainedDomains)) { row in
                domains.insert(try row.decode(0, as: String.self))
            })
        self.init(
            serverVersion: connection.serverVersion,
            rowEstimates: try TableEstimates.read(schemaName: schemaName, on: connection),
            historyTables: Set(triggerFunctions.filter { $0.value.keys.contains(where: HistoryCall.isTrigger) }.keys),
            triggerFunctions: triggerFunctions, domains: domains, timeZone: timeZone, deadlockTimeout: deadlockTimeout)
    }

    private static let settings = PreparedSQL(
        """
        SELECT pg_catalog.current_setting('TimeZone'), setting::bigint FROM pg_catalog.pg_settings \
        WHERE name = 'deadlock_timeout'
        """, isCached: false)

    private static let functions = PreparedSQL(
        """
        SELECT c.relname::text, p.proname::text, p.prosrc FROM pg_catalog.pg_trigger AS t \
        JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid \
        WHERE NOT t.tgisinternal AND t.tgrelid = ANY (\(SchemaObjects.text(.relations, where: "= $1")))
        """, isCached: false)

    private static let constrainedDomains = PreparedSQL(
        """
        SELECT DISTINCT t.typname::text FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n \
        ON n.oid = t.typnamespace WHERE t.typtype = 'd' AND n.nspname <> 'information_schema' AND (t.typnotnull \
        OR EXISTS (SELECT FROM pg_catalog.pg_constraint AS k WHERE k.contypid = t.oid))
        """, isCached: false)
}
