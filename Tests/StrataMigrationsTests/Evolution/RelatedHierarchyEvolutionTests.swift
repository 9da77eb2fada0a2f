import StrataMigrations
import StrataModels
import Testing

/// Hierarchies with relationships and unique values on every level change; every link stays.
@Suite("Evolution: hierarchies with relationships") struct RelatedHierarchyEvolutionTests {
    private typealias Models = RelatedModels
    typealias Types = [any PersistentModel.Type]

    static let short: Types = [
        Models.Short.Trip.self, Models.Short.Business.self, Models.Short.Stop.self, Models.Short.Bill.self,
        Models.Short.Guest.self,
    ]
    private static let long: Types = [
        Models.Long.Trip.self, Models.Long.Paid.self, Models.Long.Business.self, Models.Long.Stop.self,
        Models.Long.Bill.self, Models.Long.Guest.self,
    ]
    static let named: Types = [
        Models.Named.Journey.self, Models.Named.Work.self, Models.Named.Stop.self, Models.Named.Bill.self,
        Models.Named.Guest.self,
    ]
    private static let classes: Types = [
        Models.Classes.Journey.self, Models.Classes.Work.self, Models.Classes.Stop.self, Models.Classes.Bill.self,
        Models.Classes.Guest.self,
    ]
    private static let apart: Types = [
        Models.Apart.Trip.self, Models.Apart.Business.self, Models.Apart.Stop.self, Models.Apart.Bill.self,
        Models.Apart.Guest.self,
    ]
    private static let one: Types = [
        Models.One.Trip.self, Models.One.Stop.self, Models.One.Bill.self, Models.One.Guest.self,
    ]
    private static let hidden: Types = [
        Models.Hidden.Trip.self, Models.Hidden.Business.self, Models.Hidden.Stop.self, Models.Hidden.Pass.self,
    ]
    private static let hiddenNamed: Types = [
        Models.HiddenNamed.Journey.self, Models.HiddenNamed.Work.self, Models.HiddenNamed.Stop.self,
        Models.HiddenNamed.Pass.self,
    ]
    static let toNamed: [SchemaChange] = [
        .renamed(Models.Short.Trip.self, to: Models.Named.Journey.self),
        .renamed(Models.Short.Business.self, to: Models.Named.Work.self),
    ]
    private static let toClasses: [SchemaChange] = [
        .renamed(Models.Short.Trip.self, to: Models.Classes.Journey.self),
        .renamed(Models.Short.Business.self, to: Models.Classes.Work.self),
    ]
    private static let toHiddenNamed: [SchemaChange] = [
        .renamed(Models.Hidden.Trip.self, to: Models.HiddenNamed.Journey.self),
        .renamed(Models.Hidden.Business.self, to: Models.HiddenNamed.Work.self),
    ]

    // MARK: The class in the middle

    @Test func `a class in the middle takes relationships and unique values`() async throws {
        try await Evolution(Self.short, Self.long).run(
            seed: Models.short, expecting: Models.links(), is: Models.allLinks, returning: .whole)
    }

    @Test func `a class in the middle takes the values`() async throws {
        try await Evolution(Self.short, Self.long).run(
            seed: Models.short,
            expecting: "SELECT pk, number, code, class AS kind FROM paid JOIN trip USING (pk) ORDER BY 1",
            is: ["2|7|b|Business", "3|8|nil|Business"], returning: .whole)
    }

    @Test func `the class in the middle leaves relationships and unique values to its subclass`() async throws {
        try await Evolution(
            Self.long, Self.short, changes: [.merged(Models.Long.Paid.self, into: Models.Short.Business.self)]
        ).run(
            seed: Models.long + [
                "INSERT INTO trip (pk, class, code) VALUES (4, 'Paid', 'd')",
                "INSERT INTO paid (pk, number) VALUES (4, 9)",
                "INSERT INTO bill (pk, trip) VALUES (34, 4)",
            ],
            expecting: """
                SELECT pk, number, code, class AS kind, (SELECT count(*) FROM bill WHERE bill.trip = b.pk) AS bills
                FROM business b JOIN trip USING (pk) ORDER BY 1
                """,
            is: ["2|7|b|Business|2", "3|8|nil|Business|0", "4|9|d|Business|1"],
            returning: .none(
                because: "rows of Business, Paid are all rows of Business now, and nothing tells what each was"))
    }

    // MARK: Names

    @Test func `class and subclass are renamed together`() async throws {
        try await Evolution(Self.short, Self.classes, changes: Self.toClasses).run(
            seed: Models.short,
            expecting: Models.links(["business_guests": "guest_trips", "business_pk": "work_pk"]), is: Models.allLinks,
            returning: .whole)
    }

    @Test func `class, subclass and all their relationships are renamed together`() async throws {
        try await Evolution(Self.short, Self.named, changes: Self.toNamed).run(
            seed: Models.short,
            expecting: """
                SELECT 'stop' AS kind, pk, journey FROM stop UNION ALL SELECT 'bill', pk, work FROM bill
                UNION ALL SELECT 'guest', work_pk, guest_pk FROM guest_works ORDER BY 1, 2, 3
                """, is: Models.allLinks, returning: .whole)
    }

    @Test func `values go with the renamed classes`() async throws {
        try await Evolution(Self.short, Self.named, changes: Self.toNamed).run(
            seed: Models.short,
            expecting:
                "SELECT j.pk, class AS kind, sign, w.order FROM journey j LEFT JOIN work w USING (pk) ORDER BY 1",
            is: ["1|Journey|a|nil", "2|Work|b|7", "3|Work|nil|8"], returning: .whole)
    }

