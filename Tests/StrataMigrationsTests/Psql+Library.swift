import StrataMigrations
import StrataTestSupport

extension Psql {
    /// What the tool's command `library` prints.
    static func installLibrary(on database: TestDatabase) throws {
        let complaints = try run(text: LibraryInstallation.script, on: database)
        guard complaints.isEmpty else { throw Complaint(text: complaints) }
    }

    struct Complaint: Error { var text: String }
}
