import Foundation
import StrataModels
import StrataRepository
import Testing

/// Predicates inside of predicates, very deep.
@Suite struct PredicateNestingTests {
    /// `evaluate`s inside of each other.
    private func nested(_ depth: Int) -> Predicate<Journey> {
        var predicate = #Predicate<Journey> { $0.isOpen }
        for number in 0..<depth {
            let inner = predicate
            predicate = #Predicate<Journey> { inner.evaluate($0) && $0.rating != number }
        }
        return predicate
    }

    @Test func `A thousand levels are translated and evaluated`() throws {
        let predicate = nested(1_000)
        let text = try conditionSQL(predicate)
        #expect(text.hasPrefix("FROM journey AS t0 WHERE t0.is_open AND t0.rating <> $1::bigint AND "))
        #expect(text.hasSuffix("t0.rating <> $1000::bigint"))
        let journey = Journey(name: "", code: UUID(), address: PredicateSamples.anAddress)
        journey.isOpen = true
        journey.rating = -1
        #expect(try predicate.evaluate(journey))
        journey.rating = 7
        #expect(try !predicate.evaluate(journey))
    }

    @Test(arguments: [1_001, 1_700, 6_000]) func `Too many levels are an error and not the end of the process`(
        depth: Int
    ) {
        expectUnsupported(
            nested(depth), .unsupportedPredicate, "A predicate with more than 1000 evaluates inside of each other")
        let error = #expect(throws: SwiftDataError.self) {
            try nested(depth).evaluate(Journey(name: "", code: UUID(), address: PredicateSamples.anAddress))
        }
        #expect(error?.code == .unsupportedPredicate)
    }
}

extension PredicateSamples {
    static var anAddress: Address {
        var samples = PredicateSamples(seed: 1)
        return samples.address()
    }
}
