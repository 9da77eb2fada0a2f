import ArgumentParser

/// The tool without a command: shows the help.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrations",
        abstract: "Writes, checks and applies the migrations of a SchemaMigrationPlan.",
        discussion: """
            Settings: a flag comes before the environment (DATABASE_URL, PG*), that before the configuration file \
            (\(ConfigurationFile.defaultName), or what --config names; see --env), and that before the default.

            Exit codes: 0 done or nothing to do, 1 unexpected, 2 usage, 3 difference (something is pending or missing), \
            4 drift, 5 integrity (files, versions and the database's record do not fit together), 6 lint, 7 the data does \
            not allow it, 8 another runner is at work, 9 a lock could not be had (run it again), 10 a step was rolled \
            back, 11 a step failed outside a transaction (apply goes on), 12 no connection, or not the right one, 13 the plan \
            does not say enough, or asks for what cannot be.
            """,
        subcommands: [
            GenerateCommand.self, LintCommand.self, PlanCommand.self, ApplyCommand.self, StatusCommand.self,
            DriftCommand.self,
            RollbackCommand.self, BaselineCommand.self, RepairCommand.self, RebaseCommand.self, SquashCommand.self,
            HashCommand.self, LibraryCommand.self,
            DiagramCommand.self, IntrospectCommand.self, HistoryCommand.self, PartitionsCommand.self,
            TenantsCommand.self,
        ])

    /// A command that is misspelled would be taken for a value of this one, and its options for wrong ones.
    static func requireCommand(in arguments: [String]) throws {
        guard let name = arguments.first, !name.hasPrefix("-"), name != "help" else { return }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.contains(name) else { return }
        throw ValidationError("There is no command “\(name)”. There are: \(names.joined(separator: ", ")).")
    }
}
