import ArgumentParser
import StrataIntrospection

/// Which database.
struct ConnectionOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOption

    @Flag(help: "The project's own development server (.strata in the working directory), started if it does not run.")
    var local = false

    var databaseURL: String? { database.databaseURL }
    var isNamed: Bool { databaseURL != nil || local }

    @Option(help: ArgumentHelp("Waits this long for the server to answer, such as 60s.", valueName: "time"))
    var wait: TimeSpan?
}
