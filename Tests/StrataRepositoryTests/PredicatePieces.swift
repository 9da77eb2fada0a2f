import Foundation
import StrataModels

/// Small predicates with constants drawn at random, and what makes larger ones of them.
struct PredicatePieces {
    typealias Piece<T> = @Sendable (inout PredicateSamples) -> Predicate<T>

    let world: PredicateWorld

    /// A predicate over journeys, some levels deep.
    func journey(_ samples: inout PredicateSamples, depth: Int) -> Predicate<Journey> {
        guard depth > 0 else {
            let pieces = Self.numbers + Self.strings + Self.optionals + Self.collections + Self.values + Self.classes
            return pieces[samples.number(below: pieces.count)](&samples)
        }
        let (a, b) = (journey(&samples, depth: depth - 1), journey(&samples, depth: depth - 1))
        switch samples.number(below: 9) {
        case 0: return #Predicate<Journey> { a.evaluate($0) && b.evaluate($0) }
        case 1: return #Predicate<Journey> { a.evaluate($0) || b.evaluate($0) }
        case 2: return #Predicate<Journey> { !a.evaluate($0) }
        case 3: return #Predicate<Journey> { !(a.evaluate($0) && b.evaluate($0)) }
        case 4: return #Predicate<Journey> { a.evaluate($0) ? b.evaluate($0) : $0.isOpen }
        case 5: return #Predicate<Journey> { a.evaluate($0) == b.evaluate($0) }
        case 6: return #Predicate<Journey> { a.evaluate($0) != b.evaluate($0) }
        case 7: return related(&samples)
        default:
            return #Predicate<Journey> { j in
                j.guests.contains { $0.journeys.contains { a.evaluate($0) && $0.rating != j.rating } }
            }
        }
    }

    func stop(_ samples: inout PredicateSamples) -> Predicate<Stop> {
        let (text, number) = (samples.string(), samples.small())
        let inner = journey(&samples, depth: 0)
        switch samples.number(below: 8) {
        case 0: return #Predicate<Stop> { $0.title == text }
        case 1: return #Predicate<Stop> { $0.minutes > number && $0.isDone }
        case 2: return #Predicate<Stop> { $0.journey?.name == text }
        case 3: return #Predicate<Stop> { $0.journey?.home?.city != text }
        case 4: return #Predicate<Stop> { ($0.journey?.home?.capital?.population ?? number) >= number }
        case 5: return #Predicate<Stop> { $0.journey?.home?.country == nil }
        case 6: return #Predicate<Stop> { if let j = $0.journey { inner.evaluate(j) } else { $0.isDone } }
        default: return #Predicate<Stop> { $0.town == $0.journey?.home }
        }
    }

    private func related(_ samples: inout PredicateSamples) -> Predicate<Journey> {
        let p = stop(&samples)
        let number = samples.number(below: 4)
        let town: Town? = samples.maybe(samples.one(of: world.towns))
        let someStop = samples.one(of: world.stops).persistentModelID
        let identifiers = samples.some(of: world.journeys, upTo: 8).map(\.persistentModelID)
        let some = Set(samples.some(of: world.journeys, upTo: 8).map(\.persistentModelID))
        switch samples.number(below: 20) {
        case 0: return #Predicate<Journey> { $0.stops.contains { p.evaluate($0) } }
        case 1: return #Predicate<Journey> { $0.stops.allSatisfy { p.evaluate($0) } }
        case 2: return #Predicate<Journey> { $0.stops.filter { p.evaluate($0) }.count > number }
        case 3: return #Predicate<Journey> { $0.stops.filter { p.evaluate($0) }.count == 0 }
        case 4: return #Predicate<Journey> { $0.stops.filter { p.evaluate($0) }.isEmpty == false }
        case 5: return #Predicate<Journey> { $0.stops.count <= number }
        case 6: return #Predicate<Journey> { $0.stops.isEmpty || !$0.guests.isEmpty }
        case 7: return #Predicate<Journey> { j in j.stops.contains { $0.title == j.name || $0.minutes == j.budget } }
        case 8: return #Predicate<Journey> { $0.home == town }
        case 9: return #Predicate<Journey> { $0.home != town }
        case 10: return #Predicate<Journey> { $0.stops.contains { $0.persistentModelID == someStop } }
        case 11: return #Predicate<Journey> { identifiers.contains($0.persistentModelID) }
        case 12: return #Predicate<Journey> { some.contains($0.id) }
        case 13: return #Predicate<Journey> { j in j.towns.contains { $0.city == j.home?.city } }
        case 14: return #Predicate<Journey> { $0.towns.count != number }
        case 15:
            return #Predicate<Journey> { j in
                j.guests.contains { g in g.age > number && j.stops.contains { $0.minutes < g.age } }
            }
        case 16: return #Predicate<Journey> { $0.guests.allSatisfy { $0.host?.name != $0.name } }
        case 17: return #Predicate<Journey> { $0.home?.visitors.count ?? 0 > number }
        case 18: return #Predicate<Journey> { ($0 as? BusinessJourney)?.client?.city == $0.home?.city }
        default: return #Predicate<Journey> { $0.home?.capital == $0.home }
        }
    }

    static let numbers: [Piece<Journey>] = [
        {
            let x = $0.integer()
            return #Predicate<Journey> { $0.rating == x }
        },
        {
            let x = $0.integer()
            return #Predicate<Journey> { $0.rating != x }
        },
        {
            let x = $0.integer()
            return #Predicate<Journey> { $0.rating > x }
        },
        {
            let x = $0.integer()
            return #Predicate<Journey> { $0.rating <= x }
        },
        {
            let x = Int16($0.small())
            return #Predicate<Journey> { $0.small * 2 - x < 10 }
        },
        {
            let x = Int16($0.small())
            return #Predicate<Journey> { -$0.small % 7 == x }
        },
        {
            let x = Int16($0.small())
            return #Predicate<Journey> { $0.small / 3 >= x }
        },
        {
            let x: UInt64 = $0.one(of: [0, 1, 5, .max])
            return #Predicate<Journey> { $0.big / 2 >= x || $0.big == x }
        },
        {
            let x = $0.double()
            return #Predicate<Journey> { $0.score == x }
        },
        {
            let x = $0.double()
            return #Predicate<Journey> { $0.score != x }
        },
        {
            let x = $0.double()
            return #Predicate<Journey> { $0.score < x }
        },
        {
            let x = $0.double()
            return #Predicate<Journey> { $0.score >= x }
        },
        {
            let x = $0.double()
            return #Predicate<Journey> { x > $0.score }
        },
        {
            let x: Double? = $0.maybe($0.double())
            return #Predicate<Journey> { $0.discount == x }
        },
        {
            let x: Double? = $0.maybe($0.double())
            return #Predicate<Journey> { $0.discount != x }
        },
        { _ in #Predicate<Journey> { $0.discount == $0.score } },
        { _ in #Predicate<Journey> { $0.discount != $0.score } },
        {
            let x = $0.double()
            return #Predicate<Journey> { ($0.discount ?? x) <= $0.score }
        },
        {
            let x = $0.one(of: PredicateSamples.floats)
            return #Predicate<Journey> { $0.ratio > x || $0.ratio == x }
        },
        {
            let x = $0.one(of: PredicateSamples.decimals)
            return #Predicate<Journey> { $0.price >= x }
        },
        {
            let x = $0.one(of: PredicateSamples.decimals)
            return #Predicate<Journey> { $0.price * 2 + 1 != x }
        },
        {
            let x = $0.one(of: PredicateSamples.decimals)
            return #Predicate<Journey> { $0.price < x }
        },
        {
            let x = $0.one(of: PredicateSamples.decimals)
            return #Predicate<Journey> { $0.price <= x }
        },
        {
            let x = $0.one(of: PredicateSamples.decimals)
            return #Predicate<Journey> { x > $0.price || !($0.price > x) }
        },
        {
            let x = $0.one(of: PredicateSamples.decimals)
            return #Predicate<Journey> { $0.price == x }
        },
        { _ in #Predicate<Journey> { $0.price < -$0.price } },
        { _ in #Predicate<Journey> { $0.price >= -$0.price } },
        {
            let (x, y) = ($0.double(), $0.double())
            return #Predicate<Journey> { $0.score + x > y }
        },
        {
            let (x, y) = ($0.double(), $0.double())
            return #Predicate<Journey> { $0.score - x <= y }
        },
        {
            let (x, y) = ($0.double(), $0.double())
            return #Predicate<Journey> { $0.score * x >= y }
        },
        {
            let (x, y) = ($0.double(), $0.double())
            return #Predicate<Journey> { $0.score / x < y }
        },
        {
            let (x, y) = ($0.double(), $0.double())
            return #Predicate<Journey> { x / $0.score == y || x / $0.score > y }
        },
        { _ in #Predicate<Journey> { $0.score * $0.score > $0.score + $0.score } },
        { _ in #Predicate<Journey> { 1 / ($0.score * $0.score) > 0 } },
        { _ in #Predicate<Journey> { 1 / (-$0.score / 1e300) < 0 } },
        { _ in #Predicate<Journey> { ($0.discount ?? 0) / $0.score != $0.score / ($0.discount ?? 1) } },
        {
            let (x, y) = ($0.one(of: PredicateSamples.floats), $0.one(of: PredicateSamples.floats))
            return #Predicate<Journey> { $0.ratio * x > y || $0.ratio / x > y }
        },
        {
            let x = $0.one(of: PredicateSamples.floats)
            return #Predicate<Journey> { $0.ratio + $0.ratio == x || x - $0.ratio > x / $0.ratio }
        },
        {
            let (x, y) = ($0.small(), $0.small())
            return #Predicate<Journey> { (min(x, y)...max(x, y)).contains($0.rating) }
        },
        {
            let (x, y) = ($0.small(), $0.small())
            return #Predicate<Journey> { (min(x, y)..<max(x, y)).contains($0.rating) }
        },
        {
            let x = Double($0.small())
            return #Predicate<Journey> { (-$0.score...$0.score).contains(x) || ($0.score..<(-$0.score)).contains(x) }
        },
        {
            let x = $0.small()
            return #Predicate<Journey> { (Double(x)...).contains($0.score) }
        },
        {
            let x = $0.some(of: PredicateSamples.doubles, upTo: 4)
            return #Predicate<Journey> { x.contains($0.score) }
        },
        {
            let x = $0.some(of: PredicateSamples.integers, upTo: 4)
            return #Predicate<Journey> { x.contains($0.rating) }
        },
        {
            let x = Set($0.some(of: PredicateSamples.integers, upTo: 4))
            return #Predicate<Journey> { !x.contains($0.rating) }
        },
    ]

    static let strings: [Piece<Journey>] = [
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name == x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name != x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name < x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name >= x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.contains(x) }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.starts(with: x) }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.hasSuffix(x) }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.localizedStandardContains(x) }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.lowercased() == x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.uppercased().contains(x) }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.caseInsensitiveCompare(x) == .orderedSame }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.localizedCompare(x) == .orderedAscending }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name.compare(x) != .orderedDescending }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.name + x == x + $0.name }
        },
        { _ in #Predicate<Journey> { $0.name.localizedStandardContains($0.nickname ?? "") } },
        { _ in #Predicate<Journey> { $0.name.isEmpty || $0.name.count == 0 } },
        {
            let x = $0.some(of: PredicateSamples.strings, upTo: 9)
            return #Predicate<Journey> { x.contains($0.name) }
        },
    ]

    static let optionals: [Piece<Journey>] = [
        {
            let x: String? = $0.maybe($0.string())
            return #Predicate<Journey> { $0.nickname == x }
        },
        {
            let x: String? = $0.maybe($0.string())
            return #Predicate<Journey> { $0.nickname != x }
        },
        { _ in #Predicate<Journey> { $0.nickname == $0.name } },
        { _ in #Predicate<Journey> { $0.nickname == nil } },
        { _ in #Predicate<Journey> { $0.budget != nil } },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.nickname?.contains(x) == true }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { !($0.nickname?.localizedStandardContains(x) ?? true) }
        },
        {
            let x = $0.small()
            return #Predicate<Journey> { ($0.budget ?? x) > 3 }
        },
        {
            let x = $0.small()
            return #Predicate<Journey> { if let b = $0.budget { b > x } else { $0.isOpen } }
        },
        {
            let x = $0.small()
            return #Predicate<Journey> { $0.budget.flatMap { $0 + 1 } == x }
        },
        {
            let x: Int? = $0.maybe($0.small())
            return #Predicate<Journey> { $0.budget == x }
        },
        {
            let x: [Int?] = [$0.maybe($0.small()), $0.maybe($0.small())]
            return #Predicate<Journey> { x.contains($0.budget) }
        },
        {
            let x: [String?] = [$0.maybe($0.string()), $0.maybe($0.string())]
            return #Predicate<Journey> { !x.contains($0.nickname) }
        },
        {
            let x: Bool? = $0.maybe($0.flag())
            return #Predicate<Journey> { $0.isPaid == x }
        },
        {
            let x: Bool? = $0.maybe($0.flag())
            return #Predicate<Journey> { $0.isPaid != x }
        },
        { _ in #Predicate<Journey> { $0.isPaid ?? $0.isOpen } },
        { _ in #Predicate<Journey> { $0.isPaid == $0.isOpen } },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.home?.city == x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.home?.city != x }
        },
        { _ in #Predicate<Journey> { $0.home?.country == nil } },
        { _ in #Predicate<Journey> { $0.home?.capital?.country != $0.home?.country } },
        { _ in #Predicate<Journey> { $0.home == nil && $0.name != "" } },
        {
            let x = $0.string()
            return #Predicate<Journey> { ($0.home?.capital?.city ?? x) > x }
        },
        {
            let x = $0.small()
            return #Predicate<Journey> { if let h = $0.home { h.population > x } else { false } }
        },
        {
            let x: Date? = $0.maybe($0.date())
            return #Predicate<Journey> { $0.end == x }
        },
        {
            let x = $0.date()
            return #Predicate<Journey> { ($0.end ?? $0.start) > x }
        },
    ]

    static let collections: [Piece<Journey>] = [
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.tags.contains(x) }
        },
        {
            let x = $0.number(below: 4)
            return #Predicate<Journey> { $0.tags.count > x }
        },
        { _ in #Predicate<Journey> { $0.tags.isEmpty } },
        { _ in #Predicate<Journey> { $0.tags.contains($0.name) } },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.tags.contains { $0.hasPrefix(x) } }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.tags.allSatisfy { $0 != x } }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { j in j.tags.filter { $0 > x || $0 == j.name }.count >= 2 }
        },
        {
            let x = $0.integer()
            return #Predicate<Journey> { $0.marks?.contains(x) == true }
        },
        {
            let x = $0.integer()
            return #Predicate<Journey> { $0.marks?.contains(x) ?? true }
        },
        { _ in #Predicate<Journey> { $0.marks?.isEmpty != false } },
        { _ in #Predicate<Journey> { $0.marks == nil } },
        {
            let x = $0.weather()
            return #Predicate<Journey> { $0.kinds.contains(x) }
        },
        {
            let x = $0.some(of: PredicateSamples.strings, upTo: 5)
            return #Predicate<Journey> { j in x.contains { j.name.contains($0) } }
        },
        {
            let x: [Int?] = [$0.maybe($0.small()), 3]
            return #Predicate<Journey> { j in x.contains { $0 == j.budget } }
        },
        {
            let x = $0.some(of: PredicateSamples.doubles, upTo: 3)
            return #Predicate<Journey> { j in x.allSatisfy { $0 < j.score } }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.tags.first == x }
        },
    ]

    static let values: [Piece<Journey>] = [
        {
            let x = $0.weather()
            return #Predicate<Journey> { $0.weather == x }
        },
        { _ in #Predicate<Journey> { $0.weather != .rainy } },
        {
            let x: Weather? = $0.maybe($0.weather())
            return #Predicate<Journey> { $0.lastWeather == x }
        },
        { _ in #Predicate<Journey> { $0.weather == $0.lastWeather } },
        { _ in #Predicate<Journey> { $0.weather.rawValue > "n" || $0.weather.isWet } },
        {
            let x = $0.some(of: Weather.allCases, upTo: 3)
            return #Predicate<Journey> { x.contains($0.weather) }
        },
        {
            let x = $0.one(of: PredicateSamples.levels)
            return #Predicate<Journey> { $0.level == x }
        },
        {
            let x = $0.date()
            return #Predicate<Journey> { $0.start >= x }
        },
        {
            let x = $0.date()
            return #Predicate<Journey> { $0.start == x }
        },
        {
            let x = $0.one(of: PredicateSamples.codes)
            return #Predicate<Journey> { $0.code == x }
        },
        {
            let x = $0.one(of: PredicateSamples.codes)
            return #Predicate<Journey> { $0.code < x }
        },
        {
            let x: URL? = $0.maybe($0.one(of: PredicateSamples.links))
            return #Predicate<Journey> { $0.link == x }
        },
        {
            let x: Data? = $0.maybe($0.one(of: PredicateSamples.datas))
            return #Predicate<Journey> { $0.photo != x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.address.city == x }
        },
        {
            let x = $0.small()
            return #Predicate<Journey> { $0.address.number > x && $0.address.isHome }
        },
        {
            let x: String? = $0.maybe($0.string())
            return #Predicate<Journey> { $0.address.zip == x }
        },
        {
            let x = Double($0.small())
            return #Predicate<Journey> { $0.address.geo.latitude <= x }
        },
        {
            let x = Date(timeIntervalSince1970: Double($0.small()))
            return #Predicate<Journey> { $0.address.since < x }
        },
        {
            let x = Double($0.small()) * 86_400.5
            return #Predicate<Journey> { $0.start.timeIntervalSince($0.address.since) > x }
        },
        {
            let x = Double($0.small())
            return #Predicate<Journey> { ($0.end?.timeIntervalSince($0.start) ?? 0) <= x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.formerAddress?.city == x }
        },
        { _ in #Predicate<Journey> { $0.formerAddress?.zip == nil } },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.formerAddress?.zip != x }
        },
        { _ in #Predicate<Journey> { $0.formerAddress == nil } },
        {
            let x = $0.address()
            return #Predicate<Journey> { $0.address != x }
        },
        { _ in #Predicate<Journey> { $0.address == $0.formerAddress } },
        {
            let x = $0.string()
            return #Predicate<Journey> { $0.address.city.localizedStandardContains(x) }
        },
    ]

    static let classes: [Piece<Journey>] = [
        { _ in #Predicate<Journey> { $0 is BusinessJourney } },
        { _ in #Predicate<Journey> { $0 is FirstClassJourney } },
        { _ in #Predicate<Journey> { !($0 is CampingJourney) } },
        {
            let x = $0.double()
            return #Predicate<Journey> { if let b = $0 as? BusinessJourney { b.perdiem > x } else { $0.isOpen } }
        },
        {
            let x = $0.double()
            return #Predicate<Journey> { ($0 as? BusinessJourney)?.perdiem ?? x > 1 }
        },
        { _ in #Predicate<Journey> { ($0 as? FirstClassJourney)?.lounge == nil } },
        {
            let x = $0.string()
            return #Predicate<Journey> { ($0 as? FirstClassJourney)?.lounge != x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { ($0 as? CampingJourney)?.name == x }
        },
        {
            let x = $0.small()
            return #Predicate<Journey> { ($0 as? CampingJourney)?.tents ?? 0 > x }
        },
        { _ in #Predicate<Journey> { ($0 as? BusinessJourney)?.home == nil } },
        {
            let x = $0.string()
            return #Predicate<Journey> { ($0 as? BusinessJourney)?.home?.city == x }
        },
        {
            let x = $0.string()
            return #Predicate<Journey> { ($0 as? BusinessJourney)?.client?.city == x }
        },
        { _ in #Predicate<Journey> { ($0 as? BusinessJourney)?.stops.isEmpty == false } },
        { _ in #Predicate<Journey> { $0.persistentModelID.entityName == "BusinessJourney" } },
    ]
}
