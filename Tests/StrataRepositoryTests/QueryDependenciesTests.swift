import Foundation
import StrataModels
import StrataRepository
import Testing

/// What the result of a fetch depends on.
@Suite struct QueryDependenciesTests {
    private func dependencies<T: PersistentModel>(
        _ predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = [], prefetching paths: [String] = []
    ) throws -> String {
        let mapping = PredicateModels.mapping
        let prefetched = paths.map { path in
            mapping.entities.flatMap(\.relationships).compactMap { $0 }.first { $0.property.qualifiedName == path }!
        }
        let dependencies = try QueryDependencies(
            FetchDescriptor(predicate: predicate, sortBy: sortBy), prefetched: prefetched, mapping: mapping, store: "")
        func list(_ names: Set<String>) -> String { names.sorted().joined(separator: " ") }
        var lines = [list(dependencies.objects)]
        for (entity, names) in dependencies.properties.sorted(by: { $0.key < $1.key }) {
            lines.append("\(entity): \(list(names))")
        }
        if !dependencies.related.isEmpty { lines.append("with \(list(dependencies.related))") }
        if !dependencies.wholes.isEmpty { lines.append("all of \(list(dependencies.wholes))") }
        return lines.joined(separator: "\n")
    }

    private let all = "BusinessJourney CampingJourney FirstClassJourney Journey"

    @Test func `Without predicate and order it is which objects there are`() throws {
        #expect(try dependencies(nil as Predicate<Journey>?) == all)
        #expect(try dependencies(nil as Predicate<CampingJourney>?) == "CampingJourney")
    }

    @Test func `Predicate and order name properties, for every subclass that has them`() throws {
        #expect(
            try dependencies(
                #Predicate<BusinessJourney> { $0.rating > 3 && $0.nickname != nil }, sortBy: [SortDescriptor(\.name)])
                    == """
                    BusinessJourney FirstClassJourney
                    BusinessJourney: name nickname rating
                    FirstClassJourney: name nickname rating
                    """)
        #expect(
            try dependencies(#Predicate<Stop> { $0.journey?.rating == 3 })
                == """
                Stop
                BusinessJourney: rating stops
                CampingJourney: rating stops
                FirstClassJourney: rating stops
                Journey: rating stops
                Stop: journey
                with \(all)
                """)
    }

    @Test func `A property of a subclass counts for that subclass`() throws {
        let wifi = try dependencies(#Predicate<Journey> { ($0 as? CampingJourney) != nil })
        #expect(wifi == all)
    }

    @Test func `Collections lead to both ends and to the objects there`() throws {
        let title = "Rome"
        #expect(
            try dependencies(#Predicate<Journey> { $0.stops.contains { $0.town?.city == title } }).split(
                separator: "\n"
            )
            .suffix(3) == ["Stop: journey town", "Town: city", "with Stop Town"])
    }

    @Test func `A column that no property shows makes every update count`() throws {
        #expect(
            try dependencies(#Predicate<Journey> { $0.towns.isEmpty }).hasSuffix(
                """
                Journey: towns
                with Town
                all of Town
                """))
    }

    @Test func `What is prefetched is shown, so it counts`() throws {
        #expect(
            try dependencies(nil as Predicate<Stop>?, prefetching: ["Stop.town"])
                == """
                Stop
                Stop: town
                with Town
                """)
    }

    @Test func `What a captured value has no part of is not asked for`() throws {
        let guests: [String] = []
        #expect(
            try dependencies(#Predicate<Stop> { guests.contains($0.title) })
                == """
                Stop
                Stop: title
                """)
    }
}
