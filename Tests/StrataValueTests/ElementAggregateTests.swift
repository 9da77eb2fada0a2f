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
