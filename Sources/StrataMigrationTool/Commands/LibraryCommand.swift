import ArgumentParser
import StrataMigrations

/// `library`
struct LibraryCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Prints the SQL of what Strata keeps in a database for itself, in the schema strata.",
        discussion: """
            Tables and functions. For review, and for migrations that are applied with psql: it comes before the first file, and after an update of the \
            library before the next one. The commands that change a database, and containers, see to it themselves. Safe to \
            repeat, and to run over any older version.
            """)

    @OptionGroup var common: CommonOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        LibraryResult(version: LibraryInstallation.version, sql: LibraryInstallation.script)
    }
}

/// What `library` prints.
struct LibraryResult: CommandResult {
    var version: Int
    var sql: String

    func text(_ style: TextStyle) -> [String] {
        sql.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
