import StrataMigrations
import StrataModels
import Testing

/// To-one, to-many and many-to-many become each other; rows that have too many links are named.
@Suite("Evolution: kinds of relationships") struct LinkKindEvolutionTests {
    private typealias Models = LinkModels
    private typealias Types = [any PersistentModel.Type]

    private static let toOne: Types = [Models.ToOne.Trip.self, Models.ToOne.Stop.self]
    private static let many: Types = [Models.Many.Trip.self, Models.Many.Stop.self]
    private static let hidden: Types = [Models.Hidden.Trip.self, Models.Hidden.Stop.self]
    private static let pairs: Types = [Models.Pairs.Trip.self, Models.Pairs.Stop.self]
    private static let oneToOne: Types = [Models.OneToOne.Trip.self, Models.OneToOne.Stop.self]

    private static let inStop = "SELECT pk, trip FROM stop ORDER BY pk"
    private static let inPairs = "SELECT stop_pk, trip_pk FROM stop_trips ORDER BY 1, 2"

    @Test func `to-one becomes many-to-many`() async throws {
        try await Evolution(Self.toOne, Self.pairs).run(
            seed: Models.toOne, expecting: Self.inPairs, is: ["1|1", "2|1"], returning: .whole)
    }

    @Test func `to-many becomes many-to-many`() async throws {
        try await Evolution(Self.many, Self.pairs).run(
            seed: Models.toOne, expecting: Self.inPairs, is: ["1|1", "2|1"], returning: .whole)
    }

    @Test func `to-many without an inverse becomes many-to-many`() async throws {
        try await Evolution(Self.hidden, Self.pairs).withoutOriginalNames.run(
            seed: Models.hidden, expecting: Self.inPairs, is: ["1|1", "2|1"], returning: .whole)
    }

    @Test func `one-to-one becomes many-to-many`() async throws {
        try await Evolution(Self.oneToOne, Self.pairs).run(
            seed: Models.alone, expecting: Self.inPairs, is: ["1|1", "2|2"], returning: .whole)
    }

    @Test func `many-to-many becomes to-many`() async throws {
        try await Evolution(Self.pairs, Self.many).run(
            seed: Models.pairs, expecting: Self.inStop, is: ["1|1", "2|1", "3|nil"], returning: .whole)
    }

    @Test func `many-to-many becomes to-many only where one object has one`() async throws {
        try await Evolution(Self.pairs, Self.many).refuse(seed: Models.manyPairs, naming: "Trip.stops")
    }

    @Test func `many-to-many becomes to-many without an inverse`() async throws {
        try await Evolution(Self.pairs, Self.hidden).run(
            seed: Models.pairs, expecting: "SELECT pk, trip_stops FROM stop ORDER BY pk", is: ["1|1", "2|1", "3|nil"],
            returning: .whole)
    }

    @Test func `many-to-many becomes to-many without an inverse only where one has one`() async throws {
        try await Evolution(Self.pairs, Self.hidden).refuse(seed: Models.manyPairs, naming: "Trip.stops")
    }

    @Test func `many-to-many becomes to-one`() async throws {
        try await Evolution(
            Self.pairs, Self.toOne, changes: [.renamed(\Models.Pairs.Stop.trips, to: \Models.ToOne.Stop.trip)]
        ).run(seed: Models.pairs, expecting: Self.inStop, is: ["1|1", "2|1", "3|nil"], returning: .whole)
    }

    @Test func `many-to-many becomes to-one only where one object has one`() async throws {
        try await Evolution(
            Self.pairs, Self.toOne, changes: [.renamed(\Models.Pairs.Stop.trips, to: \Models.ToOne.Stop.trip)]
        ).refuse(seed: Models.manyPairs, naming: "Stop.trip")
    }

    @Test func `many-to-many becomes one-to-one`() async throws {
        try await Evolution(Self.pairs, Self.oneToOne).run(
            seed: [Models.trips, Models.stops, "INSERT INTO stop_trips (stop_pk, trip_pk) VALUES (1, 2), (2, 1)"],
            expecting: Self.inStop, is: ["1|2", "2|1", "3|nil"], returning: .whole)
    }

