import StrataTestSupport

@testable import StrataMigrations

/// Notes, in the database itself and while a runner is at work, which tables each step locks and which it writes anew.
///
/// A runner records a step in the transaction that carries it out: the record's trigger sees the locks before they are gone. A
/// statement outside a transaction is only looked at for rewrites.
struct StepWatch {
    let database: TestDatabase

    /// Begins to watch; the ledger must be there.
    func begin() async throws { try await database.execute(Self.creation) }

    /// What the steps of a stage did to the tables that were there before the stage, by their names in the ledger.
    func locks(of stage: String) async throws -> [String: ObservedLocks] {
        var steps: [String: ObservedLocks] = [:]
        for text in try await database.texts("SELECT found FROM watch.locks('\(stage)') AS found") {
            let parts = text.split(separator: "|").map(String.init)
            var locks = steps[parts[0]] ?? ObservedLocks()
            if parts[2] == "rewritten" { locks.rewritten.insert(parts[1]) } else { locks.add(parts[2], on: parts[1]) }
            steps[parts[0]] = locks
        }
        return steps
    }

    /// `step 2.4, add column trip.rating: trip: AccessExclusiveLock was taken, None is declared`.
    func lines(_ steps: [MigrationStep], of stage: String) async throws -> [String] {
        let locks = try await locks(of: stage)
        return steps.flatMap { step in
            (locks[step.id] ?? ObservedLocks()).lines(exceeding: step).map { "step \(step.id), \(step.title): \($0)" }
        }
    }

    private static let creation = [
        "CREATE SCHEMA watch",
        "CREATE TABLE watch.note (moment integer GENERATED ALWAYS AS IDENTITY, stage text, step text)",
        "CREATE TABLE watch.file (moment integer, relation oid, name name, file oid)",
        "CREATE TABLE watch.lock (moment integer, relation oid, mode text)",
        """
        CREATE FUNCTION watch.note(stage text, step text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            WITH here AS (
                INSERT INTO watch.note (stage, step) VALUES (stage, step) RETURNING moment
            ), locked AS (
                INSERT INTO watch.lock SELECT h.moment, l.relation, l.mode FROM here AS h, pg_locks AS l
                WHERE l.locktype = 'relation' AND l.granted AND l.pid = pg_backend_pid()
            )
            INSERT INTO watch.file SELECT h.moment, c.oid, c.relname, coalesce(pg_relation_filenode(c.oid), 0) FROM here AS h, pg_class AS c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
                -- Whoever locks a table that is divided locks its partitions.
                AND NOT c.relispartition;
        END
        $$
        """,
        """
        CREATE FUNCTION watch.note() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM watch.note(NEW.stage, NEW.step);
            RETURN NULL;
        END
        $$
        """,
        """
        CREATE FUNCTION watch.locks(stage text) RETURNS SETOF text STABLE LANGUAGE sql AS $$
            WITH span AS (
                SELECT n.step, min(n.moment) AS first, max(n.moment) AS last,
                    (SELECT max(b.moment) FROM watch.note AS b WHERE b.moment < min(n.moment)) AS before
                FROM watch.note AS n WHERE n.stage = $1 GROUP BY n.step
            ), known AS (
                SELECT s.step, s.first, s.last, f.relation, f.name, f.file FROM span AS s
                JOIN watch.file AS f ON f.moment = s.before
                WHERE EXISTS (
                    SELECT FROM watch.file AS g
                    WHERE g.moment = (SELECT min(t.before) FROM span AS t) AND g.relation = f.relation)
            )
            SELECT k.step || '|' || k.name || '|' || l.mode FROM known AS k JOIN watch.lock AS l
            ON l.relation = k.relation AND l.moment BETWEEN k.first AND k.last
            UNION ALL
            SELECT k.step || '|' || k.name || '|rewritten' FROM known AS k JOIN watch.file AS f
            ON f.moment = k.last AND f.relation = k.relation AND f.file <> k.file
        $$
        """,
        "SELECT watch.note('before', '')",
        """
        CREATE TRIGGER watch AFTER INSERT OR UPDATE ON strata.migration_step
        FOR EACH ROW EXECUTE FUNCTION watch.note()
        """,
    ]
}
