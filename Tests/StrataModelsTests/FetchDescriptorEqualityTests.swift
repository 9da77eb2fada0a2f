import Foundation
import StrataModels
import Testing

@Suite struct FetchDescriptorEqualityTests {
    private typealias Descriptor = FetchDescriptor<Journey>

    /// A value that is neither `Equatable` nor `Encodable` in a way that JSON knows.
    private struct Span: Codable, Sendable {
        var days: Int
    }

    private func expectSame(
        _ one: Predicate<Journey>, _ other: Predicate<Journey>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(Descriptor(predicate: one) == Descriptor(predicate: one), sourceLocation: sourceLocation)
        #expect(Descriptor(predicate: one) == Descriptor(predicate: other), sourceLocation: sourceLocation)
    }

    private func expectOther(
        _ one: Predicate<Journey>, _ other: Predicate<Journey>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(Descriptor(predicate: one) != Descriptor(predicate: other), sourceLocation: sourceLocation)
    }

    @Test func `limits, order, properties and relationships count`() {
        let descriptor = Descriptor(sortBy: [SortDescriptor(\.name)])
        #expect(descriptor == Descriptor(sortBy: [SortDescriptor(\.name)]))
        #expect(descriptor != Descriptor(sortBy: [SortDescriptor(\.name, order: .reverse)]))
        #expect(descriptor != Descriptor())
        #expect(Descriptor() != Descriptor(predicate: #Predicate { $0.name == "" }))
        func changed(_ change: (inout Descriptor) -> Void) -> Descriptor {
            var changed = descriptor
            change(&changed)
            return changed
        }
        let others = [
            changed { $0.fetchLimit = 1 }, changed { $0.fetchOffset = 1 }, changed { $0.includePendingChanges = false },
            changed { $0.propertiesToFetch = [\.name] },
            changed { $0.relationshipKeyPathsForPrefetching = [\.stops] },
            changed { $0.lock = .update },
            changed { $0.orderBy = [.forward(.value(\.rating))] },
            changed { $0.orderBy = [.reverse(.value(\.rating))] },
            changed { $0.orderBy = [.forward(.value(\.score))] },
            changed { $0.orderBy = [.forward(.rank("a"))] },
            changed { $0.orderBy = [.forward(.rank("b"))] },
            changed { $0.orderBy = [.forward(.value(#Expression<Journey, Int> { $0.stops.count }))] },
            changed { $0.orderBy = [.forward(.value(#Expression<Journey, Int> { $0.rating * 2 }))] },
            changed { $0.orderBy = [.forward(.value(#Expression<Journey, Int> { $0.rating * 3 }))] },
            changed { $0.groupLimit = .first(1, ofEach: \.rating) },
            changed { $0.groupLimit = .first(2, ofEach: \.rating) },
            changed { $0.groupLimit = .first(1, ofEach: \.rating, \.score) },
            changed { $0.groupLimit = .first(1, ofEach: .key(\.start, by: .month, in: .gmt)) },
            changed { $0.groupLimit = .first(1, ofEach: .key(\.start, by: .year, in: .gmt)) },
        ]
        for (index, other) in others.enumerated() {
            #expect(other != descriptor)
            for (second, another) in others.enumerated() { #expect((other == another) == (index == second)) }
        }
    }

    @Test func `orders and group limits that say the same are equal, wherever they were written`() {
        func ordered(by factor: Int) -> Descriptor {
            var descriptor = Descriptor()
            descriptor.orderBy = [.reverse(.value(#Expression<Journey, Int> { $0.rating * factor }))]
            let key = #Expression<Journey, Int> { $0.rating - factor }
            descriptor.groupLimit = .first(1, ofEach: .key(key))
            return descriptor
        }
        #expect(ordered(by: 2) == ordered(by: 2))
        #expect(ordered(by: 2) != ordered(by: 3))
    }

    @Test func `a predicate equals another one with the same expression and the same values`() {
        func named(_ name: String) -> Predicate<Journey> { #Predicate { $0.name == name } }
        expectSame(named("Paris"), named("Paris"))
        expectOther(named("Paris"), named("Rome"))
        expectSame(named("Paris"), #Predicate { $0.name == "Paris" })
        expectOther(named("Paris"), #Predicate { $0.name != "Paris" })
        expectOther(#Predicate { $0.name == "a" && $0.name != "b" }, #Predicate { $0.name != "b" && $0.name == "a" })
        expectSame(#Predicate { $0.home?.city == "a" }, #Predicate { $0.home?.city == "a" })
        expectOther(#Predicate { $0.home?.city == "a" }, #Predicate { $0.home?.country == "a" })
        expectOther(#Predicate { $0.stops.count > 1 }, #Predicate { $0.stops.count >= 1 })
    }

    @Test func `text is compared as predicates compare it`() {
        func named(_ name: String?) -> Predicate<Journey> { #Predicate { $0.name == name } }
        func among(_ names: [String]) -> Predicate<Journey> { #Predicate { names.contains($0.name) } }
        expectOther(named("é"), named("e\u{301}"))
        expectOther(named(nil), named(""))
        expectSame(named(nil), named(nil))
        expectSame(among(["a", "b"]), among(["a", "b"]))
        expectOther(among(["a", "b"]), among(["b", "a"]))
        expectOther(among(["é"]), among(["e\u{301}"]))
    }

    /// Swift's `==` takes these for the same, and the server is sent others.
    @Test func `values are compared by what is sent of them`() {
        struct Label: Hashable, RawRepresentable, Codable, Sendable { var rawValue: String }
        struct Place: Hashable, Codable, Sendable { var city: String }
        let (one, two) = ("\u{E9}", "e\u{301}")
        func among(_ names: Set<String>) -> Predicate<Journey> { #Predicate { names.contains($0.name) } }
        func rated(_ ratings: [String: Int]) -> Predicate<Journey> { #Predicate { ratings[$0.name] == 1 } }
        func labelled(_ labels: [String: Label]) -> Predicate<Journey> { #Predicate { labels[$0.name] == nil } }
        func placed(_ places: [String: Place]) -> Predicate<Journey> { #Predicate { places[$0.name] == nil } }
        expectSame(among([one, "a", "b"]), among(["b", one, "a"]))
        expectOther(among([one]), among([two]))
        expectOther(among([one]), among([one, "a"]))
        expectSame(rated([one: 1, "a": 2]), rated(["a": 2, one: 1]))
        expectOther(rated([one: 1]), rated([two: 1]))
        expectOther(rated([one: 1]), rated([one: 2]))
        expectSame(labelled(["a": Label(rawValue: one)]), labelled(["a": Label(rawValue: one)]))
        expectOther(labelled(["a": Label(rawValue: one)]), labelled(["a": Label(rawValue: two)]))
        expectSame(placed(["a": Place(city: one)]), placed(["a": Place(city: one)]))
        expectOther(placed(["a": Place(city: one)]), placed(["a": Place(city: two)]))
        func since(_ date: Date) -> Predicate<Journey> { #Predicate { $0.start > date } }
        expectSame(since(Date(timeIntervalSince1970: 0.5)), since(Date(timeIntervalSince1970: 0.5)))
        expectOther(since(.distantFuture), since(.distantPast))
        // JSON has no number for these.
        func below(_ limit: Double) -> Predicate<Journey> { #Predicate { $0.score < limit } }
        func within(_ range: ClosedRange<Double>) -> Predicate<Journey> { #Predicate { range.contains($0.score) } }
        expectSame(below(.infinity), below(.infinity))
        expectOther(below(.infinity), below(-.infinity))
        expectOther(below(.infinity), below(1))
        expectSame(within(0 ... .infinity), within(0 ... .infinity))
        expectOther(within(0 ... .infinity), within(1 ... .infinity))
    }

    @Test func `the variables of closures are told apart`() {
        func outer(_ title: String) -> Predicate<Journey> {
            #Predicate { journey in journey.stops.contains { $0.title == journey.name && $0.title != title } }
        }
        expectSame(outer("a"), outer("a"))
        expectOther(outer("a"), outer("b"))
        expectOther(
            #Predicate { journey in journey.stops.contains { $0.title == $0.note } },
            #Predicate { journey in journey.stops.contains { $0.title == journey.name } })
    }

    @Test func `captured predicates, identifiers and other values are compared too`() {
        func including(_ name: String) -> Predicate<Journey> {
            let inner = #Predicate<Journey> { $0.name == name }
            return #Predicate { inner.evaluate($0) || $0.stops.isEmpty }
        }
        expectSame(including("a"), including("a"))
        expectOther(including("a"), including("b"))
        let (town, other) = (Town(city: "a", country: nil, population: 1), Town(city: "a", country: nil, population: 1))
        func at(_ town: Town) -> Predicate<Journey> { #Predicate { $0.home == town } }
        expectSame(at(town), at(town))
        expectOther(at(town), at(other))
        func within(_ span: Span) -> Predicate<Journey> { #Predicate { $0.stops.count < span.days } }
        expectSame(within(Span(days: 1)), within(Span(days: 1)))
        expectOther(within(Span(days: 1)), within(Span(days: 2)))
    }

    @Test func `a thousand predicates within each other are compared`() {
        func nested(_ depth: Int, _ name: String) -> Predicate<Journey> {
            var predicate = #Predicate<Journey> { $0.name == name }
            for _ in 0..<depth {
                let inner = predicate
                predicate = #Predicate<Journey> { inner.evaluate($0) || $0.stops.isEmpty }
            }
            return predicate
        }
        expectSame(nested(1_000, "a"), nested(1_000, "a"))
        expectOther(nested(1_000, "a"), nested(1_000, "b"))
        expectOther(nested(1_000, "a"), nested(999, "a"))
    }
}
