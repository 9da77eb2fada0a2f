import StrataMigrations
import StrataModels
import Testing

/// Relationships that lead to another class from now on: to a superclass, a subclass, or something else.
@Suite("Evolution: targets of relationships") struct LinkTargetEvolutionTests {
    private typealias Models = TargetModels
    typealias Types = [any PersistentModel.Type]

    private static let toPlace: Types = [
        Models.ToPlace.Trip.self, Models.ToPlace.Place.self, Models.ToPlace.Town.self, Models.ToPlace.Guide.self,
    ]
    private static let toTown: Types = [
        Models.ToTown.Trip.self, Models.ToTown.Place.self, Models.ToTown.Town.self, Models.ToTown.Guide.self,
    ]
    private static let toGuide: Types = [
        Models.ToGuide.Trip.self, Models.ToGuide.Place.self, Models.ToGuide.Town.self, Models.ToGuide.Guide.self,
    ]
    private static let placeTrips: Types = [
        Models.PlaceTrips.Trip.self, Models.PlaceTrips.Place.self, Models.PlaceTrips.Town.self,
    ]
    private static let townTrips: Types = [
        Models.TownTrips.Trip.self, Models.TownTrips.Place.self, Models.TownTrips.Town.self,
    ]
    static let hiddenPlaces: Types = [
        Models.HiddenPlaces.Trip.self, Models.HiddenPlaces.Place.self, Models.HiddenPlaces.Town.self,
    ]
    static let hiddenTowns: Types = [
        Models.HiddenTowns.Trip.self, Models.HiddenTowns.Place.self, Models.HiddenTowns.Town.self,
    ]
    private static let pairedPlaces: Types = [
        Models.PairedPlaces.Trip.self, Models.PairedPlaces.Place.self, Models.PairedPlaces.Town.self,
    ]
    private static let pairedTowns: Types = [
        Models.PairedTowns.Trip.self, Models.PairedTowns.Place.self, Models.PairedTowns.Town.self,
    ]
    private static let placeHolds: Types = [
        Models.PlaceHolds.Trip.self, Models.PlaceHolds.Place.self, Models.PlaceHolds.Town.self,
    ]
    private static let townHolds: Types = [
        Models.TownHolds.Trip.self, Models.TownHolds.Place.self, Models.TownHolds.Town.self,
    ]

    private static let inTrip = "SELECT pk, goal FROM trip ORDER BY pk"

    // MARK: To-one

    @Test func `a to-one leads to the superclass`() async throws {
        try await Evolution(Self.toTown, Self.toPlace).run(
            seed: Models.goals(2, 3, nil), expecting: Self.inTrip, is: ["1|2", "2|3", "3|nil"], returning: .whole)
    }

    @Test func `a to-one leads to a subclass`() async throws {
        try await Evolution(Self.toPlace, Self.toTown).run(
            seed: Models.goals(2, 3, nil), expecting: Self.inTrip, is: ["1|2", "2|3", "3|nil"], returning: .whole)
    }

    @Test func `a to-one leads to a subclass only where its objects are of it`() async throws {
        try await Evolution(Self.toPlace, Self.toTown).refuse(seed: Models.goals(2, 1), naming: "Trip.goal")
    }

