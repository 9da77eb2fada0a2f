import StrataTestSupport
import Testing

@testable import StrataMigrations

/// Every kind of step in a stage that is run: ended at every moment, and with the locks that the server has seen.
@Suite("Operations at work", .timeLimit(.minutes(5))) struct OperationTrialTests {
    /// Each stage once, in the order of the kinds.
    static let examples = MigrationOperation.allCases.map(\.example).reduce(into: [OperationExample]()) {
        if !$0.contains($1) { $0.append($1) }
    }

    @Test(arguments: MigrationOperation.allCases)
    func `a kind is in the stage that stands for it`(kind: MigrationOperation) {
        #expect(kind.example.stage.steps.contains { $0.operation == kind })
    }

    @Test(arguments: examples)
    func `a backend that ends before, in and after each step changes nothing`(example: OperationExample) async throws {
        let trial = OperationTrial(example: example)
        let expected = try await OperationTrial.undisturbed(example)
        let (found, kills) = try await trial.runKilled()
        #expect(kills == trial.expectedKills)
        #expect(found.rows == expected.rows)
        #expect(found.ledger == expected.ledger)
        #expect(found.history == [] && expected.history == [])
        #expect(CatalogDifference(expected: expected.catalog.definition, found: found.catalog).lines == [])
        #expect(CatalogDifference(expected: found.catalog.definition, found: expected.catalog).lines == [])
    }

    /// Not less than the server has seen, and not more either.
    @Test(arguments: MigrationOperation.allCases)
    func `a step declares the lock that it takes`(kind: MigrationOperation) async throws {
        let observed = try await OperationTrial.undisturbed(kind.example).locks
        let steps = kind.example.stage.steps.filter { $0.operation == kind }
        var lines: [String] = []
        var seen = 0
        for step in steps {
            let locks = observed[step.id] ?? ObservedLocks()
            seen += locks.modes.keys.count { step.tables.contains($0) }
            lines += (locks.lines(exceeding: step) + locks.lines(below: step)).map { "\(step.id) \(step.title): \($0)" }
        }
        #expect(lines == Self.differences[kind, default: []])
        // Tables that the stage makes itself are not in use, and not looked at. A concurrent build has given its lock back when its
        // end can be seen: RunnerResumeTests looks while one waits. Of a view that is dropped only the number is left then.
        let isSeenTooLate = [.buildIndex, .buildUniqueIndex, .dropViews, .replaceViews].contains(kind)
        #expect(seen > 0 || isSeenTooLate || steps.allSatisfy { $0.lock == .none })
    }

    /// Where the two are not the same, and why.
    private static let differences: [MigrationOperation: [String]] = [
        // Somebody else has written the statement: the plan does not know what it locks.
        .runStatement: [
            "2.1 statement of the plan: item: RowExclusiveLock was taken, and the step does not name the table"
        ]
    ]
}
