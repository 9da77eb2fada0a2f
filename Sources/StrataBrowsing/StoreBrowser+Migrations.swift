public import Foundation
import StrataClient
import StrataMigrations
import StrataRepository

/// What the database has recorded of migrations.
public struct MigrationRecord: Sendable, Equatable {
    /// A version that was reached.
    public struct Version: Sendable, Equatable {
        /// For example `4.0.0`.
        public let version: String
        /// The stage that led to it.
        public let stage: String
        /// When.
        public let applied: Date
        /// By which role.
        public let appliedBy: String
    }

    /// A step that was begun.
    public struct Step: Sendable, Equatable {
        /// The stage it belongs to.
        public let stage: String
        /// Its number in the stage.
        public let step: String
        /// Whether it has ended.
        public let isDone: Bool
        /// How many rows it has worked on.
        public let rowsDone: Int64
        /// How many rows there were when it began, where somebody has estimated it.
        public let rowsTotal: Int64?
        /// When it was begun.
        public let started: Date
        /// When it ended.
        public let finished: Date?
        /// What it was, in the words of its file, and its SQL; empty where that was not kept.
        public let content: [String]
    }

    /// The versions, the newest first.
    public let versions: [Version]
    /// The steps of all stages, the newest first.
    public let steps: [Step]
    /// The stage that was begun and is not complete.
    public let stageUnderWay: String?
}

extension StoreBrowser {
    /// The record of migrations; `nil` where no migration was ever applied to the schema.
    public func migrations(of schema: StoredSchema) async throws -> MigrationRecord? {
        try await read("read the record of migrations") { connection in
            guard try await connection.has(MigrationLedger.versions, MigrationLedger.steps) else { return nil }
            let versions = try await connection.rows(
                """
                SELECT version, stage, applied, applied_by FROM \(MigrationLedger.versions) \
                WHERE schema_name = \(bind: schema.name) ORDER BY number DESC
                """, "versions"
            ) { row in
                MigrationRecord.Version(
                    version: try row.decode(0), stage: try row.decode(1), applied: try row.decode(2, as: Date.self),
                    appliedBy: try row.decode(3))
            }
            let steps = try await connection.rows(
                """
                SELECT stage, step, state = 'done', rows_done, rows_total, started, finished, content \
                FROM \(MigrationLedger.steps) WHERE schema_name = \(bind: schema.name) ORDER BY started DESC, step DESC
                """, "steps"
            ) { row in
                MigrationRecord.Step(
                    stage: try row.decode(0), step: try row.decode(1), isDone: try row.decode(2),
                    rowsDone: try row.decode(3), rowsTotal: try row.decodeIfPresent(4),
                    started: try row.decode(5, as: Date.self), finished: try row.decodeIfPresent(6, as: Date.self),
                    content: try row.decodeIfPresent(7, as: [String].self) ?? [])
            }
            guard !versions.isEmpty || !steps.isEmpty else { return nil }
            return MigrationRecord(
                versions: versions, steps: steps,
                stageUnderWay: try await Self.stageUnderWay(in: schema, connection)?.recorded)
        }
    }

    /// The name of the stage that was begun and is not complete.
    static func stageUnderWay(in schema: StoredSchema, _ connection: PostgresConnection) async throws -> StageName? {
        try await connection.rows(StageUnderWay.steps(in: schema.name), "stage under way") {
            StageName(recorded: try $0.decode(0))
        }.first
    }
}
