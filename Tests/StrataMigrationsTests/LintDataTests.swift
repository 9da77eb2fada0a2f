import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

@Suite struct LintDataTests {
    static let long = String(repeating: "a", count: 64)

    static let cases: [LintCase] = [
        LintCase(
            .notNullWithoutDefault, "ALTER TABLE trip ADD COLUMN a text NOT NULL",
            quiet: "ALTER TABLE trip ADD COLUMN a text NOT NULL DEFAULT ''"),
        LintCase(
            .notNullWithoutDefault, "ALTER TABLE trip ADD a text DEFAULT NULL NOT NULL",
            quiet: "CREATE TABLE trip (b text); ALTER TABLE trip ADD a text NOT NULL"),
        LintCase(
            .uncheckedCast, "ALTER TABLE trip ALTER code TYPE bigint USING code::bigint",
            quiet: "ALTER TABLE trip ALTER count TYPE numeric USING count::numeric", target: LintLockingTests.trip),
        LintCase(
            .dropBeforeContract, "ALTER TABLE trip DROP COLUMN a",
            quiet: "ALTER TABLE trip ADD COLUMN a text; ALTER TABLE trip DROP COLUMN a"),
        LintCase(.dropBeforeContract, "DROP TABLE trip", quiet: "CREATE TABLE scratch (a text); DROP TABLE scratch"),
        LintCase(
            .dropBeforeContract, "ALTER TABLE trip DROP CONSTRAINT c",
            quiet: """
                BEGIN; ALTER TABLE trip DROP CONSTRAINT c; ALTER TABLE trip ADD CONSTRAINT c CHECK (a > 1) NOT VALID; COMMIT
                """),
        LintCase(
            .renameBreaksClients, "ALTER TABLE trip RENAME TO journey",
            quiet: "BEGIN; ALTER TABLE trip RENAME TO journey; CREATE VIEW trip AS SELECT a FROM journey; COMMIT"),
        LintCase(
            .renameBreaksClients, "ALTER TABLE trip RENAME a TO b", quiet: "ALTER TABLE trip RENAME CONSTRAINT a TO b"),
        LintCase(
            .renameBreaksClients, "ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'", quiet: "ALTER INDEX a RENAME TO b"),
        LintCase(
            .renameBreaksClients, "ALTER MATERIALIZED VIEW trips RENAME TO journeys",
            quiet: "CREATE VIEW trips_new AS SELECT 1; DROP VIEW trips; ALTER VIEW trips_new RENAME TO trips"),
        LintCase(
            .renameBreaksClients, "BEGIN; ALTER VIEW trips RENAME TO trips_old; COMMIT",
            quiet: """
                CREATE VIEW trips_new AS SELECT 1; BEGIN; ALTER VIEW trips RENAME TO trips_old;
                ALTER VIEW trips_new RENAME TO trips; COMMIT
                """),
        LintCase(
            .renameBreaksClients,
            "BEGIN; ALTER TYPE mood RENAME TO old; ALTER TYPE mood_new RENAME TO mood; COMMIT",
            quiet: "ALTER INDEX a RENAME TO b"),
        LintCase(.renameBreaksClients, "ALTER TABLE trip SET SCHEMA other", quiet: "ALTER TABLE trip SET (a = 1)"),
        LintCase(
            .enumValueRemoved, "DELETE FROM pg_catalog.pg_enum WHERE enumlabel = 'sad'",
            quiet: "DELETE FROM moods WHERE name = 'sad'"),
        LintCase(
            .enumValueUsedInTransaction,
            "BEGIN; ALTER TYPE mood ADD VALUE 'ok' AFTER 'sad'; UPDATE trip SET m = 'ok' WHERE pk = 1; COMMIT",
            quiet: "ALTER TYPE mood ADD VALUE 'ok' AFTER 'sad'; UPDATE trip SET m = 'ok' WHERE pk = 1"),
        LintCase(
            .enumValueWithoutPlace, "ALTER TYPE mood ADD VALUE 'ok'",
            quiet: "ALTER TYPE mood ADD VALUE 'ok' BEFORE 'sad'"),
        LintCase(
            .uniqueProtectionGap,
            "ALTER TABLE trip DROP CONSTRAINT trip_code; CREATE UNIQUE INDEX CONCURRENTLY i ON trip (name)",
            quiet: "CREATE UNIQUE INDEX CONCURRENTLY i ON trip (name); ALTER TABLE trip DROP CONSTRAINT trip_code",
            target: LintLockingTests.trip),
        LintCase(
            .checkBeforeBackfill,
            "ALTER TABLE trip ADD CHECK (a IS NOT NULL) NOT VALID; UPDATE trip SET a = 1 WHERE pk = 1",
            quiet: "UPDATE trip SET a = 1 WHERE pk = 1; ALTER TABLE trip ADD CHECK (a IS NOT NULL) NOT VALID"),
        LintCase(
            .concurrentIndexIfNotExists, "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON trip (a)",
            quiet: "CREATE INDEX CONCURRENTLY i ON trip (a)"),
        LintCase(
            .droppedColumnInTriggerFunction, "ALTER TABLE trip DROP COLUMN a",
            quiet: """
                BEGIN; CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$;
                ALTER TABLE trip DROP COLUMN a; COMMIT
                """,
            target: LintTarget(triggerFunctions: ["trip": ["f": "BEGIN NEW.b := NEW.a; RETURN NEW; END"]])),
        LintCase(
            .selectStar, "CREATE VIEW v AS SELECT t.* FROM trip t",
            quiet: "SELECT count(*) FROM trip t WHERE EXISTS (SELECT * FROM person WHERE a * 2 = 4)"),
        LintCase(
            .identifierTooLong, "ALTER TABLE trip ADD COLUMN \(long) text",
            quiet: "ALTER TABLE trip ADD COLUMN \(long.dropLast()) text DEFAULT '\(long)'"),
    ]

    @Test(arguments: cases) func rule(_ example: LintCase) { expectOnlyFiring(example) }
}
