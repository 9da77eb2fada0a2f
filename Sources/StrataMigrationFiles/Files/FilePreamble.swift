import StrataMigrations
import StrataRepository

/// What makes a migration file run in plain psql. Read over by the parser, up to the first step.
enum FilePreamble {
    /// Statements that are safe to repeat.
    ///
    /// - Parameter from: What the database must be at; `nil` for a file that starts from nothing.
    static func statements(
        from: StageScript.Version?, steps: [MigrationStep], script: StageScript
    ) -> [String] {
        let to: String = from == script.to ? script.from?.version.description ?? "nothing" : "\(script.to.version)"
        let texts = [script.schemaName, script.stem, from?.version.description, from?.fingerprint, to]
        let arguments = ["\(LibraryInstallation.version)"] + texts.map { $0.map { SQLFragment.literal($0) } ?? "NULL" }
        let beginning = "SELECT \"strata\".\"migration_begin\"(\(arguments.joined(separator: ", ")))"
        return [beginning] + (steps.contains(where: \.walksNumbers) ? PsqlDressing.range(of: .integer, "SET") : [])
    }
}

extension MigrationStep {
    fileprivate var walksNumbers: Bool {
        if case .batches(_, _, _, .integer) = execution { true } else { false }
    }
}
