import StrataMigrations
import StrataModels
import Testing

/// Several subclasses and levels change at once: every row keeps its class and its values.
@Suite("Evolution: deep hierarchies") struct DeepHierarchyEvolutionTests {
    private typealias Models = DeepModels
    private typealias Types = [any PersistentModel.Type]

    private static let noted: Types = [
        Models.Noted.Trip.self, Models.Noted.Business.self, Models.Noted.Personal.self,
    ]
    private static let notedBelow: Types = [
        Models.NotedBelow.Trip.self, Models.NotedBelow.Business.self, Models.NotedBelow.Personal.self,
    ]
    private static let plain: Types = [
        Models.Plain.Trip.self, Models.Plain.Business.self, Models.Plain.Personal.self,
    ]
    private static let middle: Types = [
        Models.Middle.Trip.self, Models.Middle.Paid.self, Models.Middle.Business.self, Models.Middle.Personal.self,
    ]
    private static let apart: Types = [Models.Apart.Business.self, Models.Apart.Personal.self]
    private static let underPaid: Types = [
        Models.UnderPaid.Trip.self, Models.UnderPaid.Paid.self, Models.UnderPaid.Free.self,
        Models.UnderPaid.Business.self,
    ]
    private static let underFree: Types = [
        Models.UnderFree.Trip.self, Models.UnderFree.Paid.self, Models.UnderFree.Free.self,
        Models.UnderFree.Business.self,
    ]

    private static let rows =
        "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'Rome'), (2, 'Business', 'Oslo'), (3, 'Personal', 'Bern')"
    private static let parts = [
        "INSERT INTO business (pk, perdiem) VALUES (2, 12.5)", "INSERT INTO personal (pk, reason) VALUES (3, 'fun')",
    ]
    private static let all = """
        SELECT t.pk, t.class AS kind, t.name, b.perdiem, p.reason FROM trip t
        LEFT JOIN business b USING (pk) LEFT JOIN personal p USING (pk) ORDER BY 1
        """
    private static let allRows = ["1|Trip|Rome|nil|nil", "2|Business|Oslo|12.5|nil", "3|Personal|Bern|nil|fun"]

    // MARK: Attributes

    @Test func `an attribute is pushed down into two subclasses`() async throws {
        try await Evolution(Self.noted, Self.notedBelow).run(
            seed: [Self.rows] + Self.parts + ["UPDATE trip SET note = 'n' || pk WHERE pk > 1"],
            expecting: "SELECT pk, note FROM business UNION ALL SELECT pk, note FROM personal ORDER BY pk",
            is: ["2|n2", "3|n3"], returning: .whole)
    }

    @Test func `a value of the superclass cannot be pushed down`() async throws {
        try await Evolution(Self.noted, Self.notedBelow).refuse(
            seed: [Self.rows] + Self.parts + ["UPDATE trip SET note = 'n'"], naming: "Trip.note")
    }

    @Test func `an attribute is pulled up from two siblings`() async throws {
        try await Evolution(Self.notedBelow, Self.noted).run(
            seed: [
                Self.rows, "INSERT INTO business (pk, note) VALUES (2, 'n2')",
                "INSERT INTO personal (pk, reason, note) VALUES (3, 'fun', 'n3')",
            ],
            expecting: "SELECT pk, note FROM trip ORDER BY pk", is: ["1|nil", "2|n2", "3|n3"], returning: .whole)
    }

    @Test func `an attribute is pulled up two levels`() async throws {
        try await Evolution(
            [Models.Deep.Trip.self, Models.Deep.Paid.self, Models.Deep.Business.self],
            [Models.DeepAbove.Trip.self, Models.DeepAbove.Paid.self, Models.DeepAbove.Business.self]
        ).run(
            seed: Self.deep(purpose: "business", "purpose", "(3, 'talk')"),
            expecting: "SELECT pk, class AS kind, purpose FROM trip ORDER BY pk",
            is: ["1|Trip|nil", "2|Paid|nil", "3|Business|talk"], returning: .whole)
    }

    @Test func `an attribute is pushed down two levels`() async throws {
        try await Evolution(
            [Models.DeepAbove.Trip.self, Models.DeepAbove.Paid.self, Models.DeepAbove.Business.self],
            [Models.Deep.Trip.self, Models.Deep.Paid.self, Models.Deep.Business.self],
            changes: [.dropped(\Models.DeepAbove.Business.seats)]
        ).run(
            seed: Self.deep(purpose: "business", "seats", "(3, 1)") + ["UPDATE trip SET purpose = 'talk' WHERE pk = 3"],
            expecting: "SELECT pk, p.cost, b.purpose FROM business b JOIN paid p USING (pk)", is: ["3|7|talk"],
            returning: .none(because: "dropped values cannot come back: Business.seats"))
    }

