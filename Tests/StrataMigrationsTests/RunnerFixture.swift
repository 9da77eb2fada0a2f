import Foundation
import StrataClient
import StrataModels
import StrataTestSupport
import Synchronization

@testable import StrataMigrations

/// Two stages by hand, with a step of every kind, and what is needed to run them.
enum RunnerFixture {
    static let v1 = StageScript.Version(Schema.Version(1, 0, 0), fingerprint: "aa11")
    static let v2 = StageScript.Version(Schema.Version(2, 0, 0), fingerprint: "bb22")

    static func recording(_ version: StageScript.Version, stage: String) -> String {
        """
        INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage) \
        VALUES ('public', '\(version.version)', '\(version.fingerprint)', '\(stage)')
        """
    }

    /// Rows with gaps between their keys, as deleted rows leave them.
    static var first: StageScript {
        StageScript(
            number: 1, name: "v1", from: nil, to: v1, schemaName: "public",
            steps: [
                MigrationStep(
                    id: "1.1", phase: .expand, title: "create table trip",
                    statements: [
                        "CREATE TABLE \"public\".\"trip\" (pk bigint PRIMARY KEY, name text NOT NULL, code text)",
                        "INSERT INTO public.trip SELECT n * 7, 'Trip ' || n, n::text FROM generate_series(1, 95) AS n",
                    ]),
                MigrationStep(
                    id: "1.2", phase: .contract, title: "record version 1.0.0",
                    statements: [recording(v1, stage: "0001_v1")]),
            ], down: .steps([drop], checks: []))
    }

    private static let drop = MigrationStep(
        id: "1.1", phase: .contract, title: "drop table trip", statements: ["DROP TABLE public.trip"])

    static let buildIndex = MigrationStep(
        id: "2.3", phase: .backfill, title: "index trip.rating", execution: .alone, lock: .shareUpdateExclusive,
        tables: ["trip"], lockTimeout: 0, statementTimeout: 0,
        statements: ["CREATE INDEX CONCURRENTLY \"trip_rating_idx\" ON public.trip (rating)"],
        done: "SELECT to_regclass('public.trip_rating_idx') IS NOT NULL", index: "trip_rating_idx")

    static var second: StageScript {
        StageScript(
            number: 2, name: "v1_v2", from: v1, to: v2, schemaName: "public",
            checks: [
                DataCheck(
                    code: "M204", title: "Trip.code: String → Int would fail", remedy: "correct the codes",
                    query: "SELECT pk::text, code FROM public.trip WHERE code !~ '^[0-9]+$' ORDER BY trip.pk -- bad")
            ],
            steps: [
                MigrationStep(
                    id: "2.1", phase: .expand, title: "add column trip.rating", lock: .accessExclusive,
                    tables: ["trip"], lockTimeout: 300,
                    statements: ["ALTER TABLE public.trip ADD COLUMN rating bigint"],
                    undo: ["ALTER TABLE public.trip DROP COLUMN rating"]),
                MigrationStep(
                    id: "2.2", phase: .backfill, title: "fill trip.rating",
                    execution: .batches(table: "trip", key: "pk", size: 10), lock: .rowExclusive, tables: ["trip"],
                    statements: [
                        """
                        UPDATE public.trip SET rating = coalesce(rating, 0) + code::bigint \
                        WHERE pk BETWEEN current_setting('strata.batch_first')::bigint \
                        AND current_setting('strata.batch_last')::bigint
                        """
                    ]),
                buildIndex,
                MigrationStep(
                    id: "2.4", phase: .contract, title: "every trip has a rating", execution: .verify,
                    statements: ["SELECT pk, rating FROM public.trip WHERE rating IS DISTINCT FROM code::bigint"]),
                MigrationStep(
                    id: "2.5", phase: .contract, title: "drop column trip.code", lock: .accessExclusive,
                    tables: ["trip"], statements: ["ALTER TABLE public.trip DROP COLUMN code"]),
                MigrationStep(
                    id: "2.6", phase: .contract, title: "record version 2.0.0",
                    statements: [recording(v2, stage: "0002_v1_v2")]),
            ],
            down: .steps(
                [
                    MigrationStep(
                        id: "2.1", phase: .contract, title: "bring trip.code back",
                        statements: [
                            "ALTER TABLE public.trip ADD COLUMN code text",
                            "UPDATE public.trip SET code = rating::text",
                        ]),
                    MigrationStep(
                        id: "2.2", phase: .contract, title: "drop trip.rating",
                        statements: ["ALTER TABLE public.trip DROP COLUMN rating"]),
                ], checks: []))
    }

