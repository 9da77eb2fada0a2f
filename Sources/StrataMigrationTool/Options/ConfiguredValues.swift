/// What a configuration file can say: each for all environments, or for one.
struct ConfiguredValues: Hashable, Sendable {
    var databaseURL: String?
    var schema: String?
    var dir: String?
    /// Patterns of what belongs to others.
    var ignore: [String]?
    /// How the schemas of tenants begin.
    var tenantPrefix: String?

    /// These, and where they say nothing, those.
    func over(_ general: ConfiguredValues) -> ConfiguredValues {
        ConfiguredValues(
            databaseURL: databaseURL ?? general.databaseURL, schema: schema ?? general.schema,
            dir: dir ?? general.dir, ignore: ignore ?? general.ignore,
            tenantPrefix: tenantPrefix ?? general.tenantPrefix)
    }
}
