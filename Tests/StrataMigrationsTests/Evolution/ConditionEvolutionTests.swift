import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// Rules that the database does not know and that saves keep: rows that break them are found before the first statement.
@Suite("Evolution: rules of saves") struct ConditionEvolutionTests {
    enum Plain {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip {}
    }
    enum Abstract {
        @Model class Trip {
            static let isAbstract = true
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip {}
    }
    enum AbstractSplit {
        @Model class Trip {
            static let isAbstract = true
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip {}
        @Model class Walk: Trip {}
    }

    private static let plain = [Plain.Trip.self, Plain.Paid.self] as [any PersistentModel.Type]
    private static let abstract = [Abstract.Trip.self, Abstract.Paid.self] as [any PersistentModel.Type]
    private static let mixed = [
        "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'a'), (2, 'Paid', 'b')",
        "INSERT INTO paid (pk) VALUES (2)",
    ]
    private static let paidOnly = [
        "INSERT INTO trip (pk, class, name) VALUES (2, 'Paid', 'b')", "INSERT INTO paid (pk) VALUES (2)",
    ]

    @Test func `a class becomes abstract only where it has no rows of its own`() async throws {
        let evolution = try Evolution(Self.plain, Self.abstract)
        try await evolution.refuse(
            seed: Self.mixed, naming: "M206 Trip is abstract now, and there are rows of it: 1 row")
        try await evolution.run(
            seed: Self.paidOnly, expecting: "SELECT pk, name FROM trip", is: ["2|b"], returning: .whole)
    }

    @Test func `rows that are split off an abstract class are none of its own`() async throws {
        let evolution = try Evolution(
            Self.plain, [AbstractSplit.Trip.self, AbstractSplit.Paid.self, AbstractSplit.Walk.self],
            changes: [.split(AbstractSplit.Walk.self, where: "name = 'a'")])
        try await evolution.run(
            seed: Self.mixed, expecting: "SELECT pk, class AS kind FROM trip ORDER BY pk", is: ["1|Walk", "2|Paid"],
            returning: .whole)
        try await evolution.refuse(
            seed: Self.mixed + ["INSERT INTO trip (pk, class, name) VALUES (3, 'Trip', 'z')"], naming: "M206")
    }

    @Test func `rows of a class that is abstract from now on are looked for again before contract`() async throws {
        let evolution = try Evolution(Self.plain, Self.abstract)
        try await evolution.withDatabase(seed: Self.paidOnly) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute("INSERT INTO trip (pk, class, name) VALUES (9, 'Trip', 'late')")
            let error = await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            #expect(error?.places.contains { $0.contains("9") } == true, "\(String(describing: error))")
        }
    }

    // MARK: Counts

    enum Loose {
        @Model class Trip {
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
        @Model class Guest {
            var trips: [Trip] = []
            init() {}
        }
    }
    enum Tight {
        @Model class Trip {
            @Relationship(minimumModelCount: 1, maximumModelCount: 2, inverse: \Stop.trip) var stops: [Stop] = []
            @Relationship(maximumModelCount: 1, inverse: \Guest.trips) var guests: [Guest] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
        @Model class Guest {
            var trips: [Trip] = []
            init() {}
        }
    }
    enum Perhaps {
        @Model class Trip {
            @Relationship(minimumModelCount: 2, inverse: \Stop.trip) var stops: [Stop]? = []
            @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
        @Model class Guest {
            var trips: [Trip] = []
            init() {}
        }
    }

    private static let loose = [Loose.Trip.self, Loose.Stop.self, Loose.Guest.self] as [any PersistentModel.Type]
    private static let tight = [Tight.Trip.self, Tight.Stop.self, Tight.Guest.self] as [any PersistentModel.Type]
    private static let perhaps =
        [Perhaps.Trip.self, Perhaps.Stop.self, Perhaps.Guest.self]
        as [any PersistentModel.Type]
    private static let two = [
        "INSERT INTO trip (pk) VALUES (1), (2)", "INSERT INTO guest (pk) VALUES (5), (6)",
        "INSERT INTO stop (pk, trip_id) VALUES (11, 1), (12, 1), (21, 2)",
    ]

    private static func pairs() throws -> String {
        let schema = try FrozenSchema(freezing: Schema(loose, version: Schema.Version(1, 0, 0)))
        let guests = schema.entity(named: "Trip")?.relationship("guests")
        guard case .joinTable(let table, let own, let other)? = guests?.storage else { return "" }
        return "INSERT INTO \"\(table)\" (\"\(own)\", \"\(other)\") VALUES "
    }

    @Test func `limits become narrower only where the rows keep them`() async throws {
        let evolution = try Evolution(Self.loose, Self.tight)
        let column = evolution.before.database.table(named: "stop")?.foreignKeys.first?.columns.first ?? ""
        let rows = Self.two.map { $0.replacing("trip_id", with: column) }
        try await evolution.run(
            seed: rows + [Self.pairs() + "(1, 5), (2, 5)"], expecting: "SELECT count(*) FROM stop", is: ["3"],
            returning: .whole)
        try await evolution.refuse(
            seed: rows + ["INSERT INTO trip (pk) VALUES (3)"],
            naming: "M404 Trip.stops has at least 1 and at most 2 objects now, and rows have another number: 1 row")
        try await evolution.refuse(
            seed: rows + ["INSERT INTO stop (pk, \(column)) VALUES (13, 1)"], naming: "1: 3")
        try await evolution.refuse(
            seed: rows + [Self.pairs() + "(1, 5), (1, 6)"], naming: "M404 Trip.guests has at most 1 object now")
    }

    @Test func `limits that become wider, and those of a relationship that is nil, ask nothing of empty ones`()
        async throws
    {
        let wider = try Evolution(Self.tight, Self.loose).scripts()[1].checks
        #expect(!wider.contains { $0.code == "M404" })
        let evolution = try Evolution(Self.loose, Self.perhaps)
        let column = evolution.before.database.table(named: "stop")?.foreignKeys.first?.columns.first ?? ""
        try await evolution.run(
            seed: ["INSERT INTO trip (pk) VALUES (1)"], expecting: "SELECT count(*) FROM trip", is: ["1"],
            returning: .whole)
        try await evolution.refuse(
            seed: ["INSERT INTO trip (pk) VALUES (1)", "INSERT INTO stop (\(column)) VALUES (1)"], naming: "M404")
    }

    // MARK: Lists

    enum Word {
        @Model class Item {
            var tags: String?
            init() {}
        }
    }
    enum Words {
        @Model class Item {
            var tags: [String]
            init(tags: [String]) { self.tags = tags }
        }
    }

    @Test func `nil becomes an empty list, and comes back as nil`() async throws {
        try await Evolution([Word.Item.self], [Words.Item.self]).run(
            seed: ["INSERT INTO item (pk, tags) VALUES (1, 'x'), (2, NULL)"],
            expecting: "SELECT pk, tags::text FROM item ORDER BY pk", is: ["1|{x}", "2|{}"], returning: .whole)
        let notes = try Evolution([Word.Item.self], [Words.Item.self]).scripts()[1].notes
        #expect(!notes.contains { $0.contains("keeps what it is filled with") }, "\(notes)")
    }
}
