import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

/// Steps that nobody has edited are read like others: whether a step is right depends on its neighbours, its stage's checks, the
/// database and what a project asks for. Decision 0023.
@Suite("Planned steps, linted") struct LintPlannedStepTests {
    /// A rule that speaks of a planned stage where something beside its steps is otherwise.
    struct Example: Sendable, CustomTestStringConvertible {
        var rule: LintRule
        /// One of ``PlannedFilesTests/examples``.
        var stage: String
        /// What is otherwise.
        var difference: String
        var edit: @Sendable (inout StageScript) -> Void = { _ in }
        var target: @Sendable (inout LintTarget) -> Void = { _ in }

        var testDescription: String { "\(rule.code) \(stage): \(difference)" }
    }

    static let examples = [
        Example(
            rule: .setNotNullUnproven, stage: "attribute-required", difference: "a step before it was removed",
            edit: { $0.steps.removeAll { $0.operation == .validateConstraint } }),
        Example(
            rule: .setNotNullUnproven, stage: "attribute-required", difference: "two steps have changed places",
            edit: { $0.exchange(.requireColumn, .validateConstraint) }),
        Example(
            rule: .checkBeforeBackfill, stage: "attribute-required", difference: "two steps have changed places",
            edit: { $0.exchange(.fillColumn, .forbidEmpty) }),
        Example(
            rule: .uncheckedNarrowing, stage: "unique-added", difference: "a check was removed",
            edit: { $0.checks = [] }),
        Example(
            rule: .uniqueProtectionGap, stage: "unique-added", difference: "a step by hand stands before it",
            edit: {
                $0.steps.insert(
                    MigrationStep(
                        id: "2.0", phase: .backfill, title: "", lock: .accessExclusive, tables: ["item"],
                        statements: [#"ALTER TABLE "public"."item" DROP CONSTRAINT "item_former_key""#]), at: 0)
            }, target: { $0.before = nil }),
        Example(
            rule: .concurrentIndexServer, stage: "index-added", difference: "the server builds corrupt indexes",
            target: { $0.serverVersion = 140_002 }),
        Example(
            rule: .lockTimeoutTooShort, stage: "attribute-optional", difference: "the server looks late for deadlocks",
            target: { $0.deadlockTimeout = 3000 }),
        Example(
            rule: .droppedColumnInTriggerFunction, stage: "attribute-dropped",
            difference: "a trigger of another program names the column",
            target: { $0.triggerFunctions = ["item": ["audit": "BEGIN x := NEW.note; RETURN NEW; END"]] }),
        Example(
            rule: .addedColumn, stage: "attribute-optional", difference: "the project asks for it",
            target: { $0.optedIn = [.addedColumn] }),
        Example(
            rule: .newWriteRestriction, stage: "attribute-required", difference: "the project asks for it",
            target: { $0.optedIn = [.newWriteRestriction] }),
        Example(
            rule: .changedDefault, stage: "attribute-default", difference: "the project asks for it",
            target: { $0.optedIn = [.changedDefault] }),
    ]

    @Test(arguments: examples) func `a planned step is read as one by hand`(_ example: Example) throws {
        let planned = try #require(
            PlannedFilesTests.examples.first { $0.testDescription == example.stage })
        let evolution = try Evolution(planned.before, planned.after, changes: planned.changes)
        let stage = try evolution.scripts()[1]
        var plain = LintTarget(before: evolution.before.database)
        #expect(MigrationLint(target: plain).findings(in: stage) == [])

        var different = stage
        example.edit(&different)
        example.target(&plain)
        let findings = MigrationLint(target: plain).findings(in: different)
        #expect(findings.contains { $0.rule == example.rule }, "\(findings.map(\.frame))")
        var byHand = different
        for index in byHand.steps.indices { byHand.steps[index].operation = .custom }
        // What is acknowledged by the operation is by hand acknowledged by a note.
        #expect(MigrationLint(target: plain).findings(in: byHand) == findings)
    }
}

extension StageScript {
    /// Exchanges the first steps of two kinds.
    fileprivate mutating func exchange(_ one: MigrationOperation, _ other: MigrationOperation) {
        guard let first = steps.firstIndex(where: { $0.operation == one }),
            let second = steps.firstIndex(where: { $0.operation == other })
        else { return }
        steps.swapAt(first, second)
    }
}
