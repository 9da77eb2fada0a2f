import ArgumentParser

/// `squash`
struct SquashCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "squash",
        abstract: "Writes one file that creates the newest version directly, for new databases.")

    @OptionGroup var common: CommonOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        let chain = try session.project.chain()
        return LinesResult(
            try session.files(common).squash(chain, schemaName: common.schema).map { "wrote \($0)" },
            nothing: "Nothing to shorten.")
    }
}
