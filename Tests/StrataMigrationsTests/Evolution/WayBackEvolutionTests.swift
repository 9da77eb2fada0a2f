import StrataModels
import Testing

@testable import StrataMigrations

/// What has moved forward moves back: values and links, not only tables.
@Suite("Evolution: ways back") struct WayBackEvolutionTests {
    private typealias Models = WayBackModels
    typealias Types = [any PersistentModel.Type]

    private static let direct: Types = [Models.Direct.Trip.self, Models.Direct.Biz.self]
    private static let inserted: Types = [
        Models.Inserted.Trip.self, Models.Inserted.Paid.self, Models.Inserted.Biz.self,
    ]
    private static let directRequired: Types = [Models.DirectRequired.Trip.self, Models.DirectRequired.Biz.self]
    private static let insertedRequired: Types = [
        Models.InsertedRequired.Trip.self, Models.InsertedRequired.Paid.self, Models.InsertedRequired.Biz.self,
    ]
    private static let insertedRenamed: Types = [
        Models.InsertedRenamed.Trip.self, Models.InsertedRenamed.Paid.self, Models.InsertedRenamed.Biz.self,
    ]

    private static let trips = [
        "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'a'), (2, 'Biz', 'b'), (3, 'Biz', 'c')",
        "INSERT INTO biz (pk, rate) VALUES (2, 20), (3, 30)",
    ]
    private static let rates = "SELECT t.pk, t.class AS kind, b.rate FROM trip t LEFT JOIN biz b USING (pk) ORDER BY 1"

    // MARK: A class in the middle takes an attribute

    @Test func `an attribute that a class in the middle has taken comes back`() async throws {
        try await Evolution(Self.direct, Self.inserted).runAndReturn(
            seed: Self.trips, expecting: Self.rates, is: ["1|Trip|nil", "2|Biz|20", "3|Biz|30"])
    }

    @Test func `a required attribute that a class in the middle has taken comes back`() async throws {
        try await Evolution(Self.directRequired, Self.insertedRequired).runAndReturn(
            seed: Self.trips, expecting: Self.rates, is: ["1|Trip|nil", "2|Biz|20", "3|Biz|30"])
    }

    @Test func `an attribute that a class in the middle has taken and renamed comes back`() async throws {
        try await Evolution(Self.direct, Self.insertedRenamed).runAndReturn(
            seed: Self.trips, expecting: Self.rates, is: ["1|Trip|nil", "2|Biz|20", "3|Biz|30"])
    }

    // MARK: A to-one changes sides

    private static let bearer: Types = [Models.Bearer.Person.self, Models.Bearer.Passport.self]
    private static let document: Types = [Models.Document.Person.self, Models.Document.Passport.self]
    private static let people = [
        "INSERT INTO passport (pk, number) VALUES (1, 'x'), (2, 'y'), (3, 'z')",
        "INSERT INTO person (pk, name, passport) VALUES (1, 'a', 2), (2, 'b', 1), (3, 'c', NULL)",
    ]

    @Test func `a to-one changes sides, and its links come back`() async throws {
        try await Evolution(
            Self.bearer, Self.document,
            changes: [.renamed(\Models.Bearer.Person.passport, to: \Models.Document.Passport.person)]
        ).runAndReturn(
            seed: Self.people, expecting: "SELECT pk, passport FROM person ORDER BY 1", is: ["1|2", "2|1", "3|nil"])
    }

    @Test func `a to-one that changes sides keeps its links`() async throws {
        try await Evolution(
            Self.bearer, Self.document,
            changes: [.renamed(\Models.Bearer.Person.passport, to: \Models.Document.Passport.person)]
        ).run(
            seed: Self.people, expecting: "SELECT pk, person FROM passport ORDER BY 1", is: ["1|2", "2|1", "3|nil"],
            returning: .whole)
    }

