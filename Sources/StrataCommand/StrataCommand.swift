import ArgumentParser

/// `strata`: what a project begins with.
@main struct StrataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strata", abstract: "Begins a project on Strata.",
        subcommands: [NewCommand.self, IntrospectCommand.self])
}
