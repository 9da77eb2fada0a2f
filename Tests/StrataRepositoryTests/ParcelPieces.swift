import Foundation
import StrataModels

/// Predicates over what is stored as JSON, with constants drawn at random.
enum ParcelPieces {
    typealias Piece = @Sendable (inout PredicateSamples) -> Predicate<Parcel>

    static let all: [Piece] = lists + nested + dictionaries + shapes

    /// Arrays and sets that are attributes.
    private static let lists: [Piece] = [
        { _ in #Predicate<Parcel> { $0.items.isEmpty } },
        {
            let x = $0.number(below: 3)
            return #Predicate<Parcel> { $0.items.count > x }
        },
        { _ in #Predicate<Parcel> { $0.items.contains { $0.isFragile } } },
        {
            let x = $0.one(of: PredicateSamples.labels)
            return #Predicate<Parcel> { $0.items.contains { $0.title == x && $0.amount > 0 } }
        },
        {
            let x = $0.one(of: PredicateSamples.labels)
            return #Predicate<Parcel> { $0.items.allSatisfy { $0.note != x } }
        },
        {
            let x: String? = $0.maybe($0.one(of: PredicateSamples.labels))
            return #Predicate<Parcel> { $0.items.contains { $0.note == x } }
        },
        {
            let x = $0.number(below: 3)
            return #Predicate<Parcel> { $0.items.filter { $0.amount == x }.count == 1 }
        },
        { _ in #Predicate<Parcel> { p in p.items.filter { $0.amount < p.number }.isEmpty } },
        {
            let x = $0.weather()
            return #Predicate<Parcel> { $0.items.contains { $0.weather == x } }
        },
        { _ in #Predicate<Parcel> { $0.items.contains { $0.weather.isWet || $0.weather.rawValue == "mild" } } },
        {
            let x = Date(timeIntervalSince1970: 0.25 + Double($0.number(below: 2)))
            return #Predicate<Parcel> { $0.items.contains { $0.packed >= x } }
        },
        {
            let x = $0.one(of: PredicateSamples.labels)
            return #Predicate<Parcel> { $0.items.contains { $0.parts.contains { $0.name == x && $0.weight != nil } } }
        },
        { _ in #Predicate<Parcel> { $0.items.contains { $0.parts.isEmpty } } },
        {
            let x = $0.one(of: [0, 0.1, 2.5])
            return #Predicate<Parcel> { $0.items.contains { $0.parts.allSatisfy { ($0.weight ?? 1) <= x } } }
        },
        {
            let x = $0.item()
            return #Predicate<Parcel> { $0.items.contains(x) }
        },
        { _ in #Predicate<Parcel> { $0.items.first?.isFragile == true } },
        {
            let x = $0.one(of: PredicateSamples.labels)
            return #Predicate<Parcel> { $0.items.last?.title != x }
        },
        { _ in #Predicate<Parcel> { $0.items.first == nil } },
        { _ in #Predicate<Parcel> { $0.spares == nil } },
        { _ in #Predicate<Parcel> { $0.spares?.isEmpty == false } },
        { _ in #Predicate<Parcel> { $0.spares?.isEmpty ?? true } },
        {
            let x = $0.number(below: 3)
            return #Predicate<Parcel> { $0.spares?.count == x }
        },
        { _ in #Predicate<Parcel> { $0.spares?.contains { $0.isFragile } == true } },
        { _ in #Predicate<Parcel> { !($0.spares?.allSatisfy { $0.isFragile } ?? false) } },
        { _ in #Predicate<Parcel> { ($0.spares ?? []).contains { $0.amount == 1 } } },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.marks.contains(x) }
        },
        { _ in #Predicate<Parcel> { $0.marks.contains($0.name) } },
        { _ in #Predicate<Parcel> { $0.marks.isEmpty || $0.marks.count == 2 } },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.marks.contains { $0.localizedStandardContains(x) } }
        },
    ]

    /// Collections inside of Codable values.
    private static let nested: [Piece] = [
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.label.lines.contains(x) }
        },
        {
            let x = $0.string()
            return #Predicate<Parcel> { !$0.label.lines.contains { $0.hasPrefix(x) } }
        },
        { _ in #Predicate<Parcel> { $0.label.lines.contains($0.name) && $0.label.lines.count > 1 } },
        { _ in #Predicate<Parcel> { $0.label.lines.first == $0.label.lines.last } },
        { _ in #Predicate<Parcel> { $0.label.extra == nil } },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.label.extra?.contains(x) == true }
        },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.label.extra?.allSatisfy { $0 != x } ?? true }
        },
        {
            let x = $0.string()
            return #Predicate<Parcel> { ($0.label.extra ?? []).contains(x) }
        },
        {
            let x: Int? = $0.maybe($0.number(below: 3))
            return #Predicate<Parcel> { $0.label.scores.contains(x) }
        },
        {
            let x = $0.number(below: 3)
            return #Predicate<Parcel> { $0.label.scores.contains { $0 != x } }
        },
        { _ in #Predicate<Parcel> { $0.label.scores.contains { $0 == nil } } },
        { _ in #Predicate<Parcel> { $0.label.scores.allSatisfy { $0 != nil } } },
        {
            let x = $0.number(below: 3)
            return #Predicate<Parcel> { $0.label.scores.allSatisfy { ($0 ?? x) > 0 } }
        },
        {
            let x = $0.number(below: 3)
            return #Predicate<Parcel> { $0.label.matrix.contains { $0.contains(x) } }
        },
        { _ in #Predicate<Parcel> { $0.label.matrix.allSatisfy { $0.count > 0 } } },
        {
            let x = $0.one(of: PredicateSamples.labels)
            return #Predicate<Parcel> { $0.label.items.filter { $0.title == x || $0.note == nil }.count >= 1 }
        },
        {
            let x = $0.one(of: PredicateSamples.codes)
            return #Predicate<Parcel> { $0.label.codes.contains(x) }
        },
        {
            let x = $0.one(of: PredicateSamples.labels)
            return #Predicate<Parcel> { $0.label.owner.names.contains(x) }
        },
        { _ in #Predicate<Parcel> { $0.oldLabel?.lines.isEmpty == true } },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.oldLabel?.lines.contains(x) ?? true }
        },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.oldLabel?.extra?.contains(x) != true }
        },
        { _ in #Predicate<Parcel> { $0.oldLabel?.items.count ?? 0 > 0 } },
        { _ in #Predicate<Parcel> { if let l = $0.oldLabel { l.lines.count == l.items.count } else { false } } },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.courier?.home?.lines.contains(x) == true }
        },
        { _ in #Predicate<Parcel> { p in p.courier?.parcels.contains { $0.items.count > p.items.count } == true } },
    ]

    private static let dictionaries: [Piece] = [
        {
            let (k, x) = ($0.key(), $0.string())
            return #Predicate<Parcel> { $0.settings[k] == x }
        },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.settings["theme"] != x }
        },
        {
            let k = $0.key()
            return #Predicate<Parcel> { $0.settings[k] == nil }
        },
        {
            let (k, x) = ($0.key(), $0.string())
            return #Predicate<Parcel> { $0.settings[k]?.contains(x) == true }
        },
        {
            let (k, x) = ($0.key(), $0.string())
            return #Predicate<Parcel> { $0.settings[k, default: x] == x }
        },
        {
            let k = $0.key()
            return #Predicate<Parcel> { $0.settings[k] == $0.name }
        },
        { _ in #Predicate<Parcel> { $0.settings[$0.name] != nil } },
        { _ in #Predicate<Parcel> { if let k = $0.nickname { $0.settings[k] == nil } else { false } } },
        {
            let k = $0.key()
            return #Predicate<Parcel> { $0.settings.keys.contains(k) }
        },
        {
            let x = $0.key()
            return #Predicate<Parcel> { $0.settings.keys.contains { $0 > x } }
        },
        {
            let x = $0.string()
            return #Predicate<Parcel> { $0.settings.values.contains(x) }
        },
        { _ in #Predicate<Parcel> { $0.settings.isEmpty || $0.settings.count == 2 } },
        {
            let (k, x) = ($0.key(), $0.small())
            return #Predicate<Parcel> { $0.limits?[k] == x }
        },
        {
            let k = $0.key()
            return #Predicate<Parcel> { $0.limits?[k] == nil }
        },
        {
            let (k, x) = ($0.key(), $0.small())
            return #Predicate<Parcel> { $0.limits?[k] ?? 0 > x }
        },
        {
            let x = $0.small()
            return #Predicate<Parcel> { $0.limits?.values.allSatisfy { $0 < x } == true }
        },
        { _ in #Predicate<Parcel> { $0.limits?.count ?? 0 > 1 } },
        {
            let k = $0.key()
            return #Predicate<Parcel> { $0.flags[k] == true }
        },
        {
            let k = $0.key()
            return #Predicate<Parcel> { !($0.flags[k] ?? true) }
        },
        {
            let (k, x) = ($0.small(), $0.string())
            return #Predicate<Parcel> { $0.places[k] == x }
        },
        {
            let k = $0.small()
            return #Predicate<Parcel> { $0.places[k] == nil && $0.places[1] != nil }
        },
        {
            let k = $0.small()
            return #Predicate<Parcel> { $0.places.keys.contains { $0 > k } || $0.places.keys.contains(k) }
        },
        {
            let (k, x) = ($0.key(), $0.one(of: PredicateSamples.labels))
            return #Predicate<Parcel> { $0.contacts[k]?.name == x }
        },
        {
            let k = $0.key()
            return #Predicate<Parcel> { $0.contacts[k]?.weight == nil }
        },
        {
            let x = $0.one(of: PredicateSamples.labels)
            return #Predicate<Parcel> { $0.contacts.values.contains { $0.name == x } }
        },
        {
            let (k, x) = ($0.key(), $0.string())
            return #Predicate<Parcel> { $0.label.settings[k] == x || $0.label.settings.isEmpty }
        },
        {
            let (k, x) = ($0.key(), $0.small())
            return #Predicate<Parcel> { ($0.label.limits?[k] ?? 3) > x }
        },
        {
            let k = $0.small()
            return #Predicate<Parcel> { $0.label.places[k] == Double(k) }
        },
        {
            let (k, x) = ($0.key(), $0.small())
            return #Predicate<Parcel> { $0.label.owner.ages[k] == x }
        },
        {
            let (k, x) = ($0.key(), $0.small())
            return #Predicate<Parcel> { $0.oldLabel?.owner.ages[k, default: 1] == x }
        },
        {
            let k = $0.key()
            return #Predicate<Parcel> { $0.oldLabel?.settings[k] == nil }
        },
    ]

    private static let shapes: [Piece] = [
        {
            let x = $0.shape()
            return #Predicate<Parcel> { $0.shape == x }
        },
        { _ in #Predicate<Parcel> { $0.shape == .letter || $0.shape == .box(width: 1, height: nil) } },
        {
            let x: Shape? = $0.maybe($0.shape())
            return #Predicate<Parcel> { $0.formerShape == x }
        },
        {
            let x: Shape? = $0.maybe($0.shape())
            return #Predicate<Parcel> { $0.formerShape != x }
        },
        { _ in #Predicate<Parcel> { $0.formerShape == $0.shape } },
        {
            let x = $0.shape()
            return #Predicate<Parcel> { $0.shapes.contains(x) }
        },
        { _ in #Predicate<Parcel> { $0.shapes.contains($0.shape) } },
        {
            let x = $0.shape()
            return #Predicate<Parcel> { $0.shapes.allSatisfy { $0 != x } }
        },
        {
            let x = $0.list(3) { $0.shape() }
            return #Predicate<Parcel> { x.contains($0.shape) }
        },
        { _ in #Predicate<Parcel> { $0.shapes.first == $0.shape } },
    ]
}
