/// A part of a migration as a careful person would write it by hand, with triggers, batches and short locks.
struct HandWrittenStep {
    let title: String
    /// Each in its own transaction; `$first` and `$last` in it are replaced, and it is repeated for every range of keys.
    let statements: [String]
    var isBatched = false

    init(_ title: String, _ statements: [String]) {
        (self.title, self.statements) = (title, statements)
    }

    /// The history does not record its rows, as it does not where the planner copies.
    init(batches title: String, _ statement: String) {
        (self.title, statements, isBatched) = (title, [statement], true)
    }

    /// In one transaction, which fits the history's triggers to the columns that are left: one that names a column which is gone makes
    /// every write fail.
    init(columns title: String, _ statements: [String]) {
        self.init(title, ["BEGIN"] + statements + ["SELECT strata.history_sync('public')", "COMMIT"])
    }
}

extension HandWrittenStep {
    /// Two columns of `trip` move to a new table `business_trip`, and the class of their rows changes.
    static func split(_ workload: Workload) -> [HandWrittenStep] {
        [
            HandWrittenStep(
                "new table, class column",
                [
                    "CREATE TABLE business_trip (pk bigint PRIMARY KEY, purpose text, per_diem double precision)",
                    "ALTER TABLE trip ADD COLUMN class text NOT NULL DEFAULT 'Trip'",
                ]),
            HandWrittenStep(
                "sync trigger",
                [
                    """
                    CREATE FUNCTION split_sync() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                      IF NEW.purpose IS NOT NULL THEN
                        INSERT INTO business_trip VALUES (NEW.pk, NEW.purpose, NEW.per_diem)
                        ON CONFLICT (pk) DO UPDATE SET purpose = EXCLUDED.purpose, per_diem = EXCLUDED.per_diem;
                      END IF;
                      RETURN NULL;
                    END $$
                    """,
                    """
                    CREATE TRIGGER split_sync AFTER INSERT OR UPDATE OF purpose, per_diem ON trip
                    FOR EACH ROW EXECUTE FUNCTION split_sync()
                    """,
                ]),
            HandWrittenStep(
                batches: "copy rows",
                """
                INSERT INTO business_trip SELECT pk, purpose, per_diem FROM trip
                WHERE pk BETWEEN $first AND $last AND purpose IS NOT NULL ON CONFLICT DO NOTHING
                """),
            HandWrittenStep(
                batches: "change the class",
                "UPDATE trip SET class = 'BusinessTrip' WHERE pk BETWEEN $first AND $last AND purpose IS NOT NULL"),
            HandWrittenStep(
                "foreign key",
                [
                    "ALTER TABLE business_trip ADD FOREIGN KEY (pk) REFERENCES trip ON DELETE CASCADE NOT VALID",
                    "ALTER TABLE business_trip VALIDATE CONSTRAINT business_trip_pk_fkey",
                ]),
            HandWrittenStep("drop the trigger", ["DROP TRIGGER split_sync ON trip", "DROP FUNCTION split_sync"]),
            HandWrittenStep(
                columns: "drop the columns", ["ALTER TABLE trip DROP COLUMN purpose, DROP COLUMN per_diem"]),
        ]
    }

    /// A column of `business_trip` moves to `trip`.
    static func pullUp(_ workload: Workload) -> [HandWrittenStep] {
        [
            HandWrittenStep("new column", ["ALTER TABLE trip ADD COLUMN purpose text"]),
            HandWrittenStep(
                "sync trigger",
                [
                    """
                    CREATE FUNCTION pull_sync() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                      UPDATE trip SET purpose = NEW.purpose WHERE pk = NEW.pk;
                      RETURN NULL;
                    END $$
                    """,
                    """
                    CREATE TRIGGER pull_sync AFTER INSERT OR UPDATE ON business_trip
                    FOR EACH ROW EXECUTE FUNCTION pull_sync()
                    """,
                ]),
            HandWrittenStep(
                batches: "copy values",
                """
                UPDATE trip SET purpose = b.purpose FROM business_trip b
                WHERE b.pk = trip.pk AND b.pk BETWEEN $first AND $last AND trip.pk BETWEEN $first AND $last
                """),
            HandWrittenStep(
                "drop the trigger", ["DROP TRIGGER pull_sync ON business_trip", "DROP FUNCTION pull_sync"]),
            HandWrittenStep(columns: "drop the column", ["ALTER TABLE business_trip DROP COLUMN purpose"]),
        ]
    }

