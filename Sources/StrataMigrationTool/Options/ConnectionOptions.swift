import ArgumentParser

/// Which database.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .customLong("database-url"),
        help: ArgumentHelp(
            "The database, as postgres://user@host:port/name. Without it: DATABASE_URL, else PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD, PGSERVICE … from the environment, else databaseURL in the configuration file. A .env file is not read.",
            valueName: "url"))
    var databaseURL: String?

    @Flag(help: "The project's own development server (.strata in the working directory), started if it does not run.")
    var local = false

    var isNamed: Bool { databaseURL != nil || local }

    @Option(help: ArgumentHelp("Waits this long for the server to answer, such as 60s.", valueName: "time"))
    var wait: TimeSpan?
}
