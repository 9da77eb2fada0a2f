import StrataClient
import StrataMigrations

/// A database together with the files: what most commands begin with.
struct DatabaseWork {
    let address: DatabaseAddress
    let summary: DatabaseSummary
    let serverVersion: Int
    let schemaName: String
    let scripts: [StageScript]
    let chain: MigrationChain
    private let session: ToolSession

    /// Files first: a mistake in them needs no server.
    init(_ session: ToolSession, _ common: CommonOptions, _ connection: ConnectionOptions) throws {
        self.session = session
        chain = try session.project.chain()
        scripts = try session.files(common).scripts()
        (address, serverVersion) = try session.database(connection)
        schemaName = common.schema
        summary = DatabaseSummary(address, serverVersion: serverVersion, schemaName: common.schema)
    }

    func runner(_ flags: RunnerFlags? = nil) throws(MigrationError) -> MigrationRunner {
        let frozen = Dictionary(chain.versions.map { ($0.version, $0) }) { first, _ in first }
        let descriptions = Dictionary(
            scripts.compactMap { script in frozen[script.to.version].map { (script.number, $0) } }
        ) { first, _ in first }
        let session = session
        return MigrationRunner(
            configuration: address.configuration, schemaName: schemaName,
            options: flags?.options(descriptions: descriptions) ?? RunnerOptions(),
            closures: try session.project.closures(address.configuration, schemaName),
            report: { session.report(EventText.line($0)) })
    }

    func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = try PostgresConnection.connect(address.configuration)
        defer { connection.close() }
        return try body(connection)
    }

    /// The number of the stage that leads to a version the user named.
    func number(leadingTo text: String?) throws(MigrationError) -> Int? {
        guard let text else { return nil }
        let targets = scripts.map(\.to.version)
        return scripts[try VersionText.position(of: text, in: targets)].number
    }
}
