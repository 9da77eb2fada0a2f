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
        let (frozen, differences) = try adopted(work)
        guard differences.isEmpty || version != nil && !allow.codes.isEmpty else {
            throw MigrationError(
                .drift, "The tables are not those of version \(frozen.version).", places: differences,
                remedy: "correct the tables, or accept the differences with a version and --allow drift")
        }
        let target = StageScript.Version(frozen.version, fingerprint: frozen.fingerprint)
        try work.runner(lock.options).baseline(target, description: frozen, recordsHistory: work.chain.recordsHistory)
        return BaselineResult(
            database: work.summary, version: frozen.version.description, differences: differences)
    }

    /// The version that was named, or the one that differs least: newer ones first where several do.
    private func adopted(_ work: DatabaseWork) throws -> (FrozenSchema, [String]) {
        var best: (FrozenSchema, [String])?
        let versions = work.chain.versions
        let candidates =
            try version.map { [versions[try VersionText.position(of: $0, in: versions.map(\.version))]] }
            ?? versions.reversed()
        for candidate in candidates {
            let differences = try work.differences(from: candidate)
            if let known = best, known.1.count <= differences.count { continue }
            best = (candidate, differences)
        }
        guard let best else { throw MigrationError(.usage, "The plan has no versions.") }
        return best
    }
}

/// The version a database was recorded at.
struct BaselineResult: CommandResult {
    var database: DatabaseSummary
    var version: String
    /// Those that were accepted.
    var differences: [String]

    var isConfirmation: Bool { differences.isEmpty }

    func text(_ style: TextStyle) -> [String] {
        [style.green("Done") + ": \(database.url) is recorded at version \(version)."]
            + differences.map { style.yellow("  accepted: \($0)") }
    }
}
