import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Values of objects, read without the objects.
@Suite struct ProjectionTests {
    private struct Card: Equatable {
        var name: String
        var rating: Int
    }

    private let byName = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])

    @Test func `one property is an array of its values`() async throws {
        try await withVoyages { store, context in
            let names: [String] = try await context.fetch(byName, selecting: \.name)
            #expect(names == ["fjord", "garden", "louvre", "nowhere", "temple"])
            #expect(store.lastSQL == #"SELECT t0.name FROM voyage AS t0 ORDER BY t0.name COLLATE C ASC, t0.pk"#)
            #expect(store.recorder.roundTrips == 1)
            let blocking = try { try context.fetch(byName, selecting: \.name) }()
            #expect(blocking == names)
        }
    }

    @Test func `several properties are tuples, or what is made of them`() async throws {
        try await withVoyages { store, context in
            var page = byName
            (page.fetchLimit, page.fetchOffset) = (2, 1)
            let rows = try await context.fetch(page, selecting: \.name, \.price, \.harbour?.city, \.harbour?.country)
            #expect(rows.map(\.0) == ["garden", "louvre"])
            #expect(rows.map(\.1) == [10.5, 7])
            #expect(rows.map(\.2) == ["Kyoto", "Paris"])
            #expect(rows.map(\.3) == ["Japan", nil])
            #expect(
                store.lastSQL == """
                    SELECT t0.name, t0.price, t1.city, t1.country FROM voyage AS t0 LEFT JOIN harbour AS t1 ON t1.pk = t0.harbour \
                    ORDER BY t0.name COLLATE C ASC, t0.pk LIMIT 2 OFFSET $1::bigint
                    """)
            let cards = try await context.fetch(page, selecting: \.name, \.rating, into: Card.init)
            #expect(cards == [Card(name: "garden", rating: 3), Card(name: "louvre", rating: 4)])
            let texts = try { try context.fetch(page, selecting: \.name, \.rating) { "\($0) \($1)" } }()
            #expect(texts == ["garden 3", "louvre 4"])
            #expect(store.recorder.roundTrips == 3)
        }
    }

    @Test func `a key path counts the objects of a relationship`() async throws {
        try await withVoyages { store, context in
            let byCity = FetchDescriptor<Harbour>(sortBy: [SortDescriptor(\.city)])
            let rows = try await context.fetch(byCity, selecting: \.city, \.voyages.count)
            let harbours = try await context.fetch(byCity)
            #expect(rows.map(\.0) == harbours.map(\.city))
            #expect(rows.map(\.1) == harbours.map(\.voyages.count))
            #expect(rows.contains { $0.1 > 0 })
            let busiest = FetchDescriptor<Harbour>(
                sortBy: [SortDescriptor(\.voyages.count, order: .reverse), SortDescriptor(\.city)])
            let sorted = try await context.fetch(busiest).map(\.city)
            let expected = harbours.sorted { ($1.voyages.count, $0.city) < ($0.voyages.count, $1.city) }
            #expect(sorted == expected.map(\.city))
            #expect(
                store.recorder.statements.contains {
                    $0.contains("(SELECT count(*) FROM") && $0.contains("ORDER BY (SELECT count(*)")
                })
            #expect(
                try await context.fetchSum(FetchDescriptor<Harbour>(), of: \.voyages.count)
                    == rows.map(\.1).reduce(0, +))
        }
    }

    @Test func `values of every kind are what the objects have`() async throws {
        try await withVoyages { _, context in
            let objects = try await context.fetch(byName)
            let rows = try await context.fetch(
                byName, selecting: \.nickname, \.discount, \.start, \.end, \.code, \.tags, \.comfort, \.ship, \.isOpen)
            #expect(rows.count == objects.count)
            for (row, object) in zip(rows, objects) {
                #expect(row.0 == object.nickname)
                #expect(row.1 == object.discount)
                #expect(row.2 == object.start)
                #expect(row.3 == object.end)
                #expect(row.4 == object.code)
                #expect(row.5 == object.tags)
                #expect(row.6 == object.comfort)
                #expect(row.7 == object.ship)
                #expect(row.8 == object.isOpen)
            }
        }
    }

    @Test func `identifiers are those of the objects, and know their class`() async throws {
        try await withVoyages { store, context in
            let rows = try await context.fetch(
                byName, selecting: \.persistentModelID, \.harbour?.persistentModelID, \.name)
            #expect(
                store.lastSQL == """
                    SELECT t0.pk, t0.class, t0.harbour, t0.name FROM voyage AS t0 ORDER BY t0.name COLLATE C ASC, t0.pk
                    """)
            #expect(rows.map(\.0.entityName) == ["Cruise", "Voyage", "Voyage", "Voyage", "Voyage"])
            let objects = try await context.fetch(byName)
            #expect(rows.map(\.0) == objects.map(\.persistentModelID))
            #expect(rows.map(\.1) == objects.map { $0.harbour?.persistentModelID })
        }
    }

    @Test func `an expression stands where a key path may`() async throws {
        try await withVoyages { store, context in
            let byCity = FetchDescriptor<Harbour>(sortBy: [SortDescriptor(\.city)])
            let visits = #Expression<Harbour, Int> { $0.voyages.filter { $0.rating > 3 }.count }
            let rows = try await context.fetch(byCity, selecting: .value(\.city), .value(visits))
            #expect(rows.map(\.0) == ["Kyoto", "Paris"])
            #expect(rows.map(\.1) == [1, 1])
            #expect(
                store.lastSQL == """
                    SELECT t0.city, (SELECT count(*) FROM voyage AS t1 WHERE t1.harbour = t0.pk AND t1.rating > $1::bigint) \
                    FROM harbour AS t0 ORDER BY t0.city COLLATE C ASC, t0.pk
                    """)
            let decks = #Expression<Voyage, Int> { $0.ship.decks + 1 }
            let built = #Expression<Voyage, Date> { $0.ship.built }
            let isDear = #Expression<Voyage, Bool> { ($0.discount ?? 0) > 0.25 }
            let nights = #Expression<Voyage, Int?> { ($0 as? Cruise)?.nights }
            let label = #Expression<Voyage, String> { $0.nickname ?? $0.name }
            let values = try await context.fetch(
                byName, selecting: .value(decks), .value(built), .value(isDear), .value(nights), .value(label))
            #expect(values.map(\.0) == [2, 2, 2, 2, 2])
            #expect(values.map(\.1) == Array(repeating: Date(timeIntervalSince1970: 0.125), count: 5))
            #expect(values.map(\.2) == [true, false, false, true, false])
            #expect(values.map(\.3) == [6, nil, nil, nil, nil])
            #expect(values.map(\.4) == ["fjord", "moss", "louvre", "nowhere", "temple"])
        }
    }

    @Test func `distinct rows come once, in the order of selected values`() async throws {
        try await withVoyages { store, context in
            var byCity = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.harbour?.city, order: .reverse)])
            byCity.fetchLimit = 2
            let cities = try await context.fetch(byCity, selecting: \.harbour?.city, distinct: true)
            #expect(cities == ["Paris", "Kyoto"])
            #expect(
                store.lastSQL == """
                    SELECT t1.city FROM voyage AS t0 LEFT JOIN harbour AS t1 ON t1.pk = t0.harbour GROUP BY t1.city \
                    ORDER BY t1.city COLLATE C DESC NULLS LAST, t1.city COLLATE C ASC NULLS FIRST LIMIT 2
                    """)
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(byName, selecting: \.comfort, distinct: true)
            }
            #expect(error?.code == .unsupportedSortDescriptor)
            #expect(error?.message.contains("Voyage.name") == true)
        }
    }

    @Test func `properties of subclasses are read where the descriptor names the subclass`() async throws {
        try await withVoyages { _, context in
            let rows = try await context.fetch(FetchDescriptor<Cruise>(), selecting: \.name, \.nights)
            #expect(rows.map(\.0) == ["fjord"])
            #expect(rows.map(\.1) == [6])
        }
    }

    @Test func `unsaved changes take part, unless they are not to`() async throws {
        try await withVoyages { store, context in
            let objects = try await context.fetch(byName)
            objects[1].name = "moss garden"
            context.delete(objects[2])
            let new = Voyage("abbey", price: 3)
            context.insert(new)
            store.recorder.reset()
            #expect(
                try await context.fetch(byName, selecting: \.name) == [
                    "abbey", "fjord", "moss garden", "nowhere", "temple",
                ])
            #expect(store.recorder.roundTrips == 1)
            var saved = byName
            saved.includePendingChanges = false
            #expect(
                try await context.fetch(saved, selecting: \.name) == ["fjord", "garden", "louvre", "nowhere", "temple"])
            let identifiers = try await context.fetch(byName, selecting: \.persistentModelID)
            #expect(identifiers.first == new.persistentModelID)
            #expect(try await context.fetchSum(FetchDescriptor<Voyage>(), of: \.price) == 138.75 - 7 + 3)
        }
    }

    @Test func `what cannot be a value is refused before anything is sent`() async throws {
        try await withVoyages { store, context in
            func refusal(_ fetch: () async throws -> Void) async throws -> SwiftDataError {
                let error = await #expect(throws: SwiftDataError.self) { try await fetch() }
                #expect(store.recorder.statements.isEmpty)
                return try #require(error)
            }
            let computed = try await refusal { _ = try await context.fetch(byName, selecting: \.name.count) }
            #expect(computed.code == .unsupportedKeyPath)
            #expect(computed.message.contains("it is computed, or marked @Transient"))
            let mixed = try await refusal {
                _ = try await context.fetch(FetchDescriptor<Voyage>(), selecting: .value(\.name), .count)
            }
            #expect(mixed.code == .unsupportedKeyPath)
            #expect(mixed.message.hasPrefix("Voyage.name has many values in a group"))
            let text = try await refusal {
                _ = try await context.fetchMaximum(FetchDescriptor<Voyage>(), of: \.persistentModelID)
            }
            #expect(text.message.contains("There is no maximum of Voyage in SQL"))
            let ordered = try await refusal {
                _ = try await context.fetch(
                    FetchDescriptor<Voyage>(), selecting: .key(\.comfort), .count, orderBy: [.forward(.key(\.name))])
            }
            #expect(ordered.message.hasPrefix("The rows are no groups by Voyage.name"))
        }
    }

    @Test func `a missing value for a type without nil is an error that names it`() async throws {
        try await withVoyages { _, context in
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(byName, selecting: \.harbour!.city)
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains("Voyage.harbour.city") == true)
        }
    }
}
