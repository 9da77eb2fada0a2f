import Foundation
import Strata
import StrataModelTestSupport
import Testing

/// A place on earth.
struct Spot: Codable, Hashable {
    var latitude: Double
    var zone: Int?
}

/// A value with parts of many kinds.
struct Address: Codable, Hashable {
    enum Kind: String, Codable, CaseIterable { case home, work, other }
    enum CodingKeys: String, CodingKey {
        case city = "town"
        case number, isOpen, isOld, since, kind, spot, note, token
    }

    var city: String
    var number: Int
    var isOpen: Bool
    var isOld: Bool
    var since: Date
    var kind: Kind
    var spot: Spot
    var note: String?
    var token: UUID
    /// What a sample does not tell from ``city``.
    var capitalized: String { city.first?.isLowercase == true ? city.capitalized : city }
}

@Model final class Depot {
    var name: String
    var address: Address
    var second: Address?
    var label: String = ""
    var amount: Int = 0
    var depot: Depot?
    var third: Address?
    /// Of the same type as stored ones.
    var computed: Address? { third ?? second }
    /// What most values do not tell from ``second``.
    var nearby: Address? { (second?.number ?? 0) > 1_000 ? nil : second }
    var named: Address? { second?.city.isEmpty == true ? nil : second }

    init(_ name: String, _ address: Address, second: Address? = nil) {
        self.name = name
        self.address = address
        self.second = second
    }
}

@Model final class Yard {
    var name: String
    var main: Depot?
    var spare: Depot?
    var address: Address
    /// Leads to a stored relationship wherever that leads anywhere.
    var place: Depot? { main ?? spare }
    /// Gives what is stored for a sample with small numbers.
    var limited: Address {
        var limited = address
        limited.number = min(limited.number, 9_999)
        return limited
    }

    init(_ name: String, _ address: Address) {
        self.name = name
        self.address = address
    }
}

/// Key paths into parts of Codable values.
@Suite struct PartPathTests {
    private let token = UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!

    private func address(_ city: String, _ number: Int, zone: Int? = nil, note: String? = nil) -> Address {
        Address(
            city: city, number: number, isOpen: number > 1, isOld: number == 1,
            since: Date(timeIntervalSince1970: Double(number) + 0.25), kind: number == 1 ? .home : .work,
            spot: Spot(latitude: Double(number) / 2, zone: zone), note: note, token: token)
    }

    private func withDepots(
        file: String = #fileID, line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void
    ) async throws {
        try await withModelStore(Depot.self, file: file, line: line) { store in
            let context = ModelContext(store.container)
            let depots = [
                Depot("a", address("Paris", 2, zone: 4), second: address("Rome", 7)),
                Depot("b", address("Aqaba", 1, note: "sea")),
                Depot("c", address("Paris", 3, zone: -1), second: address("Bonn", 5, note: "Rhine")),
            ]
            for depot in depots { context.insert(depot) }
            depots[0].depot = depots[1]
            depots[1].third = address("Oslo", 9)
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private let byName = FetchDescriptor<Depot>(sortBy: [SortDescriptor(\.name)])

    @Test func `parts are selected`() async throws {
        try await withDepots { store, context in
            let cities = try await context.fetch(byName, selecting: \.address.city)
            #expect(cities == ["Paris", "Aqaba", "Paris"])
            #expect(
                store.lastSQL
                    == "SELECT t0.address #>> ARRAY[$1::text] FROM depot AS t0 ORDER BY t0.name COLLATE C ASC, t0.pk")
            #expect(store.recorder.roundTrips == 1)
            let rows = try await context.fetch(
                byName, selecting: \.address.number, \.address.isOpen, \.address.isOld, \.address.since, \.address.kind,
                \.address.spot, \.address.spot.latitude, \.address.spot.zone, \.address.token)
            let objects = try await context.fetch(byName)
            for (row, object) in zip(rows, objects) {
                #expect(row.0 == object.address.number)
                #expect(row.1 == object.address.isOpen)
                #expect(row.2 == object.address.isOld)
                #expect(row.3 == object.address.since)
                #expect(row.4 == object.address.kind)
                #expect(row.5 == object.address.spot)
                #expect(row.6 == object.address.spot.latitude)
                #expect(row.7 == object.address.spot.zone)
                #expect(row.8 == object.address.token)
            }
        }
    }

    @Test func `parts of missing values and of other objects are selected`() async throws {
        try await withDepots { store, context in
            let rows = try await context.fetch(
                byName, selecting: \.second?.city, \.second?.note, \.second?.spot.zone, \.depot?.address.city,
                \.depot?.second?.spot.latitude)
            #expect(rows.map(\.0) == ["Rome", nil, "Bonn"])
            #expect(rows.map(\.1) == [nil, nil, "Rhine"])
            #expect(rows.map(\.2) == [nil, nil, nil])
            #expect(rows.map(\.3) == ["Aqaba", nil, nil])
            #expect(rows.map(\.4) == [nil, nil, nil])
            let kinds = try await context.fetch(byName, selecting: \.third?.kind)
            #expect(kinds.map { $0 } == [nil, Address.Kind.work, nil])
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(byName, selecting: \.second!.city)
            }
            #expect(error?.code == .unsupportedKeyPath)
            #expect(error?.message.hasPrefix("Depot.second: it cannot be found out which coding key") == true)
        }
    }

