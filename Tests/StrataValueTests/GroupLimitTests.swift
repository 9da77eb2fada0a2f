import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// The first objects of each group.
@Suite struct GroupLimitTests {
    private var best: FetchDescriptor<Voyage> {
        var descriptor = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.rating, order: .reverse)])
        descriptor.groupLimit = .first(1, ofEach: \.harbour?.city)
        return descriptor
    }

    @Test func `the first of each group are locked, of a class with subclasses too`() async throws {
        try await withVoyages { store, context in
            var locked = best
            locked.lock = .update
            let names = try await context.transaction { try await context.fetch(locked).map(\.name) }
            #expect(names == ["temple", "louvre", "fjord"])
        }
    }

    @Test func `the best of each harbour, and of those without one`() async throws {
        try await withVoyages { store, context in
            let names = try await context.fetch(best, selecting: \.name)
            #expect(names == ["temple", "louvre", "fjord"])
            #expect(
                store.lastSQL == """
                    SELECT t0.name FROM voyage AS t0 LEFT JOIN harbour AS t1 ON t1.pk = t0.harbour WHERE t0.pk IN (SELECT g.pk FROM \
                    (SELECT t0.pk AS pk, row_number() OVER (PARTITION BY t1.city ORDER BY t0.rating DESC, t0.pk) AS place \
                    FROM voyage AS t0 LEFT JOIN harbour AS t1 ON t1.pk = t0.harbour) AS g WHERE g.place <= $1::bigint) \
                    ORDER BY t0.rating DESC, t0.pk
                    """)
            #expect(store.recorder.roundTrips == 1)
            #expect(try await context.fetch(best).map(\.name) == names)
            #expect(try await context.fetchCount(best) == 3)
            #expect(try await context.fetchSum(best, of: \.rating) == 11)
            let blocking = try { try context.fetch(best) }()
            #expect(blocking.map(\.name) == names)
        }
    }

    @Test func `the predicate comes before, and unsaved changes take part`() async throws {
        try await withVoyages { _, context in
            var descriptor = best
            let isFair = #Predicate<Voyage> { $0.rating < 5 }
            descriptor.predicate = isFair
            let stored = try await context.fetch(descriptor).map(\.name)
            #expect(stored == ["louvre", "garden", "fjord"])
            context.insert(Voyage("new", rating: 4))
            let names = try await context.fetch(descriptor).map(\.name)
            #expect(names == ["louvre", "new", "garden"])
        }
    }

    @Test func `groups are of several keys, expressions and months, and come in pages`() async throws {
        try await withVoyages { _, context in
            var descriptor = best
            descriptor.groupLimit = .first(1, ofEach: \.comfort, \.isOpen)
            #expect(try await context.fetch(descriptor).map(\.name) == ["temple", "louvre", "fjord"])
            let isGood = #Expression<Voyage, Bool> { $0.rating > 3 }
            descriptor.groupLimit = .first(2, ofEach: .key(isGood))
            #expect(try await context.fetch(descriptor).map(\.name) == ["temple", "louvre", "garden", "fjord"])
            descriptor.groupLimit = .first(1, ofEach: .key(\.start, by: .month, in: .gmt))
            #expect(try await context.fetch(descriptor).map(\.name) == ["temple", "fjord"])
            let first = try await context.fetchPage(best, size: 2)
            let second = try await context.fetchPage(best, after: first.next, size: 2)
            #expect((first.objects + second.objects).map(\.name) == ["temple", "louvre", "fjord"])
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `it is what memory says`(seed: UInt64) async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            let context = ModelContext(store.container)
            var random = SeededGenerator(seed)
            for number in 0..<60 {
                let voyage = Voyage("v\(number)", rating: Int.random(in: 0..<4, using: &random))
                voyage.comfort = Voyage.Class.allCases.randomElement(using: &random)!
                voyage.discount = Bool.random(using: &random) ? nil : Double(Int.random(in: 0..<3, using: &random))
                context.insert(voyage)
            }
            try await context.save()
            for count in 1...4 {
                var descriptor = FetchDescriptor<Voyage>(
                    sortBy: [SortDescriptor(\.discount, order: .reverse), SortDescriptor(\.rating)])
                // A limit brings the order by key.
                descriptor.fetchLimit = 1000
                let all = try await context.fetch(descriptor)
                var seen: [String: Int] = [:]
                let expected = all.filter { voyage in
                    seen["\(voyage.comfort) \(voyage.rating)", default: 0] += 1
                    return seen["\(voyage.comfort) \(voyage.rating)"]! <= count
                }
                descriptor.groupLimit = .first(count, ofEach: \.comfort, \.rating)
                #expect(try await context.fetch(descriptor).map(\.name) == expected.map(\.name))
            }
        }
    }

    @Test func `no number and no group of an object is refused`() async throws {
        try await withVoyages { store, context in
            for limit in [GroupLimit<Voyage>.first(0, ofEach: \.name), .first(-1, ofEach: \.name)] {
                var descriptor = FetchDescriptor<Voyage>()
                descriptor.groupLimit = limit
                await #expect(throws: SwiftDataError.unsupportedFeature) { _ = try await context.fetch(descriptor) }
            }
            var descriptor = FetchDescriptor<Voyage>()
            descriptor.groupLimit = .first(1, ofEach: .sum(\.rating))
            let error = await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(descriptor) }
            #expect(error?.description.contains("names an aggregate, by which no object belongs to a group") == true)
            #expect(store.recorder.roundTrips == 0)
        }
    }
}
