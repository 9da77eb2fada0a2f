package import ArgumentParser

/// Which database, by an address or by the environment: the same of every command that works on one.
package struct DatabaseOption: ParsableArguments {
    @Option(
        name: .customLong("database-url"),
        help: ArgumentHelp(
            "The database, as postgres://user@host:port/name. Without it: DATABASE_URL, else PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD, PGSERVICE … from the environment, else, where there is a configuration file, its databaseURL. A .env file is not read.",
            valueName: "url"))
    package var databaseURL: String?

    package init() {}
}
