import ArgumentParser

/// `generate`
struct GenerateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes the files that are missing for the plan. Never changes one that is there, unless told to. "
            + "Needs no database.")

    @OptionGroup var common: CommonOptions

    @Flag(
        help: "Writes nothing; ends with 3 when something is missing, with 5 when files and plan say different things.")
    var check = false

    @Flag(
        help:
            "Writes the newest stage and its version anew as well, where the plan says something else now. Only as long as no database has them; refused where they were edited by hand."
    )
    var rewrite = false

    func validate() throws {
        guard !(check && rewrite) else { throw ValidationError("--check writes nothing: leave it or --rewrite out.") }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        let chain = try session.project.chain()
        let files = session.files(common)
        if rewrite {
            let (written, removed) = try files.rewrite(chain, schemaName: common.schema)
            return GenerateResult(written: written, removed: removed)
        }
        guard check else {
            return GenerateResult(written: try files.generate(chain, schemaName: common.schema))
        }
        try files.check(chain, schemaName: common.schema)
        return GenerateResult(written: [])
    }
}

/// The files that were written, and those that the plan has no more.
struct GenerateResult: CommandResult {
    var written: [String]
    var removed: [String] = []

    func text(_ style: TextStyle) -> [String] {
        guard !written.isEmpty || !removed.isEmpty else { return [style.green("All files are there.")] }
        return written.map { "wrote \($0)" } + removed.map { "removed \($0)" }
    }
}
