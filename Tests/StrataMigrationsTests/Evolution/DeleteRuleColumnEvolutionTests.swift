import StrataMigrations
import StrataModels
import Testing

/// Delete rules of relationships whose column is hidden, required, or in the table of a subclass.
@Suite("Evolution: delete rules of other columns") struct DeleteRuleColumnEvolutionTests {
    enum Place: CaseIterable {
        case hidden, required, below

        func models(_ rule: DeleteRuleEvolutionTests.Rule) -> [any PersistentModel.Type] {
            switch (self, rule) {
            case (.hidden, .nullify): [RuleModels.HiddenNullify.Trip.self, RuleModels.HiddenNullify.Stop.self]
            case (.hidden, .cascade): [RuleModels.HiddenCascade.Trip.self, RuleModels.HiddenCascade.Stop.self]
            case (.hidden, .deny): [RuleModels.HiddenDeny.Trip.self, RuleModels.HiddenDeny.Stop.self]
            case (.hidden, .noAction): [RuleModels.HiddenNoAction.Trip.self, RuleModels.HiddenNoAction.Stop.self]
            case (.required, .nullify): [RuleModels.RequiredNullify.Trip.self, RuleModels.RequiredNullify.Stop.self]
            case (.required, .cascade): [RuleModels.RequiredCascade.Trip.self, RuleModels.RequiredCascade.Stop.self]
            case (.required, .deny): [RuleModels.RequiredDeny.Trip.self, RuleModels.RequiredDeny.Stop.self]
            case (.required, .noAction): [RuleModels.RequiredNoAction.Trip.self, RuleModels.RequiredNoAction.Stop.self]
            case (.below, .nullify):
                [
                    RuleModels.BelowNullify.Trip.self, RuleModels.BelowNullify.Stop.self,
                    RuleModels.BelowNullify.Break.self,
                ]
            case (.below, .cascade):
                [
                    RuleModels.BelowCascade.Trip.self, RuleModels.BelowCascade.Stop.self,
                    RuleModels.BelowCascade.Break.self,
                ]
            case (.below, .deny):
                [RuleModels.BelowDeny.Trip.self, RuleModels.BelowDeny.Stop.self, RuleModels.BelowDeny.Break.self]
            case (.below, .noAction):
                [
                    RuleModels.BelowNoAction.Trip.self, RuleModels.BelowNoAction.Stop.self,
                    RuleModels.BelowNoAction.Break.self,
                ]
            }
        }

        var seed: [String] {
            let trips = "INSERT INTO trip (pk, name) VALUES (1, 'a'), (2, 'b')"
            return switch self {
            case .hidden: [trips, "INSERT INTO stop (pk, title, trip_stops) VALUES (1, 'x', 1), (2, 'y', NULL)"]
            case .required: [trips, "INSERT INTO stop (pk, title, trip) VALUES (1, 'x', 1), (2, 'y', 2)"]
            case .below:
                [
                    trips, "INSERT INTO stop (pk, class, title) VALUES (1, 'Break', 'x'), (2, 'Stop', 'y')",
                    "INSERT INTO break (pk, trip) VALUES (1, 1)",
                ]
            }
        }

        var links: String {
            switch self {
            case .hidden: "SELECT pk, trip_stops FROM stop ORDER BY 1"
            case .required: "SELECT pk, trip FROM stop ORDER BY 1"
            case .below: "SELECT pk, trip FROM break ORDER BY 1"
            }
        }

        var rows: [String] {
            switch self {
            case .hidden: ["1|1", "2|nil"]
            case .required: ["1|1", "2|2"]
            case .below: ["1|1"]
            }
        }
    }

    @Test(arguments: Place.allCases, DeleteRuleEvolutionTests.changes)
    func `a delete rule changes`(place: Place, rules: [DeleteRuleEvolutionTests.Rule]) async throws {
        try await Evolution(place.models(rules[0]), place.models(rules[1])).run(
            seed: place.seed, expecting: place.links, is: place.rows, returning: .whole)
    }
}
