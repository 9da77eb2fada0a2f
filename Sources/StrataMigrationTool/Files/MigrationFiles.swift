package import StrataMigrations

/// The migration files of a project, as the commands see them.
package protocol MigrationFiles: Sendable {
    /// All stages, in order; checked against the sum file.
    func scripts() throws(MigrationError) -> [StageScript]
    /// Writes what is missing for a plan and changes nothing that is there. Returns the names of the new files.
    func generate(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String]
    /// Throws what `generate` would have to do, and whatever was changed that must not be.
    func check(_ chain: MigrationChain, schemaName: String) throws(MigrationError)
    /// Brings numbers and sums in order after a merge. Returns what was done, one line each.
    func rebase(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String]
    /// Writes one file that creates the newest version directly. Returns what was done, one line each.
    func squash(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String]
    /// Computes the sums anew. Returns what was done, one line each.
    func hash() throws(MigrationError) -> [String]
}
