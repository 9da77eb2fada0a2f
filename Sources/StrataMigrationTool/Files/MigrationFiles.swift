import StrataMigrationFiles
import StrataMigrations

/// The migration files of a project, as the commands see them: a folder, by the name the user gave it.
struct MigrationFiles: Sendable {
    private let folder: MigrationFolder
    private let name: String

    /// - Parameter name: What the folder is called in messages.
    init(path: String, name: String) {
        folder = MigrationFolder(path: path)
        self.name = name
    }

    /// All stages, in order; checked against the sum file. None for a folder that is empty, or is not there.
    func scripts() throws(MigrationError) -> [StageScript] {
        try located { () throws(MigrationError) in try folder.contents().all }
    }

    /// Writes what is missing for a plan and changes nothing that is there. Returns the names of the new files.
    func generate(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] {
        try located { () throws(MigrationError) in try folder.generate(chain, schemaName: schemaName) }.map(located)
    }

    /// The same, and the newest stage as the plan has it now. Returns the names of the files that were written and removed.
    func rewrite(
        _ chain: MigrationChain, schemaName: String
    ) throws(MigrationError) -> (written: [String], removed: [String]) {
        let (written, removed) = try located { () throws(MigrationError) in
            try folder.rewrite(chain, schemaName: schemaName)
        }
        return (written.map(located), removed.map(located))
    }

    /// Throws what `generate` would have to do, and whatever was changed that must not be.
    func check(_ chain: MigrationChain, schemaName: String) throws(MigrationError) {
        try located { () throws(MigrationError) in try folder.check(chain, schemaName: schemaName) }
    }

    /// Brings numbers and sums in order after a merge. Returns what was done, one line each.
    func rebase(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] {
        try located { () throws(MigrationError) in try folder.rebase(chain, schemaName: schemaName) }
    }

    /// Writes one file that creates the newest version directly. Returns the names of the new files.
    func squash(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] {
        try located { () throws(MigrationError) in try folder.squash(chain, schemaName: schemaName) }.map(located)
    }

    /// Computes the sums anew. Returns what was done, one line each.
    func hash() throws(MigrationError) -> [String] {
        try located { () throws(MigrationError) in try folder.hash() }
    }

    // MARK: - Places

    private func located(_ file: String) -> String { name + "/" + file }

    /// Names below the folder become names below the working directory, which editors and GitHub can open.
    private func located<Result>(_ body: () throws(MigrationError) -> Result) throws(MigrationError) -> Result {
        do {
            return try body()
        } catch {
            let places = error.places.map { place in
                let file = place.prefix { $0 != ":" && $0 != " " }
                return [".sql", ".json", ".sum"].contains { file.hasSuffix($0) } ? located(place) : place
            }
            throw MigrationError(
                error.code, error.message, places: places, remedy: error.remedy, underlying: error.underlying)
        }
    }
}
