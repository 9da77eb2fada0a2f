import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

/// What only a stage can tell: phases, policies, checks.
@Suite struct LintScriptTests {
    private func rules(_ steps: [MigrationStep], checks: [DataCheck] = [], target: LintTarget = LintTarget())
        -> [LintRule]
    {
        MigrationLint(target: target).findings(in: script(steps, checks: checks)).map(\.rule)
    }

    private func script(_ steps: [MigrationStep], checks: [DataCheck] = []) -> StageScript {
        StageScript(
            number: 4, name: "v3_v4", from: StageScript.Version(Schema.Version(3, 0, 0), fingerprint: "a"),
            to: StageScript.Version(Schema.Version(4, 0, 0), fingerprint: "b"), schemaName: "public", checks: checks,
            steps: steps, down: .none(reason: "it is a test"))
    }

    private func step(
        _ sql: String..., phase: MigrationPhase = .expand, execution: MigrationStep.Execution = .transaction,
        history: MigrationStep.History = .on, lockTimeout: Int = 2000, notes: [String] = []
    ) -> MigrationStep {
        MigrationStep(
            id: "4.1", phase: phase, title: "", execution: execution, history: history, lockTimeout: lockTimeout,
            statements: sql, notes: notes)
    }

    private let check = DataCheck(code: "M1", title: "", remedy: "", query: "SELECT pk::text, name FROM \"trip\"")

    @Test func dropsBelongInTheContractPhase() {
        let drop = "ALTER TABLE trip DROP COLUMN notes"
        #expect(rules([step(drop)]) == [.dropBeforeContract])
        #expect(rules([step(drop, phase: .contract)]) == [.dropUnacknowledged])
        #expect(rules([step(drop, phase: .contract, notes: ["drops trip.notes (acknowledged)"])]) == [])
    }

    @Test func aNoteOnAnotherDropAcknowledgesNothing() {
        let drop = step("DROP TABLE trip", phase: .contract, notes: ["drops stop.notes (acknowledged)"])
        #expect(rules([drop]) == [.dropUnacknowledged])
    }

    @Test func namesChangeInTheContractPhase() {
        let rename = "ALTER TABLE trip RENAME COLUMN name TO title"
        #expect(rules([step(rename)]) == [.renameBreaksClients])
        #expect(rules([step(rename, phase: .contract)]) == [])
    }

    @Test func aListOfValuesMayComeBeforeRowsGetOneOfThem() {
        let list = step("ALTER TABLE trip ADD CONSTRAINT c CHECK (class IN ('A', 'B')) NOT VALID")
        func fill(_ before: String) -> MigrationStep {
            step(
                "UPDATE trip SET class = 'B' WHERE pk BETWEEN 1 AND 2 AND class IN (\(before))", phase: .backfill,
                execution: .batches(table: "trip", key: "pk", size: 2), history: .off)
        }
        #expect(rules([list, fill("'A', 'B'")]) == [])
        #expect(rules([list, fill("'A', 'C'")]) == [.checkBeforeBackfill])
    }

    @Test func whatWasRenamedHasItsIndexAndItsKeys() {
        let pairs = TableDefinition(
            name: "guest_trips",
            columns: [ColumnDefinition(name: "guest", type: "bigint"), ColumnDefinition(name: "trip", type: "bigint")],
            primaryKey: PrimaryKeyDefinition(name: "guest_trips_pkey", columns: ["guest", "trip"]),
            foreignKeys: [
                ForeignKeyDefinition(
                    name: "k", columns: ["guest"], referencedTable: "guest", referencedColumns: ["pk"],
                    onDelete: .cascade)
            ])
        let target = LintTarget(before: DatabaseDefinition(tables: [pairs]))
        let rename = step(
            "ALTER TABLE guest_trips RENAME COLUMN guest TO visitor", "ALTER TABLE guest_trips RENAME TO visitor_trips",
            phase: .contract)
        let key = step(
            "ALTER TABLE visitor_trips ADD CONSTRAINT v FOREIGN KEY (visitor) REFERENCES guest (pk) NOT VALID",
            phase: .contract)
        #expect(rules([rename, key], target: target) == [])
        #expect(rules([key], target: target) == [.uncheckedNarrowing, .foreignKeyWithoutIndex])
    }

    @Test func validationMayWaitWithoutEnd() {
        let validate = "ALTER TABLE trip VALIDATE CONSTRAINT c"
        #expect(rules([step(validate, lockTimeout: 0)]) == [])
        let both = step("ALTER TABLE trip ADD COLUMN a text", validate, lockTimeout: 0)
        #expect(rules([both]).contains(.missingLockTimeout))
    }

