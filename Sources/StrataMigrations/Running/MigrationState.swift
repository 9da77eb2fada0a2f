package import Foundation
package import StrataModels

/// Where a database stands.
package enum MigrationState: Hashable, Sendable {
    /// No record, and no tables.
    case empty
    /// No record, but these tables.
    case unrecorded(tables: [String])
    /// The version was reached and nothing is under way.
    case at(RecordedVersion)
    /// A stage was begun and is not complete; `version` is the one it started from.
    case inProgress(version: RecordedVersion?, StageProgress)

    /// The newest version that was reached.
    package var version: RecordedVersion? {
        switch self {
        case .empty, .unrecorded: nil
        case .at(let version): version
        case .inProgress(let version, _): version
        }
    }
}

/// A row of `strata.schema_version`.
package struct RecordedVersion: Hashable, Sendable {
    package var number: Int64
    package var version: Schema.Version
    package var fingerprint: String
    /// The stage that led here: `0004_v3_v4`, `baseline` …
    package var stage: String
    package var applied: Date
    package var appliedBy: String
    /// The frozen form as JSON, where it was given.
    package var description: String?

    package init(
        number: Int64, version: Schema.Version, fingerprint: String, stage: String, applied: Date, appliedBy: String,
        description: String? = nil
    ) {
        self.number = number
        self.version = version
        self.fingerprint = fingerprint
        self.stage = stage
        self.applied = applied
        self.appliedBy = appliedBy
        self.description = description
    }
}
