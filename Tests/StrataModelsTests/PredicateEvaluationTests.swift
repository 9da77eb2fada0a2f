import Foundation
import StrataModels
import Testing

@Suite("A predicate means in memory what its closure says")
struct PredicateEvaluationTests {
    @Test func comparesNumbersDatesAndIdentifiers() throws {
        let limit = 1
        let epoch = PredicateSamples.epoch
        let code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1))
        try expectSame(#Predicate { $0.rating == limit }) { $0.rating == 1 }
        try expectSame(#Predicate { $0.rating != limit }) { $0.rating != 1 }
        try expectSame(#Predicate { $0.rating < limit }) { $0.rating < 1 }
        try expectSame(#Predicate { $0.rating <= limit }) { $0.rating <= 1 }
        try expectSame(#Predicate { limit < $0.rating }) { $0.rating > 1 }
        try expectSame(#Predicate { journey in journey.score >= 0.5 }) { $0.score >= 0.5 }
        try expectSame(#Predicate { $0.score > 1 }) { $0.score > 1 }
        try expectSame(#Predicate { $0.start.timeIntervalSince(epoch) > -1 }) { $0.start.timeIntervalSince(epoch) > -1 }
        try expectSame(#Predicate { epoch.timeIntervalSince($0.start) <= 1.5 }) {
            epoch.timeIntervalSince($0.start) <= 1.5
        }
        try expectSame(#Predicate { $0.start > epoch.addingTimeInterval(-1) }) {
            $0.start.timeIntervalSince(epoch) > -1
        }
        try expectSame(#Predicate { $0.start < Date.now && $0.code == code }) { $0.code == code }
        try expectSame(#Predicate { $0.start < .now && $0.code == code }) { $0.code == code }
    }

    @Test func combinesConditions() throws {
        try expectSame(#Predicate { $0.isOpen }) { $0.isOpen }
        try expectSame(#Predicate { !$0.isOpen && $0.rating > 0 || $0.budget == nil }) {
            !$0.isOpen && $0.rating > 0 || $0.budget == nil
        }
        try expectSame(#Predicate { !($0.isOpen || $0.rating > 0) }) { !($0.isOpen || $0.rating > 0) }
        try expectSame(#Predicate { _ in true }, isTrueForSome: false) { _ in true }
        try expectSame(
            #Predicate { journey in
                journey.isOpen && journey.rating > -2 && journey.rating < 3 && journey.score > -1.0
                    && journey.name != "x"
                    && journey.weather != .rainy
            }
        ) { journey in
            journey.isOpen && (-1...2).contains(journey.rating) && journey.score > -1 && journey.weather != .rainy
        }
    }

    @Test func calculates() throws {
        try expectSame(#Predicate { $0.rating * 2 + 1 > 3 - $0.rating }) { $0.rating * 2 + 1 > 3 - $0.rating }
        try expectSame(#Predicate { -$0.rating == 2 }) { -$0.rating == 2 }
        try expectSame(#Predicate { $0.rating / 2 == 1 }) { $0.rating / 2 == 1 }
        try expectSame(#Predicate { $0.rating % 2 == 0 }) { $0.rating % 2 == 0 }
        try expectSame(#Predicate { $0.score / 2 < 0.3 }) { $0.score / 2 < 0.3 }
        try expectSame(#Predicate { $0.score > ($0.isOpen ? 1 : 0) }) { $0.score > ($0.isOpen ? 1 : 0) }
        try expectSame(#Predicate { ($0.isOpen ? $0.rating : 0 - $0.rating) > 0 }) {
            ($0.isOpen ? $0.rating : -$0.rating) > 0
        }
    }

    @Test func knowsRanges() throws {
        let range = 0...2
        try expectSame(#Predicate { range.contains($0.rating) }) { range.contains($0.rating) }
        try expectSame(#Predicate { (0..<2).contains($0.rating) }) { (0..<2).contains($0.rating) }
        try expectSame(#Predicate { (-1.0...1).contains($0.score) }) { (-1...1).contains($0.score) }
        try expectSame(#Predicate { $0.rating >= 0 && (0...$0.rating).contains(1) }) { $0.rating >= 1 }
    }

    @Test func findsNothingBetweenBoundsThatMakeNoRange() throws {
        try expectSame(#Predicate { (0...$0.rating).contains(1) }) { $0.rating >= 1 }
        try expectSame(#Predicate { (0..<$0.rating).contains(1) }) { $0.rating > 1 }
        try expectSame(#Predicate { ($0.rating..<0).contains(-1) }) { $0.rating <= -1 }
    }

    @Test func findsNothingBetweenCapturedBoundsThatMakeNoRange() throws {
        let (low, high) = (0, 1)
        try expectSame(#Predicate { (low...high).contains($0.rating) }) { [0, 1].contains($0.rating) }
        try expectSame(#Predicate { (high...low).contains($0.rating) }, isTrueForSome: false) { _ in false }
        try expectSame(#Predicate { (high + 1..<low).contains($0.rating) }, isTrueForSome: false) { _ in false }
        try expectSame(#Predicate { (0...low - 1).contains($0.rating) }, isTrueForSome: false) { _ in false }
        let limit = Double.nan
        try expectSame(#Predicate { (0...limit).contains($0.score) }, isTrueForSome: false) { _ in false }
    }

    @Test func unwrapsOptionals() throws {
        try expectSame(#Predicate { $0.budget == nil }) { $0.budget == nil }
        try expectSame(#Predicate { nil != $0.budget }) { $0.budget != nil }
        try expectSame(#Predicate { $0.budget == 1 }) { $0.budget == 1 }
        try expectSame(#Predicate { $0.budget != 1 }) { $0.budget != 1 }
        try expectSame(#Predicate { ($0.budget ?? 0) > 0 }) { ($0.budget ?? 0) > 0 }
        try expectSame(#Predicate { $0.budget != nil && $0.budget! > 0 }) { ($0.budget ?? 0) > 0 }
        try expectSame(#Predicate { $0.isPaid ?? false }) { $0.isPaid == true }
        try expectSame(#Predicate { $0.budget == $0.rating }) { $0.budget == $0.rating }
        try expectSame(#Predicate { $0.rating != $0.budget }) { $0.budget != $0.rating }
        try expectSame(#Predicate { $0.nickname == $0.name }) { $0.nickname?.bytes == $0.name.bytes }
        try expectSame(#Predicate { $0.budget.flatMap { $0 + 1 } == 2 }) { $0.budget == 1 }
        try expectSame(#Predicate { ($0.nickname ?? $0.home?.country) == nil }) {
            $0.nickname == nil && $0.home?.country == nil
        }
    }

    @Test func followsRelationships() throws {
        try expectSame(#Predicate { $0.home?.population == 1 }) { $0.home?.population == 1 }
        try expectSame(#Predicate { $0.home?.population != 1 }) { $0.home?.population != 1 }
        try expectSame(#Predicate { $0.home?.country == nil }) { $0.home?.country == nil }
        try expectSame(#Predicate { $0.home?.capital?.city == "Paris" }) { $0.home?.capital?.city == "Paris" }
        try expectSame(#Predicate { $0.home == nil }) { $0.home == nil }
        try expectSame(#Predicate { $0.home?.country?.contains("a") ?? false }) {
            $0.home?.country?.contains("a") ?? false
        }
        try expectSame(#Predicate { $0.home?.city.lowercased().hasPrefix("p") == true }) {
            $0.home?.city.lowercased().hasPrefix("p") == true
        }
        try expectSame(#Predicate { $0.home?.city == $0.name }) { $0.home?.city.bytes == $0.name.bytes }
        try expectSame(#Predicate { $0.home?.city.contains($0.name) == true }) {
            guard let city = $0.home?.city else { return false }
            return $0.name.isEmpty
                || city.unicodeScalars.map(String.init).joined(separator: "|")
                    .contains($0.name.unicodeScalars.map(String.init).joined(separator: "|"))
                    && city.utf8.count >= $0.name.utf8.count
        }
    }

    @Test func knowsEnumCasesAndRawValues() throws {
        try expectSame(#Predicate { $0.weather == Weather.sunny }) { $0.weather == .sunny }
        try expectSame(#Predicate { $0.weather == .sunny }) { $0.weather == .sunny }
        try expectSame(#Predicate { Weather.sunny == $0.weather }) { $0.weather == .sunny }
        try expectSame(#Predicate { .sunny != $0.weather }) { $0.weather != .sunny }
        try expectSame(#Predicate { $0.lastWeather == .mild }) { $0.lastWeather == .mild }
        try expectSame(#Predicate { $0.weather.rawValue == "mild" }) { $0.weather == .mild }
        try expectSame(#Predicate { $0.lastWeather?.rawValue == "mild" }) { $0.lastWeather == .mild }
        try expectSame(#Predicate { [.sunny, .mild].contains($0.weather) }) { $0.weather != .rainy }
        try expectSame(#Predicate { $0.lastWeather == $0.weather }) { $0.lastWeather == $0.weather }
    }

    @Test func looksIntoCollections() throws {
        let ratings: Set = [0, 2]
        let names = ["Paris", "é"]
        let maybe: [Int?] = [nil, 1]
        try expectSame(#Predicate { ratings.contains($0.rating) }) { ratings.contains($0.rating) }
        try expectSame(#Predicate { [0, 2].contains($0.score) }) { [0, 2].contains($0.score) }
        try expectSame(#Predicate { names.contains($0.name) }) { ["Paris".bytes, "é".bytes].contains($0.name.bytes) }
        try expectSame(#Predicate { maybe.contains($0.budget) }) { maybe.contains($0.budget) }
        try expectSame(#Predicate { $0.tags.contains("é") }) { $0.tags.contains { $0.bytes == "é".bytes } }
        try expectSame(#Predicate { $0.tags.contains($0.name) }) { journey in
            journey.tags.contains { $0.bytes == journey.name.bytes }
        }
        try expectSame(#Predicate { $0.stops.contains { $0.isDone } }) { $0.stops.contains { $0.isDone } }
        try expectSame(#Predicate { $0.stops.contains(where: { $0.minutes > 2 }) }) {
            $0.stops.contains { $0.minutes > 2 }
        }
        try expectSame(#Predicate { $0.stops.contains(where: \.isDone) }) { $0.stops.contains { $0.isDone } }
        try expectSame(#Predicate { $0.stops.allSatisfy { stop in stop.minutes < 3 } }) {
            $0.stops.allSatisfy { $0.minutes < 3 }
        }
        try expectSame(#Predicate { $0.stops.allSatisfy(\.isDone) }) { $0.stops.allSatisfy(\.isDone) }
        try expectSame(#Predicate { $0.stops.filter { $0.isDone }.count > 1 }) { $0.stops.filter(\.isDone).count > 1 }
        try expectSame(#Predicate { $0.stops.isEmpty }) { $0.stops.isEmpty }
        try expectSame(#Predicate { $0.stops.isEmpty == false }) { !$0.stops.isEmpty }
        try expectSame(#Predicate { $0.stops.count == 2 }) { $0.stops.count == 2 }
        try expectSame(#Predicate { $0.tags.max() == "Paris" }) { $0.tags.max() == "Paris" }
        try expectSame(#Predicate { $0.tags.first == "Paris" }) { $0.tags.first == "Paris" }
    }

    @Test func nestedClosuresSeeOuterVariables() throws {
        try expectSame(#Predicate { journey in journey.stops.contains { $0.minutes == journey.rating } }) { journey in
            journey.stops.contains { $0.minutes == journey.rating }
        }
        try expectSame(
            #Predicate { journey in
                journey.stops.contains { stop in journey.stops.contains { $0.minutes > stop.minutes && $0.isDone } }
            }
        ) { journey in
            journey.stops.contains { stop in journey.stops.contains { $0.minutes > stop.minutes && $0.isDone } }
        }
        try expectSame(#Predicate { part1 in part1.stops.contains { input in input.minutes == part1.rating } }) {
            journey in
            journey.stops.contains { $0.minutes == journey.rating }
        }
    }

    @Test func readsCapturedCollectionsByIndexAndKey() throws {
        let limits = [1, 2]
        let limit = ["low": 0]
        let none: [Int] = []
        try expectSame(#Predicate { $0.rating == limits[1] }) { $0.rating == 2 }
        try expectSame(#Predicate { $0.budget == limit["low"] }) { $0.budget == 0 }
        try expectSame(#Predicate { $0.rating > limit["high", default: 1] }) { $0.rating > 1 }
        try expectSame(#Predicate { $0.isOpen && (none.isEmpty || $0.rating == none[0]) }) { $0.isOpen }
        try expectSame(#Predicate { $0.isOpen && $0.rating > limit["high", default: 1] }) { $0.isOpen && $0.rating > 1 }
    }

    @Test func doesNotUnwrapWhatAConditionRulesOut() throws {
        let text: String? = nil
        let limit: Int? = nil
        let found: String? = "Paris"
        try expectSame(#Predicate { text == nil || $0.name.contains(text!) }, isTrueForSome: false) { _ in true }
        try expectSame(#Predicate { text == nil || $0.nickname == text! }, isTrueForSome: false) { _ in true }
        try expectSame(#Predicate { limit == nil ? $0.isOpen : $0.rating > limit! }) { $0.isOpen }
        try expectSame(#Predicate { found == nil || $0.name.contains(found!.lowercased()) }) {
            $0.name.contains("paris")
        }
        try expectSame(#Predicate { if let text { $0.name == text } else { $0.isOpen } }) { $0.isOpen }
        try expectSame(#Predicate { if let found { $0.name == found } else { true } }) { $0.name == "Paris" }
    }

    @Test func readsSubclasses() throws {
        try expectSame(#Predicate { $0 is BusinessJourney }) { $0 is BusinessJourney }
        try expectSame(
            #Predicate { if let business = $0 as? BusinessJourney { business.perdiem > 1 } else { false } }
        ) { ($0 as? BusinessJourney).map { $0.perdiem > 1 } ?? false }
        try expectSame(#Predicate { ($0 as? BusinessJourney)?.perdiem == 2 }) { ($0 as? BusinessJourney)?.perdiem == 2 }
        try expectSame(#Predicate { $0 is BusinessJourney && ($0 as! BusinessJourney).perdiem == 2 }) {
            ($0 as? BusinessJourney)?.perdiem == 2
        }
    }

    @Test func evaluatesOtherPredicates() throws {
        let isOpen = #Predicate<Journey> { $0.isOpen }
        let isLong = #Predicate<Stop> { $0.minutes > 2 }
        let isPaid = #Predicate<BusinessJourney> { isOpen.evaluate($0) && $0.perdiem > 1 }
        try expectSame(#Predicate { isOpen.evaluate($0) && $0.rating > 0 }) { $0.isOpen && $0.rating > 0 }
        try expectSame(#Predicate { $0.stops.contains { isLong.evaluate($0) } }) {
            $0.stops.contains { $0.minutes > 2 }
        }
        try expectSame(
            #Predicate { if let business = $0 as? BusinessJourney { isPaid.evaluate(business) } else { false } }
        ) { $0.isOpen && (($0 as? BusinessJourney)?.perdiem ?? 0) > 1 }
    }

    @Test func takesStatements() throws {
        try expectSame(
            #Predicate { journey in
                let limit = 1
                let total = journey.rating + limit
                guard let home = journey.home, home.population > 0 else { return journey.isOpen }
                if total > 2 { return false }
                return home.city == journey.name || total > limit
            }
        ) { journey in
            guard let home = journey.home, home.population > 0 else { return journey.isOpen }
            if journey.rating + 1 > 2 { return false }
            return home.city.bytes == journey.name.bytes || journey.rating > 0
        }
        try expectSame(
            #Predicate {
                if $0.rating > 1 {
                    return $0.isOpen
                } else if let budget = $0.budget, budget > 0 {
                    return true
                } else {
                    return !$0.isOpen
                }
            }
        ) {
            if $0.rating > 1 { return $0.isOpen }
            return ($0.budget ?? 0) > 0 ? true : !$0.isOpen
        }
    }

    @Test func findsByIdentifier() throws {
        let journeys = PredicateSamples.journeys(count: 3)
        let wanted = journeys[1].persistentModelID
        let all = journeys.map(\.persistentModelID)
        for journey in journeys {
            #expect(
                try #Predicate<Journey> { $0.persistentModelID == wanted }.evaluate(journey)
                    == (journey === journeys[1]))
            #expect(try #Predicate<Journey> { $0.id == wanted }.evaluate(journey) == (journey === journeys[1]))
            #expect(try #Predicate<Journey> { all.contains($0.persistentModelID) }.evaluate(journey))
        }
    }

    @Test func comparesWithCapturedModels() throws {
        let journeys = PredicateSamples.journeys(count: 30)
        let homes = journeys.compactMap(\.home)
        let home = try #require(homes.first)
        let none: Town? = nil
        let some: Town? = home
        let wanted = journeys[1]
        let stops = Array(journeys.flatMap(\.stops).prefix(3))
        for journey in journeys {
            let isHome = journey.home === home
            #expect(try #Predicate<Journey> { $0.home == home }.evaluate(journey) == isHome)
            #expect(try #Predicate<Journey> { home == $0.home }.evaluate(journey) == isHome)
            #expect(try #Predicate<Journey> { $0.home != home }.evaluate(journey) != isHome)
            #expect(try #Predicate<Journey> { $0.home == some }.evaluate(journey) == isHome)
            #expect(try #Predicate<Journey> { none == $0.home }.evaluate(journey) == (journey.home == nil))
            #expect(try #Predicate<Journey> { $0 == wanted }.evaluate(journey) == (journey === wanted))
            #expect(
                try #Predicate<Journey> { $0.stops.contains { stops.contains($0) } }.evaluate(journey)
                    == journey.stops.contains { stop in stops.contains { $0 === stop } }
            )
        }
    }
}