    @Test func `a to-one that changes sides is refused where two have one`() async throws {
        try await Evolution(
            Self.bearer, Self.document,
            changes: [.renamed(\Models.Bearer.Person.passport, to: \Models.Document.Passport.person)]
        ).refuse(seed: Self.people + ["UPDATE person SET passport = 1 WHERE pk = 3"], naming: "Passport.person")
    }

    // MARK: Under another superclass

    static let alone: Types = [Models.Alone.Trip.self, Models.Alone.Cruise.self]
    static let joined: Types = [Models.Joined.Trip.self, Models.Joined.Cruise.self]

    @Test func `rows that come under a superclass need what it requires`() async throws {
        try await Evolution(Self.alone, Self.joined).refuse(
            seed: ["INSERT INTO cruise (pk, deck) VALUES (1, 'd')"], naming: "Trip.seats is required")
    }

    private static let apart: Types = [Models.Apart.Trip.self, Models.Apart.Paid.self, Models.Apart.Biz.self]
    private static let moved: Types = [Models.Moved.Trip.self, Models.Moved.Paid.self, Models.Moved.Biz.self]

    @Test func `rows that come under a superclass are filled with what is declared`() async throws {
        try await Evolution(
            Self.alone, Self.joined, changes: [.filled(\Models.Joined.Trip.seats, with: "40")]
        ).run(
            seed: [
                "INSERT INTO trip (pk, name, seats) VALUES (2, 't', 3)",
                "INSERT INTO cruise (pk, deck) VALUES (1, 'd')",
            ], expecting: "SELECT pk, class AS kind, seats FROM trip ORDER BY 1", is: ["1|Cruise|40", "2|Trip|3"],
            returning: .refused(naming: "M101 Trip.seats: rows of Cruise would lose their value"))
    }

    @Test func `rows that get another parent need what it requires`() async throws {
        try await Evolution(Self.apart, Self.moved).refuse(
            seed: [
                "INSERT INTO trip (pk, class, name) VALUES (1, 'Biz', 'b')", "INSERT INTO biz (pk, rate) VALUES (1, 2)",
            ],
            naming: "Paid.cost is required")
    }

    @Test func `rows that get another parent are filled with what is declared`() async throws {
        try await Evolution(Self.apart, Self.moved, changes: [.filled(\Models.Moved.Paid.cost, with: "7")]).run(
            seed: [
                "INSERT INTO trip (pk, class, name) VALUES (1, 'Biz', 'b')", "INSERT INTO biz (pk, rate) VALUES (1, 2)",
            ],
            expecting: "SELECT pk, cost FROM paid", is: ["1|7"],
            returning: .refused(naming: "M101 Paid.cost: rows of Biz would lose their value"))
    }

    // MARK: What no way back can keep

    @Test func `rows of several classes that become one have no way back`() throws {
        let evolution = try Evolution(
            Self.inserted, [Models.Flat.Trip.self],
            changes: [
                .merged(Models.Inserted.Paid.self, into: Models.Flat.Trip.self),
                .merged(Models.Inserted.Biz.self, into: Models.Flat.Trip.self),
            ])
        #expect(
            try evolution.scripts()[1].down
                == .none(reason: "rows of Biz, Paid, Trip are all rows of Trip now, and nothing tells what each was"))
    }

    @Test func `what is new in the class in the middle is asked for before it goes`() async throws {
        let evolution = try Evolution(Self.direct, Self.inserted)
        let scripts = try evolution.scripts()
        guard case .steps(_, let checks) = scripts[1].down else {
            Issue.record("no way back")
            return
        }
        #expect(checks.map(\.title).contains("Paid.rate: rows of Trip would lose their value"))
    }

    @Test func `values that come back in another form are announced`() throws {
        let notes = try Evolution([Models.Empty.Item.self], [Models.Full.Item.self]).scripts()[1].notes
        #expect(notes.contains("going back, Item.note keeps what it is filled with where it is empty now"))
        #expect(
            notes.contains(
                "going back, Item.code is converted from bigint: what was written in another form than PostgreSQL "
                    + "writes comes back in that one"))
    }
}
