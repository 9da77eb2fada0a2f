import StrataMigrations
import StrataModels
import Testing

/// Relationships that come, go and change their kind: links stay, or are named before they go.
@Suite("Evolution: relationships") struct LinkEvolutionTests {
    private typealias Models = LinkModels
    private typealias Types = [any PersistentModel.Type]

    private static let none: Types = [Models.None.Trip.self, Models.None.Stop.self]
    private static let toOne: Types = [Models.ToOne.Trip.self, Models.ToOne.Stop.self]
    private static let required: Types = [Models.Required.Trip.self, Models.Required.Stop.self]
    private static let renamed: Types = [Models.Renamed.Trip.self, Models.Renamed.Stop.self]
    private static let many: Types = [Models.Many.Trip.self, Models.Many.Stop.self]
    private static let hidden: Types = [Models.Hidden.Trip.self, Models.Hidden.Stop.self]
    private static let pairs: Types = [Models.Pairs.Trip.self, Models.Pairs.Stop.self]
    private static let oneToOne: Types = [Models.OneToOne.Trip.self, Models.OneToOne.Stop.self]

    private static let inStop = "SELECT pk, trip FROM stop ORDER BY pk"
    private static let inPairs = "SELECT stop_pk, trip_pk FROM stop_trips ORDER BY 1, 2"
    private static let inHidden = "SELECT pk, trip_stops FROM stop ORDER BY pk"
    private static let links = ["1|1", "2|1", "3|nil"]

    // MARK: Added

    @Test func `a to-one is added`() async throws {
        try await Evolution(Self.none, Self.toOne).run(
            seed: Models.unrelated, expecting: Self.inStop, is: ["1|nil", "2|nil", "3|nil"], returning: .whole)
    }

    @Test func `a required to-one is added and filled`() async throws {
        try await Evolution(
            Self.none, Self.required, changes: [.filled(\Models.Required.Stop.trip, with: "(pk % 2) + 1")]
        ).run(seed: Models.unrelated, expecting: Self.inStop, is: ["1|2", "2|1", "3|2"], returning: .whole)
    }

    @Test func `a required to-one without a value for rows is refused`() async throws {
        try await Evolution(Self.none, Self.required).refuse(seed: Models.unrelated, naming: "Stop.trip")
    }

    @Test func `a required to-one is added where there are no rows`() async throws {
        try await Evolution(Self.none, Self.required).run(
            seed: [Models.trips], expecting: "SELECT count(*) FROM stop", is: ["0"], returning: .whole)
    }

    @Test func `a to-many with an inverse is added`() async throws {
        try await Evolution(Self.none, Self.many).run(
            seed: Models.unrelated, expecting: Self.inStop, is: ["1|nil", "2|nil", "3|nil"], returning: .whole)
    }

    @Test func `a to-many without an inverse is added`() async throws {
        try await Evolution(Self.none, Self.hidden).run(
            seed: Models.unrelated, expecting: Self.inHidden, is: ["1|nil", "2|nil", "3|nil"], returning: .whole)
    }

    @Test func `a many-to-many is added`() async throws {
        try await Evolution(Self.none, Self.pairs).withoutOriginalNames.run(
            seed: Models.unrelated, expecting: "SELECT count(*) FROM stop_trips", is: ["0"], returning: .whole)
    }

    @Test func `a one-to-one is added`() async throws {
        try await Evolution(Self.none, Self.oneToOne).withoutOriginalNames.run(
            seed: Models.unrelated, expecting: Self.inStop, is: ["1|nil", "2|nil", "3|nil"], returning: .whole)
    }

    // MARK: Removed

    @Test func `a to-one that goes unsaid is refused`() throws {
        try expectMissing(Self.toOne, Self.none, ["Stop.trip"])
    }

    @Test func `a to-many without an inverse that goes unsaid is refused`() throws {
        try expectMissing(Self.hidden, Self.none, ["Trip.stops"])
    }

    @Test func `a many-to-many that goes unsaid is refused at both ends`() throws {
        try expectMissing(Self.pairs, Self.none, ["Trip.stops", "Stop.trips"])
    }

