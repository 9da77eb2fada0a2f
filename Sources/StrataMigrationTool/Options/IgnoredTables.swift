import ArgumentParser

/// Tables of the PostgreSQL schema that belong to others.
struct IgnoredTables: ParsableArguments {
    @Option(help: ArgumentHelp("A table that belongs to others; legacy_* for all that begin so.", valueName: "table"))
    var ignore: [String] = []

    /// Those of the flag, else those of the configuration file.
    func names(_ common: CommonOptions) -> [String] { ignore.isEmpty ? common.configured.ignore ?? [] : ignore }
}
