import StrataMigrations
import StrataModels
import Testing

/// Classes that come, go and move in a hierarchy: rows and values stay.
@Suite("Evolution: hierarchies") struct HierarchyEvolutionTests {
    enum Flat {
        @Model class Trip {
            var name: String
            var perdiem: Double?
            init(name: String) { self.name = name }
        }
    }
    enum Split {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class BusinessTrip: Trip {
            var perdiem: Double?
        }
    }
    enum Added {
        @Model class Trip {
            var name: String
            var perdiem: Double?
            init(name: String) { self.name = name }
        }
        @Model class BusinessTrip: Trip {
            var purpose: String = ""
        }
    }
    enum Middle {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class PaidTrip: Trip {
            var perdiem: Double?
        }
        @Model class BusinessTrip: PaidTrip {
            var purpose: String = ""
        }
    }
    enum Leaf {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class BusinessTrip: Trip {
            var perdiem: Double?
            var purpose: String = ""
        }
    }
    enum Apart {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class BusinessTrip {
            var name: String
            var perdiem: Double?
            init(name: String) { self.name = name }
        }
    }

    static let trips = [
        "INSERT INTO trip (pk, name, perdiem) VALUES (1, 'Rome', NULL), (2, 'Oslo', 12.5), (3, 'Bern', 30)"
    ]
    static let businessTrips = [
        "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'Rome'), (2, 'BusinessTrip', 'Oslo')",
        "INSERT INTO business_trip (pk, perdiem) VALUES (2, 12.5)",
    ]

    @Test func `a subclass is added`() async throws {
        try await Evolution([Flat.Trip.self], [Added.Trip.self, Added.BusinessTrip.self]).run(
            seed: Self.trips, expecting: "SELECT pk, class, name FROM trip ORDER BY pk",
            is: ["1|Trip|Rome", "2|Trip|Oslo", "3|Trip|Bern"], returning: .whole)
    }

    @Test func `rows are split into a new subclass`() async throws {
        try await Evolution(
            [Flat.Trip.self], [Split.Trip.self, Split.BusinessTrip.self],
            changes: [.split(Split.BusinessTrip.self, where: "perdiem IS NOT NULL")]
        ).run(
            seed: Self.trips,
            expecting:
                "SELECT t.pk, t.class AS kind, b.perdiem FROM trip t LEFT JOIN business_trip b USING (pk) ORDER BY pk",
            is: ["1|Trip|nil", "2|BusinessTrip|12.5", "3|BusinessTrip|30"], returning: .whole)
    }

    @Test func `rows that the split leaves out must not lose values`() async throws {
        try await Evolution(
            [Flat.Trip.self], [Split.Trip.self, Split.BusinessTrip.self],
            changes: [.split(Split.BusinessTrip.self, where: "perdiem > 20")]
        ).refuse(seed: Self.trips, naming: "Trip.perdiem")
    }

