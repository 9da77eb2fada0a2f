import ArgumentParser

/// What every command understands.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the migration files.", valueName: "folder"))
    var dir = "migrations"

    @Option(help: ArgumentHelp("The PostgreSQL schema the tables are in.", valueName: "name"))
    var schema = "public"

    @Option(help: "How to write results: text for people, json for programs, github for GitHub Actions.")
    var format = OutputFormat.text

    @Flag(name: .shortAndLong, help: "No progress, only the result.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "More, such as the SQL of each step.")
    var verbose = false

    @Flag(
        name: .customLong("no-color"),
        help: "No colour, on a terminal neither. NO_COLOR in the environment says the same.")
    var noColor = false
}
