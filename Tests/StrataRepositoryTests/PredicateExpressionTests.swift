import Foundation
import StrataModels
import StrataRepository
import Testing

/// Foundation's `#Expression` inside of predicates.
@Suite struct PredicateExpressionTests {
    private let double = #Expression<Journey, Int> { $0.rating * 2 }
    private let minutes = #Expression<Journey, Int> { $0.stops.filter { $0.isDone }.count }
    private let label = #Expression<Journey, String> { $0.nickname ?? $0.name }
    private let isCheap = #Expression<Journey, Bool> { $0.rating < 3 }
    private let older = #Expression<Guest, Int> { $0.age + 1 }

    @Test func `An expression takes its place`() {
        let (double, minutes, label, isCheap) = (double, minutes, label, isCheap)
        expectSQL(
            #Predicate<Journey> { double.evaluate($0) > 6 },
            "FROM journey AS t0 WHERE (t0.rating * $1::bigint) > $2::bigint")
        expectSQL(
            #Predicate<Journey> { minutes.evaluate($0) > 2 },
            """
            FROM journey AS t0 WHERE (SELECT count(*) FROM stop AS t1 WHERE t1.journey = t0.pk AND t1.is_done) > $1::bigint
            """)
        expectSQL(
            #Predicate<Journey> { label.evaluate($0) == "x" },
            "FROM journey AS t0 WHERE COALESCE(t0.nickname, t0.name) = $1::text")
        expectSQL(
            #Predicate<Journey> { isCheap.evaluate($0) || $0.isOpen },
            "FROM journey AS t0 WHERE t0.rating < $1::bigint OR t0.is_open")
    }

    @Test func `An expression over what a relationship leads to`() {
        let older = older
        expectSQL(
            #Predicate<Guest> { if let host = $0.host { older.evaluate(host) > 5 } else { false } },
            "FROM guest AS t0 LEFT JOIN guest AS t1 ON t1.pk = t0.host WHERE (t1.age + $1::bigint) > $2::bigint")
    }

    @Test func `In memory an expression gives what it gives in SQL`() throws {
        let (double, label) = (double, label)
        let journey = Journey(name: "n", rating: 4, code: UUID(), address: PredicateSamples.anAddress)
        #expect(try #Predicate<Journey> { double.evaluate($0) == 8 }.evaluate(journey))
        #expect(try #Predicate<Journey> { label.evaluate($0) == "n" }.evaluate(journey))
        #expect(try double.evaluate(journey) == 8)
    }
}