    static var scripts: [StageScript] { [first, second] }

    /// Everything a run leaves: columns, indexes, rows, versions.
    static func outcome(_ database: TestDatabase) async throws -> [String] {
        try await database.texts(
            """
            SELECT attname || ' ' || atttypid::regtype FROM pg_attribute \
            WHERE attrelid = 'public.trip'::regclass AND attnum > 0 AND NOT attisdropped \
            UNION ALL SELECT relname || ' ' || indisvalid FROM pg_index JOIN pg_class ON oid = indexrelid \
            WHERE indrelid = 'public.trip'::regclass \
            UNION ALL SELECT count(*) || ' rows, ' || sum(rating) FROM public.trip \
            UNION ALL SELECT 'version ' || version FROM strata.schema_version ORDER BY 1
            """)
    }

    static let expectedOutcome = [
        "95 rows, 4560", "name text", "pk bigint", "rating bigint", "trip_pkey true", "trip_rating_idx true",
        "version 1.0.0", "version 2.0.0",
    ]
}

/// Runs a runner outside of the concurrency's threads, which it would block, and keeps what it tells.
final class RunnerProbe: Sendable {
    let database: TestDatabase
    private let told = Mutex<[MigrationEvent]>([])

    init(_ database: TestDatabase) {
        self.database = database
    }

    var events: [MigrationEvent] { told.withLock { $0 } }

    /// The ids of the steps that were really run, in order.
    var finishedSteps: [String] {
        events.compactMap { if case .stepFinished(let step, _, _, _) = $0 { step } else { nil } }
    }

    var process: Int32? {
        events.compactMap { if case .lockAcquired(let pid) = $0 { pid } else { nil } }.last
    }

    func runner(
        _ options: RunnerOptions = RunnerOptions(), closures: (any StageClosures)? = nil,
        onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
    ) -> MigrationRunner {
        MigrationRunner(
            configuration: database.configuration, schemaName: "public", options: options, closures: closures
        ) { event in
            self.told.withLock { $0.append(event) }
            onEvent(event)
        }
    }

    func apply(
        _ scripts: [StageScript] = RunnerFixture.scripts, through phase: MigrationPhase = .contract,
        to number: Int? = nil, options: RunnerOptions = RunnerOptions(), closures: (any StageClosures)? = nil,
        onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
    ) async throws {
        let runner = runner(options, closures: closures, onEvent: onEvent)
        try await blocking { try runner.apply(scripts, through: phase, to: number) }
    }

    func state(_ scripts: [StageScript] = RunnerFixture.scripts) async throws -> MigrationState {
        let runner = runner()
        return try await blocking { try runner.state(of: scripts) }
    }

    /// The error the call ends with; the test fails when it ends well.
    func refusal(
        _ scripts: [StageScript] = RunnerFixture.scripts, through phase: MigrationPhase = .contract,
        options: RunnerOptions = RunnerOptions(), closures: (any StageClosures)? = nil,
        onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
    ) async throws -> MigrationError {
        do {
            try await apply(scripts, through: phase, options: options, closures: closures, onEvent: onEvent)
        } catch let error as MigrationError {
            return error
        }
        throw Unexpected(text: "the run has ended well")
    }

    /// Waits until something was told; the time limit of the test ends a wait in vain.
    func wait(for isMeant: @escaping @Sendable (MigrationEvent) -> Bool) async throws {
        while !events.contains(where: isMeant) { try await Task.sleep(for: .milliseconds(20)) }
    }

    func terminate(_ process: Int32) throws {
        let connection = try PostgresConnection.connect(database.configuration)
        defer { connection.close() }
        try connection.run(PostgresBatch(PostgresStatement("SELECT pg_terminate_backend(\(process))")))
    }
}

struct Unexpected: Error {
    var text: String
}

func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: work)) }.start()
    }
}