    @Test func `a to-one that leads to something else must be said`() throws {
        let evolution = try Evolution(Self.toPlace, Self.toGuide)
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.places == ["Trip.goal"])
    }

    @Test func `a to-one leads to something else and forgets`() async throws {
        try await Evolution(Self.toPlace, Self.toGuide, changes: [.dropped(\Models.ToPlace.Trip.goal)]).run(
            seed: Models.goals(2, 1), expecting: Self.inTrip, is: ["1|nil", "2|nil"],
            returning: .none(because: "dropped values cannot come back: Trip.goal"))
    }

    @Test func `a to-one leads to something else by a rule`() async throws {
        try await Evolution(
            Self.toPlace, Self.toGuide, changes: [.converted(\Models.ToGuide.Trip.goal, using: "goal + 10")]
        ).run(
            seed: Models.goals(2, 1, nil) + ["INSERT INTO guide (pk, name) VALUES (11, 'a'), (12, 'b')"],
            expecting: Self.inTrip, is: ["1|12", "2|11", "3|nil"],
            returning: .none(because: "the plan's own conversions have no way back: Trip.goal"))
    }

    // MARK: To-many with an inverse

    @Test func `a to-many goes down to a subclass`() async throws {
        try await Evolution(Self.placeTrips, Self.townTrips).run(
            seed: Models.goals(2, 3, nil), expecting: Self.inTrip, is: ["1|2", "2|3", "3|nil"], returning: .whole)
    }

    @Test func `a to-many goes down to a subclass only where all objects are of it`() async throws {
        try await Evolution(Self.placeTrips, Self.townTrips).refuse(seed: Models.goals(1, 2), naming: "Trip.goal")
    }

    @Test func `a to-many goes up to the superclass`() async throws {
        try await Evolution(Self.townTrips, Self.placeTrips).run(
            seed: Models.goals(2, 3, nil), expecting: Self.inTrip, is: ["1|2", "2|3", "3|nil"], returning: .whole)
    }

    // MARK: To-many without an inverse

    @Test func `a to-many without an inverse leads to a subclass`() async throws {
        try await Evolution(Self.hiddenPlaces, Self.hiddenTowns).run(
            seed: [Models.trips] + Models.places + ["UPDATE place SET trip_goals = 3 WHERE pk = 2"],
            expecting: "SELECT pk, trip_goals FROM town ORDER BY pk", is: ["2|3", "3|nil"], returning: .whole)
    }

    @Test func `a to-many without an inverse leads to a subclass only where all objects are of it`() async throws {
        try await Evolution(Self.hiddenPlaces, Self.hiddenTowns).refuse(
            seed: [Models.trips] + Models.places + ["UPDATE place SET trip_goals = 3 WHERE pk < 3"],
            naming: "Trip.goals")
    }

    @Test func `a to-many without an inverse leads to the superclass`() async throws {
        try await Evolution(Self.hiddenTowns, Self.hiddenPlaces).run(
            seed: [Models.trips] + Models.places + ["UPDATE town SET trip_goals = 3 WHERE pk = 2"],
            expecting: "SELECT pk, trip_goals FROM place ORDER BY pk", is: ["1|nil", "2|3", "3|nil"], returning: .whole)
    }

    @Test func `a to-many without an inverse goes down to a subclass`() async throws {
        try await Evolution(Self.placeHolds, Self.townHolds).run(
            seed: Models.places + [Models.trips, "UPDATE trip SET place_trips = 2 WHERE pk < 3"],
            expecting: "SELECT pk, town_trips FROM trip ORDER BY pk", is: ["1|2", "2|2", "3|nil"], returning: .whole)
    }

    @Test func `a to-many without an inverse goes down to a subclass only where all have it`() async throws {
        try await Evolution(Self.placeHolds, Self.townHolds).refuse(
            seed: Models.places + [Models.trips, "UPDATE trip SET place_trips = pk WHERE pk < 3"],
            naming: "Town.trips")
    }

    @Test func `a to-many without an inverse goes up to the superclass`() async throws {
        try await Evolution(Self.townHolds, Self.placeHolds).run(
            seed: Models.places + [Models.trips, "UPDATE trip SET town_trips = 2 WHERE pk < 3"],
            expecting: "SELECT pk, place_trips FROM trip ORDER BY pk", is: ["1|2", "2|2", "3|nil"], returning: .whole)
    }

    // MARK: Many-to-many

    @Test func `a many-to-many leads to a subclass`() async throws {
        try await Evolution(Self.pairedPlaces, Self.pairedTowns).run(
            seed: [Models.trips] + Models.places
                + ["INSERT INTO place_trips (place_pk, trip_pk) VALUES (2, 1), (3, 1), (2, 3)"],
            expecting: "SELECT trip_pk, town_pk FROM town_trips ORDER BY 1, 2",
            is: ["1|2", "1|3", "3|2"], returning: .whole)
    }

    @Test func `a many-to-many leads to a subclass only where all objects are of it`() async throws {
        try await Evolution(Self.pairedPlaces, Self.pairedTowns).refuse(
            seed: [Models.trips] + Models.places
                + ["INSERT INTO place_trips (place_pk, trip_pk) VALUES (2, 1), (1, 1)"], naming: "Town.trips")
    }

    @Test func `a many-to-many leads to the superclass`() async throws {
        try await Evolution(Self.pairedTowns, Self.pairedPlaces).run(
            seed: [Models.trips] + Models.places
                + ["INSERT INTO town_trips (town_pk, trip_pk) VALUES (2, 1), (3, 1), (2, 3)"],
            expecting: "SELECT trip_pk, place_pk FROM place_trips ORDER BY 1, 2", is: ["1|2", "1|3", "3|2"],
            returning: .whole)
    }

}
