import StrataMigrations
import StrataModels
import Testing

/// What a database does with the stops of a trip that is deleted, changed from each rule to each other.
@Suite("Evolution: delete rules") struct DeleteRuleEvolutionTests {
    enum Rule: CaseIterable {
        case nullify, cascade, deny, noAction

        var models: [any PersistentModel.Type] {
            switch self {
            case .nullify: [LinkModels.Many.Trip.self, LinkModels.Many.Stop.self]
            case .cascade: [LinkModels.Cascade.Trip.self, LinkModels.Cascade.Stop.self]
            case .deny: [LinkModels.Deny.Trip.self, LinkModels.Deny.Stop.self]
            case .noAction: [LinkModels.NoAction.Trip.self, LinkModels.NoAction.Stop.self]
            }
        }
    }

    static let changes = Rule.allCases.flatMap { from in
        Rule.allCases.filter { $0 != from }.map { [from, $0] }
    }

    @Test(arguments: changes) func `a delete rule changes`(rules: [Rule]) async throws {
        try await Evolution(rules[0].models, rules[1].models).run(
            seed: LinkModels.toOne, expecting: "SELECT pk, trip FROM stop ORDER BY pk", is: ["1|1", "2|1", "3|nil"],
            returning: .whole)
    }

    @Test func `a link that leads nowhere refuses a rule that the database keeps`() async throws {
        try await Evolution(Rule.noAction.models, Rule.nullify.models).refuse(
            seed: LinkModels.toOne + ["UPDATE stop SET trip = 99 WHERE pk = 3"], naming: "Stop.trip")
    }

    @Test func `a delete rule changes with interruptions`() async throws {
        try await Evolution(Rule.nullify.models, Rule.cascade.models).run(
            seed: LinkModels.toOne, expecting: "SELECT pk, trip FROM stop ORDER BY pk", is: ["1|1", "2|1", "3|nil"],
            returning: .whole)
    }
}
