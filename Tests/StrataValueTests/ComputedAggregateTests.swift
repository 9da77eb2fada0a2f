import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Medians, percentiles and deviations, and what is computed of aggregates.
@Suite struct ComputedAggregateTests {
    private let all = FetchDescriptor<Voyage>()

    @Test func `aggregates are computed with`() async throws {
        try await withVoyages { store, context in
            let quotients = try await context.fetch(all, selecting: .sum(\.price) / .count, .sum(\.rating) / .count)
            #expect(quotients.map(\.0) == [27.75])
            #expect(quotients.map(\.1) == [3])
            #expect(
                store.lastSQL == """
                    SELECT COALESCE(sum(t0.price), 0) / NULLIF(count(*)::numeric, 0), \
                    COALESCE(sum(t0.rating), 0)::bigint::double precision / NULLIF(count(*)::double precision, 0) FROM voyage AS t0
                    """)
            let sums = try await context.fetch(all, selecting: .sum(\.rating) * .number(2) + .count)
            #expect(sums == [35])
            #expect(
                store.lastSQL
                    == "SELECT (COALESCE(sum(t0.rating), 0)::bigint * $1::bigint) + count(*) FROM voyage AS t0")
            let differences = try await context.fetch(all, selecting: .average(\.rating) - .minimum(\.discount))
            #expect(differences == [3])
            #expect(
                store.lastSQL == "SELECT avg(t0.rating)::double precision - min(t0.discount) FROM voyage AS t0")
            #expect(store.recorder.roundTrips == 3)
        }
    }

    @Test func `nothing is divided by nothing`() async throws {
        try await withVoyages { _, context in
            let none = FetchDescriptor<Voyage>(predicate: #Predicate { $0.rating > 100 })
            let price = try await context.fetch(none, selecting: .sum(\.price) / .count)
            #expect(price == [nil])
            let sum = try await context.fetch(none, selecting: .average(\.discount) + .maximum(\.discount))
            #expect(sum == [nil])
            let count = try await context.fetch(none, selecting: .count - .number(1))
            #expect(count == [-1])
        }
    }

    @Test func `groups are ordered and chosen by what is computed`() async throws {
        try await withVoyages { store, context in
            let rows = try await context.fetch(
                all, selecting: .key(\.comfort), .sum(\.price) / .count,
                having: .sum(\.price) / .count > 20, orderBy: [.reverse(.sum(\.price) / .count)])
            #expect(rows.map(\.0) == [.first, .third])
            #expect(rows.map(\.1) == [100, 20.25])
            #expect(
                store.lastSQL == """
                    SELECT t0.comfort, COALESCE(sum(t0.price), 0) / NULLIF(count(*)::numeric, 0) FROM voyage AS t0 GROUP BY t0.comfort \
                    HAVING (COALESCE(sum(t0.price), 0) / NULLIF(count(*)::numeric, 0)) > $1::numeric \
                    AND (COALESCE(sum(t0.price), 0) / NULLIF(count(*)::numeric, 0)) < 'NaN'::numeric \
                    ORDER BY (COALESCE(sum(t0.price), 0) / NULLIF(count(*)::numeric, 0)) DESC NULLS LAST, t0.comfort COLLATE C ASC
                    """)
            let keys = try await context.fetch(
                all, selecting: .key(\.rating), .key(\.rating) * .count, orderBy: [.forward(.key(\.rating))])
            #expect(keys.map(\.1) == keys.map(\.0))
        }
    }

    @Test func `medians, percentiles and deviations are the server's`() async throws {
        try await withVoyages { store, context in
            let rows = try await context.fetch(
                all, selecting: .median(\.rating), .median(\.price), .percentile(0.25, of: \.rating),
                .discretePercentile(0.9, of: \.name), .standardDeviation(\.rating), .variance(\.discount))
            #expect(rows.map(\.0) == [3])
            #expect(rows.map(\.1) == [10.5])
            #expect(rows.map(\.2) == [2])
            #expect(rows.map(\.3) == ["temple"])
            #expect(abs((rows[0].4 ?? 0) - 2.5.squareRoot()) < 1e-12)
            #expect(abs((rows[0].5 ?? 0) - 0.3125 / 3) < 1e-12)
            #expect(
                store.lastSQL == """
                    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY t0.rating::double precision), \
                    (percentile_disc(0.5) WITHIN GROUP (ORDER BY t0.price) + percentile_disc(0.5) WITHIN GROUP (ORDER BY t0.price DESC)) / 2, \
                    percentile_cont($1::double precision) WITHIN GROUP (ORDER BY t0.rating::double precision), \
                    percentile_disc($2::double precision) WITHIN GROUP (ORDER BY t0.name COLLATE C), \
                    stddev_samp(t0.rating)::double precision, var_samp(t0.discount) FROM voyage AS t0
                    """)
            let dates = try await context.fetch(all, selecting: .discretePercentile(0, of: \.start), .maximum(\.start))
            #expect(dates.map(\.0) == [Date(timeIntervalSince1970: 1_700_000_000)])
            let one = FetchDescriptor<Voyage>(predicate: #Predicate { $0.rating == 5 })
            let deviations = try await context.fetch(one, selecting: .standardDeviation(\.price), .median(\.discount))
            #expect(deviations.map(\.0) == [nil])
            #expect(deviations.map(\.1) == [0.25])
        }
    }

    @Test func `what cannot be computed is refused`() async throws {
        try await withVoyages { store, context in
            func message(_ work: () async throws -> Void) async -> String {
                let error = await #expect(throws: SwiftDataError.self) { try await work() }
                return error?.message ?? ""
            }
            #expect(
                await message { _ = try await context.fetch(all, selecting: .percentile(90, of: \.rating)) }
                    == "A percentile of 90.0 was asked for; it is a part of all values, from 0 to 1, such as 0.9.")
            #expect(
                await message { _ = try await context.fetch(all, selecting: .value(\.rating) + .count) }
                    .hasPrefix("Voyage.rating has many values in a group, and a row holds one."))
            var sorted = all
            sorted.orderBy = [.forward(.count / .count)]
            #expect(
                await message { _ = try await context.fetch(sorted) }
                    .hasPrefix("The orderBy of a descriptor for Voyage names a key or an aggregate"))
            #expect(store.recorder.roundTrips == 0)
        }
    }

    /// The median and what is computed of sums, as Swift computes them of the fetched objects.
    @Test(arguments: 1...8) func `they are those of the objects`(seed: Int) async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            var numbers = SeededGenerator(UInt64(seed))
            let context = ModelContext(store.container)
            var voyages: [Voyage] = []
            for _ in 0..<Int.random(in: 1...40, using: &numbers) {
                let voyage = Voyage(
                    "v", price: Decimal(Int.random(in: -400...400, using: &numbers)) / 8,
                    rating: Int.random(in: -9...9, using: &numbers))
                voyage.discount =
                    Bool.random(using: &numbers) ? nil : Double(Int.random(in: -8...8, using: &numbers)) / 4
                voyage.isOpen = Bool.random(using: &numbers)
                context.insert(voyage)
                voyages.append(voyage)
            }
            try await context.save()
            for voyage in voyages.prefix(3) { voyage.rating += 1 }
            func median(_ values: [Double]) -> Double? {
                let sorted = values.sorted()
                guard !sorted.isEmpty else { return nil }
                return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
            }
            let groups = try await context.fetch(
                all, selecting: .key(\.isOpen), .median(\.rating), .median(\.price), .median(\.discount),
                .percentile(0.5, of: \.discount), .discretePercentile(0.75, of: \.rating))
            let computed = try await context.fetch(
                all, selecting: .key(\.isOpen), .sum(\.rating) * .number(2) - .count, .sum(\.rating) / .count)
            for group in computed {
                let ratings = voyages.filter { $0.isOpen == group.0 }.map(\.rating)
                #expect(group.1 == ratings.reduce(0, +) * 2 - ratings.count)
                #expect(group.2 == Double(ratings.reduce(0, +)) / Double(ratings.count))
            }
            #expect(Set(groups.map(\.0)) == Set(voyages.map(\.isOpen)))
            for group in groups {
                let own = voyages.filter { $0.isOpen == group.0 }
                let ratings = own.map(\.rating).sorted()
                let prices = own.map(\.price).sorted()
                #expect(group.1 == median(ratings.map(Double.init)))
                #expect(group.2 == (prices[(prices.count - 1) / 2] + prices[prices.count / 2]) / 2)
                #expect(group.3 == median(own.compactMap(\.discount)))
                #expect(group.4 == group.3)
                #expect(group.5 == ratings[Int((0.75 * Double(ratings.count)).rounded(.up)) - 1])
            }
        }
    }
}
