import StrataRepository
import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

@Suite struct LintLockingTests {
    static let trip = LintTarget(
        before: DatabaseDefinition(tables: [
            TableDefinition(
                name: "trip",
                columns: [
                    ColumnDefinition(name: "pk", type: "bigint"),
                    ColumnDefinition(name: "name", type: "varchar(100)", isNullable: true),
                    ColumnDefinition(name: "price", type: "numeric(10,2)", isNullable: true),
                    ColumnDefinition(name: "start", type: "timestamp", isNullable: true),
                    ColumnDefinition(name: "count", type: "integer", isNullable: true),
                    ColumnDefinition(name: "code", type: "text", isNullable: true),
                ],
                primaryKey: PrimaryKeyDefinition(name: "trip_pkey", columns: ["pk"]),
                uniques: [UniqueDefinition(name: "trip_code", columns: ["code"])],
                foreignKeys: [
                    ForeignKeyDefinition(
                        name: "trip_person", columns: ["person"], referencedTable: "person", referencedColumns: ["pk"],
                        onDelete: .cascade)
                ],
                checks: [CheckDefinition(name: "trip_count", condition: .expression("(count IS NOT NULL)"))])
        ]))

    static let cases: [LintCase] = [
        LintCase(.unreadableSql, "SELECT 'open", quiet: "SELECT 'closed'"),
        LintCase(
            .indexNotConcurrent, "CREATE INDEX i ON trip (name)", quiet: "CREATE INDEX CONCURRENTLY i ON trip (name)"),
        LintCase(
            .indexNotConcurrent, "CREATE UNIQUE INDEX ON ONLY public.\"trip\" USING btree (name)",
            quiet: "CREATE TABLE trip (name text); CREATE INDEX i ON trip (name)"),
        LintCase(.dropIndexNotConcurrent, "DROP INDEX IF EXISTS a, b", quiet: "DROP INDEX CONCURRENTLY a"),
        LintCase(.reindexNotConcurrent, "REINDEX TABLE trip", quiet: "REINDEX (VERBOSE, CONCURRENTLY) TABLE trip"),
        LintCase(
            .concurrentInTransaction, "BEGIN; CREATE INDEX CONCURRENTLY i ON trip (name); COMMIT",
            quiet: "CREATE INDEX CONCURRENTLY i ON trip (name)"),
        LintCase(
            .concurrentInTransaction, "BEGIN; DROP INDEX CONCURRENTLY i; COMMIT",
            quiet: "BEGIN; COMMIT; DROP INDEX CONCURRENTLY i"),
        LintCase(
            .concurrentIndexServer, "CREATE INDEX CONCURRENTLY i ON trip (name)",
            quiet: "CREATE INDEX i ON trip (name)",
            target: LintTarget(serverVersion: 140_003)),
        LintCase(
            .uniqueConstraintDirect, "ALTER TABLE trip ADD CONSTRAINT u UNIQUE (name)",
            quiet: "ALTER TABLE trip ADD CONSTRAINT u UNIQUE USING INDEX u"),
        LintCase(.columnUnique, "ALTER TABLE trip ADD a text UNIQUE", quiet: "ALTER TABLE trip ADD a text"),
        LintCase(
            .primaryKeyDirect, "ALTER TABLE trip ADD PRIMARY KEY (pk)",
            quiet: "ALTER TABLE trip ADD CONSTRAINT p PRIMARY KEY USING INDEX p"),
        LintCase(
            .primaryKeyDirect,
            "CREATE UNIQUE INDEX CONCURRENTLY p ON trip (count); ALTER TABLE trip ADD PRIMARY KEY USING INDEX p",
            quiet: "CREATE UNIQUE INDEX CONCURRENTLY p ON trip (pk); ALTER TABLE trip ADD PRIMARY KEY USING INDEX p",
            target: trip),
        LintCase(
            .foreignKeyValidated, "ALTER TABLE trip ADD CONSTRAINT f FOREIGN KEY (p) REFERENCES person (pk)",
            quiet: "ALTER TABLE trip ADD CONSTRAINT f FOREIGN KEY (p) REFERENCES person (pk) NOT VALID"),
        LintCase(
            .foreignKeyValidated,
            "CREATE TABLE t (pk bigint); INSERT INTO t SELECT pk FROM trip; ALTER TABLE t ADD FOREIGN KEY (pk) REFERENCES trip",
            quiet: "CREATE TABLE t (pk bigint); ALTER TABLE t ADD FOREIGN KEY (pk) REFERENCES trip"),
        LintCase(
            .columnReferencesDefault, "ALTER TABLE trip ADD COLUMN p bigint NOT NULL DEFAULT 1 REFERENCES person",
            quiet: "ALTER TABLE trip ADD COLUMN p bigint REFERENCES person (pk) ON DELETE SET DEFAULT"),
        LintCase(
            .checkValidated, "ALTER TABLE trip ADD CONSTRAINT c CHECK (count > 0)",
            quiet: "ALTER TABLE trip ADD CONSTRAINT c CHECK (count > 0) NOT VALID"),
        LintCase(
            .columnCheckInline, "ALTER TABLE trip ADD COLUMN a integer NOT NULL DEFAULT 0 CHECK (a >= 0)",
            quiet: "ALTER TABLE trip ADD COLUMN a integer NOT NULL DEFAULT 0, ADD CONSTRAINT c CHECK (a >= 0) NOT VALID"
        ),
        LintCase(
            .validateInSameTransaction,
            "BEGIN; ALTER TABLE trip ADD CONSTRAINT c CHECK (a > 0) NOT VALID; ALTER TABLE trip VALIDATE CONSTRAINT c; COMMIT",
            quiet: "ALTER TABLE trip ADD CONSTRAINT c CHECK (a > 0) NOT VALID; ALTER TABLE trip VALIDATE CONSTRAINT c"),
        LintCase(
            .setNotNullUnproven, "ALTER TABLE trip ALTER COLUMN name SET NOT NULL",
            quiet: """
                ALTER TABLE trip ADD CONSTRAINT c CHECK ("name" IS NOT NULL) NOT VALID;
                ALTER TABLE trip VALIDATE CONSTRAINT c;
                ALTER TABLE trip ALTER COLUMN "name" SET NOT NULL, DROP CONSTRAINT c;
                """),
        LintCase(
            .setNotNullUnproven,
            "ALTER TABLE trip ADD CONSTRAINT c CHECK (name IS NOT NULL) NOT VALID; ALTER TABLE trip ALTER name SET NOT NULL",
            quiet: "ALTER TABLE trip ALTER count SET NOT NULL", target: trip),
        LintCase(
            .typeRewrite, "ALTER TABLE trip ALTER COLUMN count TYPE bigint",
            quiet: "ALTER TABLE trip ALTER COLUMN name TYPE character varying(200)", target: trip),
        LintCase(
            .typeRewrite, "ALTER TABLE trip ALTER COLUMN name SET DATA TYPE varchar(50)",
            quiet: "ALTER TABLE trip ALTER COLUMN name TYPE text USING name::text", target: trip),
        LintCase(
            .typeRewrite, "ALTER TABLE trip ALTER COLUMN price TYPE numeric(12, 3)",
            quiet: "ALTER TABLE trip ALTER COLUMN price TYPE numeric(12,2), ALTER code TYPE varchar", target: trip),
        LintCase(
            .typeRewrite, "ALTER TABLE trip ALTER start TYPE timestamptz USING start AT TIME ZONE 'UTC'",
            quiet: "ALTER TABLE trip ALTER COLUMN start TYPE timestamp with time zone", target: trip),
        LintCase(
            .volatileDefault, "ALTER TABLE trip ADD COLUMN u uuid DEFAULT gen_random_uuid()",
            quiet: "ALTER TABLE trip ADD COLUMN u timestamptz NOT NULL DEFAULT now()"),
        LintCase(
            .volatileDefault, "ALTER TABLE trip ADD u timestamptz NOT NULL DEFAULT clock_timestamp()",
            quiet: "ALTER TABLE trip ADD u text DEFAULT 'random()'::varchar(10)"),
        LintCase(
            .identityColumn, "ALTER TABLE trip ADD COLUMN n bigint GENERATED ALWAYS AS IDENTITY",
            quiet: "ALTER TABLE trip ADD COLUMN n bigint"),
        LintCase(
            .generatedStored, "ALTER TABLE trip ADD COLUMN n bigint GENERATED ALWAYS AS (count * 2) STORED",
            quiet: "ALTER TABLE trip ADD COLUMN n bigint GENERATED ALWAYS AS (count * 2) VIRTUAL"),
        LintCase(
            .domainColumn, "ALTER TABLE trip ADD COLUMN e public.email DEFAULT 'a@b'",
            quiet: "ALTER TABLE trip ADD COLUMN e text DEFAULT 'a@b'", target: LintTarget(domains: ["email"])),
        LintCase(
            .domainConstraint, "ALTER DOMAIN email ADD CONSTRAINT c CHECK (VALUE LIKE '%@%')",
            quiet: "ALTER DOMAIN email ADD CONSTRAINT c CHECK (VALUE LIKE '%@%') NOT VALID"),
        LintCase(
            .exclusionConstraint, "ALTER TABLE trip ADD CONSTRAINT e EXCLUDE USING gist (span WITH &&)",
            quiet: "CREATE TABLE trip (span tstzrange, EXCLUDE USING gist (span WITH &&))"),
        LintCase(
            .validateWhileBlocking,
            "BEGIN; ALTER TABLE person ADD COLUMN a text; ALTER TABLE trip VALIDATE CONSTRAINT c; COMMIT",
            quiet: "BEGIN; ALTER TABLE person VALIDATE CONSTRAINT d; ALTER TABLE trip VALIDATE CONSTRAINT c; COMMIT"),
        LintCase(
            .repeatedRewrites, "ALTER TABLE trip ALTER count TYPE bigint; ALTER TABLE trip ALTER code TYPE jsonb",
            quiet: "ALTER TABLE trip ALTER count TYPE bigint, ALTER code TYPE jsonb"),
        LintCase(
            .detachNotConcurrent, "ALTER TABLE trip DETACH PARTITION trip_1",
            quiet: "ALTER TABLE trip DETACH PARTITION trip_1 CONCURRENTLY"),
        LintCase(.vacuumFull, "VACUUM (FULL) trip", quiet: "VACUUM (ANALYZE) trip"),
        LintCase(.vacuumFull, "CLUSTER trip USING trip_pkey", quiet: "ANALYZE trip"),
        LintCase(.lockTable, "LOCK TABLE trip IN SHARE MODE", quiet: "SET lock_timeout = '2s'"),
        LintCase(.storageRewrite, "ALTER TABLE trip SET UNLOGGED", quiet: "ALTER TABLE trip SET (fillfactor = 70)"),
        LintCase(
            .ddlWithBulkChange, "BEGIN; ALTER TABLE trip ADD COLUMN a text; UPDATE trip SET a = name; COMMIT",
            quiet: "ALTER TABLE trip ADD COLUMN a text; UPDATE trip SET a = name"),
        LintCase(
            .createReferencesThenWork,
            "BEGIN; CREATE TABLE t (pk bigint PRIMARY KEY REFERENCES trip); INSERT INTO t SELECT pk FROM trip; COMMIT",
            quiet: "BEGIN; CREATE TABLE t (pk bigint PRIMARY KEY); INSERT INTO t SELECT pk FROM trip; COMMIT"),
        LintCase(
            .dropReferencesWithWork,
            "BEGIN; ALTER TABLE trip DROP CONSTRAINT trip_person; DELETE FROM person; COMMIT",
            quiet: "BEGIN; ALTER TABLE trip DROP CONSTRAINT trip_count; DELETE FROM person; COMMIT", target: trip),
        LintCase(
            .unboundedChange, "UPDATE trip SET a = 1",
            quiet: "UPDATE trip SET a = 1 WHERE pk BETWEEN 1 AND 10000"),
        LintCase(
            .unboundedChange, "DELETE FROM trip USING person WHERE trip.person = person.pk",
            quiet: "DELETE FROM trip WHERE pk IN (SELECT pk FROM trip WHERE a IS NULL LIMIT 1000)"),
        LintCase(
            .unboundedChange, "INSERT INTO t SELECT pk FROM trip WHERE class = 'x'",
            quiet: """
                INSERT INTO t SELECT pk FROM trip WHERE pk BETWEEN current_setting('strata.batch_first')::bigint
                AND current_setting('strata.batch_last')::bigint; INSERT INTO t VALUES (1); INSERT INTO t SELECT 1
                """),
        LintCase(
            .unboundedChange, "WITH x AS (SELECT 1) UPDATE trip SET a = 1",
            quiet: "SELECT a FROM trip FOR UPDATE; UPDATE small SET a = 1",
            target: LintTarget(rowEstimates: ["small": 10])),
        LintCase(
            .recordedBulkChange, "UPDATE trip SET a = 1", quiet: "SET strata.history = off; UPDATE trip SET a = 1",
            target: LintTarget(historyTables: ["trip"])),
        LintCase(.lockTimeoutTooShort, "SET lock_timeout = '500ms'", quiet: "SET LOCAL lock_timeout TO '2s'"),
        LintCase(
            .lockTimeoutOnConcurrentIndex, "SET lock_timeout = '2s'; CREATE INDEX CONCURRENTLY i ON trip (name)",
            quiet: "SET lock_timeout = '2s'; SET lock_timeout = 0; CREATE INDEX CONCURRENTLY i ON trip (name)"),
        LintCase(
            .missingLockTimeout, "ALTER TABLE trip ADD a text",
            quiet: "SET lock_timeout = 2000; ALTER TABLE trip ADD a text"),
        LintCase(
            .triggerWithWork, "BEGIN; ALTER TABLE trip DISABLE TRIGGER ALL; UPDATE trip SET a = 1; COMMIT",
            quiet: "ALTER TABLE trip DISABLE TRIGGER ALL; UPDATE trip SET a = 1"),
        LintCase(
            .triggerWithWork,
            "BEGIN; CREATE TRIGGER t BEFORE UPDATE ON trip FOR EACH ROW EXECUTE FUNCTION f(); DELETE FROM trip; COMMIT",
            quiet: "BEGIN; CREATE TRIGGER t BEFORE UPDATE ON trip FOR EACH ROW EXECUTE FUNCTION f(); COMMIT"),
    ]

    @Test(arguments: cases) func rule(_ example: LintCase) {
        expectOnlyFiring(example)
    }

    /// What the rows cost matters only where there are rows.
    @Test(arguments: cases.filter { ["L101", "L106", "L109", "L111", "L112", "L114", "L115"].contains($0.rule.code) })
    func smallTables(_ example: LintCase) {
        var target = example.target
        target.rowEstimates = ["trip": 1000]
        #expect(!MigrationLint(target: target).findings(sql: example.firing).contains { $0.rule == example.rule })
    }
}
