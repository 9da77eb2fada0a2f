import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// `timeIntervalSince`, of columns and of dates within `Codable` values: the same number in SQL and in memory, to the last bit.
@Suite struct DateDistanceTests {
    private static let dates: [Date] = [
        .distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_700_000_000.25),
        // Halves of a microsecond, after 1970 and before.
        Date(timeIntervalSince1970: 1_700_000_000.0078125), Date(timeIntervalSince1970: -1_000_000.0078125),
        Date(timeIntervalSince1970: 1_700_000_000.9921875),
        // Further away than a `Double` has microseconds for, from any of the others.
        Date(timeIntervalSince1970: -60_000_000_000.125), Date(timeIntervalSince1970: 55_000_000_000.640625),
        Date(timeIntervalSince1970: 12_345_678_901.765625),
    ]

    @Test func `the time between two dates is one expression of SQL`() async throws {
        try await withVoyages { store, context in
            let all = FetchDescriptor<Voyage>()
            _ = try await context.fetch(
                all, selecting: .value(#Expression<Voyage, TimeInterval> { $0.start.timeIntervalSince($0.ship.built) }))
            let built = "(t0.ship #>> ARRAY[$N::text])::double precision"
            let sql = store.lastSQL.replacing(/\$[0-9]+/, with: "$N")
            #expect(
                sql == """
                    SELECT (EXTRACT(epoch FROM t0.start AT TIME ZONE 'UTC') - CASE \(built) \
                    WHEN 64092211200 THEN 'Infinity'::numeric WHEN -62135769600 THEN '-Infinity'::numeric \
                    ELSE floor(\(built))::numeric + floor((\(built) - floor(\(built))) * 1000000 + 0.5)::numeric * 0.000001 END)::float8 \
                    FROM voyage AS t0
                    """)
        }
    }

    @Test func `memory and SQL agree on columns and documents, and at both ends of time`() async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            let context = ModelContext(store.container)
            for (number, start) in Self.dates.enumerated() {
                for (other, built) in Self.dates.enumerated() {
                    let voyage = Voyage("\(number) \(other)", start: start)
                    voyage.ship.built = built
                    voyage.end = Self.dates[(number + other) % Self.dates.count]
                    context.insert(voyage)
                }
            }
            let all = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])
            let distances = [
                #Expression<Voyage, TimeInterval> { $0.start.timeIntervalSince($0.ship.built) },
                #Expression<Voyage, TimeInterval> { $0.ship.built.timeIntervalSince($0.start) },
            ]
            let optional = [
                #Expression<Voyage, TimeInterval?> { $0.end?.timeIntervalSince($0.start) },
                #Expression<Voyage, TimeInterval?> { $0.end?.timeIntervalSince($0.ship.built) },
            ]
            for isSaved in [false, true] {
                if isSaved { try await context.save() }
                let reader = isSaved ? ModelContext(store.container) : context
                let voyages = try await reader.fetch(all)
                #expect(voyages.count == Self.dates.count * Self.dates.count)
                for distance in distances {
                    let rows = try await reader.fetch(all, selecting: .value(distance))
                    try Self.expectSame(rows, voyages) { try distance.evaluate($0) }
                }
                for distance in optional {
                    let rows = try await reader.fetch(all, selecting: .value(distance))
                    try Self.expectSame(rows.map { $0 ?? -1 }, voyages) { try distance.evaluate($0) ?? -1 }
                }
                // What is infinite is more than any number, wherever it stands.
                let far = #Predicate<Voyage> { $0.ship.built.timeIntervalSince($0.start) > 1e11 }
                let found = try await reader.fetch(FetchDescriptor(predicate: far, sortBy: [SortDescriptor(\.name)]))
                #expect(try found == voyages.filter { try far.evaluate($0) })
                #expect(!found.isEmpty)
            }
        }
    }

    /// JSON has the number of seconds since 1970, of which a `Double` has fewer digits than of those since 2001: a date of now may be another one
    /// by less than a microsecond when it is read again.
    @Test func `a date of nanoseconds in a document is up to a microsecond away until it is read again`() async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            let context = ModelContext(store.container)
            let voyage = Voyage("now")
            voyage.ship.built = Date(timeIntervalSinceReferenceDate: 817_000_960.6802014)
            context.insert(voyage)
            try await context.save()
            let distance = #Expression<Voyage, TimeInterval> { $0.ship.built.timeIntervalSince($0.start) }
            let number = try #require(
                try await context.fetch(FetchDescriptor<Voyage>(), selecting: .value(distance)).first)
            #expect(abs(try distance.evaluate(voyage) - number) < 1.5e-6)
            let again = try #require(try await ModelContext(store.container).fetch(FetchDescriptor<Voyage>()).first)
            #expect(try distance.evaluate(again) == number)
        }
    }

    private static func expectSame(
        _ found: [Double], _ voyages: [Voyage], _ evaluate: (Voyage) throws -> Double
    ) throws {
        #expect(found.count == voyages.count)
        for (voyage, number) in zip(voyages, found) {
            let expected = try evaluate(voyage)
            #expect(
                expected == number || expected.isNaN && number.isNaN,
                "\(voyage.start) \(voyage.ship.built): \(expected) \(number)")
        }
    }
}
