import Foundation
import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

@Suite struct LintFindingTests {
    @Test func everyRuleHasAnExample() {
        let cases = LintLockingTests.cases + LintDataTests.cases + LintHygieneTests.cases
        // These two need a stage: LintScriptTests.
        let covered = Set(cases.map(\.rule)).union([.uncheckedNarrowing, .dropUnacknowledged])
        #expect(Set(LintRule.allCases).subtracting(covered) == [])
    }

    @Test func everyRuleSpeaksForItself() {
        for rule in LintRule.allCases {
            #expect(LintRule(named: rule.word) == rule)
            #expect(LintRule(named: rule.code.lowercased()) == rule)
            #expect(!rule.facts.reason.isEmpty && !rule.facts.fix.isEmpty)
            #expect((rule.family == .clients) ? rule.level == .off : true)
        }
        #expect(Set(LintRule.allCases.map(\.facts)).count == LintRule.allCases.count)
        #expect(LintRule.indexNotConcurrent.word == "index-not-concurrent")
    }

    @Test func frames() throws {
        let sql = """
            SET lock_timeout = '2s';

            CREATE INDEX trip_name ON trip
              (name)
            """
        let findings = MigrationLint().findings(sql: sql, file: "a.sql")
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(
            finding.frame == """
                error[L101] index-not-concurrent: trip_name on trip is built without CONCURRENTLY
                 --> a.sql:3
                  |
                3 | CREATE INDEX trip_name ON trip
                  |
                  = lock: SHARE
                  = Writes wait until the whole index is built.
                  = fix: CREATE INDEX CONCURRENTLY, as a step of its own outside a transaction
                """)
    }

    @Test func anAcknowledgementCountsForItsStatementOnly() {
        let sql = """
            SET lock_timeout = '2s';
            -- lint:allow L101 small
            CREATE INDEX i ON trip (name);
            CREATE INDEX j ON trip (name);
            -- lint:allow L999 no such rule
            SELECT 1;
            -- lint:allow L101 nothing follows
            """
        let findings = MigrationLint().findings(sql: sql)
        #expect(findings.map(\.rule) == [.unusedAllow, .indexNotConcurrent, .unusedAllow])
        #expect(findings.map(\.line) == [7, 4, 5])
    }

    @Test func theReferenceIsUpToDate() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Documentation/LintRules.md")
        // Run once with this set after changing a rule.
        if ProcessInfo.processInfo.environment["STRATA_WRITE_REFERENCE"] != nil {
            try Data(LintReference.markdown.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == LintReference.markdown)
    }
}
