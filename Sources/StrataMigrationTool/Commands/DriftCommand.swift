import ArgumentParser
import StrataMigrations

/// `drift`
struct DriftCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "drift",
        abstract:
            "Compares the tables and the history's triggers of a database with the version it says it is at. Changes nothing.",
        discussion: "Ends with 0 when they are the same, with 4 when they are not.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ignored: IgnoredTables
    @OptionGroup var tenants: TenantOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection, ignoring: ignored.names(common))
        return try tenants.perform(on: work, in: session, common, doing: "compared") { work in
            try perform(work, in: session)
        }
    }

    private func perform(_ work: DatabaseWork, in session: ToolSession) throws -> any CommandResult {
        let state = try work.runner().state(of: work.scripts)
        if case .inProgress(_, let progress) = state {
            throw MigrationError(
                .difference, "\(progress.stage) is in progress: the tables are between two versions.",
                remedy: "apply or rollback it, then compare")
        }
        guard let recorded = state.version else {
            throw MigrationError(
                .difference, "The database has no record of a version to compare with.", remedy: "apply or baseline")
        }
        let expected = try session.project.version(recorded.version.description)
        let (differences, unread) = try work.drift(from: expected, rowLimit: 60_000)
        return DriftResult(
            database: work.summary, version: recorded.version.description, differences: differences, unread: unread)
    }
}

extension DatabaseWork {
    /// Where the tables are not exactly those of a version, one line each; and what could not be looked at.
    func differences(from expected: FrozenSchema) throws -> (lines: [String], unread: [String]) {
        try withConnection { connection in
            let found = try CatalogInspection.read(schemaName: schemaName, connection: connection)
            let printed = try PrintedDefinition(expected.database, found: found.definition, on: connection)
            let lines = CatalogDifference(expected: printed, found: found, ignoring: ignored).lines
            return (lines, printed.unread)
        }
    }

    /// Everything that is not as a version has it: tables, owners, rows of hierarchies, the history's triggers; and what could not
    /// be looked at.
    ///
    /// - Parameter rowLimit: milliseconds for the rows of each hierarchy.
    func drift(from version: FrozenSchema, rowLimit: Int) throws -> (differences: [String], unread: [String]) {
        try withConnection { connection in
            let found = try CatalogInspection.read(schemaName: schemaName, connection: connection)
            let printed = try PrintedDefinition(version.database, found: found.definition, on: connection)
            let tables = CatalogDifference(expected: printed, found: found, ignoring: ignored)
            let owners = try OwnerInspection(version, schemaName: schemaName, on: connection)
            let rows = try ClassRowInspection(
                version, schemaName: schemaName, found: found.definition, limit: rowLimit, on: connection)
            let history = try HistoryInspection(schemaName, on: connection).lines(expecting: chain.history(of: version))
            let views = try ViewInspection(version, schemaName: schemaName, on: connection)
            return (
                tables.lines + owners.lines + views.lines + rows.lines + history,
                printed.unread + rows.unread
                    + views.unread
            )
        }
    }

    /// What keeps the history of a version from being whole, one line each.
    func historyFindings(at version: FrozenSchema) throws -> [String] {
        try withConnection { connection in
            try HistoryInspection(schemaName, on: connection).lines(expecting: chain.history(of: version))
        }
    }
}

/// Where a database is not what its record says.
struct DriftResult: CommandResult {
    var database: DatabaseSummary
    var version: String
    var differences: [String]
    /// What could not be looked at: no drift, and no proof that there is none.
    var unread: [String]

    var code: MigrationError.Code? { differences.isEmpty ? nil : .drift }

    var annotations: [Annotation] {
        guard !differences.isEmpty else { return [] }
        return [
            Annotation(
                .error, title: "drift from version \(version)", message: differences.joined(separator: "\n"))
        ]
    }

    func text(_ style: TextStyle) -> [String] {
        let place = "Database  \(database.line)   at \(version)"
        let unread = unread.map { style.yellow("  ? \($0)") }
        guard !differences.isEmpty else { return [place, style.green("No drift.")] + unread }
        return [place, style.red(differences.count.counted("difference")) + ":"] + differences.map { "  \($0)" }
            + unread
    }
}
