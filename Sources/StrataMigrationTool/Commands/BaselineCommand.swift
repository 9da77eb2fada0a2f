import ArgumentParser
import StrataMigrations

/// `baseline`
struct BaselineCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract:
            "Adopts a database that has tables but no record of migrations. Writes the record, and begins the history.",
        discussion: "The tables must be exactly those of a version; --allow drift accepts that they are not.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var lock: RunnerLockFlags
    @OptionGroup var ignored: IgnoredTables

    @Argument(help: "The version the database is at; found by comparing where it is left out.")
    var version: String?

    @Option(
        help: ArgumentHelp(
            "drift: accepts tables that are not those of the version, which must be named then.", valueName: "code"))
    var allow: AllowedCodes = AllowedCodes()

    func validate() throws {
        guard allow.codes.isSubset(of: ["drift"]) else { throw ValidationError("--allow can only be drift here.") }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection, ignoring: ignored.names(common))
        let (frozen, differences, unread) = try adopted(work)
        guard differences.isEmpty || version != nil && !allow.codes.isEmpty else {
            throw MigrationError(
                .drift, "The tables are not those of version \(frozen.version).", places: differences,
                remedy: "correct the tables, or accept the differences with a version and --allow drift")
        }
        let target = StageScript.Version(frozen.version, fingerprint: frozen.fingerprint)
        try work.runner(lock.options).baseline(target, description: frozen, recordsHistory: work.chain.recordsHistory)
        return BaselineResult(
            database: work.summary, version: frozen.version.description, differences: differences, unread: unread)
    }

    private typealias Candidate = (version: FrozenSchema, differences: [String], unread: [String])

    /// The version that was named, or the one that differs least: newer ones first where several do.
    private func adopted(_ work: DatabaseWork) throws -> Candidate {
        let versions = work.chain.versions
        let candidates =
            try version.map { [versions[try VersionText.position(of: $0, in: versions.map(\.version))]] }
            ?? versions.reversed()
        let compared = try candidates.map { candidate -> Candidate in
            let (lines, unread) = try work.differences(from: candidate)
            return (candidate, lines, unread)
        }
        // The first of several that differ as little.
        guard let best = compared.min(by: { $0.differences.count < $1.differences.count }) else {
            throw MigrationError(.usage, "The plan has no versions.")
        }
        try requireCompared(compared.filter(\.differences.isEmpty))
        return best
    }

    /// Throws where only conditions tell the versions apart that the tables may be those of, and they were not compared.
    private func requireCompared(_ fitting: [Candidate]) throws(MigrationError) {
        guard let unread = fitting.lazy.compactMap(\.unread.first).first,
            Set(fitting.map(\.version.database.conditions)).count > 1
        else { return }
        throw MigrationError(
            .difference,
            "What tells the versions \(fitting.map(\.version.version.description).joined(separator: ", ")) apart could not be compared.",
            places: [unread],
            remedy: "let the role make temporary tables (GRANT TEMPORARY), or name the version")
    }
}

/// The version a database was recorded at.
struct BaselineResult: CommandResult {
    var database: DatabaseSummary
    var version: String
    /// Those that were accepted.
    var differences: [String]
    /// What could not be looked at.
    var unread: [String]

    var isConfirmation: Bool { differences.isEmpty && unread.isEmpty }

    func text(_ style: TextStyle) -> [String] {
        [style.green("Done") + ": \(database.url) is recorded at version \(version)."]
            + differences.map { style.yellow("  accepted: \($0)") } + unread.map { style.yellow("  ? \($0)") }
    }
}
