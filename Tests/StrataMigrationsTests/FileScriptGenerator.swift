import StrataMigrations
import StrataModels

/// Scripts of every shape, the same for the same seed.
struct ScriptGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = (seed &+ 1) &* 0xD134_2543_DE82_EF95 }

    mutating func next() -> UInt64 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func script() -> StageScript {
        let isFirst = coin()
        return StageScript(
            number: 1 + Int(next() % 12_000), name: "v\(next() % 9)_v4",
            from: isFirst ? nil : StageScript.Version(version(), fingerprint: text()),
            to: StageScript.Version(version(), fingerprint: "ab12"), schemaName: text(), checks: checks(),
            steps: steps(), down: coin() ? .none(reason: text()) : .steps(steps(), checks: checks()),
            notes: list { $0.text() })
    }

    private mutating func steps() -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for index in 0..<Int(next() % 6) {
            var step = MigrationStep(
                id: "\(text())\(index)", phase: pick(MigrationPhase.allCases), title: text(), execution: execution(),
                lock: pick(MigrationStep.Lock.allCases), tables: list { $0.text() }, columns: list { $0.text() },
                history: coin() ? .on : .off,
                lockTimeout: pick([0, 1, 200, 2000, 60_000, 120_000, 1_800_000]),
                statementTimeout: pick([0, 7, 60_000, 3_600_000]), statements: list { $0.statement() },
                done: coin() ? nil : text(), undo: list { coin in coin.coin() ? coin.statement() : coin.text() },
                index: coin() ? nil : text(), notes: list { $0.text() })
            if case .closure = step.execution { step.statements = [] }
            steps.append(step)
        }
        return steps
    }

    private mutating func checks() -> [DataCheck] {
        list { DataCheck(code: $0.text(), title: $0.text(), remedy: $0.text(), query: $0.statement()) }
    }

    private mutating func execution() -> MigrationStep.Execution {
        switch next() % 6 {
        case 0: .alone
        case 1:
            .batches(
                table: text(), key: text(), size: Int(next() % 100_000),
                kind: coin() ? .integer : coin() ? .uuid : .text)
        case 2: .closure(coin() ? .willMigrate : .didMigrate)
        case 3: .verify
        default: .transaction
        }
    }

    private mutating func text() -> String {
        let pieces = [
            "trip", "Odd \"name\"", "a,b", "(x)", " ", "  two", "\n", "\r\n", "\\", "\\n", "é", "e\u{301}", "\u{301}",
            "🙂",
            "--", "-- step 1.1", "| ", ":", "nothing", "none", "'", "\t", "$x$", ";", "/*", "*/", "=", "\u{2028}", "7",
            "step", "drops x", "\u{0}", "\u{200D}",
        ]
        return (0...Int(next() % 4)).map { _ in pick(pieces) }.joined()
    }

    private mutating func statement() -> String {
        pick([
            "SELECT 1", "BEGIN", "COMMIT", "SET LOCAL lock_timeout = '1s'", "SET LOCAL strata.history = 'off'",
            "RESET lock_timeout", "SELECT ';' -- not; the end\n, 2", "UPDATE t SET a = $q$ -- step 9.9 phase=x\n; $q$",
            "-- lint:allow L101 the table is new\nDROP TABLE \"a;b\"", "SELECT '\r\n', E'\\'', \"é\u{301}🙂\"",
            "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END", "DO $strata$ BEGIN END $strata$",
            "SELECT /* -- note: x */ 1\n\n-- note: y\n+ 2", "SET lock_timeout = '3s'", "RESET statement_timeout",
        ])
    }

    private mutating func version() -> Schema.Version {
        Schema.Version(Int(next() % 20), Int(next() % 3), Int(next() % 3))
    }

    private mutating func coin() -> Bool { next() & 1024 == 0 }

    private mutating func pick<T>(_ values: [T]) -> T { values[Int(next() % UInt64(values.count))] }

    private mutating func list<T>(_ make: (inout ScriptGenerator) -> T) -> [T] {
        var values: [T] = []
        for _ in 0..<Int(next() % 3) { values.append(make(&self)) }
        return values
    }
}
