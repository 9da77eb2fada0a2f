import Foundation
import SampleTripsModels
import Strata
import Testing

@Model private final class Basket {
    @Attribute(.unique) var name: String
    var note: String
    @Relationship(.ordered, inverse: nil) var fruits: [Fruit] = []
    @Relationship(inverse: nil) var best: Fruit?
    @Relationship(.ordered, inverse: \Label.basket) var labels: [Label] = []
    @Relationship(inverse: \Stall.baskets) var stalls: [Stall] = []
    init(_ name: String, note: String) {
        self.name = name
        self.note = note
    }
}

@Model private final class Fruit {
    var name: String
    init(_ name: String) { self.name = name }
}

@Model private final class Label {
    var text: String
    var basket: Basket?
    init(_ text: String) { self.text = text }
}

@Model private final class Stall {
    var name: String
    var baskets: [Basket] = []
    init(_ name: String) { self.name = name }
}

@Suite struct UpsertTests {
    private typealias Account = Graph.Account

    @Test func `a new object with a unique value that exists takes over the row`() async throws {
        try await withGraphStore { store in
            let saved = Account("a@x", name: "old")
            try await store.save(saved)
            let context = store.context()
            let account = Account("a@x", name: "new")
            context.insert(account)
            try await context.save()
            #expect(account.persistentModelID == saved.persistentModelID)
            #expect(!account.hasChanges)
            #expect(try await context.only(Account.self) === account)
            #expect(try await store.reader().only(Account.self).name == "new")
            account.name = "newer"
            try await context.save()
            #expect(try await store.reader().only(Account.self).name == "newer")
        }
    }

    @Test func `a registered object with that value gives way to the new one`() async throws {
        try await withGraphStore { store in
            try await store.save(Account("a@x", name: "old"))
            let context = store.context()
            let old = try await context.only(Account.self)
            let new = Account("a@x", name: "new")
            context.insert(new)
            try await context.save()
            #expect(try await context.only(Account.self) === new)
            #expect(old.modelContext == nil)
            #expect(new.modelContext === context)
        }
    }

    @Test func `of two new objects with the same value the last wins`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let (first, last) = (Account("a@x", name: "first"), Account("a@x", name: "last"))
            context.insert(first)
            context.insert(last)
            try await context.save()
            let read = try await store.reader().only(Account.self)
            #expect(read.name == "last")
            #expect(!context.hasChanges)
            #expect(try await context.only(Account.self) === last)
            #expect(first.modelContext == nil)
        }
    }

    @Test func `fail refuses with the identifiers, ignore keeps the row`() async throws {
        try await withGraphStore { store in
            try await store.save(Account("a@x", name: "old"))
            let strict = store.context()
            strict.uniquePolicy = .fail
            let account = Account("a@x", name: "new")
            strict.insert(account)
            do {
                try await strict.save()
                Issue.record("no error")
            } catch let error as SwiftDataError {
                #expect(error.code == .uniqueConstraint)
                #expect(error.message.contains("email"))
            }
            let lenient = store.context()
            lenient.uniquePolicy = .ignore
            let ignored = Account("a@x", name: "new")
            lenient.insert(ignored)
            try await lenient.save()
            #expect(!lenient.hasChanges)
            #expect(try await store.reader().only(Account.self).name == "old")
        }
    }

    @Test func `an ignored object leaves the row, its links and their order as they are, and has its values`()
        async throws
    {
        try await withModelStore(Basket.self, Fruit.self, Label.self, Stall.self) { store in
            let first = ModelContext(store.container)
            let (a, b) = (Basket("A", note: "old"), Basket("B", note: ""))
            first.insert(a)
            first.insert(b)
            a.fruits = ["x", "y"].map { Fruit($0) }
            a.best = a.fruits[0]
            a.labels = ["1", "2"].map { Label($0) }
            a.stalls = [Stall("old")]
            b.fruits = [Fruit("z")]
            try await first.save()

            let context = ModelContext(store.container)
            context.uniquePolicy = .ignore
            let fruits = try await context.fetch(FetchDescriptor<Fruit>(sortBy: [SortDescriptor(\.name)]))
            let ignored = Basket("A", note: "new")
            context.insert(ignored)
            ignored.fruits = fruits.reversed()
            ignored.best = fruits[2]
            let (label, stall) = (Label("3"), Stall("new"))
            ignored.labels = [label]
            ignored.stalls = [stall]
            try await context.save()

            func expect(_ basket: Basket) {
                #expect(basket.note == "old" && basket.best?.name == "x")
                #expect(basket.fruits.map(\.name) == ["x", "y"])
                // What says itself that it belongs to the basket belongs to the row, behind what is there.
                #expect(basket.labels.map(\.text) == ["1", "2", "3"])
                #expect(Set(basket.stalls.map(\.name)) == ["old", "new"])
            }
            #expect(!context.hasChanges)
            #expect(ignored.persistentModelID == a.persistentModelID)
            #expect(label.basket === ignored && stall.baskets.first === ignored)
            expect(ignored)
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Basket>(sortBy: [SortDescriptor(\.name)]))
            #expect(read.count == 2)
            expect(read[0])
            #expect(read[1].fruits.map(\.name) == ["z"])
        }
    }

    @Test func `the children of an object that takes over a row follow it`() async throws {
        try await withTripStore { store in
            let saved = Trip(name: "Weekend", destination: "Lyon", startDate: day(0), endDate: day(2))
            saved.bucketList = [BucketListItem(title: "old")]
            let first = ModelContext(store.container)
            first.insert(saved)
            try await first.save()

            let context = ModelContext(store.container)
            let again = Trip(name: "Weekend", destination: "Paris", startDate: day(0), endDate: day(2))
            let item = BucketListItem(title: "new")
            again.bucketList = [item]
            context.insert(again)
            try await context.save()
            #expect(again.persistentModelID == saved.persistentModelID)
            #expect(item.trip === again)
            let reader = ModelContext(store.container)
            let trips = try await reader.fetch(FetchDescriptor<Trip>())
            #expect(trips.count == 1)
            #expect(trips.first?.destination == "Paris")
            #expect(trips.first?.bucketList.map(\.title).contains("new") == true)
            let titles = Set(trips.first?.bucketList.map(\.title) ?? [])
            #expect(Set(again.bucketList.map(\.title)).isSubset(of: titles))
        }
    }

    @Test func `what took over a row in a transaction that fails is as before`() async throws {
        try await withGraphStore { store in
            try await store.save(Account("a@x", name: "old"))
            let context = store.context()
            let account = Account("a@x", name: "new")
            await expectStop {
                try await context.transaction {
                    context.insert(account)
                    try await context.save()
                    throw Stop()
                }
            }
            #expect(account.modelContext == nil)
            #expect(try await store.reader().only(Account.self).name == "old")
            account.email = "b@x"
            context.insert(account)
            try await context.save()
            #expect(try await store.count(Account.self) == 2)
        }
    }
}
