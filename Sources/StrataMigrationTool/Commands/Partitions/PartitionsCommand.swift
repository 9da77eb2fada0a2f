import ArgumentParser

/// `partitions`: a name for the commands below it.
struct PartitionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "partitions",
        abstract:
            "Looks after the tables of classes that declare #Partition: which partitions there are, making the next, dropping the oldest.",
        subcommands: [PartitionsListCommand.self, PartitionsMaintainCommand.self])
}
