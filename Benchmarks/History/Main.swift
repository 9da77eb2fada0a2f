import ArgumentParser

/// What the history costs, beside the same by hand on the same server.
@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StrataHistoryBenchmarks",
        abstract: "Measures what recording changes costs, and what reading them costs.",
        subcommands: [Record.self, Read.self], defaultSubcommand: Record.self)
}
