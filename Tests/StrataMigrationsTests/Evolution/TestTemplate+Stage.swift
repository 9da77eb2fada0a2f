import StrataTestSupport

@testable import StrataMigrations

extension TestTemplate {
    /// A database without a version that has what a runner installs before its first step, made once in a process.
    static let library = TestTemplate("library") { database in
        let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
        _ = try await blocking { try runner.repair([]) }
    }

    /// The same, where it is noted what steps lock.
    static let watched = TestTemplate("watched", on: library) { try await StepWatch(database: $0).begin() }

    /// A database at the version that a first stage creates, made once in a process. What later steps lock is noted.
    static func version(_ first: StageScript) -> TestTemplate {
        shared(first, "version \(first.to.version)", on: watched) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([first]) }
        }
    }
}
