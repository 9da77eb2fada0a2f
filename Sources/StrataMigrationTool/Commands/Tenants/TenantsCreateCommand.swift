import ArgumentParser
import StrataMigrations

extension TenantPlacement: ExpressibleByArgument {}

/// `tenants create`
struct TenantsCreateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract:
            "Creates tenants: a PostgreSQL schema for each, with the tables of the newest version, and the record of it.",
        discussion: """
            The tables are made in one transaction, the history's triggers and the record in another. A schema with tables, or with a store's record, is \
            an error, recorded or not: after an interruption between the two, baseline --schema records what is there. What stages do by statements of \
            their own is not done: the tables are those of the newest version. Takes the right CREATE on the database.

            --placement citus brings each schema to a worker of Citus, which chooses one; the database is its coordinator, and no class records history. \
            A tenant that could not be brought there is an error that has the statement which does it.
            """)
    static let fullName = "tenants create"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var lock: RunnerLockFlags
    @OptionGroup var prefix: TenantPrefix

    @Argument(help: "Their names: small letters, digits, _ and -.")
    var names: [String]

    @Option(help: ArgumentHelp("How many tenants are created at the same time.", valueName: "count"))
    var parallel = 4

    @Option(help: ArgumentHelp("Where their tables are: server or citus.", valueName: "place"))
    var placement = TenantPlacement.server

    func validate() throws {
        guard parallel > 0 else { throw ValidationError("--parallel must be 1 or more.") }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        let naming = prefix.naming(common)
        // All names before the first of them is a schema.
        let schemas = try names.map { try naming.migratedSchema(of: $0) }
        let chain = try session.project.chain()
        let newest = try session.project.version(nil)
        let (address, _) = try session.database(common, connection)
        let (configuration, options) = (address.configuration, lock.options)
        let outcomes = try ParallelWork(limit: parallel).perform(Array(zip(names, schemas))) { tenant, schema in
            do {
                try MigrationRunner(configuration: configuration, schemaName: schema, options: options)
                    .create(newest, recordsHistory: chain.recordsHistory, on: placement)
                let result = TenantCreationResult(schema: schema, version: newest.version.description)
                return TenantOutcome(tenant: tenant, content: .result(result))
            } catch { return TenantOutcome(tenant: tenant, content: .failure(MigrationError(reporting: error))) }
        }
        return TenantsResult(verb: "created", tenants: outcomes)
    }
}

/// A tenant that was created.
struct TenantCreationResult: CommandResult {
    var schema: String
    var version: String

    var isConfirmation: Bool { true }

    func text(_ style: TextStyle) -> [String] { [style.green("Created") + ": schema \(schema), version \(version)."] }
}