    @Test func `computed properties of a stored one's type are refused, wherever they differ`() async throws {
        try await withModelStore(Depot.self, Yard.self) { store in
            let context = ModelContext(store.container)
            for sort in [SortDescriptor(\Yard.place?.address.city), SortDescriptor(\Yard.limited.number)] {
                await #expect(throws: SwiftDataError.unsupportedKeyPath, "\(sort)") {
                    _ = try await context.fetch(FetchDescriptor<Yard>(sortBy: [sort]))
                }
            }
            await #expect(throws: SwiftDataError.unsupportedKeyPath) {
                _ = try await context.fetch(FetchDescriptor<Yard>(), selecting: \.place?.address.city)
            }
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `parts are sorted by`() async throws {
        try await withDepots { store, context in
            func expect(_ names: [String], _ sort: [SortDescriptor<Depot>]) async throws {
                let found = try await context.fetch(FetchDescriptor<Depot>(sortBy: sort)).map(\.name)
                #expect(found == names)
            }
            let name = SortDescriptor(\Depot.name)
            try await expect(["b", "a", "c"], [SortDescriptor(\.address.city), SortDescriptor(\.address.number)])
            #expect(
                store.lastSQL.hasSuffix(
                    "ORDER BY (t0.address #>> ARRAY[$1::text]) COLLATE C ASC, (t0.address #>> ARRAY[$2::text])::bigint ASC, t0.pk"
                ))
            try await expect(["c", "a", "b"], [SortDescriptor(\.address.since, order: .reverse)])
            try await expect(["b", "a", "c"], [SortDescriptor(\.address.isOpen), name])
            try await expect(["a", "c", "b"], [SortDescriptor(\.address.kind, order: .reverse), name])
            try await expect(["b", "c", "a"], [SortDescriptor(\.second?.city)])
            try await expect(["b", "a", "c"], [SortDescriptor(\.address.city, comparator: .localizedStandard), name])
            try await expect(["b", "c", "a"], [SortDescriptor(\.depot?.address.number), name])
        }
    }

    @Test func `parts are grouped by, and added up`() async throws {
        try await withDepots { store, context in
            let all = FetchDescriptor<Depot>()
            let groups = try await context.fetch(
                all, selecting: .key(\.address.city), .count, .sum(\.address.number), .maximum(\.address.spot.latitude),
                orderBy: [.forward(.key(\.address.city))])
            #expect(groups.map(\.0) == ["Aqaba", "Paris"])
            #expect(groups.map(\.1) == [1, 2])
            #expect(groups.map(\.2) == [1, 5])
            #expect(groups.map(\.3) == [0.5, 1.5])
            #expect(try await context.fetchSum(all, of: \.address.number) == 6)
            #expect(try await context.fetchAverage(all, of: \.address.spot.zone) == 1.5)
            #expect(try await context.fetchMinimum(all, of: \.second?.city) == "Bonn")
            var latest = FetchDescriptor<Depot>(sortBy: [SortDescriptor(\.address.number, order: .reverse)])
            latest.groupLimit = .first(1, ofEach: \.address.city)
            #expect(try await context.fetch(latest).map(\.name) == ["c", "b"])
        }
    }

    @Test func `the least and the greatest date and UUID of parts are read to the last digit`() async throws {
        try await withDepots { store, context in
            let all = FetchDescriptor<Depot>()
            let objects = try await context.fetch(all)
            let dates = objects.map(\.address.since)
            #expect(try await context.fetchMinimum(all, of: \.address.since) == dates.min())
            #expect(try await context.fetchMaximum(all, of: \.address.since) == dates.max())
            #expect(
                store.lastSQL
                    == "SELECT (array_agg(q.v0 ORDER BY (q.v0 #>> '{}')::double precision DESC) FILTER (WHERE q.v0 IS NOT NULL))[1] "
                    + "FROM (SELECT NULLIF(t0.address #> ARRAY[$1::text], 'null'::jsonb) AS v0 FROM depot AS t0) AS q"
            )
            #expect(try await context.fetchMaximum(all, of: \.address.token) == token)
            #expect(
                try await context.fetchMaximum(all, of: \.third?.since) == objects.compactMap { $0.third?.since }.max())
            let utc = try #require(TimeZone(identifier: "UTC"))
            let groups = try await context.fetch(
                all, selecting: .key(\.address.city), .minimum(\.address.since), .maximum(\Depot.second?.token),
                orderBy: [.forward(.key(\.address.city))])
            #expect(groups.map(\.0) == ["Aqaba", "Paris"])
            #expect(groups.map(\.1) == [1, 2].map { Date(timeIntervalSince1970: $0 + 0.25) })
            #expect(groups.map(\.2) == [nil, token])
            let days = try await context.fetch(all, selecting: .key(\.address.since, by: .day, in: utc), .count)
            #expect(days.map(\.0) == [Date(timeIntervalSince1970: 0)])
            #expect(days.map(\.1) == [3])
        }
    }

    @Test func `expressions compute with parts`() async throws {
        try await withDepots { store, context in
            let number = #Expression<Depot, Int> { $0.address.number * 10 + $0.amount }
            let city = #Expression<Depot, String> { $0.second?.city ?? "none" }
            let isHigh = #Expression<Depot, Bool> { $0.address.isOpen && $0.address.spot.latitude > 1 }
            let since = #Expression<Depot, Date> { $0.address.since }
            let other = #Expression<Depot, String?> { $0.depot?.address.city }
            let rows = try await context.fetch(
                byName, selecting: .value(number), .value(city), .value(isHigh), .value(since), .value(other))
            #expect(rows.map(\.0) == [20, 10, 30])
            #expect(rows.map(\.1) == ["Rome", "none", "Bonn"])
            #expect(rows.map(\.2) == [false, false, true])
            #expect(rows.map(\.3) == [2, 1, 3].map { Date(timeIntervalSince1970: $0 + 0.25) })
            #expect(rows.map(\.4) == ["Aqaba", nil, nil])
            let isLarge = #Expression<Depot, Bool> { $0.address.number > 1 }
            let next = #Expression<Depot, Int> { $0.address.number + 1 }
            let groups = try await context.fetch(
                FetchDescriptor<Depot>(), selecting: .key(isLarge), .sum(next), orderBy: [.forward(.sum(next))])
            #expect(groups.map(\.0) == [false, true])
            #expect(groups.map(\.1) == [2, 7])
            try {
                let double = #Expression<Depot, Int> { $0.address.number * 2 }
                let note = #Expression<Depot, String> { $0.second?.note ?? $0.address.city }
                try context.update(
                    model: Depot.self, where: #Predicate { $0.address.city == "Paris" }, .set(\.amount, to: double),
                    .set(\.label, to: note))
                try context.save()
            }()
            let after = try await context.fetch(byName, selecting: \.label, \.amount)
            #expect(after.map(\.0) == ["Paris", "", "Rhine"])
            #expect(after.map(\.1) == [4, 0, 6])
        }
    }

    @Test func `an update takes a value from a part`() async throws {
        try await withDepots { _, context in
            try {
                try context.update(
                    model: Depot.self, .set(\.label, from: \.address.city), .set(\.amount, from: \.address.number))
                try context.save()
            }()
            let rows = try await context.fetch(byName, selecting: \.label, \.amount)
            #expect(rows.map(\.0) == ["Paris", "Aqaba", "Paris"])
            #expect(rows.map(\.1) == [2, 1, 3])
        }
    }

    @Test func `SQL names parts, as values of their types`() async throws {
        try await withDepots { store, context in
            struct Row: Decodable, Equatable { var city: String, n: Int }
            let since = Date(timeIntervalSince1970: 1.5)
            let rows = try await context.fetch(
                Row.self,
                sql: """
                    SELECT \(\Depot.address.city) AS city, sum(\(\Depot.address.number))::bigint AS n FROM \(Depot.self) \
                    WHERE \(\Depot.address.since) > \(since) AND \(\Depot.address.token) = \(token) \
                    GROUP BY \(\Depot.address.city)
                    """)
            #expect(rows == [Row(city: "Paris", n: 5)])
            #expect(store.lastSQL.contains("(depot.address #>> ARRAY['town']) AS city"))
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(Int.self, sql: "SELECT \(column: \Depot.address.city) FROM \(Depot.self)")
            }
            #expect(error?.code == .unsupportedKeyPath)
            #expect(error?.message.contains("Depot.address.town as a column, and it is a part of one") == true)
        }
    }

    @Test func `what is no stored part is refused by name`() async throws {
        try await withDepots { store, context in
            func refusal(_ fetch: () async throws -> Void) async throws -> SwiftDataError {
                let error = await #expect(throws: SwiftDataError.self) { try await fetch() }
                #expect(store.recorder.statements.isEmpty)
                return try #require(error)
            }
            let computed = try await refusal { _ = try await context.fetch(byName, selecting: \.address.capitalized) }
            #expect(computed.code == .unsupportedKeyPath)
            #expect(computed.message.hasPrefix("Depot.address: it cannot be found out which coding key"))
            let property = try await refusal { _ = try await context.fetch(byName, selecting: \.computed?.city) }
            #expect(property.code == .unsupportedKeyPath)
            for path in [\Depot.nearby?.city, \.named?.city] {
                let computed = try await refusal { _ = try await context.fetch(byName, selecting: path) }
                #expect(computed.code == .unsupportedKeyPath)
            }
            let unsorted = FetchDescriptor<Depot>(sortBy: [SortDescriptor(\.address.token)])
            let sort = try await refusal { _ = try await context.fetch(unsorted) }
            #expect(sort.code == .unsupportedSortDescriptor)
            #expect(
                sort.message.hasPrefix(
                    "Depot cannot be sorted by Depot.address.token, which is stored in a form that has no order"))
        }
    }

    @Test(arguments: 1...6) func `orders, groups and sums by parts are those in memory`(seed: Int) async throws {
        try await withModelStore(Depot.self) { store in
            var numbers = SeededGenerator(UInt64(seed))
            let context = ModelContext(store.container)
            for index in 0..<60 {
                func random() -> Address {
                    var value = address(
                        ["a", "B", "é", "ab", ""].randomElement(using: &numbers)!,
                        Int.random(in: -3...3, using: &numbers), zone: Bool.random(using: &numbers) ? nil : index % 4)
                    value.isOpen = Bool.random(using: &numbers)
                    return value
                }
                context.insert(Depot("\(index)", random(), second: Bool.random(using: &numbers) ? nil : random()))
            }
            if seed > 3 { try await context.save() }
            let objects = try await context.fetch(FetchDescriptor<Depot>())
            let sums = try await context.fetch(
                FetchDescriptor<Depot>(), selecting: .key(\Depot.second?.city), .key(\.address.isOpen),
                .sum(\.address.number), .count(of: \.address.spot.zone))
            let expected = Dictionary(grouping: objects) { [$0.second?.city ?? "nil", "\($0.address.isOpen)"] }
            #expect(sums.count == expected.count)
            for row in sums {
                let group = try #require(expected[[row.0 ?? "nil", "\(row.1)"]])
                #expect(row.2 == group.reduce(0) { $0 + $1.address.number })
                #expect(row.3 == group.count { $0.address.spot.zone != nil })
            }
            let order = [
                SortDescriptor(\Depot.address.isOpen), SortDescriptor(\.second?.number, order: .reverse),
                SortDescriptor(\.address.city), SortDescriptor(\.name),
            ]
            let sorted = try await context.fetch(FetchDescriptor<Depot>(sortBy: order)).map(\.name)
            let names = objects.sorted(using: order).map(\.name)
            #expect(sorted == names)
        }
    }
}
