import StrataTestSupport

@testable import StrataMigrations

extension TestTemplate {
    /// A database at the version that a first stage creates, made once in a process. What later steps lock is noted.
    static func version(_ first: StageScript) -> TestTemplate {
        shared(first, "version \(first.to.version)") { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([first]) }
            try await StepWatch(database: database).begin()
        }
    }
}
