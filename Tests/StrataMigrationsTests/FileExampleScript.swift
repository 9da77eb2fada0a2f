import StrataMigrations
import StrataModels

enum ExampleScript {
    static let script = StageScript(
        number: 4, name: "v3_v4", from: .init(Schema.Version(3, 0, 0), fingerprint: "aa"),
        to: .init(Schema.Version(4, 0, 0), fingerprint: "bb"), schemaName: "public",
        checks: [
            DataCheck(
                code: "M204", title: "trip.code is too long", remedy: "shorten it",
                query: "SELECT pk::text, code FROM public.trip\nWHERE length(code) > 3")
        ],
        steps: [
            MigrationStep(
                id: "4.1", phase: .expand, title: "run willMigrate", execution: .closure(.willMigrate), statements: []),
            MigrationStep(
                id: "4.2", phase: .expand, title: "add column trip.rating", lock: .accessExclusive, tables: ["trip"],
                statements: [
                    "ALTER TABLE public.trip ADD COLUMN rating bigint", "COMMENT ON TABLE public.trip IS 'none'",
                ],
                done: "SELECT true", undo: ["ALTER TABLE public.trip\n    DROP COLUMN rating"]),
            MigrationStep(
                id: "4.3", phase: .backfill, title: "fill trip.rating",
                execution: .batches(table: "trip", key: "pk", size: 10_000), lock: .rowExclusive, tables: ["trip"],
                history: .off,
                statements: [
                    "UPDATE public.trip SET rating = 1 WHERE pk BETWEEN current_setting('strata.batch_first')::bigint AND "
                        + "current_setting('strata.batch_last')::bigint"
                ]),
            MigrationStep(
                id: "4.4", phase: .backfill, title: "index trip.rating", execution: .alone, lock: .shareUpdateExclusive,
                tables: ["trip"], lockTimeout: 0, statementTimeout: 0,
                statements: ["CREATE INDEX CONCURRENTLY trip_rating ON public.trip (rating)"], index: "trip_rating"),
            MigrationStep(
                id: "4.5", phase: .contract, title: "every trip has a rating", execution: .verify,
                statements: ["SELECT pk, rating FROM public.trip WHERE rating IS NULL"]),
            MigrationStep(
                id: "4.6", phase: .contract, title: "drop column trip.notes", lock: .accessExclusive, tables: ["trip"],
                statements: ["ALTER TABLE public.trip DROP COLUMN notes"], notes: ["drops trip.notes (acknowledged)"]),
            MigrationStep(
                id: "4.7", phase: .contract, title: "record version 4.0.0",
                statements: [
                    "INSERT INTO \"strata\".\"schema_version\" (schema_name, version, fingerprint, stage) "
                        + "VALUES ('public', '4.0.0', 'bb', '0004_v3_v4')"
                ]),
        ],
        down: .none(reason: "trip.notes is gone"), notes: ["two steps\nof one change"])

    static let checksText = """
        -- Checks of 0004_v3_v4. Each query lists what is wrong; nothing is changed while one of them finds rows.

        -- check M204
        --   trip.code is too long
        -- remedy: shorten it
        SELECT pk::text, code FROM public.trip
        WHERE length(code) > 3;

        -- step 4.5
        --   every trip has a rating
        SELECT pk, rating FROM public.trip WHERE rating IS NULL;

        """
}

extension ExampleScript {
    static let header = """
        -- Migration 0004_v3_v4: from 3.0.0 to 4.0.0.
        -- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0004_v3_v4.sql
        -- from: 3.0.0 aa
        -- to: 4.0.0 bb
        -- schema: public
        -- down: none
        -- because: trip.notes is gone
        -- checks: 0004_v3_v4.checks.sql
        -- note: two steps
        --  | of one change
        -- ! step 4.6 drops trip.notes (acknowledged)

        SELECT "strata"."migration_begin"(\(LibraryInstallation.version), 'public', '0004_v3_v4', '3.0.0', 'aa', '4.0.0');
        SET strata.batch_first = '-9223372036854775808';
        """

    static let batchSection = """
        -- step 4.3 phase=backfill tx=batches(trip,pk,10000) lock=RowExclusive tables=trip lock_timeout=2s timeout=60s \
        history=off
        --   fill trip.rating
        BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; \
        SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
        UPDATE public.trip SET rating = 1 WHERE pk BETWEEN current_setting('strata.batch_first')::bigint AND \
        current_setting('strata.batch_last')::bigint;
        COMMIT;

        """
}
