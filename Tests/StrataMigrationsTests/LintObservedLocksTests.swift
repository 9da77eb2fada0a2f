import StrataClient
import StrataTestSupport
import Testing

@testable import StrataMigrations

@Suite struct LintObservedLocksTests {
    private static let examples: [(sql: String, modes: [String: String], rewritten: Set<String>)] = [
        ("SELECT name FROM trip", ["trip": "AccessShareLock"], []),
        ("UPDATE trip SET name = 'x'", ["trip": "RowExclusiveLock"], []),
        ("ALTER TABLE trip VALIDATE CONSTRAINT c", ["trip": "ShareUpdateExclusiveLock"], []),
        ("CREATE INDEX i ON trip (name)", ["trip": "ShareLock"], []),
        (
            "ALTER TABLE trip ADD FOREIGN KEY (person) REFERENCES person NOT VALID",
            ["trip": "ShareRowExclusiveLock", "person": "ShareRowExclusiveLock"], []
        ),
        ("ALTER TABLE trip ADD COLUMN a text NOT NULL DEFAULT ''", ["trip": "AccessExclusiveLock"], []),
        ("ALTER TABLE trip ALTER name TYPE text", ["trip": "AccessExclusiveLock"], []),
        ("ALTER TABLE trip ALTER count TYPE bigint", ["trip": "AccessExclusiveLock"], ["trip"]),
        (
            "ALTER TABLE trip ADD COLUMN u uuid DEFAULT gen_random_uuid()", ["trip": "AccessExclusiveLock"], ["trip"]
        ),
        ("DROP TABLE leg", ["leg": "AccessExclusiveLock", "trip": "AccessExclusiveLock"], []),
        ("CREATE TABLE other (pk bigint)", [:], []),
    ]

    @Test(arguments: examples.indices) func statement(_ index: Int) async throws {
        let example = Self.examples[index]
        try await withTestDatabase(template: Self.template) { database in
            let observed = try await observe(example.sql, on: database)
            #expect(observed.modes == example.modes)
            #expect(observed.rewritten == example.rewritten)
        }
    }

    @Test func aStepMustDeclareWhatItTakes() async throws {
        try await withTestDatabase(template: Self.template) { database in
            var step = MigrationStep(
                phase: .expand, title: "", lock: .rowExclusive, tables: ["trip"],
                statements: ["ALTER TABLE trip ADD COLUMN a text"])
            let observed = try await observe(step.statements[0], on: database)
            #expect(
                observed.lines(exceeding: step) == ["trip: AccessExclusiveLock was taken, RowExclusive is declared"])
            step.lock = .accessExclusive
            #expect(observed.lines(exceeding: step) == [])
            step.tables = ["stop"]
            #expect(
                observed.lines(exceeding: step) == [
                    "trip: AccessExclusiveLock was taken, and the step does not name the table"
                ])
        }
    }

    /// The approach locks all tables that a step names: that is no proof that it should name them.
    @Test func `a step must not name a table that it only approaches`() {
        var observed = ObservedLocks()
        observed.add("AccessExclusiveLock", on: "trip")
        observed.add("ShareUpdateExclusiveLock", on: "stop")
        var step = MigrationStep(
            phase: .expand, title: "", lock: .accessExclusive, tables: ["stop", "trip"], statements: [])
        #expect(
            observed.lines(below: step) == ["stop: no statement has locked it, AccessExclusive is declared"])
        step.tables = ["trip"]
        #expect(observed.lines(below: step) == [])
        observed = ObservedLocks()
        observed.add("ShareUpdateExclusiveLock", on: "stop")
        step.tables = ["stop"]
        step.lock = .shareUpdateExclusive
        #expect(observed.lines(below: step) == [])
    }

    private static let template = TestTemplate("observed locks") { database in
        let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
        try await blocking { try runner.apply([RunnerFixture.first]) }
        try await database.execute(
            "DROP TABLE trip",
            "CREATE TABLE person (pk bigint PRIMARY KEY)",
            "CREATE TABLE trip (pk bigint PRIMARY KEY, name varchar(10), count integer, person bigint)",
            "CREATE TABLE leg (pk bigint REFERENCES trip)", "INSERT INTO trip VALUES (1, 'a', 1, NULL)",
            "ALTER TABLE trip ADD CONSTRAINT c CHECK (count > 0) NOT VALID")
        try await StepWatch(database: database).begin()
    }

    private func observe(_ sql: String, on database: TestDatabase) async throws -> ObservedLocks {
        try await database.execute("BEGIN", sql, "SELECT watch.note('stage', 'step')", "COMMIT")
        return try await StepWatch(database: database).locks(of: "stage")["step"] ?? ObservedLocks()
    }
}
