import Foundation
import Strata
import StrataModelTestSupport
import Testing

/// Random objects and unsaved changes: what the server computes is what Swift computes of the fetched objects.
@Suite struct QueryDifferentialTests {
    private struct Group: Hashable {
        var comfort: Voyage.Class
        var isOpen: Bool
        var city: String?
        var day: Date
    }

    private struct Values: Equatable {
        var count: Int
        var nicknames: Int
        var price: Decimal
        var rating: Int
        var discount: Double
        var average: Double?
        var least: String?
        var latest: Date?
    }

    private func change(_ voyage: Voyage, _ harbours: [Harbour], _ numbers: inout SeededGenerator) {
        voyage.name = ["a", "B", "é", "ab", "z"].randomElement(using: &numbers)!
        voyage.nickname = [nil, "x", "y"].randomElement(using: &numbers)!
        voyage.price = Decimal(Int.random(in: -400...400, using: &numbers)) / 4
        voyage.rating = Int.random(in: -3...3, using: &numbers)
        voyage.discount = Bool.random(using: &numbers) ? nil : Double(Int.random(in: -8...8, using: &numbers)) / 8
        voyage.start = Date(timeIntervalSince1970: Double(Int.random(in: 0..<40, using: &numbers)) * 3600 * 7)
        voyage.comfort = Voyage.Class.allCases.randomElement(using: &numbers)!
        voyage.isOpen = Bool.random(using: &numbers)
        voyage.harbour = Bool.random(using: &numbers) ? harbours.randomElement(using: &numbers) : nil
    }

    private func values(of voyages: [Voyage]) -> Values {
        Values(
            count: voyages.count, nicknames: Set(voyages.compactMap(\.nickname)).count,
            price: voyages.map(\.price).reduce(0, +), rating: voyages.map(\.rating).reduce(0, +),
            discount: voyages.compactMap(\.discount).reduce(0, +),
            average: voyages.isEmpty
                ? nil : Double(voyages.map(\.rating).reduce(0, +)) / Double(voyages.count),
            least: voyages.map(\.name).min { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) },
            latest: voyages.map(\.start).max())
    }

    @Test(arguments: 1...12) func `groups and aggregates are those of the objects`(seed: Int) async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            var numbers = SeededGenerator(UInt64(seed))
            let zone = TimeZone(identifier: "America/New_York")!
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = zone
            let context = ModelContext(store.container)
            let harbours = ["Kyoto", "Paris", "Aqaba"].map { Harbour($0) }
            for harbour in harbours { context.insert(harbour) }
            var voyages = (0..<60).map { $0 % 5 == 0 ? Cruise("", nights: $0) : Voyage("") }
            for voyage in voyages {
                change(voyage, harbours, &numbers)
                context.insert(voyage)
            }
            try await context.save()
            // And what is unsaved.
            for _ in 0..<15 { change(voyages.randomElement(using: &numbers)!, harbours, &numbers) }
            for _ in 0..<5 { context.delete(voyages.remove(at: Int.random(in: 0..<voyages.count, using: &numbers))) }
            for index in 0..<5 {
                let voyage = Voyage("new \(index)")
                change(voyage, harbours, &numbers)
                context.insert(voyage)
                voyages.append(voyage)
            }
            let floor = Int.random(in: -3...3, using: &numbers)
            let descriptor = FetchDescriptor<Voyage>(predicate: #Predicate { $0.rating >= floor })
            let matching = voyages.filter { $0.rating >= floor }

            let rows = try await context.fetch(descriptor, selecting: \.name, \.rating, \.harbour?.city)
            #expect(
                rows.map { "\($0) \($1) \($2 ?? "-")" }.sorted()
                    == matching.map { "\($0.name) \($0.rating) \($0.harbour?.city ?? "-")" }.sorted())
            let distinct = try await context.fetch(descriptor, selecting: \.name, distinct: true)
            #expect(distinct.count == Set(distinct).count)
            #expect(Set(distinct) == Set(matching.map(\.name)))

            let expected = Dictionary(grouping: matching) {
                Group(
                    comfort: $0.comfort, isOpen: $0.isOpen, city: $0.harbour?.city,
                    day: calendar.startOfDay(for: $0.start))
            }.mapValues(values(of:))
            let groups = try await context.fetch(
                descriptor, selecting: .key(\.comfort), .key(\.isOpen), .key(\Voyage.harbour?.city),
                .key(\.start, by: .day, in: zone), .count, .count(distinct: \.nickname), .sum(\.price), .sum(\.rating),
                .sum(\.discount), .average(\.rating), .minimum(\.name), .maximum(\.start)
            ) {
                (
                    Group(comfort: $0, isOpen: $1, city: $2, day: $3),
                    Values(
                        count: $4, nicknames: $5, price: $6, rating: $7, discount: $8, average: $9, least: $10,
                        latest: $11)
                )
            }
            #expect(groups.count == expected.count)
            #expect(Dictionary(uniqueKeysWithValues: groups) == expected)

            let threshold = Int.random(in: 0...12, using: &numbers)
            let frequent = try await context.fetch(
                descriptor, selecting: .key(\.comfort), .count, having: .count > threshold && .sum(\.rating) >= 0,
                orderBy: [.reverse(.count)])
            let wanted = Dictionary(grouping: matching, by: \.comfort).filter {
                $0.value.count > threshold && $0.value.map(\.rating).reduce(0, +) >= 0
            }
            #expect(Set(frequent.map(\.0)) == Set(wanted.keys))
            #expect(frequent.map(\.1) == wanted.values.map(\.count).sorted(by: >))

            let all = values(of: matching)
            let sum = try await context.fetchSum(descriptor, of: \.price)
            let average = try await context.fetchAverage(descriptor, of: \.rating)
            let least = try await context.fetchMinimum(descriptor, of: \.name)
            #expect(sum == all.price)
            #expect(average == all.average)
            #expect(least == all.least)
        }
    }
}
