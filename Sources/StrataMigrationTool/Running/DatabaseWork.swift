import StrataClient
import StrataMigrations

/// A database together with the files: what most commands begin with.
struct DatabaseWork {
    let address: DatabaseAddress
    private(set) var summary: DatabaseSummary
    let serverVersion: Int
    private(set) var schemaName: String
    private(set) var scripts: [StageScript]
    /// Whose tables are worked on; `nil` for those of the files' own schema.
    private(set) var tenant: String?
    let chain: MigrationChain
    /// Files that the folder lacks of the plan.
    let missing: [String]
    /// What belongs to others.
    let ignored: IgnoredParts
    private let session: ToolSession
    private let isVerbose: Bool

    /// Files first: a mistake in them needs no server.
    init(
        _ session: ToolSession, _ common: CommonOptions, _ connection: ConnectionOptions,
        ignoring ignored: [String] = []
    ) throws {
        self.session = session
        self.ignored = try IgnoredParts(ignored)
        chain = try session.project.chain()
        scripts = try session.files(common).scripts()
        missing = try Self.missing(chain, session.files(common), scripts.first?.schemaName ?? common.schema)
        (address, serverVersion) = try session.database(common, connection)
        isVerbose = common.verbose
        schemaName = common.schema
        summary = DatabaseSummary(address, serverVersion: serverVersion, schemaName: common.schema)
    }

    /// The same files for the tables of a tenant.
    func moved(to tenant: String, in schemaName: String) throws(MigrationError) -> DatabaseWork {
        var work = self
        (work.tenant, work.schemaName, work.summary.schema) = (tenant, schemaName, schemaName)
        var moved: [StageScript] = []
        for script in scripts { moved.append(try script.moved(to: schemaName)) }
        work.scripts = moved
        return work
    }

    /// Whatever is asked of a database, it is asked for the versions as they were released. Files that are not written yet
    /// keep nobody from looking at it.
    private static func missing(
        _ chain: MigrationChain, _ files: MigrationFiles, _ schemaName: String
    ) throws -> [String] {
        do {
            try files.check(chain, schemaName: schemaName)
            return []
        } catch let error {
            guard error.code == .difference else { throw error }
            return error.places
        }
    }

    func runner(_ options: RunnerOptions = RunnerOptions()) throws(MigrationError) -> MigrationRunner {
        let frozen = Dictionary(chain.versions.map { ($0.version, $0) }) { first, _ in first }
        var options = options
        options.ignoredTables = ignored.tables
        options.descriptions = Dictionary(
            scripts.compactMap { script in frozen[script.to.version].map { (script.number, $0) } }
        ) { first, _ in first }
        // Files say what was run, whatever a later library would plan.
        options.verifiesAppliedStages = true
        options.searchesSchema = tenant != nil
        let (session, isVerbose) = (session, isVerbose)
        let name = tenant.map { "\($0)  " } ?? ""
        return MigrationRunner(
            configuration: address.configuration, schemaName: schemaName,
            options: options,
            closures: try session.project.closures(address.configuration, schemaName),
            report: { event in
                for line in EventText.lines(event, isVerbose: isVerbose) { session.report(line.preceded(by: name)) }
            })
    }

    func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        try address.withConnection(body)
    }

    /// The number of the stage that leads to a version the user named.
    func number(leadingTo text: String?) throws(MigrationError) -> Int? {
        guard let text else { return nil }
        let targets = scripts.map(\.to.version)
        return scripts[try VersionText.position(of: text, in: targets)].number
    }
}
