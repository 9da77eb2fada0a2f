import ArgumentParser

/// What every command understands.
struct CommonOptions: ParsableArguments {
    @Option(
        name: .customLong("dir"),
        help: ArgumentHelp("The folder of the migration files (default: migrations).", valueName: "folder"))
    var dirFlag: String?

    @Option(
        name: .customLong("schema"),
        help: ArgumentHelp("The PostgreSQL schema the tables are in (default: public).", valueName: "name"))
    var schemaFlag: String?

    @Option(
        name: .customLong("env"),
        help: ArgumentHelp("Takes what the configuration file says for this environment.", valueName: "name"))
    var environmentName: String?

    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "The configuration file (default: \(ConfigurationFile.defaultName), where there is one).", valueName: "file"
        ))
    var configurationFile: String?

    @Option(help: "How to write results: text for people, json for programs, github for GitHub Actions.")
    var format = OutputFormat.text

    @Flag(
        name: .shortAndLong,
        help:
            "No progress, only the result; and not that either from apply, rollback and baseline, when all is well and the format is not json."
    )
    var quiet = false

    @Flag(name: .shortAndLong, help: "More, such as the SQL of each step.")
    var verbose = false

    @Flag(
        name: .customLong("no-color"),
        help: "No colour, on a terminal neither. NO_COLOR in the environment says the same.")
    var noColor = false

    /// What the configuration file says; known when it was read.
    var configured = ConfiguredValues()

    private enum CodingKeys: String, CodingKey {
        case dirFlag, schemaFlag, environmentName, configurationFile, format, quiet, verbose, noColor
    }

    var dir: String { dirFlag ?? configured.dir ?? "migrations" }
    var schema: String { schemaFlag ?? configured.schema ?? "public" }
}
