import ArgumentParser

/// What of the PostgreSQL schema belongs to others.
struct IgnoredTables: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A table that belongs to others; legacy_* for all that begin so. Within tables of models: column:trip.old_*, index:*.tmp_*, constraint:.",
            valueName: "pattern"))
    var ignore: [String] = []

    /// Those of the flag, else those of the configuration file.
    func names(_ common: CommonOptions) -> [String] { ignore.isEmpty ? common.configured.ignore ?? [] : ignore }
}