    private static func deep(purpose table: String, _ column: String, _ values: String) -> [String] {
        [
            "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'Rome'), (2, 'Paid', 'Oslo'), (3, 'Business', 'Bern')",
            "INSERT INTO paid (pk, cost) VALUES (2, 5), (3, 7)",
            "INSERT INTO \(table) (pk, \(column)) VALUES \(values)",
        ]
    }

    // MARK: Classes

    @Test func `a middle class takes two subclasses`() async throws {
        try await Evolution(Self.plain, Self.middle).run(
            seed: [Self.rows] + Self.parts, expecting: "SELECT pk, days FROM paid ORDER BY pk", is: ["2|1", "3|1"],
            returning: .whole)
    }

    @Test func `the middle class of two subclasses goes`() async throws {
        try await Evolution(
            Self.middle, Self.plain,
            changes: [
                .merged(Models.Middle.Paid.self, into: Models.Plain.Trip.self), .dropped(\Models.Middle.Paid.days),
            ]
        ).run(
            seed: [
                Self.rows, "INSERT INTO trip (pk, class, name) VALUES (4, 'Paid', 'Graz')",
                "INSERT INTO paid (pk, days) VALUES (2, 2), (3, 3), (4, 4)",
            ] + Self.parts, expecting: Self.all, is: Self.allRows + ["4|Trip|Graz|nil|nil"],
            returning: .none(because: "dropped values cannot come back: Paid.days"))
    }

    @Test func `a subclass goes to another middle class`() async throws {
        try await Evolution(Self.underPaid, Self.underFree).run(
            seed: Self.underPaidRows(cost: 0),
            expecting:
                "SELECT t.pk, t.class AS kind, f.sponsor, b.purpose, p.cost FROM trip t LEFT JOIN free f USING (pk) "
                + "LEFT JOIN business b USING (pk) LEFT JOIN paid p USING (pk) ORDER BY 1",
            is: ["1|Free|x|nil|nil", "2|Paid|nil|nil|9", "3|Business||talk|nil"], returning: .whole)
    }

    @Test func `a subclass that goes to another middle class must lose no value`() async throws {
        try await Evolution(Self.underPaid, Self.underFree).refuse(
            seed: Self.underPaidRows(cost: 5), naming: "Paid.cost")
    }

    private static func underPaidRows(cost: Int) -> [String] {
        [
            "INSERT INTO trip (pk, class, name) VALUES (1, 'Free', 'Rome'), (2, 'Paid', 'Oslo'), (3, 'Business', 'Bern')",
            "INSERT INTO free (pk, sponsor) VALUES (1, 'x')", "INSERT INTO paid (pk, cost) VALUES (2, 9), (3, \(cost))",
            "INSERT INTO business (pk, purpose) VALUES (3, 'talk')",
        ]
    }

    @Test func `a subclass is renamed`() async throws {
        try await Evolution(
            Self.plain, [Models.Work.Trip.self, Models.Work.WorkTrip.self, Models.Work.Personal.self],
            changes: [.renamed(Models.Plain.Business.self, to: Models.Work.WorkTrip.self)]
        ).run(
            seed: [Self.rows] + Self.parts,
            expecting:
                "SELECT t.pk, t.class AS kind, w.perdiem FROM trip t LEFT JOIN work_trip w USING (pk) ORDER BY 1",
            is: ["1|Trip|nil", "2|WorkTrip|12.5", "3|Personal|nil"], returning: .whole)
    }

    @Test func `a hierarchy becomes one class`() async throws {
        try await Evolution(
            Self.plain, [Models.Flat.Trip.self],
            changes: [
                .merged(Models.Plain.Business.self, into: Models.Flat.Trip.self),
                .merged(Models.Plain.Personal.self, into: Models.Flat.Trip.self),
            ]
        ).run(
            seed: [Self.rows] + Self.parts, expecting: "SELECT pk, name, perdiem, reason FROM trip ORDER BY pk",
            is: ["1|Rome|nil|nil", "2|Oslo|12.5|nil", "3|Bern|nil|fun"],
            returning: .none(
                because: "rows of Business, Personal, Trip are all rows of Trip now, and nothing tells what each was"))
    }

    // MARK: Splits, constraints, relationships

