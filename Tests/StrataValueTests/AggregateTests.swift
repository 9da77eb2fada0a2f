import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Sums, averages, least and greatest values, and groups.
@Suite struct AggregateTests {
    private let all = FetchDescriptor<Voyage>()

    @Test func `an aggregate is one statement and one value`() async throws {
        try await withVoyages { store, context in
            #expect(try await context.fetchSum(all, of: \.price) == 138.75)
            #expect(store.lastSQL == "SELECT COALESCE(sum(t0.price), 0) FROM voyage AS t0")
            #expect(try await context.fetchSum(all, of: \.rating) == 15)
            #expect(store.lastSQL == "SELECT COALESCE(sum(t0.rating), 0)::bigint FROM voyage AS t0")
            #expect(try await context.fetchSum(all, of: \.discount) == 1.5)
            #expect(try await context.fetchAverage(all, of: \.rating) == 3)
            #expect(store.lastSQL == "SELECT avg(t0.rating)::double precision FROM voyage AS t0")
            #expect(try await context.fetchAverage(all, of: \.price) == 27.75)
            #expect(try await context.fetchAverage(all, of: \.discount) == 0.375)
            #expect(try await context.fetchMinimum(all, of: \.name) == "fjord")
            #expect(store.lastSQL == "SELECT min(t0.name COLLATE C) FROM voyage AS t0")
            #expect(try await context.fetchMaximum(all, of: \.comfort) == .third)
            #expect(try await context.fetchMaximum(all, of: \.end) == nil)
            #expect(
                try await context.fetchMaximum(all, of: \.code)?.uuidString == "00000000-0000-0000-0000-000000000009")
            let length = #Expression<Voyage, Int> { $0.rating * 2 }
            #expect(try await context.fetchMaximum(all, of: length) == 10)
            #expect(store.recorder.roundTrips == store.recorder.statements.count)
            let blocking = try { try context.fetchSum(all, of: \.price) }()
            #expect(blocking == 138.75)
        }
    }

    @Test func `of nothing the sum is zero and all else nil`() async throws {
        try await withVoyages { _, context in
            let none = FetchDescriptor<Voyage>(predicate: #Predicate { $0.rating > 100 })
            #expect(try await context.fetchSum(none, of: \.price) == 0)
            #expect(try await context.fetchAverage(none, of: \.price) == nil)
            #expect(try await context.fetchMinimum(none, of: \.start) == nil)
            let rows = try await context.fetch(none, selecting: .count, .sum(\.discount), .average(\.rating))
            #expect(rows.map(\.0) == [0])
            #expect(rows.map(\.1) == [0])
            #expect(rows.map(\.2) == [nil])
            let groups = try await context.fetch(none, selecting: .key(\.comfort), .count)
            #expect(groups.isEmpty)
        }
    }

    @Test func `without a key the limit is of the objects`() async throws {
        try await withVoyages { store, context in
            var dearest = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.price, order: .reverse)])
            dearest.fetchLimit = 2
            let sum = try await context.fetchSum(dearest, of: \.price)
            #expect(sum == 120.25)
            #expect(
                store.lastSQL == """
                    SELECT COALESCE(sum(q.v0), 0) FROM (SELECT t0.price AS v0 FROM voyage AS t0 ORDER BY t0.price DESC, t0.pk LIMIT 2) \
                    AS q
                    """)
            let count = try await context.fetch(dearest, selecting: .count)
            #expect(count == [2])
        }
    }

    @Test func `groups by a property behind a relationship`() async throws {
        struct City: Equatable {
            var name: String?
            var voyages: Int
            var spent: Decimal
            var best: Int?
        }
        try await withVoyages { store, context in
            let cities = try await context.fetch(
                all, selecting: .key(\Voyage.harbour?.city), .count, .sum(\.price), .maximum(\.rating),
                orderBy: [.reverse(.sum(\.price))], into: City.init)
            #expect(
                cities == [
                    City(name: nil, voyages: 2, spent: 101, best: 2),
                    City(name: "Kyoto", voyages: 2, spent: 30.75, best: 5),
                    City(name: "Paris", voyages: 1, spent: 7, best: 4),
                ])
            #expect(
                store.lastSQL == """
                    SELECT t1.city, count(*), COALESCE(sum(t0.price), 0), max(t0.rating) FROM voyage AS t0 \
                    LEFT JOIN harbour AS t1 ON t1.pk = t0.harbour GROUP BY t1.city \
                    ORDER BY COALESCE(sum(t0.price), 0) DESC, t1.city COLLATE C ASC NULLS FIRST
                    """)
            #expect(store.recorder.roundTrips == 1)
        }
    }

    @Test func `groups that fulfil a condition, ordered, on a page`() async throws {
        try await withVoyages { store, context in
            var sorted = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.comfort)])
            let rows = try await context.fetch(
                sorted, selecting: .key(\.comfort), .key(\.isOpen), .count, .count(of: \.discount),
                .count(distinct: \Voyage.harbour?.city), having: .count > 1 || .maximum(\.rating) >= 5)
            #expect(rows.map(\.0) == [.second, .third])
            #expect(rows.map(\.2) == [3, 1])
            #expect(rows.map(\.3) == [2, 1])
            #expect(rows.map(\.4) == [2, 1])
            #expect(
                store.lastSQL == """
                    SELECT t0.comfort, t0.is_open, count(*), count(t0.discount), count(DISTINCT t1.city) FROM voyage AS t0 \
                    LEFT JOIN harbour AS t1 ON t1.pk = t0.harbour GROUP BY t0.comfort, t0.is_open \
                    HAVING count(*) > $1::bigint OR max(t0.rating) >= $2::bigint \
                    ORDER BY t0.comfort COLLATE C ASC, t0.is_open ASC
                    """)
            (sorted.fetchLimit, sorted.fetchOffset) = (1, 1)
            let second = try await context.fetch(sorted, selecting: .key(\.comfort), .count)
            #expect(second.map(\.0) == [.second])
            let not = try await context.fetch(
                all, selecting: .key(\.comfort), having: !(.count == 1) && .average(\.discount) < 1)
            #expect(not == [.second])
        }
    }

    @Test func `two values of a group are compared with each other`() async throws {
        try await withVoyages { store, context in
            let dearer = try await context.fetch(
                all, selecting: .key(\.comfort), .maximum(\.start),
                having: .maximum(\.start) > .minimum(\.start) && .count != 1 && .key(\.comfort) != .third)
            #expect(dearer.map(\.0) == [.second])
            #expect(
                store.lastSQL == """
                    SELECT t0.comfort, max(t0.start) FROM voyage AS t0 GROUP BY t0.comfort \
                    HAVING max(t0.start) > min(t0.start) AND NOT (count(*) = $1::bigint) AND NOT (t0.comfort = $2::text)
                    """)
            let memory = Dictionary(grouping: try await context.fetch(all), by: \.comfort)
            let several = try await context.fetch(
                all, selecting: .key(\.comfort), having: .sum(\.rating) > .maximum(\.rating),
                orderBy: [.forward(.key(\.comfort))])
            let none = try await context.fetch(
                all, selecting: .key(\.comfort), having: .maximum(\.rating) > .sum(\.rating))
            let expected = memory.filter { _, voyages in
                voyages.map(\.rating).reduce(0, +) > voyages.map(\.rating).max()!
            }
            #expect(several == expected.keys.sorted() && none.isEmpty)
            let same = try await context.fetch(
                all, selecting: .key(\.comfort), having: .minimum(\.end) == .maximum(\.end),
                orderBy: [.forward(.key(\.comfort))])
            #expect(same == memory.filter { Set($0.value.compactMap(\.end)).count < 2 }.keys.sorted())
            // No voyage has an end: an order of what is not there is false, and its opposite true.
            let byClass: [QueryOrder<Voyage>] = [.forward(.key(\.comfort))]
            let conditions: [(QueryCondition<Voyage>, Bool)] = [
                (.minimum(\.end) < .maximum(\.end), false), (.minimum(\.end) >= .maximum(\.end), false),
                (!(.minimum(\.end) < .maximum(\.end)), true), (.minimum(\.end) != .maximum(\.end), false),
                (!(.maximum(\.start) > .maximum(\.end)), true), (.maximum(\.end) > .maximum(\.start), false),
            ]
            for (condition, isMet) in conditions {
                let groups = try await context.fetch(
                    all, selecting: .key(\.comfort), having: condition, orderBy: byClass)
                #expect(groups == (isMet ? memory.keys.sorted() : []))
            }
            let unlike = try await context.fetch(
                all, selecting: .key(\.comfort), having: .maximum(\.nickname) != "moss", orderBy: byClass)
            #expect(unlike == memory.filter { !$0.value.contains { $0.nickname == "moss" } }.keys.sorted())
        }
    }

    @Test func `a value is the same as an optional one where that is there`() async throws {
        try await withVoyages { store, context in
            let byClass: [QueryOrder<Voyage>] = [.forward(.key(\.comfort))]
            let memory = Dictionary(grouping: try await context.fetch(all), by: \.comfort)
            func groups(_ condition: QueryCondition<Voyage>) async throws -> [Voyage.Class] {
                try await context.fetch(all, selecting: .key(\.comfort), having: condition, orderBy: byClass)
            }
            func expected(_ isMet: ([Voyage]) -> Bool) -> [Voyage.Class] {
                memory.filter { isMet($0.value) }.keys.sorted()
            }
            let ratings = { (voyages: [Voyage]) in voyages.map(\.rating) }
            #expect(
                try await groups(.sum(\.rating) == .maximum(\.rating))
                    == expected { ratings($0).reduce(0, +) == ratings($0).max() })
            #expect(
                store.lastSQL.contains("HAVING COALESCE(sum(t0.rating), 0)::bigint = max(t0.rating) ORDER BY"),
                "\(store.lastSQL)")
            #expect(
                try await groups(.maximum(\.rating) == .sum(\.rating))
                    == expected { ratings($0).max() == ratings($0).reduce(0, +) })
            #expect(
                try await groups(.sum(\.rating) != .maximum(\.rating))
                    == expected { ratings($0).reduce(0, +) != ratings($0).max() })
            // Nobody but the garden has a nickname, and no voyage an end: nothing is the same as no value.
            #expect(
                try await groups(.key(\.comfort) == .minimum(\.comfort)) == expected { _ in true })
            let (last, first) = (
                QueryColumn<Voyage, String?>.maximum(\.nickname), QueryColumn<Voyage, String>.key(\.name)
            )
            let names = try await context.fetch(all, selecting: first, having: first == last)
            let others = try await context.fetch(
                all, selecting: first, having: last != first, orderBy: [.forward(first)])
            #expect(names.isEmpty && others == ["fjord", "garden", "louvre", "nowhere", "temple"])
            #expect(
                store.lastSQL.contains("HAVING (max(t0.nickname COLLATE C) = t0.name) IS NOT TRUE"), "\(store.lastSQL)")
            let unlike = try await context.fetch(
                all, selecting: first, having: !(first == last) && first != last, orderBy: [.forward(first)])
            #expect(unlike == others)
        }
    }

    /// A column that is never NULL is missing with the object that has it.
    @Test func `a key behind an object that may be missing is optional in a condition`() async throws {
        try await withVoyages { store, context in
            typealias City = QueryColumn<Voyage, String?>
            let city = City.key(\Voyage.harbour?.city)
            let country = City.key(\Voyage.harbour?.country)
            func cities(_ condition: QueryCondition<Voyage>) async throws -> [String?] {
                try await context.fetch(all, selecting: city, having: condition, orderBy: [.forward(city)])
            }
            #expect(try await cities(city != "Paris") == [nil, "Kyoto"])
            #expect(store.lastSQL.contains("HAVING (t1.city = $1::text) IS NOT TRUE ORDER BY"), "\(store.lastSQL)")
            #expect(try await cities(city == "Paris") == ["Paris"])
            #expect(try await cities(city == nil) == [nil])
            #expect(try await cities(city != nil) == ["Kyoto", "Paris"])
            #expect(try await cities(city == .maximum(\.nickname)) == [nil])
            #expect(try await cities(city != .maximum(\.nickname)) == ["Kyoto", "Paris"])
            #expect(try await cities(!(city < "M")) == [nil, "Paris"])
            #expect(try await cities(city < "M") == ["Kyoto"])
            let both = try await context.fetch(
                all, selecting: city, country, having: city == country, orderBy: [.forward(city)])
            #expect(both.map(\.0) == [nil])
            let others = try await context.fetch(
                all, selecting: city, country, having: city != country, orderBy: [.forward(city)])
            #expect(others.map(\.0) == ["Kyoto", "Paris"])
        }
    }

    /// Swift takes both sets for the same, and the server does not.
    @Test func `expressions that differ in the scalars of captured texts are two`() async throws {
        try await withVoyages { _, context in
            context.insert(Voyage("\u{E9}"))
            let (composed, apart): (Set<String>, Set<String>) = (["\u{E9}"], ["e\u{301}"])
            let (first, second) = (
                #Expression<Voyage, Int> { composed.contains($0.name) ? 1 : 0 },
                #Expression<Voyage, Int> { apart.contains($0.name) ? 1 : 0 }
            )
            let sums = try await context.fetch(all, selecting: .sum(first), .sum(second))
            #expect(sums.map(\.0) == [1] && sums.map(\.1) == [0])
        }
    }

    @Test func `an expression with another captured value is another one`() async throws {
        try await withVoyages { store, context in
            let sums = try await context.fetch(
                all, selecting: .sum(Self.times(2)), .sum(Self.times(3)), .sum(Self.times(2)))
            #expect(sums.map(\.0) == [30] && sums.map(\.1) == [45] && sums.map(\.2) == [30])
            #expect(store.lastSQL.contains("AS v0") && store.lastSQL.contains("AS v1"), "\(store.lastSQL)")
            #expect(!store.lastSQL.contains("AS v2"), "\(store.lastSQL)")
        }
    }

    private static func times(_ factor: Int) -> Foundation.Expression<Voyage, Int> {
        #Expression<Voyage, Int> { $0.rating * factor }
    }

    @Test func `numbers of the calendar are columns, keys and orders`() async throws {
        try await withVoyages { store, context in
            // The first of January 2021 is in the last week of 2020; the last day of 2024 is its 366th; in July other clocks hold.
            let dates = [
                Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0),
                Date(timeIntervalSince1970: 1_609_459_200), Date(timeIntervalSince1970: 1_735_660_799),
                Date(timeIntervalSince1970: 1_720_000_000),
            ]
            for (number, date) in dates.enumerated() {
                let voyage = Voyage("v\(number)", start: date)
                voyage.end = date
                context.insert(voyage)
            }
            try await context.save()
            let components: [(QueryDateComponent, Calendar.Component)] = [
                (.year, .year), (.month, .month), (.day, .day), (.hour, .hour), (.minute, .minute),
                (.weekday, .weekday), (.dayOfYear, .dayOfYear), (.weekOfYear, .weekOfYear),
                (.yearForWeekOfYear, .yearForWeekOfYear),
            ]
            let starts = try await context.fetch(all, selecting: \.start)
            for zone in [
                TimeZone(identifier: "Europe/Paris")!, TimeZone(identifier: "America/New_York")!, .gmt,
                TimeZone(secondsFromGMT: 19_800)!,
            ] {
                var calendar = Calendar(identifier: .iso8601)
                calendar.timeZone = zone
                for (component, ofFoundation) in components {
                    let rows = try await context.fetch(
                        all, selecting: .value(component, from: \.start, in: zone), .value(\.start))
                    // Before 1582 Foundation's calendar is another one, but for the days of the week.
                    for (number, start) in rows where start > .distantPast || component == .weekday {
                        #expect(
                            number == calendar.component(ofFoundation, from: start), "\(component) \(start) \(zone)")
                    }
                    let groups = try await context.fetch(
                        all, selecting: .key(component, from: \.start, in: zone), .count,
                        orderBy: [.reverse(.key(component, from: \.start, in: zone))])
                    #expect(groups.map(\.0) == Set(rows.map(\.0)).sorted(by: >))
                    #expect(groups.map(\.1).reduce(0, +) == starts.count)
                }
            }
            let quarters = try await context.fetch(
                all, selecting: .key(.quarter, from: \.end, in: .gmt), .count,
                orderBy: [.forward(.key(.quarter, from: \.end, in: .gmt))])
            #expect(quarters.map(\.0) == [nil, 1, 3, 4] && quarters.map(\.1) == [5, 3, 1, 2])
            _ = try await context.fetch(all, selecting: .key(.weekday, from: \.start, in: .gmt), .count)
            #expect(
                store.lastSQL == """
                    SELECT q.v0, count(*) FROM (SELECT (EXTRACT(dow FROM (CASE t0.start WHEN 'infinity' THEN to_timestamp(64092211200) \
                    WHEN '-infinity' THEN to_timestamp(-62135769600) ELSE t0.start END) AT TIME ZONE $1::text) + 1)::bigint AS v0 \
                    FROM voyage AS t0) AS q GROUP BY q.v0
                    """)
            var descriptor = all
            descriptor.orderBy = [.forward(.value(.hour, from: \.start, in: .gmt))]
            #expect(try await context.fetch(descriptor).count == starts.count)
            let built = #Expression<Voyage, Date> { $0.ship.built }
            let years = try await context.fetch(all, selecting: .key(.year, from: built, in: .gmt), .count)
            #expect(years.map(\.0) == [1970])
            await #expect(throws: SwiftDataError.unsupportedKeyPath) {
                _ = try await context.fetch(
                    all, selecting: .key(.year, from: \.start, in: .gmt), .value(.month, from: \.start, in: .gmt))
            }
        }
    }

    @Test func `all values of a group are a list or one text`() async throws {
        try await withVoyages { store, context in
            let rows = try await context.fetch(
                all, selecting: .key(\.comfort), .values(\.name), .values(\.nickname),
                .values(\.rating, distinct: true),
                .joined(\.name, separator: " + "), .joined(\.nickname, separator: ","),
                orderBy: [.forward(.key(\.comfort))])
            #expect(
                store.lastSQL == """
                    SELECT t0.comfort, COALESCE(array_agg(t0.name COLLATE C ORDER BY t0.name COLLATE C), '{}')::text[], \
                    COALESCE(array_agg(t0.nickname COLLATE C ORDER BY t0.nickname COLLATE C) FILTER (WHERE t0.nickname IS NOT NULL), '{}')::text[], \
                    COALESCE(array_agg(DISTINCT t0.rating ORDER BY t0.rating), '{}')::bigint[], \
                    string_agg(t0.name COLLATE C, $1::text ORDER BY t0.name COLLATE C), \
                    string_agg(t0.nickname COLLATE C, $2::text ORDER BY t0.nickname COLLATE C) FROM voyage AS t0 GROUP BY t0.comfort \
                    ORDER BY t0.comfort COLLATE C ASC
                    """)
            let memory = Dictionary(grouping: try await context.fetch(all), by: \.comfort)
            let classes = memory.keys.sorted()
            #expect(rows.map(\.0) == classes)
            for row in rows {
                let voyages = memory[row.0]!
                #expect(row.1 == voyages.map(\.name).sorted())
                #expect(row.2 == voyages.compactMap(\.nickname).sorted())
                #expect(row.3 == Set(voyages.map(\.rating)).sorted())
                #expect(row.4 == voyages.map(\.name).sorted().joined(separator: " + "))
                let nicknames = voyages.compactMap(\.nickname).sorted()
                #expect(row.5 == (nicknames.isEmpty ? nil : nicknames.joined(separator: ",")))
            }
            // Of every type that has an order.
            let double = #Expression<Voyage, Int> { $0.rating * 2 }
            let others = try await context.fetch(
                all, selecting: .values(\.price), .values(\.start), .values(\.code), .values(\.comfort, distinct: true),
                .values(\.discount), .values(double))
            let voyages = try await context.fetch(all)
            #expect(others.map(\.0) == [voyages.map(\.price).sorted()])
            #expect(others.map(\.1) == [voyages.map(\.start).sorted()])
            #expect(others.map(\.2) == [voyages.map(\.code).sorted { $0.uuidString < $1.uuidString }])
            #expect(others.map(\.3) == [Set(voyages.map(\.comfort)).sorted()])
            #expect(others.map(\.4) == [voyages.compactMap(\.discount).sorted()])
            #expect(others.map(\.5) == [voyages.map { $0.rating * 2 }.sorted()])
            let none = try await context.fetch(
                FetchDescriptor<Voyage>(predicate: #Predicate { $0.rating > 100 }), selecting: .values(\.name),
                .joined(\.name, separator: ","))
            #expect(none.map(\.0) == [[]] && none.map(\.1) == [nil])
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(all, selecting: .values(\.ship.built))
            }
            #expect(
                error?.message.hasPrefix("There is no list of values of Voyage.ship.built in SQL") == true,
                "\(error?.message ?? "")")
        }
    }

    @Test func `an expression that is written twice is one`() async throws {
        try await withVoyages { _, context in
            let (selected, compared, sorted) = (
                #Expression<Voyage, Int> { $0.rating / 2 }, #Expression<Voyage, Int> { $0.rating / 2 },
                #Expression<Voyage, Int> { $0.rating / 2 }
            )
            let rows = try await context.fetch(
                all, selecting: .key(selected), .count, having: .key(compared) > 0, orderBy: [.reverse(.key(sorted))])
            let memory = Dictionary(grouping: try await context.fetch(all)) { $0.rating / 2 }.filter { $0.key > 0 }
            #expect(rows.map(\.0) == memory.keys.sorted(by: >))
            #expect(rows.map(\.1) == memory.keys.sorted(by: >).map { memory[$0]!.count })
        }
    }

    @Test func `groups by the day, month and year of a date in a time zone`() async throws {
        try await withVoyages { store, context in
            for zone in [
                TimeZone(identifier: "Europe/Paris")!, TimeZone(identifier: "America/New_York")!, TimeZone.gmt,
                TimeZone(secondsFromGMT: 19_800)!, TimeZone(secondsFromGMT: -12_600)!,
            ] {
                var calendar = Calendar(identifier: .iso8601)
                calendar.timeZone = zone
                let starts = try await context.fetch(all, selecting: \.start)
                for (unit, component) in [
                    (QueryDateUnit.day, Calendar.Component.day), (.month, .month), (.year, .year), (.hour, .hour),
                    (.week, .weekOfYear),
                ] {
                    let months = try await context.fetch(
                        all, selecting: .key(\.start, by: unit, in: zone), .count,
                        orderBy: [.reverse(.key(\.start, by: unit, in: zone))])
                    let expected = Dictionary(
                        grouping: starts, by: { calendar.dateInterval(of: component, for: $0)!.start })
                    #expect(months.map(\.0) == expected.keys.sorted(by: >), "\(zone) \(unit)")
                    #expect(months.map(\.1) == expected.keys.sorted(by: >).map { expected[$0]!.count })
                }
            }
            _ = try await context.fetch(all, selecting: .key(\.end, by: .month, in: .gmt), .count)
            #expect(
                store.lastSQL == """
                    SELECT q.v0, count(*) FROM (SELECT date_trunc('month', t0.end, $1::text) AS v0 FROM voyage AS t0) AS q GROUP BY q.v0
                    """)
        }
    }

    @Test func `a sum that its type cannot hold is the server's error`() async throws {
        try await withVoyages { _, context in
            let objects = try await context.fetch(all)
            for object in objects { object.rating = .max }
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetchSum(all, of: \.rating)
            }
            #expect(error?.sqlState == "22003")
            try await context.save()
            await #expect(throws: SwiftDataError.self) { _ = try await context.fetchSum(all, of: \.rating) }
            #expect(try await context.fetchMaximum(all, of: \.rating) == .max)
        }
    }

    @Test func `properties of subclasses are aggregated too`() async throws {
        try await withVoyages { _, context in
            #expect(try await context.fetchSum(FetchDescriptor<Cruise>(), of: \.nights) == 6)
            let nights = #Expression<Voyage, Int?> { ($0 as? Cruise)?.nights }
            let rows = try await context.fetch(
                all, selecting: .count, .count(of: nights), .sum(nights), .maximum(nights))
            #expect(rows.map(\.0) == [5])
            #expect(rows.map(\.1) == [1])
            #expect(rows.map(\.2) == [6])
            #expect(rows.map(\.3) == [6])
        }
    }
}
