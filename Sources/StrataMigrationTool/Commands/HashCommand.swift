import ArgumentParser

/// `hash`
struct HashCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Computes the sums anew, for files that were edited on purpose before they were applied anywhere.")

    @OptionGroup var common: CommonOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        LinesResult(try session.files(common).hash(), nothing: "All sums are right.")
    }
}