    @Test func aForeignKeyInThePlaceOfAnotherNeedsNothingNew() {
        let key =
            "ALTER TABLE stop ADD CONSTRAINT k FOREIGN KEY (trip) REFERENCES trip (pk) ON DELETE CASCADE NOT VALID"
        #expect(rules([step(key)]) == [.uncheckedNarrowing, .foreignKeyWithoutIndex])
        #expect(rules([step("ALTER TABLE stop DROP CONSTRAINT k", key)]) == [])
        #expect(
            rules([step("ALTER TABLE stop DROP CONSTRAINT other", key, phase: .contract)]).contains(.uncheckedNarrowing)
        )
    }

    @Test func aListOfValuesMayComeBeforeTheUpdateOfRowsThatMeetIt() {
        let check = step("ALTER TABLE trip ADD CONSTRAINT c CHECK (class IN ('Trip', 'Business')) NOT VALID")
        func update(_ old: String) -> MigrationStep {
            step("UPDATE trip t SET class = 'Business' WHERE t.pk = 1 AND t.class = '\(old)'", phase: .backfill)
        }
        #expect(rules([check, update("Trip")]) == [])
        #expect(rules([check, update("Journey")]) == [.checkBeforeBackfill])
    }

    @Test func narrowingNeedsACheck() {
        let index = step(
            "CREATE UNIQUE INDEX CONCURRENTLY i ON trip (name)", execution: .alone, lockTimeout: 0)
        #expect(rules([index]) == [.uncheckedNarrowing])
        #expect(rules([index], checks: [check]) == [])
        #expect(rules([step("ALTER TABLE trip ADD COLUMN x text"), index.replacing("x")]) == [])
    }

    @Test func whatIsUniqueByAnExpressionNeedsACheckToo() {
        let index = step(
            #"CREATE UNIQUE INDEX CONCURRENTLY i ON trip ((lower("name" COLLATE "und-x-icu") COLLATE "C"))"#,
            execution: .alone, lockTimeout: 0)
        // Names that differ were unique before, and need not be so regardless of case.
        let trip = TableDefinition(
            name: "trip", columns: [ColumnDefinition(name: "name", type: .text)],
            uniques: [UniqueDefinition(name: "trip_name_key", columns: ["name"])])
        let target = LintTarget(before: DatabaseDefinition(tables: [trip]))
        #expect(rules([index], target: target) == [.uncheckedNarrowing])
        #expect(rules([index], checks: [check], target: target) == [])
        #expect(rules([step("ALTER TABLE trip ADD COLUMN name text"), index]) == [])
    }

    @Test func castsNeedACheck() {
        let cast = step("ALTER TABLE trip ALTER code TYPE bigint USING code::bigint")
        #expect(rules([cast], target: LintLockingTests.trip).contains(.uncheckedCast))
        #expect(!rules([cast], checks: [check], target: LintLockingTests.trip).contains(.uncheckedCast))
    }

    @Test func batchesMustUseTheirRange() {
        let execution = MigrationStep.Execution.batches(table: "trip", key: "pk", size: 10_000)
        let good = """
            UPDATE trip SET a = 1 WHERE pk BETWEEN current_setting('strata.batch_first')::bigint
            AND current_setting('strata.batch_last')::bigint
            """
        #expect(rules([step(good, phase: .backfill, execution: execution)]) == [])
        #expect(rules([step("UPDATE trip SET a = 1", phase: .backfill, execution: execution)]) == [.unboundedChange])
        let history = LintTarget(historyTables: ["trip"])
        #expect(rules([step(good, phase: .backfill, execution: execution)], target: history) == [.recordedBulkChange])
        #expect(rules([step(good, phase: .backfill, execution: execution, history: .off)], target: history) == [])
    }

    @Test func timeoutsFitTheStatement() {
        let concurrent = "CREATE INDEX CONCURRENTLY i ON trip (name)"
        #expect(rules([step(concurrent, execution: .alone)]) == [.lockTimeoutOnConcurrentIndex])
        #expect(rules([step(concurrent, execution: .alone, lockTimeout: 0)]) == [])
        #expect(rules([step(concurrent, lockTimeout: 0)]) == [.concurrentInTransaction])
        let column = "ALTER TABLE trip ADD COLUMN a text"
        #expect(rules([step(column, lockTimeout: 500)]) == [.lockTimeoutTooShort])
        #expect(rules([step(column, lockTimeout: 0)]) == [.missingLockTimeout])
    }

    @Test func stepsAreTransactionsOfTheirOwn() {
        let add = "ALTER TABLE trip ADD CONSTRAINT c CHECK (a > 0) NOT VALID"
        let validate = "ALTER TABLE trip VALIDATE CONSTRAINT c"
        #expect(rules([step(add), step(validate)]) == [])
        #expect(rules([step(add, validate)]) == [.validateInSameTransaction])
        #expect(rules([step("BEGIN", "SELECT 1")]) == [.nestedTransaction])
    }

    @Test func theLedgerAndNewTablesAreNobodysConcern() {
        let insert = "INSERT INTO \"strata\".\"schema_version\" (schema_name) VALUES ('public')"
        #expect(
            rules([
                step("CREATE TABLE \"public\".\"leg\" (pk bigint NOT NULL, name text)"),
                step("ALTER TABLE \"public\".\"leg\" ADD PRIMARY KEY (pk), ALTER name SET NOT NULL"),
                step("CREATE INDEX leg_name ON \"public\".\"leg\" (name)"), step(insert, phase: .contract),
            ]) == [])
    }

    @Test func notesAcknowledgeForTheWholeStep() {
        let sql = "CREATE INDEX i ON trip (name)"
        #expect(rules([step(sql)]) == [.indexNotConcurrent])
        #expect(rules([step("SELECT 1", sql, notes: ["lint:allow index-not-concurrent on Sunday"])]) == [])
        #expect(rules([step(sql, notes: ["lint:allow L101"])]) == [.indexNotConcurrent, .unusedAllow])
    }

    @Test func placesAndCommentsComeFromTheFile() {
        let steps = [step("CREATE INDEX i ON trip (name)"), step("CREATE INDEX j ON trip (name)")]
        let text = """
            -- header
            BEGIN;
            CREATE INDEX i
              ON trip (name);
            COMMIT;
            -- lint:allow L101 because
            CREATE INDEX j ON trip (name);
            """
        let findings = MigrationLint().findings(in: script(steps), file: "0004_v3_v4.sql", text: text)
        #expect(findings.map(\.place) == ["0004_v3_v4.sql:3 (step 4.1)"])
    }
}

extension MigrationStep {
    /// The same with another column.
    fileprivate func replacing(_ column: String) -> MigrationStep {
        var step = self
        step.statements = statements.map { $0.replacing("name", with: column) }
        return step
    }
}
