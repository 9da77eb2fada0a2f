import StrataClient
import StrataRepository
import StrataTestSupport
import Synchronization

@testable import StrataMigrations

/// Runs the stage of an example on a database of its own: undisturbed, or with an end of the backend at every moment.
struct OperationTrial: Sendable {
    /// When the server's process ends.
    enum Moment: String, Sendable {
        case before
        /// In the transaction that carries the step out, or in the second range of rows.
        case during
        /// In a concurrent build or drop of an index.
        case indexing
        case after
    }

    /// All that a run leaves.
    struct Outcome: Sendable {
        var rows: [String]
        var ledger: [String]
        var catalog: CatalogInspection
        var history: [String]
        var locks: [String: ObservedLocks]
    }

    /// The server's process that a runner works with.
    private final class Backend: Sendable {
        let process = Mutex<Int32?>(nil)
    }

    let example: OperationExample

    /// What the run that nobody disturbs leaves; run once in a process.
    static func undisturbed(_ example: OperationExample) async throws -> Outcome {
        let task = runs.withLock { runs in
            if let run = runs[example.testDescription] { return run }
            let run = Task.detached { try await OperationTrial(example: example).run() }
            runs[example.testDescription] = run
            return run
        }
        return try await task.value
    }

    private static let runs = Mutex<[String: Task<Outcome, any Error>]>([:])

    private func run() async throws -> Outcome {
        try await withDatabase { database in
            let runner = runner(database)
            try await blocking { [scripts = example.scripts] in try runner.apply(scripts) }
            return try await outcome(database)
        }
    }

    /// Ends the backend at every moment of every step, one after the other on one database, and lets the next run go on.
    func runKilled() async throws -> (outcome: Outcome, kills: Int) {
        try await withDatabase { database in
            var kills = 0
            for step in example.stage.steps {
                for moment in moments(of: step) {
                    if try await runKilled(moment, step, on: database) { kills += 1 }
                    if moment == .after { try await database.expectWritable() }
                }
            }
            let runner = runner(database)
            try await blocking { [scripts = example.scripts] in try runner.apply(scripts) }
            return (try await outcome(database), kills)
        }
    }

    /// How often a run must not come to its end: behind the last step nothing is left to be said.
    var expectedKills: Int { example.stage.steps.reduce(-1) { $0 + moments(of: $1).count } }

    private func moments(of step: MigrationStep) -> [Moment] {
        step.execution == .alone ? [.before, .indexing, .during, .after] : [.before, .during, .after]
    }

    /// - Returns: whether the run was ended.
    private func runKilled(
        _ moment: Moment, _ step: MigrationStep, on database: TestDatabase
    ) async throws -> Bool {
        let (stage, id) = (example.stage.stem, step.id)
        if moment == .during || moment == .indexing {
            try await database.execute(
                "INSERT INTO watch.kill VALUES ('\(stage)', '\(id)', '\(moment.rawValue)')")
        }
        let backend = Backend()
        let end = { @Sendable in
            guard let pid = backend.process.withLock({ $0 }) else { return }
            let connection = try PostgresConnection.connect(database.configuration)
            defer { connection.close() }
            try connection.run(PostgresBatch(PostgresStatement("SELECT pg_terminate_backend(\(pid), 10000)")))
        }
        var options = options
        if moment == .after { options.afterStep = { if $0 == id { try end() } } }
        let runner = runner(database, options) { event in
            switch event {
            case .lockAcquired(let pid): backend.process.withLock { $0 = pid }
            case .stepStarted(id, _) where moment == .before: try? end()
            default: break
            }
        }
        var isEnded = false
        do {
            try await blocking { [scripts = example.scripts] in try runner.apply(scripts) }
        } catch let error as MigrationError where error.code == .connection {
            isEnded = true
        }
        try await database.execute("TRUNCATE watch.kill")
        return isEnded
    }

    // MARK: The database

    /// One row in a range, so that a range can be the second one.
    private var options: RunnerOptions { RunnerOptions(batchSize: 1) }

    private func runner(
        _ database: TestDatabase, _ options: RunnerOptions? = nil,
        _ report: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
    ) -> MigrationRunner {
        MigrationRunner(
            configuration: database.configuration, schemaName: "public", options: options ?? self.options,
            closures: ExampleClosures(database: database), report: report)
    }

    private func withDatabase<Result>(_ body: (TestDatabase) async throws -> Result) async throws -> Result {
        let template = example.earlier.first.map(TestTemplate.version) ?? .watched
        return try await withTestDatabase("operations", template: template) { database in
            try await database.execute(example.seed + Self.killing)
            return try await body(database)
        }
    }

    /// The server ends its own process: no moment can be missed.
    private static let killing = [
        "CREATE TABLE watch.kill (stage text, step text, moment text)",
        """
        CREATE FUNCTION watch.end_in_step() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM watch.kill AS k WHERE k.stage = NEW.stage AND k.step = NEW.step AND k.moment = 'during')
                AND (NEW.state = 'done' OR TG_OP = 'UPDATE' AND OLD.checkpoint < NEW.checkpoint)
            THEN
                PERFORM pg_terminate_backend(pg_backend_pid());
                PERFORM pg_sleep(10);
            END IF;
            RETURN NULL;
        END
        $$
        """,
        """
        CREATE TRIGGER watch_end AFTER INSERT OR UPDATE ON strata.migration_step
        FOR EACH ROW EXECUTE FUNCTION watch.end_in_step()
        """,
        // A build outside of a transaction has its locks here, and no record of the ledger beside it.
        """
        CREATE FUNCTION watch.end_in_index() RETURNS event_trigger LANGUAGE plpgsql AS $$
        DECLARE
            running record;
        BEGIN
            SELECT s.stage, s.step INTO running FROM strata.migration_step AS s WHERE s.state = 'started';
            IF EXISTS (SELECT FROM watch.kill AS k WHERE k.moment = 'indexing') THEN
                PERFORM pg_terminate_backend(pg_backend_pid());
                PERFORM pg_sleep(10);
            END IF;
            IF running.step IS NOT NULL THEN PERFORM watch.note(running.stage, running.step); END IF;
        END
        $$
        """,
        """
        CREATE EVENT TRIGGER watch_index ON ddl_command_end WHEN TAG IN ('CREATE INDEX', 'DROP INDEX')
        EXECUTE FUNCTION watch.end_in_index()
        """,
    ]

    // MARK: What is left

    private func outcome(_ database: TestDatabase) async throws -> Outcome {
        let tables = try await database.texts(
            """
            SELECT format('%I', relname) FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm') ORDER BY 1
            """)
        var rows: [String] = []
        for table in tables {
            rows += try await database.texts(
                "SELECT '\(table) ' || to_jsonb(t)::text FROM public.\(table) AS t ORDER BY 1")
        }
        let ledger = try await database.texts(
            """
            SELECT line FROM (
                SELECT (to_jsonb(s) - '{started, finished}'::text[])::text AS line FROM strata.migration_step AS s
                UNION ALL
                SELECT (to_jsonb(v) - '{number, applied}'::text[])::text FROM strata.schema_version AS v
            ) AS ledger ORDER BY 1
            """)
        let connection = try await database.connect()
        defer { connection.close() }
        let catalog = try await CatalogInspection.read(schemaName: "public", connection: connection)
        let history = try await database.texts(
            "SELECT concat_ws(' ', relation, name, problem) FROM strata.history_findings('public') ORDER BY 1")
        return Outcome(
            rows: rows, ledger: ledger, catalog: catalog, history: history,
            locks: try await StepWatch(database: database).locks(of: example.stage.stem))
    }
}
