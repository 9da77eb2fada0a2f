import ArgumentParser

/// `history`: a name for the commands below it.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract:
            "Looks after the recorded history: how much there is, deleting the oldest of it, partitions, rights.",
        subcommands: [
            HistoryStatusCommand.self, HistorySyncCommand.self, HistoryPruneCommand.self, HistoryPartitionCommand.self,
            HistoryGrantCommand.self,
        ])
}
