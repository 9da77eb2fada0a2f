import ArgumentParser

/// `rebase`
struct RebaseCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebase",
        abstract: "Brings numbers and sums of the files in order after a merge of two branches.")

    @OptionGroup var common: CommonOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        let chain = try session.project.chain()
        return LinesResult(
            try session.files(common).rebase(chain, schemaName: common.schema), nothing: "All files are in order.")
    }
}
