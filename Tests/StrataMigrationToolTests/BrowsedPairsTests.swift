import Foundation
import Strata
import StrataBrowsing
import StrataTestSupport
import Testing

/// Pairs of objects whose keys have several columns, as a browser follows them.
@Suite struct BrowsedPairsTests {
    @Model final class Seat {
        #PrimaryKey<Seat>([\.row, \.number])
        var row: Int
        var number: String
        @Relationship(deleteRule: .cascade, inverse: \Perk.seats) var perks: [Perk] = []
        @Relationship(.ordered, inverse: \Seat.besides) var beside: [Seat] = []
        var besides: [Seat] = []
        init(_ row: Int, _ number: String) {
            self.row = row
            self.number = number
        }
    }

    @Model final class Perk {
        var name: String
        var seats: [Seat] = []
        init(_ name: String) { self.name = name }
    }

    private static let models = Schema(Seat.self, Perk.self)

    @Test(arguments: [true, false]) func `pairs are followed from both ends, and go with an object`(
        knowingModels: Bool
    ) async throws {
        try await withTestDatabase("browsed_pairs") { database in
            let container = try await ModelContainer(
                for: Self.models, configurations: [ModelConfiguration(url: try #require(database.foundationURL))])
            let context = ModelContext(container)
            let (one, two, three) = (Seat(1, "a"), Seat(1, "b, \"c\""), Seat(2, "a"))
            one.perks = [Perk("tea"), Perk("wine")]
            two.perks = [one.perks[0]]
            one.beside = [three, two]
            for seat in [one, two, three] { context.insert(seat) }
            try await context.save()
            await container.close()
            let browser = try StoreBrowser(
                url: database.url, models: knowingModels ? Self.models : nil, allowsEdits: true)
            let schema = try await browser.schema(named: "public")
            let seat = try schema.requireClass("Seat")
            let key = try #require(StoredKey(#"[1, "a"]"#))
            let perks = try #require(seat.relationships.first { $0.name == "perks" })
            #expect(
                perks.storage == .pairs(table: "perk_seats", own: ["seat_row", "seat_number"], other: ["perk_pk"]))
            #expect(try await browser.related(to: key, by: perks, in: schema).objects.count == 2)
            let back = try #require(schema.storedClass(named: "Perk")?.relationships.first { $0.name == "seats" })
            let tea = try #require(
                try await browser.objects(
                    of: "Perk", in: schema,
                    where: [PropertyFilter(property: "name", comparison: .equal, value: "tea")]
                ).objects.first)
            #expect(
                try await browser.related(to: tea.key, by: back, in: schema).objects.compactMap(\.key)
                    == [key, try #require(StoredKey(#"[1, "b, \"c\""]"#))])
            let beside = try #require(seat.relationships.first { $0.name == "beside" })
            let found = try await browser.related(to: key, by: beside, in: schema).objects.map(\.key)
            let others = [#"[2, "a"]"#, #"[1, "b, \"c\""]"#].compactMap { StoredKey($0) }
            // In the order of the relationship, which only models know.
            #expect(knowingModels ? found == others : Set(found) == Set(others))
            #expect(schema.unknownReferences.isEmpty)
            // What has no position comes last, in the order of the key, on whichever page it is.
            try await database.execute("UPDATE seat_beside SET beside_position = NULL WHERE beside_row = 2")
            var (paged, after): ([StoredKey], PagePosition?) = ([], nil)
            repeat {
                let page = try await browser.related(to: key, by: beside, in: schema, after: after, limit: 1)
                paged += page.objects.map(\.key)
                after = page.next
            } while after != nil && paged.count < 5
            #expect(paged == others.reversed())
            try await database.execute("UPDATE seat_beside SET beside_position = NULL")
            (paged, after) = ([], nil)
            repeat {
                let page = try await browser.related(to: key, by: beside, in: schema, after: after, limit: 1)
                paged += page.objects.map(\.key)
                after = page.next
            } while after != nil && paged.count < 5
            #expect(paged == others.reversed())
            // By the rule the seat takes its perks along, and the pairs go with the rows.
            let mark = try #require(try await browser.mark(of: key, of: "Seat", in: schema))
            try await browser.delete(key, of: "Seat", mark: mark, in: schema)
            let left = "SELECT (SELECT count(*) FROM perk) || ' ' || (SELECT count(*) FROM perk_seats)"
            #expect(try await database.texts(left) == [knowingModels ? "0 0" : "2 1"])
            await browser.close()
        }
    }
}
