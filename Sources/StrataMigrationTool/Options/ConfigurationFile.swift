import Foundation
import StrataMigrations

/// `strata.json`: what need not be typed for each call.
///
/// ```json
/// {
///     "dir": "migrations",
///     "environments": {
///         "staging": { "databaseURL": "postgres://deploy@staging.internal/trips" },
///         "production": { "databaseURL": "postgres://deploy@db.internal/trips", "schema": "app", "ignore": ["legacy_*"] }
///     }
/// }
/// ```
///
/// Passwords belong into libpq's passfile or `PGPASSWORD`, not here.
struct ConfigurationFile {
    static let defaultName = "strata.json"

    private static let valueKeys = ["databaseURL", "schema", "dir", "ignore", "tenantPrefix"]
    private static let environmentsKey = "environments"

    private let name: String
    private let general: ConfiguredValues
    private let environments: [String: ConfiguredValues]

    /// The values for a call: those of the named environment over those for all. Without a file there are none.
    ///
    /// - Throws: `MigrationError` with the code `usage` for a file that is named and missing, that is not as it must be,
    ///   or that does not have the environment.
    static func values(for options: CommonOptions, directory: String) throws(MigrationError) -> ConfiguredValues {
        let name = options.configurationFile ?? defaultName
        let path = name.hasPrefix("/") ? name : directory + "/" + name
        guard options.configurationFile != nil || FileManager.default.fileExists(atPath: path) else {
            guard let environment = options.environmentName else { return ConfiguredValues() }
            throw MigrationError(
                .usage, "--env \(environment) needs a configuration file, and there is no \(name).",
                remedy: "write {\"environments\": {\"\(environment)\": {\"databaseURL\": \"postgres://…\"}}} into it")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MigrationError(.usage, "The configuration file \(name) cannot be read.")
        }
        return try ConfigurationFile(data, name: name).values(of: options.environmentName)
    }

    init(_ data: Data, name: String) throws(MigrationError) {
        self.name = name
        let content: Any
        do {
            content = try JSONSerialization.jsonObject(with: data)
        } catch {
            let reason = (error as NSError).userInfo["NSDebugDescription"].map { ": \($0)" } ?? ""
            throw MigrationError(.usage, "The configuration file \(name) is no JSON\(reason).")
        }
        guard let all = content as? [String: Any] else { throw Self.wrong("the file", "an object", name) }
        general = try Self.values(all, also: [Self.environmentsKey], place: "the file", name)
        var environments: [String: ConfiguredValues] = [:]
        if let content = all[Self.environmentsKey] {
            guard let content = content as? [String: Any] else {
                throw Self.wrong(Self.environmentsKey, "an object", name)
            }
            for (key, value) in content {
                guard let value = value as? [String: Any] else { throw Self.wrong(key, "an object", name) }
                environments[key] = try Self.values(value, place: key, name)
            }
        }
        self.environments = environments
    }

    func values(of environment: String?) throws(MigrationError) -> ConfiguredValues {
        guard let environment else { return general }
        guard let values = environments[environment] else {
            let known = environments.keys.sorted().joined(separator: ", ")
            throw MigrationError(
                .usage, "\(name) has no environment \(environment).",
                remedy: known.isEmpty ? "add it under \"\(Self.environmentsKey)\"" : "use one of \(known)")
        }
        return values.over(general)
    }

    /// A key that means nothing is an error: it is a misspelled one.
    private static func values(
        _ content: [String: Any], also others: [String] = [], place: String, _ file: String
    ) throws(MigrationError) -> ConfiguredValues {
        if let unknown = content.keys.sorted().first(where: { !(valueKeys + others).contains($0) }) {
            throw MigrationError(
                .usage, "\(file): \(place) has a key that means nothing: \(unknown).",
                remedy: "use " + (valueKeys + others).joined(separator: ", "))
        }
        func text(_ key: String) throws(MigrationError) -> String? {
            guard let value = content[key] else { return nil }
            guard let text = value as? String else { throw wrong("\(key) of \(place)", "a text", file) }
            return text
        }
        var values = ConfiguredValues()
        values.databaseURL = try text("databaseURL")
        values.schema = try text("schema")
        values.dir = try text("dir")
        values.tenantPrefix = try text("tenantPrefix")
        if let ignore = content["ignore"] {
            guard let tables = ignore as? [String] else {
                throw wrong(
                    "ignore of \(place)", "a list of names of tables, and of patterns such as index:trip.tmp_*", file)
            }
            values.ignore = tables
        }
        return values
    }

    private static func wrong(_ what: String, _ wanted: String, _ file: String) -> MigrationError {
        MigrationError(.usage, "\(file): \(what) must be \(wanted).")
    }
}