    @Test func `a value that goes nowhere is refused when files are generated`() throws {
        let evolution = try Evolution([Flat.Trip.self], [Split.Trip.self, Split.BusinessTrip.self])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.places == ["Trip.perdiem"])
    }

    @Test func `an attribute is pulled up`() async throws {
        try await Evolution(
            [Split.Trip.self, Split.BusinessTrip.self], [Added.Trip.self, Added.BusinessTrip.self]
        ).run(
            seed: Self.businessTrips, expecting: "SELECT pk, perdiem FROM trip ORDER BY pk", is: ["1|nil", "2|12.5"],
            returning: .whole)
    }

    @Test func `a class is inserted in the middle`() async throws {
        try await Evolution(
            [Leaf.Trip.self, Leaf.BusinessTrip.self],
            [Middle.Trip.self, Middle.PaidTrip.self, Middle.BusinessTrip.self]
        ).run(
            seed: [
                Self.businessTrips[0], "INSERT INTO business_trip (pk, perdiem, purpose) VALUES (2, 12.5, 'talk')",
            ],
            expecting: "SELECT pk, p.perdiem, b.purpose FROM paid_trip p JOIN business_trip b USING (pk)",
            is: ["2|12.5|talk"], returning: .whole)
    }

    @Test func `the class in the middle is removed`() async throws {
        try await Evolution(
            [Middle.Trip.self, Middle.PaidTrip.self, Middle.BusinessTrip.self],
            [Leaf.Trip.self, Leaf.BusinessTrip.self],
            changes: [.merged(Middle.PaidTrip.self, into: Leaf.BusinessTrip.self)]
        ).run(
            seed: [
                "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'Rome'), (2, 'BusinessTrip', 'Oslo'), (3, 'PaidTrip', 'Bern')",
                "INSERT INTO paid_trip (pk, perdiem) VALUES (2, 12.5), (3, 30)",
                "INSERT INTO business_trip (pk, purpose) VALUES (2, 'talk')",
            ],
            expecting:
                "SELECT pk, t.class AS kind, b.perdiem, b.purpose AS why FROM trip t LEFT JOIN business_trip b USING (pk) ORDER BY pk",
            is: ["1|Trip|nil|nil", "2|BusinessTrip|12.5|talk", "3|BusinessTrip|30|"],
            returning: .none(
                because:
                    "rows of BusinessTrip, PaidTrip are all rows of BusinessTrip now, and nothing tells what each was"))
    }

    @Test func `a class of its own becomes a subclass`() async throws {
        try await Evolution(
            [Apart.Trip.self, Apart.BusinessTrip.self], [Split.Trip.self, Split.BusinessTrip.self]
        ).run(
            seed: [
                "INSERT INTO trip (pk, name) VALUES (1, 'Rome')",
                "INSERT INTO business_trip (pk, name, perdiem) VALUES (2, 'Oslo', 12.5)",
            ],
            expecting:
                "SELECT pk, t.class AS kind, t.name, b.perdiem FROM trip t LEFT JOIN business_trip b USING (pk) ORDER BY pk",
            is: ["1|Trip|Rome|nil", "2|BusinessTrip|Oslo|12.5"], returning: .whole)
    }

    @Test func `keys that both classes use are refused`() async throws {
        try await Evolution(
            [Apart.Trip.self, Apart.BusinessTrip.self], [Split.Trip.self, Split.BusinessTrip.self]
        ).refuse(
            seed: [
                "INSERT INTO trip (pk, name) VALUES (1, 'Rome')",
                "INSERT INTO business_trip (pk, name) VALUES (1, 'Oslo')",
            ], naming: "BusinessTrip joins Trip")
    }

    @Test func `a subclass becomes a class of its own`() async throws {
        try await Evolution(
            [Split.Trip.self, Split.BusinessTrip.self], [Apart.Trip.self, Apart.BusinessTrip.self]
        ).run(
            seed: Self.businessTrips,
            expecting: "SELECT pk, name FROM trip UNION ALL SELECT pk, name FROM business_trip ORDER BY pk",
            is: ["1|Rome", "2|Oslo"], returning: .whole)
    }

    @Test func `a subclass is removed and its rows stay`() async throws {
        try await Evolution(
            [Split.Trip.self, Split.BusinessTrip.self], [Flat.Trip.self],
            changes: [.merged(Split.BusinessTrip.self, into: Flat.Trip.self)]
        ).run(
            seed: Self.businessTrips, expecting: "SELECT pk, name, perdiem FROM trip ORDER BY pk",
            is: ["1|Rome|nil", "2|Oslo|12.5"],
            returning: .none(
                because: "rows of BusinessTrip, Trip are all rows of Trip now, and nothing tells what each was"))
    }

    @Test func `a subclass is dropped with its rows`() async throws {
        try await Evolution(
            [Split.Trip.self, Split.BusinessTrip.self], [Flat.Trip.self], changes: [.dropped(Split.BusinessTrip.self)]
        ).run(
            seed: Self.businessTrips, expecting: "SELECT pk, name FROM trip", is: ["1|Rome"],
            returning: .none(because: "dropped values cannot come back: BusinessTrip"))
    }
}