    /// A column of `trip` moves to `business_trip`.
    static func pushDown(_ workload: Workload) -> [HandWrittenStep] {
        [
            HandWrittenStep("new column", ["ALTER TABLE business_trip ADD COLUMN purpose text"]),
            HandWrittenStep(
                "sync trigger",
                [
                    """
                    CREATE FUNCTION push_sync() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                      UPDATE business_trip SET purpose = NEW.purpose WHERE pk = NEW.pk;
                      RETURN NULL;
                    END $$
                    """,
                    """
                    CREATE TRIGGER push_sync AFTER UPDATE OF purpose ON trip
                    FOR EACH ROW EXECUTE FUNCTION push_sync()
                    """,
                ]),
            HandWrittenStep(
                batches: "copy values",
                """
                UPDATE business_trip SET purpose = t.purpose FROM trip t
                WHERE t.pk = business_trip.pk AND t.pk BETWEEN $first AND $last
                AND business_trip.pk BETWEEN $first AND $last
                """),
            HandWrittenStep("drop the trigger", ["DROP TRIGGER push_sync ON trip", "DROP FUNCTION push_sync"]),
            HandWrittenStep(columns: "drop the column", ["ALTER TABLE trip DROP COLUMN purpose"]),
        ]
    }

    /// A column gets a second name, and both hold the same until the first goes.
    static func rename(_ workload: Workload) -> [HandWrittenStep] {
        [
            HandWrittenStep("new column", ["ALTER TABLE trip ADD COLUMN remarks text"]),
            HandWrittenStep(
                "sync trigger",
                [
                    """
                    CREATE FUNCTION rename_sync() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                      IF TG_OP = 'INSERT' THEN
                        NEW.remarks := coalesce(NEW.remarks, NEW.notes);
                        NEW.notes := NEW.remarks;
                      ELSIF NEW.remarks IS DISTINCT FROM OLD.remarks THEN
                        NEW.notes := NEW.remarks;
                      ELSE
                        NEW.remarks := NEW.notes;
                      END IF;
                      RETURN NEW;
                    END $$
                    """,
                    """
                    CREATE TRIGGER rename_sync BEFORE INSERT OR UPDATE ON trip
                    FOR EACH ROW EXECUTE FUNCTION rename_sync()
                    """,
                ]),
            HandWrittenStep(
                batches: "copy values", "UPDATE trip SET remarks = notes WHERE pk BETWEEN $first AND $last"),
            HandWrittenStep(
                "prove that it is never empty",
                [
                    "ALTER TABLE trip ADD CONSTRAINT remarks_set CHECK (remarks IS NOT NULL) NOT VALID",
                    "ALTER TABLE trip VALIDATE CONSTRAINT remarks_set",
                    // In one statement the constraint would go first, and the whole table be scanned under the lock.
                    "ALTER TABLE trip ALTER COLUMN remarks SET NOT NULL",
                    "ALTER TABLE trip DROP CONSTRAINT remarks_set",
                ]),
            HandWrittenStep("drop the trigger", ["DROP TRIGGER rename_sync ON trip", "DROP FUNCTION rename_sync"]),
            HandWrittenStep(columns: "drop the column", ["ALTER TABLE trip DROP COLUMN notes"]),
        ]
    }

    /// A column of text becomes one of numbers.
    static func retype(_ workload: Workload) -> [HandWrittenStep] {
        [
            HandWrittenStep("new column", ["ALTER TABLE trip ADD COLUMN code_new bigint"]),
            HandWrittenStep(
                "sync trigger",
                [
                    """
                    CREATE FUNCTION retype_sync() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                      NEW.code_new := NEW.code::bigint;
                      RETURN NEW;
                    END $$
                    """,
                    """
                    CREATE TRIGGER retype_sync BEFORE INSERT OR UPDATE ON trip
                    FOR EACH ROW EXECUTE FUNCTION retype_sync()
                    """,
                ]),
            HandWrittenStep(
                batches: "convert values",
                "UPDATE trip SET code_new = code::bigint WHERE pk BETWEEN $first AND $last"),
            HandWrittenStep(
                "prove that it is never empty",
                [
                    "ALTER TABLE trip ADD CONSTRAINT code_set CHECK (code_new IS NOT NULL) NOT VALID",
                    "ALTER TABLE trip VALIDATE CONSTRAINT code_set",
                    // In one statement the constraint would go first, and the whole table be scanned under the lock.
                    "ALTER TABLE trip ALTER COLUMN code_new SET NOT NULL",
                    "ALTER TABLE trip DROP CONSTRAINT code_set",
                ]),
            HandWrittenStep("drop the trigger", ["DROP TRIGGER retype_sync ON trip", "DROP FUNCTION retype_sync"]),
            HandWrittenStep(
                columns: "swap the columns",
                ["ALTER TABLE trip DROP COLUMN code", "ALTER TABLE trip RENAME COLUMN code_new TO code"]),
        ]
    }
}
