package import StrataClient
package import StrataMigrations

/// What the commands need of a migration plan.
package struct MigrationProject: Sendable {
    /// The versions and stages; made when a command asks, so that a mistake in the plan is that command's error.
    package var chain: @Sendable () throws(MigrationError) -> MigrationChain
    /// What runs the closures of custom stages on a database and one of its PostgreSQL schemas.
    package var closures: @Sendable (PostgresConfiguration, String) throws(MigrationError) -> (any StageClosures)?

    package init(
        chain: @escaping @Sendable () throws(MigrationError) -> MigrationChain,
        closures: @escaping @Sendable (PostgresConfiguration, String) throws(MigrationError) -> (any StageClosures)? = {
            (_, _) throws(MigrationError) in nil
        }
    ) {
        self.chain = chain
        self.closures = closures
    }
}

extension MigrationProject {
    /// A version by its number (`4.0.0`, `4.0`, `4` or `V4`); the newest for `nil`.
    ///
    /// - Throws: `MigrationError` with the code `usage` that names the versions there are.
    func version(_ text: String?) throws(MigrationError) -> FrozenSchema {
        let versions = try chain().versions
        guard let text else {
            guard let newest = versions.last else { throw MigrationError(.usage, "The plan has no versions.") }
            return newest
        }
        return versions[try VersionText.position(of: text, in: versions.map(\.version))]
    }
}
