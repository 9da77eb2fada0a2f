import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Sums, averages, least and greatest values of to-many relationships.
@Suite struct ElementAggregateTests {
    private let byCity = FetchDescriptor<Harbour>(sortBy: [SortDescriptor(\.city)])

    @Test func `a predicate asks for the sum of many objects`() async throws {
        try await withVoyages { store, context in
            let busy = #Predicate<Harbour> { $0.voyages.sum(of: \.rating) > 5 }
            let found = try await context.fetch(FetchDescriptor<Harbour>(predicate: busy), selecting: \.city)
            #expect(found == ["Kyoto"])
            #expect(
                store.lastSQL == """
                    SELECT t0.city FROM harbour AS t0 WHERE (SELECT COALESCE(sum(t2.v), 0)::bigint FROM (SELECT t1.rating AS v \
                    FROM voyage AS t1 WHERE t1.harbour = t0.pk) AS t2) > $1::bigint
                    """)
            #expect(store.recorder.roundTrips == 1)
            for harbour in try await context.fetch(byCity) {
                #expect(try busy.evaluate(harbour) == (harbour.city == "Kyoto"))
            }
        }
    }

    @Test func `of no objects the sum is 0 and all else is nil`() async throws {
        try await withVoyages { _, context in
            context.insert(Harbour("Atlantis"))
            let price = #Expression<Harbour, Decimal> { $0.voyages.filter { $0.rating > 3 }.sum(of: \.price) }
            let best = #Expression<Harbour, Int?> { $0.voyages.maximum(of: \.rating) }
            let first = #Expression<Harbour, Date?> { $0.voyages.minimum(of: \.start) }
            let mean = #Expression<Harbour, Double?> { $0.voyages.average(of: \.rating) }
            let decks = #Expression<Harbour, Int> { $0.voyages.sum { $0.rating * $0.ship.decks } }
            let rows = try await context.fetch(
                byCity, selecting: .value(price), .value(best), .value(first), .value(mean), .value(decks))
            let harbours = try await context.fetch(byCity)
            #expect(rows.map(\.0) == [0, 20.25, 7])
            #expect(rows.map(\.1) == [nil, 5, 4])
            #expect(rows.map(\.3) == [nil, 4, 4])
            for (row, harbour) in zip(rows, harbours) {
                #expect(try row.0 == price.evaluate(harbour))
                #expect(try row.1 == best.evaluate(harbour))
                #expect(try row.2 == first.evaluate(harbour))
                #expect(try row.3 == mean.evaluate(harbour))
                #expect(try row.4 == decks.evaluate(harbour))
                #expect(row.1 == harbour.voyages.maximum(of: \.rating))
                #expect(row.4 == harbour.voyages.sum { $0.rating * $0.ship.decks })
            }
        }
    }

    @Test func `medians, percentiles and deviations are the server's, and those of memory`() async throws {
        try await withVoyages { store, context in
            context.insert(Harbour("Atlantis"))
            let middle = #Expression<Harbour, Double?> { $0.voyages.median(of: \.rating) }
            let price = #Expression<Harbour, Decimal?> { $0.voyages.median { $0.price } }
            let most = #Expression<Harbour, Double?> { $0.voyages.percentile(0.25, of: \.rating) }
            let name = #Expression<Harbour, String?> { $0.voyages.discretePercentile(0.5) { $0.name } }
            let spread = #Expression<Harbour, Double?> { $0.voyages.variance(of: \.rating) }
            let rows = try await context.fetch(
                byCity, selecting: .value(middle), .value(price), .value(most), .value(name), .value(spread))
            #expect(rows.map(\.0) == [nil, 4, 4])
            #expect(rows.map(\.1) == [nil, 15.375, 7])
            #expect(rows.map(\.2) == [nil, 3.5, 4])
            #expect(rows.map(\.3) == [nil, "garden", "louvre"])
            #expect(rows.map(\.4) == [nil, 2, nil])
            let harbours = try await context.fetch(byCity)
            for (row, harbour) in zip(rows, harbours) {
                #expect(try row.0 == middle.evaluate(harbour))
                #expect(try row.1 == price.evaluate(harbour))
                #expect(try row.2 == most.evaluate(harbour))
                #expect(try row.3 == name.evaluate(harbour))
                #expect(try row.4 == spread.evaluate(harbour))
                #expect(row.0 == harbour.voyages.median(of: \.rating))
                #expect(row.2 == harbour.voyages.percentile(0.25, of: \.rating))
            }
            let even = #Predicate<Harbour> { ($0.voyages.standardDeviation(of: \.rating) ?? 0) < 1 }
            let found = try await context.fetch(FetchDescriptor<Harbour>(predicate: even, sortBy: byCity.sortBy))
            #expect(found.map(\.city) == ["Atlantis", "Paris"])
            #expect(try harbours.filter { try even.evaluate($0) } == found)
        }
    }

    @Test func `a percentile of a part that is none is refused, on the server and in memory`() async throws {
        try await withVoyages { store, context in
            let harbour = try #require(try await context.fetch(byCity).first)
            store.recorder.reset()
            let most = #Predicate<Harbour> { $0.voyages.percentile(90, of: \.rating) == 3 }
            let refused = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetchCount(FetchDescriptor<Harbour>(predicate: most))
            }
            #expect(refused?.message.hasPrefix("A percentile of 90.0 was asked for") == true)
            #expect(store.recorder.roundTrips == 0)
            let own = #expect(throws: SwiftDataError.self) { try most.evaluate(harbour) }
            #expect(own == refused)
            #expect(harbour.voyages.percentile(90, of: \.rating) == nil)
        }
    }

    @Test func `objects are sorted by them, with unsaved changes and over pages`() async throws {
        try await withVoyages { _, context in
            context.insert(Harbour("Atlantis"))
            var descriptor = byCity
            descriptor.orderBy = [.reverse(.value(#Expression<Harbour, Int> { $0.voyages.sum(of: \.rating) }))]
            #expect(try await context.fetch(descriptor).map(\.city) == ["Kyoto", "Paris", "Atlantis"])
            for voyage in try await context.fetch(
                FetchDescriptor<Voyage>(predicate: #Predicate { $0.harbour?.city == "Paris" }))
            {
                voyage.rating = 50
            }
            var cities: [String] = []
            var page = try await context.fetchPage(descriptor, size: 1)
            cities += page.objects.map(\.city)
            while let next = page.next {
                page = try await context.fetchPage(descriptor, after: next, size: 1)
                cities += page.objects.map(\.city)
            }
            #expect(cities == ["Paris", "Kyoto", "Atlantis"])
        }
    }

    @Test func `nil is left out, and a subclass has values that others have not`() async throws {
        try await withVoyages { store, context in
            let paris = try #require(try await context.fetch(byCity).last)
            let cruise = Cruise("seine", nights: 3)
            (cruise.harbour, cruise.discount) = (paris, 0.5)
            context.insert(cruise)
            let nights = #Expression<Harbour, Int> { $0.voyages.sum { ($0 as? Cruise)?.nights } }
            let discount = #Expression<Harbour, Double?> { $0.voyages.average(of: \.discount) }
            let name = #Expression<Harbour, String?> { $0.voyages.minimum(of: \.nickname) }
            let comfort = #Expression<Harbour, Voyage.Class?> { $0.voyages.maximum(of: \.comfort) }
            let rows = try await context.fetch(
                byCity, selecting: .value(nights), .value(discount), .value(name), .value(comfort))
            #expect(rows.map(\.0) == [0, 3])
            #expect(rows.map(\.1) == [0.125, 0.5])
            #expect(rows.map(\.2) == ["moss", nil])
            #expect(rows.map(\.3) == [.third, .second])
            for (row, harbour) in zip(rows, try await context.fetch(byCity)) {
                #expect(try row.0 == nights.evaluate(harbour))
                #expect(try row.1 == discount.evaluate(harbour))
                #expect(try row.2 == name.evaluate(harbour))
                #expect(try row.3 == comfort.evaluate(harbour))
            }
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Harbour>(
                        predicate: #Predicate {
                            $0.voyages.contains { ($0.harbour?.voyages.sum(of: \.rating) ?? 0) == 8 }
                        })) == 1)
        }
    }

    @Test func `a value of the owner alone is added up once for each element`() async throws {
        try await withVoyages { store, context in
            let lengths = #Expression<Harbour, Int> { harbour in harbour.voyages.sum { _ in harbour.voyages.count } }
            let found = try await context.fetch(byCity, selecting: .value(lengths))
            #expect(found == [4, 1])
            let all = try await context.fetchSum(FetchDescriptor<Harbour>(), of: lengths)
            #expect(all == 5)
        }
    }

    @Test func `an update and a group take them`() async throws {
        try await withVoyages { _, context in
            try context.update(
                model: Harbour.self, where: #Predicate { $0.voyages.maximum(of: \.rating) == 5 },
                .set(\.country, to: "best"))
            try await context.save()
            let best = #Expression<Harbour, Int?> { $0.voyages.maximum(of: \.rating) }
            let groups = try await context.fetch(
                FetchDescriptor<Harbour>(sortBy: [SortDescriptor(\.country)]), selecting: .key(\.country), .key(best),
                .count)
            #expect(groups.map(\.0) == [nil, "best"])
            #expect(groups.map(\.1) == [4, 5])
        }
    }

    @Test func `what has no order is refused`() async throws {
        try await withVoyages { store, context in
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetchCount(
                    FetchDescriptor<Harbour>(
                        predicate: #Predicate { $0.voyages.minimum(of: \.ship.built) == nil }))
            }
            #expect(error?.code == .unsupportedKeyPath)
            #expect(
                error?.message.contains("There is no minimum of An expression in SQL") == true
                    || error?.message.contains("There is no minimum of") == true)
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `a sum that does not fit is an error of the server and in memory`() async throws {
        try await withVoyages { _, context in
            for voyage in try await context.fetch(FetchDescriptor<Voyage>()) { voyage.rating = .max }
            let busy = #Predicate<Harbour> { $0.voyages.sum(of: \.rating) > 5 }
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Harbour>(predicate: busy))
            }
            #expect(error?.sqlState == "22003")
            let kyoto = try #require(try await context.fetch(byCity).first)
            let own = #expect(throws: SwiftDataError.self) { try busy.evaluate(kyoto) }
            #expect(own?.code == .invalidValue)
            #expect(own?.message.contains("does not fit Int") == true && own?.message.contains("22003") == true)
        }
    }

    /// The same but for the last digits; NaN is NaN.
    private func expectNear(_ found: Double?, _ own: Double?, at place: SourceLocation = #_sourceLocation) {
        guard let found, let own, !found.isNaN else {
            #expect((found == nil) == (own == nil) && found?.isNaN == own?.isNaN, sourceLocation: place)
            return
        }
        #expect(abs(found - own) <= 1e-12 * max(1, abs(own)), sourceLocation: place)
    }

    @Test(arguments: 1...10) func `random objects have the same values in memory`(seed: Int) async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            var numbers = SeededGenerator(UInt64(seed))
            let context = ModelContext(store.container)
            let harbours = (0..<8).map { Harbour("\($0)") }
            for harbour in harbours { context.insert(harbour) }
            func change(_ voyage: Voyage) {
                voyage.name = ["a", "B", "é", "ab", "e\u{301}", ""].randomElement(using: &numbers)!
                voyage.nickname = [nil, "x", "Y"].randomElement(using: &numbers)!
                voyage.price = Decimal(Int.random(in: -400...400, using: &numbers)) / 4
                voyage.rating = Int.random(in: -3...3, using: &numbers)
                voyage.discount = [nil, -0.5, 0.25, 8, .nan].randomElement(using: &numbers)!
                voyage.comfort = Voyage.Class.allCases.randomElement(using: &numbers)!
                voyage.harbour = Bool.random(using: &numbers) ? harbours.randomElement(using: &numbers) : nil
            }
            let voyages = (0..<40).map { $0 % 4 == 0 ? Cruise("", nights: $0) : Voyage("") }
            for voyage in voyages {
                change(voyage)
                context.insert(voyage)
            }
            try await context.save()
            for _ in 0..<8 { change(voyages.randomElement(using: &numbers)!) }
            let floor = Int.random(in: -3...3, using: &numbers)
            let sum = #Expression<Harbour, Int> { $0.voyages.filter { $0.rating >= floor }.sum(of: \.rating) }
            let price = #Expression<Harbour, Decimal> { $0.voyages.sum { $0.price * 2 } }
            let nights = #Expression<Harbour, Int?> { $0.voyages.maximum { ($0 as? Cruise)?.nights } }
            let least = #Expression<Harbour, String?> { $0.voyages.minimum(of: \.name) }
            let discount = #Expression<Harbour, Double?> { $0.voyages.maximum(of: \.discount) }
            let rows = try await context.fetch(
                byCity, selecting: .value(sum), .value(price), .value(nights), .value(least), .value(discount))
            for (row, harbour) in zip(rows, try await context.fetch(byCity)) {
                #expect(try row.0 == sum.evaluate(harbour))
                #expect(try row.1 == price.evaluate(harbour))
                #expect(try row.2 == nights.evaluate(harbour))
                #expect(try row.3.map { Array($0.utf8) } == least.evaluate(harbour).map { Array($0.utf8) })
                let (found, own) = (row.4, try discount.evaluate(harbour))
                #expect(found == own || found?.isNaN == true && own?.isNaN == true)
            }
            let middle = #Expression<Harbour, Double?> { $0.voyages.median(of: \.discount) }
            let dearest = #Expression<Harbour, Decimal?> {
                $0.voyages.filter { $0.rating >= floor }.median(of: \.price)
            }
            let share = Double(Int.random(in: 0...8, using: &numbers)) / 8
            let most = #Expression<Harbour, Double?> { $0.voyages.percentile(share, of: \.price) }
            let comfort = #Expression<Harbour, Voyage.Class?> { $0.voyages.discretePercentile(share, of: \.comfort) }
            let nickname = #Expression<Harbour, String?> { $0.voyages.discretePercentile(share) { $0.nickname } }
            let computed = try await context.fetch(
                byCity, selecting: .value(middle), .value(dearest), .value(most), .value(comfort), .value(nickname))
            let spread = #Expression<Harbour, Double?> { $0.voyages.standardDeviation(of: \.rating) }
            let variance = #Expression<Harbour, Decimal?> { $0.voyages.variance(of: \.price) }
            let deviation = #Expression<Harbour, Decimal?> { $0.voyages.standardDeviation(of: \.price) }
            let deviations = try await context.fetch(
                byCity, selecting: .value(spread), .value(variance), .value(deviation))
            for (harbour, (row, other)) in zip(try await context.fetch(byCity), zip(computed, deviations)) {
                expectNear(row.0, try middle.evaluate(harbour))
                #expect(try row.1 == dearest.evaluate(harbour))
                #expect(try row.2 == most.evaluate(harbour))
                #expect(try row.3 == comfort.evaluate(harbour))
                #expect(try row.4 == nickname.evaluate(harbour))
                expectNear(other.0, try spread.evaluate(harbour))
                expectNear(other.1?._inDoublePrecision, try variance.evaluate(harbour)?._inDoublePrecision)
                expectNear(other.2?._inDoublePrecision, try deviation.evaluate(harbour)?._inDoublePrecision)
            }
            let bound = Int.random(in: -5...5, using: &numbers)
            let busy = #Predicate<Harbour> {
                $0.voyages.sum(of: \.rating) > bound || ($0.voyages.average(of: \.rating) ?? 9) < 0
                    || $0.voyages.minimum(of: \.comfort) == .third
            }
            let found = try await context.fetch(FetchDescriptor<Harbour>(predicate: busy))
            #expect(Set(found.map(\.city)) == Set(try harbours.filter { try busy.evaluate($0) }.map(\.city)))
        }
    }
}