    @Test func `hidden columns, one-to-one and required relationships are renamed`() async throws {
        try await Evolution(Self.hidden, Self.hiddenNamed, changes: Self.toHiddenNamed).run(
            seed: Models.hidden,
            expecting: """
                SELECT pk, journey_halts AS a, work_costs AS b FROM stop UNION ALL SELECT pk, journey, NULL FROM pass
                ORDER BY 1
                """, is: ["21|1|2", "22|2|nil", "23|nil|nil", "51|2|nil"], returning: .whole)
    }

    // MARK: Together and apart

    @Test func `a class with relationships becomes a subclass`() async throws {
        try await Evolution(Self.apart, Self.short).run(
            seed: Models.apart, expecting: Models.links(),
            is: Models.allLinks.map { $0.replacing("stop|22|2", with: "stop|22|1") }, returning: .whole)
    }

    @Test(arguments: [false, true]) func `keys for other programs follow those in use`(together: Bool) async throws {
        try await Evolution(together ? Self.apart : Self.short, together ? Self.short : Self.apart).run(
            seed: together ? Models.apart : Models.short.map { $0.replacing("(22, 2)", with: "(22, 1)") },
            expecting: "SELECT nextval(pg_get_serial_sequence('\(together ? "trip" : "business")', 'pk')) AS next",
            is: ["4"], returning: .whole)
    }

    @Test func `a class becomes a subclass, and its unique values those of the superclass`() async throws {
        try await Evolution(Self.apart, Self.short).refuse(
            seed: Models.apart + ["UPDATE trip SET code = 'b'"], naming: "code")
    }

    @Test func `a subclass with relationships becomes a class of its own`() async throws {
        try await Evolution(Self.short, Self.apart).run(
            seed: Models.short.map { $0.replacing("(22, 2)", with: "(22, 1)") }, expecting: Models.links(),
            is: Models.allLinks.map { $0.replacing("stop|22|2", with: "stop|22|1") }, returning: .whole)
    }

    @Test func `a subclass becomes a class of its own only if no link leads to its rows as the superclass`()
        async throws
    {
        try await Evolution(Self.short, Self.apart).refuse(seed: Models.short, naming: "Stop.trip")
    }

    @Test func `a subclass with relationships goes and its rows stay`() async throws {
        try await Evolution(
            Self.short, Self.one, changes: [.merged(Models.Short.Business.self, into: Models.One.Trip.self)]
        ).run(
            seed: Models.short,
            expecting: Models.links(["business_guests": "guest_trips", "business_pk": "trip_pk"]), is: Models.allLinks,
            returning: .none(
                because: "rows of Business, Trip are all rows of Trip now, and nothing tells what each was"))
    }

    @Test func `a subclass with relationships is split off`() async throws {
        try await Evolution(
            Self.one, Self.short, changes: [.split(Models.Short.Business.self, where: "number IS NOT NULL")]
        ).run(
            seed: [
                "INSERT INTO trip (pk, code, number) VALUES (1, 'a', NULL), (2, 'b', 7), (3, NULL, 8)"
            ] + Models.links + ["INSERT INTO guest_trips (trip_pk, guest_pk) VALUES (2, 41), (3, 41), (3, 42)"],
            expecting: Models.links(), is: Models.allLinks, returning: .whole)
    }

    @Test(arguments: [
        "UPDATE bill SET trip = 1 WHERE pk = 33", "INSERT INTO guest_trips (trip_pk, guest_pk) VALUES (1, 41)",
    ])
    func `a subclass is split off only with all that has its relationships`(link: String) async throws {
        try await Evolution(
            Self.one, Self.short, changes: [.split(Models.Short.Business.self, where: "number IS NOT NULL")]
        ).refuse(
            seed: ["INSERT INTO trip (pk, code, number) VALUES (1, 'a', NULL), (2, 'b', 7), (3, NULL, 8)"]
                + Models.links + [link], naming: link.contains("bill") ? "Bill.trip" : "uest")
    }

    // MARK: Dropped

    @Test func `a subclass that others refer to is dropped`() async throws {
        try await Evolution(
            Self.short, [Models.Plain.Trip.self, Models.Plain.Stop.self],
            changes: [
                .dropped(Models.Short.Business.self), .dropped(Models.Short.Bill.self),
                .dropped(Models.Short.Guest.self),
            ]
        ).run(
            seed: Models.short,
            expecting: "SELECT s.pk, t.code FROM stop s LEFT JOIN trip t ON t.pk = s.trip ORDER BY 1",
            is: ["21|a", "22|nil", "23|nil"],
            returning: .none(because: "dropped values cannot come back: Bill, Business, Guest"))
    }

    @Test(arguments: [false, true])
    func `a subclass is dropped only if the rules of others let its rows go`(cascades: Bool) async throws {
        let before: Types =
            cascades
            ? [Models.Cascading.Trip.self, Models.Cascading.Business.self, Models.Cascading.Stop.self]
            : [Models.Denying.Trip.self, Models.Denying.Business.self, Models.Denying.Stop.self]
        let after: Types =
            cascades
            ? [Models.CascadingOne.Trip.self, Models.CascadingOne.Stop.self]
            : [Models.DenyingOne.Trip.self, Models.DenyingOne.Stop.self]
        try await Evolution(
            before, after,
            changes: [cascades ? .dropped(Models.Cascading.Business.self) : .dropped(Models.Denying.Business.self)]
        ).refuse(
            seed: [
                "INSERT INTO trip (pk, class, code) VALUES (1, 'Trip', 'a'), (2, 'Business', 'b')",
                "INSERT INTO business (pk) VALUES (2)", "INSERT INTO stop (pk, trip) VALUES (21, 1), (22, 2)",
            ], naming: "Stop.trip")
    }
}
