import Foundation
import SampleTripsModels
import Strata
import Testing

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
