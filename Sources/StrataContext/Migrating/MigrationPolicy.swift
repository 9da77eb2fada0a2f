/// What opening a container with a migration plan does with a database that is behind.
public enum MigrationPolicy: Hashable, Sendable {
    /// The stages that are pending are applied, one process at a time; others wait for it. An empty database gets the
    /// tables of the newest version at once.
    case apply
    /// Nothing is written: a database that is behind is an error that names the pending steps. For servers whose
    /// migrations are applied by a command of their own before they start.
    ///
    /// Only steps of phase ``MigrationPhase/contract`` of the newest stage may be pending: they wait until no process
    /// runs the version before. And only those that code of this version can do without; a stage that changes names,
    /// moves rows or runs `didMigrate` in that phase must be complete.
    case verify
}
