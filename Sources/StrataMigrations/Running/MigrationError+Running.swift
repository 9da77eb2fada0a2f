import StrataClient
import StrataRepository

extension MigrationError {
    /// What ended a run: an error of the runner's own is passed on as it is.
    package init(running error: any Error) {
        if let error = error as? MigrationError {
            self = error
            return
        }
        guard let error = error as? PostgresError else {
            self.init(.unexpected, "\(error)", underlying: error)
            return
        }
        if error.isConnectionLoss || error.code == .authenticationFailed || error.code == .invalidConfiguration {
            self.init(.connection, error.sentence, underlying: error)
        } else if error.sqlState == "55P03" {
            self.init(
                .lockNotAvailable, error.sentence, places: Self.statement(of: error),
                remedy: "wait for the sessions that hold locks on the tables, or end them; then run it again",
                underlying: error)
        } else if error.sqlState == "25006" {
            self.init(
                .connection, error.sentence, places: Self.statement(of: error),
                remedy: "connect to the primary server, with a role and a database that are not set to read only",
                underlying: error)
        } else if error.lacksRight {
            self.init(
                .connection, error.sentence, places: Self.statement(of: error),
                remedy:
                    "use the role that owns the tables and may create schemas in the database; to look only, GRANT USAGE ON "
                    + "SCHEMA and SELECT ON ALL TABLES IN SCHEMA strata, and the schema of the tables, to the role; where \(Self.sight)",
                underlying: error)
        } else {
            self.init(.unexpected, "\(error)", places: Self.statement(of: error), underlying: error)
        }
    }

    /// What ended a step, where the server refused something; anything else as ``init(running:)``.
    ///
    /// - Parameter direction: Which way the command goes that was at work: rollback also undoes steps of a stage that goes forward.
    ///   The stage's own where it is left out.
    init(
        _ error: any Error, in step: MigrationStep, of stage: StageName, going direction: StageName.Direction? = nil
    ) {
        guard let error = error as? PostgresError else {
            self.init(running: error)
            return
        }
        let direction = direction ?? stage.direction
        let places = ["step \(step.id) of \(stage), phase \(step.phase): \(step.title)"] + Self.statement(of: error)
        guard !error.isConnectionLoss else {
            self.init(
                .connection, "The connection was lost in step \(step.id). \(error.sentence)", places: places,
                remedy: "run \(direction.command) again: it goes on with this step", underlying: error)
            return
        }
        let state = error.sqlState.map { " with SQLSTATE \($0)" } ?? ""
        let remedy =
            if error.lacksTrigrams {
                "\(PostgresError.trigramRemedy); "
            } else if error.lacksCaselessText {
                "\(PostgresError.caselessRemedy); "
            } else if let type = error.missingType {
                "if \(type) is an extension's, run CREATE EXTENSION in the database, in a schema of the search_path; "
            } else {
                error.lacksRight ? "a right is missing, or \(Self.sight); " : ""
            }
        let hint = remedy + (error.hint.map { "server's hint: \($0); " } ?? "")
        let goOn = hint + "remove the cause and run \(direction.command) again: it goes on with this "
        let otherwise =
            "\(direction.otherWay); or correct this step in its file, run hash, and repair if the step was begun"
        if step.execution == .alone {
            self.init(
                .stepFailed, "Step \(step.id) failed\(state): \(error.sentence)", places: places,
                remedy: goOn + "step" + otherwise, underlying: error)
        } else if case .batches(_, _, _, let kind) = step.execution {
            self.init(
                .stepFailed, "Step \(step.id) failed\(state): \(error.sentence) Ranges done before are kept.",
                places: places,
                remedy: goOn + (kind == .integer ? "range" : "step, from its first range on") + otherwise,
                underlying: error)
        } else {
            self.init(
                .stepRolledBack, "Step \(step.id) failed\(state) and was rolled back: \(error.sentence)",
                places: places, remedy: goOn + "step" + otherwise, underlying: error)
        }
    }

    /// What else the code of a missing right can mean (`row_security = off`; PostgreSQL manual, 20.11.1).
    private static let sight =
        "policies hide rows of tenants from the role, also from one that owns the tables, run it as a superuser or as a role with BYPASSRLS (ALTER ROLE … BYPASSRLS)"

    private static func statement(of error: PostgresError) -> [String] {
        error.statementText.map { ["statement: " + $0.beginning(300)] } ?? []
    }
}

extension StageName {
    /// What goes on with the stage.
    var command: String { direction.command }
    /// What is said to whoever does not want to go on with it.
    var otherWay: String { direction.otherWay }
}

extension StageName.Direction {
    /// What goes on this way.
    var command: String {
        switch self {
        case .forward: "apply"
        case .back: "rollback"
        }
    }

    /// What is said to whoever does not want to go on this way.
    fileprivate var otherWay: String {
        switch self {
        case .forward: "; or take the stage back with rollback"
        case .back: ""
        }
    }
}

extension String {
    /// On one line, no longer than `count` characters.
    func beginning(_ count: Int) -> String {
        let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > count ? line.prefix(count) + " …" : line
    }
}
