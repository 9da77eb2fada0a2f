import ArgumentParser

/// `generate`
struct GenerateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes the files that are missing for the plan. Never changes one that is there. Needs no database.")

    @OptionGroup var common: CommonOptions

    @Flag(help: "Writes nothing; ends with 3 when something is missing, with 5 when something released was changed.")
    var check = false

    func perform(in session: ToolSession) throws -> any CommandResult {
        let chain = try session.project.chain()
        let files = session.files(common)
        guard check else {
            return GenerateResult(written: try files.generate(chain, schemaName: common.schema))
        }
        try files.check(chain, schemaName: common.schema)
        return GenerateResult(written: [])
    }
}

/// The files that were written.
struct GenerateResult: CommandResult {
    var written: [String]

    func text(_ style: TextStyle) -> [String] {
        written.isEmpty ? [style.green("All files are there.")] : written.map { "wrote \($0)" }
    }
}