    @Test(arguments: [LinkModels.pairs, LinkModels.manyPairs])
    func `many-to-many becomes one-to-one only where each has one`(seed: [String]) async throws {
        try await Evolution(Self.pairs, Self.oneToOne).refuse(seed: seed, naming: "Stop.trip")
    }

    @Test func `to-one becomes to-many without an inverse`() async throws {
        try await Evolution(Self.toOne, Self.holds, changes: Self.toHolds).run(
            seed: Models.alone, expecting: Self.inTrip, is: ["1|1", "2|2"], returning: .whole)
    }

    @Test func `to-one becomes to-many without an inverse only where each has one`() async throws {
        try await Evolution(Self.toOne, Self.holds, changes: Self.toHolds).refuse(
            seed: Models.toOne, naming: "Stop.trips")
    }

    @Test func `to-many without an inverse becomes to-one`() async throws {
        try await Evolution(
            Self.holds, Self.toOne, changes: [.renamed(\Models.Holds.Stop.trips, to: \Models.ToOne.Stop.trip)]
        ).run(
            seed: [Models.trips, Models.stops, "UPDATE trip SET stop_trips = 3 - pk"], expecting: Self.inStop,
            is: ["1|2", "2|1", "3|nil"], returning: .whole)
    }

    @Test func `to-many without an inverse becomes to-one only where each has one`() async throws {
        try await Evolution(
            Self.holds, Self.toOne, changes: [.renamed(\Models.Holds.Stop.trips, to: \Models.ToOne.Stop.trip)]
        ).refuse(seed: [Models.trips, Models.stops, "UPDATE trip SET stop_trips = 1"], naming: "Stop.trip")
    }

    @Test func `to-many becomes required to-one`() async throws {
        try await Evolution(Self.many, Self.required).refuse(seed: Models.toOne, naming: "Stop.trip")
    }

    @Test func `many-to-many becomes required to-one only where each has one`() async throws {
        try await Evolution(
            Self.pairs, Self.required, changes: [.renamed(\Models.Pairs.Stop.trips, to: \Models.Required.Stop.trip)]
        ).refuse(seed: Models.pairs, naming: "Stop.trip")
    }

    @Test func `many-to-many becomes required to-one`() async throws {
        try await Evolution(
            Self.pairs, Self.required, changes: [.renamed(\Models.Pairs.Stop.trips, to: \Models.Required.Stop.trip)]
        ).run(
            seed: Models.pairs + ["DELETE FROM stop WHERE pk = 3"], expecting: Self.inStop, is: ["1|1", "2|1"],
            returning: .whole)
    }

    private static let holds: Types = [Models.Holds.Trip.self, Models.Holds.Stop.self]
    private static let required: Types = [Models.Required.Trip.self, Models.Required.Stop.self]
    private static let toHolds: [SchemaChange] = [
        .renamed(\Models.ToOne.Stop.trip, to: \Models.Holds.Stop.trips)
    ]
    private static let inTrip = "SELECT pk, stop_trips FROM trip ORDER BY pk"

    @Test func `to-many becomes one-to-one`() async throws {
        try await Evolution(Self.many, Self.oneToOne).withoutOriginalNames.run(
            seed: Models.alone, expecting: Self.inStop, is: ["1|1", "2|2", "3|nil"], returning: .whole)
    }

    @Test func `to-many becomes one-to-one only where each has one`() async throws {
        try await Evolution(Self.many, Self.oneToOne).withoutOriginalNames.refuse(seed: Models.toOne, naming: "Stop")
    }

    @Test func `one-to-one becomes to-many`() async throws {
        try await Evolution(Self.oneToOne, Self.many).run(
            seed: Models.alone, expecting: Self.inStop, is: ["1|1", "2|2", "3|nil"], returning: .whole)
    }

    @Test func `one-to-one loses its inverse`() async throws {
        try await Evolution(Self.oneToOne, Self.toOne).run(
            seed: Models.alone, expecting: Self.inStop, is: ["1|1", "2|2", "3|nil"], returning: .whole)
    }

    @Test func `a relationship that is seen from the other side only must be said`() throws {
        let evolution = try Evolution(Self.toOne, Self.hidden)
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.places == ["Stop.trip"])
    }
}
