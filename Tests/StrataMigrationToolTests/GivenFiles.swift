import StrataMigrationTool
import StrataMigrations

/// Files that are values: stages as given, everything else fails or says nothing.
struct GivenFiles: MigrationFiles {
    var given: [StageScript] = []
    /// What `generate` would write.
    var missing: [String] = []

    func scripts() throws(MigrationError) -> [StageScript] { given }

    func generate(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] { missing }

    func check(_ chain: MigrationChain, schemaName: String) throws(MigrationError) {
        guard !missing.isEmpty else { return }
        throw MigrationError(.difference, "Files are missing.", places: missing, remedy: "run generate")
    }

    func rebase(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] { [] }
    func squash(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] { [] }
    func hash() throws(MigrationError) -> [String] { ["sum of 0001_v1.sql"] }
}
