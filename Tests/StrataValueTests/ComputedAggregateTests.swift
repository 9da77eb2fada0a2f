import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Numbers of which the database has a wider type than Swift.
@Model private final class Gauge {
    var small: Int8
    var large: UInt64
    init(_ small: Int8, _ large: UInt64) { (self.small, self.large) = (small, large) }
}

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

    @Test func `a key that only a computation names makes groups`() async throws {
        try await withVoyages { store, context in
            let products = try await context.fetch(
                all, selecting: .key(\.rating) * .count, orderBy: [.reverse(.key(\.rating))])
            #expect(products == [5, 4, 3, 2, 1])
            #expect(
                store.lastSQL == """
                    SELECT t0.rating * count(*) FROM voyage AS t0 GROUP BY t0.rating ORDER BY t0.rating DESC, t0.rating ASC
                    """)
            let some = try await context.fetch(
                all, selecting: .number(10) - .key(\.rating), having: .key(\.rating) > 3,
                orderBy: [.forward(.key(\.rating))])
            #expect(some == [6, 5])
        }
    }

    @Test func `what does not fit its type is an error`() async throws {
        try await withModelStore(Gauge.self) { store in
            let context = ModelContext(store.container)
            for large: UInt64 in [1, 2] { context.insert(Gauge(100, large)) }
            try await context.save()
            let gauges = FetchDescriptor<Gauge>()
            func error(_ work: () async throws -> Void) async -> SwiftDataError? {
                await #expect(throws: SwiftDataError.self) { try await work() }
            }
            // A smallint holds it, and an Int8 does not.
            let read = await error { _ = try await context.fetch(gauges, selecting: .sum(\.small) + .sum(\.small)) }
            #expect(read?.code == .invalidValue)
            let below = await error { _ = try await context.fetch(gauges, selecting: .sum(\.large) - .number(4)) }
            #expect(below?.code == .invalidValue)
            let computed = await error {
                _ = try await context.fetch(gauges, selecting: .sum(\.small) * .sum(\.small))
            }
            #expect(computed?.sqlState == "22003")
            // The database computes what a condition compares.
            let some = try await context.fetch(gauges, selecting: .count, having: .sum(\.small) + .sum(\.small) > 127)
            #expect(some == [2])
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
                    (percentile_disc(0.5) WITHIN GROUP (ORDER BY t0.price) + percentile_disc(0.5) WITHIN GROUP (ORDER BY t0.price DESC)) * 0.5, \
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

    @Test func `a median of decimals has all of its digits`() async throws {
        try await withVoyages { _, context in
            for text in ["1234567890123456.00001", "1234567890123456.00002"] {
                context.insert(Voyage("long", price: try #require(Decimal(string: text)), rating: 1000))
            }
            let long = FetchDescriptor<Voyage>(predicate: #Predicate { $0.rating == 1000 })
            let median = try await context.fetch(long, selecting: .median(\.price))
            #expect(median == [Decimal(string: "1234567890123456.000015")])
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
            let numbers = await message { _ = try await context.fetch(all, selecting: .number(2) * .number(3)) }
            #expect(
                numbers.hasPrefix(
                    "A query of Voyage selects numbers alone, .number(…), which are of no object and of no group. Select a key"
                ))
            #expect(
                await message {
                    _ = try await context.fetch(all, selecting: .count, orderBy: [.forward(.key(\.rating))])
                }
                    == "The rows are no groups by Voyage.rating, which stands as a key in having or orderBy alone. Select it too."
            )
            var sorted = all
            sorted.orderBy = [.forward(.count / .count)]
            #expect(
                await message { _ = try await context.fetch(sorted) }
                    .hasPrefix("The orderBy of a descriptor for Voyage names a key or an aggregate"))
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `a number beside an aggregate of a condition or an order is one row`() async throws {
        try await withVoyages { _, context in
            let ordered = try await context.fetch(all, selecting: .number(2), orderBy: [.forward(.count)])
            #expect(ordered == [2])
            let few = try await context.fetch(all, selecting: .number(2), having: .count > 100)
            #expect(few == [])
        }
    }

    /// On either side of whole, floating-point and decimal numbers, also of those that may be missing.
    @Test(arguments: 1...4) func `numbers are computed with as in memory`(seed: Int) async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            var numbers = SeededGenerator(UInt64(seed))
            let context = ModelContext(store.container)
            let voyages = randomVoyages(in: context, &numbers)
            try await context.save()
            for voyage in voyages.prefix(3) { voyage.rating += 1 }
            let factor = Int.random(in: -5...5, using: &numbers)
            let part = Double(Int.random(in: -8...8, using: &numbers)) / 8
            let amount = Decimal(Int.random(in: -99...99, using: &numbers)) / 100
            let byKey: [QueryOrder<Voyage>] = [.forward(.key(\.isOpen))]
            let whole = try await context.fetch(
                all, selecting: .key(\.isOpen), .number(factor) * .sum(\.rating) - .number(1),
                .maximum(\.rating) * .number(factor), .number(factor) - .count, orderBy: byKey)
            let floating = try await context.fetch(
                all, selecting: .key(\.isOpen), .number(part) * .sum(\.discount), .average(\.discount) + .number(part),
                .number(part) / .count, orderBy: byKey)
            let decimal = try await context.fetch(
                all, selecting: .key(\.isOpen), .number(amount) * .sum(\.price), .number(amount) - .median(\.price),
                .sum(\.price) / .number(8), orderBy: byKey)
            #expect(Set(whole.map(\.0)) == Set(voyages.map(\.isOpen)))
            for (whole, (floating, decimal)) in zip(whole, zip(floating, decimal)) {
                let own = voyages.filter { $0.isOpen == whole.0 }
                let (ratings, prices) = (own.map(\.rating), own.map(\.price).sorted())
                #expect(whole.1 == factor * ratings.reduce(0, +) - 1)
                #expect(whole.2 == ratings.max().map { $0 * factor })
                #expect(whole.3 == factor - own.count)
                let discounts = own.compactMap(\.discount)
                let sum = discounts.reduce(0, +)
                #expect(floating.1 == part * sum)
                #expect(floating.2 == (discounts.isEmpty ? nil : sum / Double(discounts.count) + part))
                #expect(floating.3 == part / Double(own.count))
                #expect(decimal.1 == amount * prices.reduce(0, +))
                #expect(decimal.2 == amount - (prices[(prices.count - 1) / 2] + prices[prices.count / 2]) / 2)
                #expect(decimal.3 == prices.reduce(0, +) / 8)
            }
        }
    }

    private func randomVoyages(in context: ModelContext, _ numbers: inout SeededGenerator) -> [Voyage] {
        (0..<Int.random(in: 1...40, using: &numbers)).map { _ in
            let voyage = Voyage(
                "v", price: Decimal(Int.random(in: -400...400, using: &numbers)) / 8,
                rating: Int.random(in: -9...9, using: &numbers))
            voyage.discount = Bool.random(using: &numbers) ? nil : Double(Int.random(in: -8...8, using: &numbers)) / 4
            voyage.isOpen = Bool.random(using: &numbers)
            context.insert(voyage)
            return voyage
        }
    }

    /// The median and what is computed of sums, as Swift computes them of the fetched objects.
    @Test(arguments: 1...8) func `they are those of the objects`(seed: Int) async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            var numbers = SeededGenerator(UInt64(seed))
            let context = ModelContext(store.container)
            let voyages = randomVoyages(in: context, &numbers)
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
