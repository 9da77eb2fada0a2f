package import StrataModels

/// All of one stage: what must hold before, the steps, and the way back. A migration file is one of these, written down.
package struct StageScript: Hashable, Sendable {
    /// A schema version with the fingerprint of its frozen form.
    package struct Version: Hashable, Sendable {
        package var version: Schema.Version
        package var fingerprint: String

        package init(_ version: Schema.Version, fingerprint: String) {
            self.version = version
            self.fingerprint = fingerprint
        }
    }

    package enum Way: Hashable, Sendable {
        case steps([MigrationStep], checks: [DataCheck])
        /// Why there is no way back.
        case none(reason: String)
    }

    /// 1 creates the first version; 4 brings the third version of the plan to the fourth.
    package var number: Int
    /// The file's name without number and extension: `v3_v4`, `v1`.
    package var name: String
    /// The version it starts from; `nil` when it starts from nothing.
    package var from: Version?
    package var to: Version
    /// The PostgreSQL schema the statements name.
    package var schemaName: String
    /// Run before the first statement, but after `willMigrate`; one row in any of them and nothing is executed.
    package var checks: [DataCheck]
    package var steps: [MigrationStep]
    package var down: Way
    /// What a reviewer should know about the stage as a whole.
    package var notes: [String]
    /// `nil` for a stage that was written by hand, and for a squashed one.
    package var generation: StageGeneration?

    package init(
        number: Int, name: String, from: Version?, to: Version, schemaName: String, checks: [DataCheck] = [],
        steps: [MigrationStep], down: Way, notes: [String] = []
    ) {
        self.number = number
        self.name = name
        self.from = from
        self.to = to
        self.schemaName = schemaName
        self.checks = checks
        self.steps = steps
        self.down = down
        self.notes = notes
    }

    /// Who changes rows, for the history: `migration 3.0.0 -> 4.0.0`.
    var author: String { "migration " + (from.map { "\($0.version) -> " } ?? "to ") + "\(to.version)" }
    /// The same on the way back.
    var downAuthor: String { "migration \(to.version) -> " + (from.map { "\($0.version)" } ?? "nothing") }

    /// `0004_v3_v4`.
    package var stem: String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_" + name
    }
}

/// A question to the data that must have no answer before a stage may begin.
package struct DataCheck: Hashable, Sendable {
    /// Stable, for `--allow` and for looking up: `M204`.
    package var code: String
    /// One line: `Trip.code: String → Int would fail`.
    package var title: String
    /// What is offered to do about it.
    package var remedy: String
    /// A query of two columns, the key as text and what is wrong as text; a row for each offender.
    package var query: String

    package init(code: String, title: String, remedy: String, query: String) {
        self.code = code
        self.title = title
        self.remedy = remedy
        self.query = query
    }
}
