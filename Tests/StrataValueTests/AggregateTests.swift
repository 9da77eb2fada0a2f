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