    @Test func `a split keeps what is related`() async throws {
        try await Evolution(
            [Models.Whole.Trip.self, Models.Whole.Stop.self],
            [Models.Parted.Trip.self, Models.Parted.Business.self, Models.Parted.Stop.self],
            changes: [.split(Models.Parted.Business.self, where: "perdiem IS NOT NULL")]
        ).run(
            seed: [
                "INSERT INTO trip (pk, name, perdiem) VALUES (1, 'Rome', NULL), (2, 'Oslo', 12.5)",
                "INSERT INTO stop (pk, title, trip) VALUES (1, 'a', 1), (2, 'b', 2)",
            ],
            expecting: "SELECT s.title, t.class AS kind FROM stop s JOIN trip t ON t.pk = s.trip ORDER BY 1",
            is: ["a|Trip", "b|Business"], returning: .whole)
    }

    private static let codes = ["INSERT INTO trip (pk, class, code) VALUES (1, 'Trip', NULL), (2, 'Business', 'a')"]
    private static let codesBelow = [
        "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', ''), (2, 'Business', ''), (3, 'Business', '')",
        "INSERT INTO business (pk, code) VALUES (2, 'a'), (3, 'b')",
    ]

    @Test func `a unique attribute is pulled up`() async throws {
        try await Evolution(
            [Models.CodeBelow.Trip.self, Models.CodeBelow.Business.self],
            [Models.CodeAbove.Trip.self, Models.CodeAbove.Business.self],
            changes: [.dropped(\Models.CodeBelow.Trip.name)]
        ).run(
            seed: Self.codesBelow, expecting: "SELECT pk, code FROM trip ORDER BY pk", is: ["1|nil", "2|a", "3|b"],
            returning: .none(because: "dropped values cannot come back: Trip.name"))
    }

    @Test func `a unique attribute is pushed down`() async throws {
        try await Evolution(
            [Models.CodeAbove.Trip.self, Models.CodeAbove.Business.self],
            [Models.CodeBelow.Trip.self, Models.CodeBelow.Business.self]
        ).run(
            seed: Self.codes + ["INSERT INTO business (pk) VALUES (2)"],
            expecting: "SELECT pk, code FROM business", is: ["2|a"], returning: .whole)
    }

    @Test func `an index is pulled up with its attribute`() async throws {
        try await Evolution(
            [Models.IndexBelow.Trip.self, Models.IndexBelow.Business.self],
            [Models.IndexAbove.Trip.self, Models.IndexAbove.Business.self],
            changes: [.dropped(\Models.IndexBelow.Trip.name)]
        ).run(
            seed: Self.codesBelow, expecting: "SELECT pk, code FROM trip ORDER BY pk", is: ["1|nil", "2|a", "3|b"],
            returning: .none(because: "dropped values cannot come back: Trip.name"))
    }

    @Test func `an index is pushed down with its attribute`() async throws {
        try await Evolution(
            [Models.IndexAbove.Trip.self, Models.IndexAbove.Business.self],
            [Models.IndexBelow.Trip.self, Models.IndexBelow.Business.self]
        ).run(
            seed: Self.codes + ["INSERT INTO business (pk) VALUES (2)"],
            expecting: "SELECT pk, code FROM business", is: ["2|a"], returning: .whole)
    }

    private static let placeAbove: Types = [
        Models.PlaceAbove.Place.self, Models.PlaceAbove.Trip.self, Models.PlaceAbove.Business.self,
    ]
    private static let placeBelow: Types = [
        Models.PlaceBelow.Place.self, Models.PlaceBelow.Trip.self, Models.PlaceBelow.Business.self,
    ]

    @Test func `a relationship is pulled up`() async throws {
        try await Evolution(Self.placeBelow, Self.placeAbove).run(
            seed: [
                "INSERT INTO place (pk, name) VALUES (7, 'Dom')",
                "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'Rome'), (2, 'Business', 'Oslo')",
                "INSERT INTO business (pk, place) VALUES (2, 7)",
            ], expecting: "SELECT pk, place FROM trip ORDER BY pk", is: ["1|nil", "2|7"], returning: .whole)
    }

    @Test func `a relationship is pushed down`() async throws {
        try await Evolution(Self.placeAbove, Self.placeBelow).run(
            seed: [
                "INSERT INTO place (pk, name) VALUES (7, 'Dom')",
                "INSERT INTO trip (pk, class, name, place) VALUES (1, 'Trip', 'Rome', NULL), (2, 'Business', 'Oslo', 7)",
                "INSERT INTO business (pk) VALUES (2)",
            ], expecting: "SELECT pk, place FROM business", is: ["2|7"], returning: .whole)
    }
}
