import Foundation
import StrataModels
import Testing

/// A generator that gives the same values in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Journeys made of values that repeat, so that every comparison is true for some and false for others.
enum PredicateSamples {
    static let words = [
        "", "Paris", "paris", "PARIS", "é", "e\u{301}", "Café", "cafe", "Straße", "👍🏽", "👍", "İzmir", "a%_b",
    ]
    static let epoch = Date(timeIntervalSince1970: 1_700_000_000)

    static func journeys(seed: UInt64 = 7, count: Int = 400) -> [Journey] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in journey(&random) }
    }

    private static func journey(_ random: inout SeededGenerator) -> Journey {
        let isBusiness = Int.random(in: 0..<3, using: &random) == 0
        let type = isBusiness ? BusinessJourney.self : Journey.self
        let journey = type.make(&random)
        (journey as? BusinessJourney)?.perdiem = Double(Int.random(in: 0..<4, using: &random))
        journey.stops = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            Stop(
                title: word(&random),
                minutes: Int.random(in: 0..<4, using: &random),
                isDone: Bool.random(using: &random),
                note: Bool.random(using: &random) ? word(&random) : nil
            )
        }
        if Bool.random(using: &random) {
            let town = town(&random)
            if Bool.random(using: &random) { town.capital = Self.town(&random) }
            journey.home = town
        }
        return journey
    }

    fileprivate static func word(_ random: inout SeededGenerator) -> String {
        words.randomElement(using: &random) ?? ""
    }

    private static func town(_ random: inout SeededGenerator) -> Town {
        Town(
            city: word(&random),
            country: Bool.random(using: &random) ? word(&random) : nil,
            population: Int.random(in: 0..<4, using: &random)
        )
    }
}

extension Journey {
    fileprivate static func make(_ random: inout SeededGenerator) -> Journey {
        let weathers = Weather.allCases
        let values = (
            name: PredicateSamples.word(&random),
            nickname: Bool.random(using: &random) ? PredicateSamples.word(&random) : nil,
            budget: Bool.random(using: &random) ? Int.random(in: -2..<3, using: &random) : nil,
            isPaid: [true, false, nil].randomElement(using: &random) ?? nil,
            weather: weathers.randomElement(using: &random) ?? .mild,
            lastWeather: Bool.random(using: &random) ? weathers.randomElement(using: &random) : nil,
            tags: (0..<Int.random(in: 0..<3, using: &random)).map { _ in PredicateSamples.word(&random) }
        )
        let make =
            self == BusinessJourney.self
            ? BusinessJourney.init(name:nickname:rating:score:budget:isOpen:isPaid:weather:lastWeather:start:code:tags:)
            : Journey.init(name:nickname:rating:score:budget:isOpen:isPaid:weather:lastWeather:start:code:tags:)
        return make(
            values.name,
            values.nickname,
            Int.random(in: -3..<4, using: &random),
            Double(Int.random(in: -3..<4, using: &random)) / 2,
            values.budget,
            Bool.random(using: &random),
            values.isPaid,
            values.weather,
            values.lastWeather,
            PredicateSamples.epoch.addingTimeInterval(Double(Int.random(in: -3..<4, using: &random))),
            UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8.random(in: 0..<3, using: &random))),
            values.tags
        )
    }
}

/// Expects the predicate and the closure to agree on every sample, and each to be true for some of them.
func expectSame(
    _ predicate: Predicate<Journey>,
    isTrueForSome: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ closure: (Journey) -> Bool
) throws {
    let journeys = PredicateSamples.journeys()
    for journey in journeys {
        let expected = closure(journey)
        let actual = try predicate.evaluate(journey)
        guard actual != expected else { continue }
        Issue.record("\(actual), not \(expected), for \(journey.name)\n\(predicate)", sourceLocation: sourceLocation)
        return
    }
    let hits = journeys.count(where: closure)
    #expect(!isTrueForSome || (hits > 0 && hits < journeys.count), "\(hits) hits", sourceLocation: sourceLocation)
}

extension String {
    /// What an exact comparison compares.
    var bytes: [UInt8] { Array(utf8) }
}
