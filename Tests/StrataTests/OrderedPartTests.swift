import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Ordered relationships of objects with a key of several columns, and to such objects.
@Suite struct OrderedPartTests {
    private typealias Basket = OrderedParts.Basket
    private typealias Entry = OrderedParts.Entry
    private typealias Step = OrderedParts.Step

    private func stored(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            """
            SELECT b.name || ' ' || e.number || ': ' || coalesce(string_agg(s.name, ' ' ORDER BY s.steps_position), '')
            FROM entry e JOIN basket b ON b.pk = e.basket LEFT JOIN step s ON (s.entry_basket, s.entry_number) = (e.basket, e.number)
            GROUP BY b.name, e.number, e.entries_position ORDER BY b.name, e.entries_position
            """)
    }

    @Test func `orders of such objects, and of what belongs to them, are kept`() async throws {
        try await withModelStore(of: OrderedParts.schema) { store in
            let context = ModelContext(store.container)
            let basket = Basket("a")
            basket.entries = [10, 2, 7].map { Entry(basket, $0) }
            basket.entries[0].steps = ["wash", "cut", "dry"].map(Step.init)
            context.insert(basket)
            try await context.save()
            #expect(try await stored(store) == ["a 10: wash cut dry", "a 2: ", "a 7: "])
            store.recorder.reset()
            let fresh = ModelContext(store.container)
            let again = try #require(try await fresh.fetch(FetchDescriptor<Basket>()).first)
            #expect(
                again.entries.map(\.number) == [10, 2, 7]
                    && again.entries[0].steps.map(\.name) == ["wash", "cut", "dry"])
            // Moved within, moved to another, appended from the other end.
            again.entries.swapAt(0, 2)
            let ten = try #require(again.entries.last)
            ten.steps = [ten.steps[2], ten.steps[0], ten.steps[1]]
            again.entries[1].steps.append(ten.steps.removeLast())
            let new = Step("pack")
            new.entry = again.entries[1]
            fresh.insert(new)
            store.recorder.reset()
            try await fresh.save()
            #expect(try await stored(store) == ["a 7: ", "a 2: cut pack", "a 10: dry wash"])
            #expect(
                store.recorder.statements.contains {
                    $0.contains(
                        #"SET "steps_position" = u.position FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS u(owner, target, position) WHERE (t."entry_basket", t."entry_number") = ((u.owner::jsonb ->> 0)::bigint, (u.owner::jsonb ->> 1)::bigint) AND t."pk" = u.target"#
                    )
                }, "\(store.recorder.statements)")
            // Appended to a list that is not in memory, behind what another has appended.
            let other = ModelContext(store.container)
            let entry = try await other.model(Entry.self, key: again.persistentModelID, 2)
            let last = Step("label")
            last.entry = entry
            other.insert(last)
            let late = Entry(try #require(try await other.fetch(FetchDescriptor<Basket>()).first), 1)
            other.insert(late)
            try await other.save()
            #expect(try await stored(store) == ["a 7: ", "a 2: cut pack label", "a 10: dry wash", "a 1: "])
            other.delete(entry)
            try await other.save()
            #expect(try await stored(store) == ["a 7: ", "a 10: dry wash", "a 1: "])
            #expect(try await store.database.texts("SELECT count(*)::text FROM step") == ["2"])
        }
    }
}

enum OrderedParts {
    static let schema = Schema(Basket.self, Entry.self, Step.self)

    @Model final class Basket {
        var name: String
        @Relationship(.ordered, deleteRule: .cascade, inverse: \Entry.basket) var entries: [Entry] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Entry {
        #PrimaryKey<Entry>([\.basket, \.number])
        var basket: Basket
        var number: Int
        @Relationship(.ordered, deleteRule: .cascade, inverse: \Step.entry) var steps: [Step] = []
        init(_ basket: Basket, _ number: Int) {
            self.basket = basket
            self.number = number
        }
    }

    @Model final class Step {
        var name: String
        var entry: Entry?
        init(_ name: String) { self.name = name }
    }
}