    private func expectMissing(_ before: Types, _ after: Types, _ places: Set<String>) throws {
        let evolution = try Evolution(before, after)
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.code == .planRefused)
        #expect(Set(error?.places ?? []) == places)
    }

    @Test func `a to-one goes`() async throws {
        try await Evolution(Self.toOne, Self.none, changes: [.dropped(\Models.ToOne.Stop.trip)]).run(
            seed: Models.toOne, expecting: "SELECT * FROM stop ORDER BY pk", is: ["1|a", "2|b", "3|c"],
            returning: .none(because: "dropped values cannot come back: Stop.trip"))
    }

    @Test func `a to-many and its inverse go`() async throws {
        try await Evolution(Self.many, Self.none, changes: [.dropped(\Models.Many.Stop.trip)]).run(
            seed: Models.toOne, expecting: "SELECT * FROM stop ORDER BY pk", is: ["1|a", "2|b", "3|c"],
            returning: .none(because: "dropped values cannot come back: Stop.trip"))
    }

    @Test func `a to-many without an inverse goes`() async throws {
        try await Evolution(Self.hidden, Self.none, changes: [.dropped(\Models.Hidden.Trip.stops)]).run(
            seed: Models.hidden, expecting: "SELECT * FROM stop ORDER BY pk", is: ["1|a", "2|b", "3|c"],
            returning: .none(because: "dropped values cannot come back: Trip.stops"))
    }

    @Test func `a many-to-many goes`() async throws {
        try await Evolution(Self.pairs, Self.none, changes: [.dropped(\Models.Pairs.Stop.trips)]).run(
            seed: Models.manyPairs, expecting: "SELECT to_regclass('stop_trips')::text AS gone, count(*) FROM stop",
            is: ["nil|3"], returning: .none(because: "dropped values cannot come back: Stop.trips, Trip.stops"))
    }

    // MARK: Renamed, required, optional

    @Test func `a to-one gets another name`() async throws {
        try await Evolution(Self.toOne, Self.renamed).run(
            seed: Models.toOne, expecting: "SELECT pk, journey FROM stop ORDER BY pk", is: Self.links, returning: .whole
        )
    }

    @Test func `a to-one that some rows lack cannot be required`() async throws {
        try await Evolution(Self.toOne, Self.required).refuse(seed: Models.toOne, naming: "Stop.trip")
    }

    @Test func `a to-one becomes required and is filled`() async throws {
        try await Evolution(
            Self.toOne, Self.required, changes: [.filled(\Models.Required.Stop.trip, with: "2")]
        ).run(
            seed: Models.toOne, expecting: Self.inStop, is: ["1|1", "2|1", "3|2"],
            returning: .changed(note: "going back, Stop.trip keeps what it is filled with where it is empty now"))
    }

    @Test func `a required to-one becomes optional`() async throws {
        try await Evolution(Self.required, Self.toOne).run(
            seed: Models.alone.map { $0.replacing("NULL", with: "1") }, expecting: Self.inStop,
            is: ["1|1", "2|2", "3|1"], returning: .whole)
    }

    // MARK: Inverses

    @Test func `a to-one gets an inverse`() async throws {
        try await Evolution(Self.toOne, Self.many).run(
            seed: Models.toOne, expecting: Self.inStop, is: Self.links, returning: .whole)
    }

    @Test func `a to-one loses its inverse`() async throws {
        try await Evolution(Self.many, Self.toOne).run(
            seed: Models.toOne, expecting: Self.inStop, is: Self.links, returning: .whole)
    }

    @Test func `a to-many gets an inverse`() async throws {
        try await Evolution(Self.hidden, Self.many).run(
            seed: Models.hidden, expecting: Self.inStop, is: Self.links, returning: .whole)
    }

    @Test func `a to-many loses its inverse`() async throws {
        try await Evolution(Self.many, Self.hidden).run(
            seed: Models.toOne, expecting: Self.inHidden, is: Self.links, returning: .whole)
    }
}
