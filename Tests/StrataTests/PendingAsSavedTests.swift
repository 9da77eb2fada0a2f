import Foundation
import Strata
import Testing

/// A fetch finds what it would find if everything unsaved had been saved: whatever has changed, and however the query gets
/// there.
@Suite struct PendingAsSavedTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    // MARK: Through relationships

    @Test func `a predicate and an order over a parent see the parent's unsaved name`() async throws {
        try await withGraphStore { store in
            try await store.save(
                Parent("A", children: [Child("a1"), Child("a2")]), Parent("B", children: [Child("b")]))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            parents[0].name = "Z"
            var descriptor = FetchDescriptor<Child>(
                predicate: #Predicate { $0.parent?.name == "Z" }, sortBy: [SortDescriptor(\.name)])
            #expect(try await context.fetch(descriptor).map(\.name) == ["a1", "a2"])
            descriptor.predicate = #Predicate { $0.parent?.name == "A" }
            #expect(try await context.fetchCount(descriptor) == 0)
            descriptor.includePendingChanges = false
            #expect(try await context.fetchCount(descriptor) == 2)
            let sorted = FetchDescriptor<Child>(sortBy: [SortDescriptor(\.parent?.name), SortDescriptor(\.name)])
            #expect(try await context.fetch(sorted).map(\.name) == ["b", "a1", "a2"])
        }
    }

    @Test func `limit and offset cut an order over unsaved values of another class`() async throws {
        try await withGraphStore { store in
            for name in ["A", "B", "C", "D"] { try await store.save(Parent(name, children: [Child("of " + name)])) }
            let context = store.context()
            try await context.all(Parent.self)[3].name = "0"
            var page = FetchDescriptor<Child>(sortBy: [SortDescriptor(\.parent?.name)])
            page.fetchLimit = 2
            #expect(try await context.fetch(page).map(\.name) == ["of D", "of A"])
            page.fetchOffset = 2
            #expect(try await context.fetch(page).map(\.name) == ["of B", "of C"])
            page.fetchOffset = 3
            #expect(try await context.fetchIdentifiers(page).count == 1)
            #expect(try await context.fetchCount(page) == 1)
        }
    }

    @Test func `links of a many-to-many relationship count from both sides`() async throws {
        try await withGraphStore { store in
            let (ann, bob) = (Graph.Student("Ann"), Graph.Student("Bob"))
            let (math, art) = (Graph.Course("Math"), Graph.Course("Art"))
            ann.courses = [math]
            bob.courses = [math]
            try await store.save(ann, bob, art)
            let context = store.context()
            let students = try await context.all(Graph.Student.self)
            let courses = try await context.fetch(
                FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
            students[0].courses.removeAll()
            students[0].courses.append(courses[0])
            let artists = FetchDescriptor<Graph.Student>(
                predicate: #Predicate { $0.courses.contains { $0.title == "Art" } })
            #expect(try await context.fetch(artists).map(\.name) == ["Ann"])
            let full = FetchDescriptor<Graph.Course>(
                predicate: #Predicate { $0.students.count == 1 }, sortBy: [SortDescriptor(\.title)])
            #expect(try await context.fetch(full).map(\.title) == ["Art", "Math"])
            let new = Graph.Course("Music")
            new.students = [students[1]]
            context.insert(new)
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Graph.Student>(
                        predicate: #Predicate { $0.courses.contains { $0.title == "Music" } })) == 1)
        }
    }

    @Test func `objects of a to-many relationship without an inverse come and go`() async throws {
        try await withGraphStore { store in
            let (ann, bob, cid) = (Graph.Person("Ann"), Graph.Person("Bob"), Graph.Person("Cid"))
            ann.contacts = [bob]
            try await store.save(ann, cid)
            let context = store.context()
            let people = try await context.fetch(FetchDescriptor<Graph.Person>(sortBy: [SortDescriptor(\.name)]))
            people[0].contacts.removeAll()
            people[2].contacts.append(people[1])
            let knowBob = FetchDescriptor<Graph.Person>(
                predicate: #Predicate { $0.contacts.contains { $0.name == "Bob" } })
            #expect(try await context.fetch(knowBob).map(\.name) == ["Cid"])
            people[2].friend = people[0]
            people[0].name = "Zoe"
            let friends = FetchDescriptor<Graph.Person>(predicate: #Predicate { $0.friend?.name == "Zoe" })
            #expect(try await context.fetch(friends).map(\.name) == ["Cid"])
        }
    }

    @Test func `subclasses show their own unsaved values in fetches of the base class`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Car("Beetle"), Graph.Truck("Unimog"))
            let context = store.context()
            try await context.only(Graph.Car.self).seats = 2
            let new = Graph.Car("Fiat")
            new.seats = 2
            context.insert(new)
            let small = FetchDescriptor<Graph.Vehicle>(
                predicate: #Predicate { ($0 as? Graph.Car)?.seats == 2 }, sortBy: [SortDescriptor(\.name)])
            #expect(try await context.fetch(small).map(\.name) == ["Beetle", "Fiat"])
            #expect(try await context.fetchIdentifiers(small).map(\.entityName) == ["Car", "Car"])
            #expect(try await context.fetchCount(FetchDescriptor<Graph.Vehicle>()) == 3)
        }
    }

    @Test func `an object that is changing its class is found as one of the new class`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Truck("Unimog"))
            let context = store.context()
            let truck = try await context.only(Graph.Truck.self)
            let car = try await context.convert(truck, to: Graph.Car.self) { car in
                car.seats = 2
                let small = FetchDescriptor<Graph.Car>(predicate: #Predicate { $0.seats == 2 && $0.name == "Unimog" })
                let found = try context.fetch(small)
                let identifiers = try context.fetchIdentifiers(FetchDescriptor<Graph.Vehicle>())
                let trucks = try context.fetchCount(FetchDescriptor<Graph.Truck>())
                #expect(found.first === car)
                #expect(identifiers.map(\.entityName) == ["Car"])
                #expect(trucks == 0)
            }
            #expect(car.seats == 2)
        }
    }

    // MARK: Deletions

    @Test(arguments: [false, true]) func `children of an unsaved cascade are not found`(isLoaded: Bool) async throws {
        try await withGraphStore("\(isLoaded)") { store in
            try await store.save(Parent("A", children: [Child("a")]), Parent("B", children: [Child("b")]))
            let context = store.context()
            let parent = try await context.all(Parent.self)[0]
            if isLoaded { #expect(parent.children.count == 1) }
            context.delete(parent)
            #expect(try await context.fetch(FetchDescriptor<Child>()).map(\.name) == ["b"])
            #expect(try await context.fetchCount(FetchDescriptor<Child>()) == 1)
            context.rollback()
            #expect(try await context.fetchCount(FetchDescriptor<Child>()) == 2)
        }
    }

    @Test func `a relationship to a deleted object is nil for a query, and as it was after a rollback`() async throws {
        try await withGraphStore { store in
            let department = Graph.Department("Sales")
            department.members.append(Graph.Member("Ann"))
            try await store.save(department)
            let context = store.context()
            context.delete(try await context.only(Graph.Department.self))
            let free = FetchDescriptor<Graph.Member>(predicate: #Predicate { $0.department == nil })
            let found = try await context.fetch(free)
            #expect(found.map(\.name) == ["Ann"])
            context.rollback()
            #expect(found.first?.department?.name == "Sales")
            #expect(try await context.fetchCount(free) == 0)
        }
    }

    @Test func `a reference that the rule keeps is not nil for a query, before the save and after it`() async throws {
        try await withGraphStore { store in
            let department = Graph.Department("Sales")
            department.labels.append(Graph.Label("kept"))
            try await store.save(department)
            let context = store.context()
            context.delete(try await context.only(Graph.Department.self))
            let free = FetchDescriptor<Graph.Label>(predicate: #Predicate { $0.department == nil })
            #expect(try await context.fetchCount(free) == 0)
            try await context.save()
            #expect(try await context.fetchCount(free) == 0)
        }
    }

    @Test func `an unsaved deletion by predicate is respected, with what it takes along`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]), Parent("B", children: [Child("b")]))
            let context = store.context()
            try context.delete(model: Parent.self, where: #Predicate { $0.name == "A" })
            #expect(try await context.fetch(FetchDescriptor<Parent>()).map(\.name) == ["B"])
            #expect(try await context.fetch(FetchDescriptor<Child>()).map(\.name) == ["b"])
            // The next one sees the tables as the first leaves them.
            try context.delete(model: Child.self, where: #Predicate { $0.parent?.name != "A" })
            #expect(try await context.fetchCount(FetchDescriptor<Child>()) == 0)
            context.insert(Parent("A"))
            #expect(try await context.fetchCount(FetchDescriptor<Parent>()) == 2)
        }
    }

    @Test func `what a rule forbids to delete is not found, and the fetch does not fail`() async throws {
        try await withGraphStore { store in
            let department = Graph.Department("Sales")
            department.budgets.append(Graph.Budget(1))
            try await store.save(department)
            let context = store.context()
            let found = try await context.only(Graph.Department.self)
            #expect(found.budgets.count == 1)
            context.delete(found)
            #expect(try await context.fetchCount(FetchDescriptor<Graph.Department>()) == 0)
            #expect(try await context.fetchCount(FetchDescriptor<Graph.Budget>()) == 1)
            await #expect(throws: SwiftDataError.self) { try await context.save() }
        }
    }

    // MARK: Unique values

    @Test func `a new object counts once with the row it will take over`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "old"), Graph.Account("b@x", name: "other"))
            let context = store.context()
            let new = Graph.Account("a@x", name: "new")
            context.insert(new)
            let all = FetchDescriptor<Graph.Account>(sortBy: [SortDescriptor(\.name)])
            let found = try await context.fetch(all)
            #expect(found.map(\.name) == ["new", "other"])
            #expect(found.first === new)
            #expect(try await context.fetchCount(all) == 2)
            #expect(try await context.fetchIdentifiers(all).first == new.persistentModelID)
            let old = FetchDescriptor<Graph.Account>(predicate: #Predicate { $0.name == "old" })
            #expect(try await context.fetchCount(old) == 0)
            // Nobody else waits for what is only looked at.
            #expect(!store.recorder.statements.contains { $0.contains("FOR NO KEY UPDATE") })
            store.recorder.reset()
            #expect(try await context.fetchCount(FetchDescriptor<Parent>()) == 0)
            #expect(store.recorder.statements.count == 1)
        }
    }

    @Test(arguments: [UniquePolicy.upsert, .ignore])
    func `what is deleted by predicate and inserted again is found as it is inserted`(policy: UniquePolicy) async throws
    {
        try await withGraphStore { store in
            try await store.save(
                Graph.Account("a@x", name: "old"), Graph.Account("b@x", name: "other"),
                Graph.Account("c@x", name: "old")
            )
            let context = store.context()
            context.uniquePolicy = policy
            try context.delete(model: Graph.Account.self, where: #Predicate { $0.name == "old" })
            let new = Graph.Account("a@x", name: "new")
            context.insert(new)
            context.insert(Graph.Account("b@x", name: "another"))
            let all = FetchDescriptor<Graph.Account>(sortBy: [SortDescriptor(\.email)])
            let names = ["new", policy == .upsert ? "another" : "other"]
            #expect(try await context.fetchCount(all) == 2)
            store.recorder.reset()
            let identifiers = try await context.fetchIdentifiers(all)
            // What has the unique values, which of that stays, and the query.
            #expect(store.recorder.roundTrips == 3)
            #expect(identifiers.count == 2 && identifiers.first == new.persistentModelID)
            #expect(try await context.fetch(all).first === new)
            try await context.save()
            let reader = store.reader()
            #expect(try await reader.fetch(all).map(\.name) == names)
        }
    }

    @Test func `with the policy ignore the row's values count, with the policy fail both are found`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "old"))
            let context = store.context()
            context.uniquePolicy = .ignore
            let new = Graph.Account("a@x", name: "new")
            context.insert(new)
            let old = FetchDescriptor<Graph.Account>(predicate: #Predicate { $0.name == "old" })
            #expect(try await context.fetch(old).first === new)
            context.uniquePolicy = .fail
            #expect(try await context.fetchCount(FetchDescriptor<Graph.Account>()) == 2)
        }
    }

    // MARK: What a save refuses

    @Test func `an object without its required target is found by all but what leads through it`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Sticker("kept", person: Graph.Person("Ann")))
            let context = store.context()
            let sticker = try await context.only(Graph.Sticker.self)
            context.insert(Graph.Sticker("new", person: sticker.person))
            context.delete(sticker.person)
            let texts = FetchDescriptor<Graph.Sticker>(sortBy: [SortDescriptor(\.text)])
            #expect(try await context.fetch(texts).map(\.text) == ["kept", "new"])
            let named = FetchDescriptor<Graph.Sticker>(predicate: #Predicate { $0.person.name == "Ann" })
            #expect(try await context.fetchCount(named) == 0)
            await #expect(throws: SwiftDataError.self) { try await context.save() }
        }
    }

    @Test func `a value that cannot be stored counts as nil`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            parent.note = "nul \0"
            parent.name = "Z"
            let found = FetchDescriptor<Parent>(predicate: #Predicate { $0.note == nil && $0.name == "Z" })
            #expect(try await context.fetchCount(found) == 1)
        }
    }

    // MARK: What else fetches

    @Test func `an asynchronous fetch loads nothing behind the back`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a", age: 1), Child("b", age: 2)]))
            let context = store.context()
            context.lazyLoading = .forbidden
            for child in try await context.all(Child.self) { child.age += 1 }
            store.recorder.reset()
            let found = FetchDescriptor<Child>(predicate: #Predicate { $0.parent?.name == "A" && $0.age == 3 })
            #expect(try await context.fetch(found).map(\.name) == ["b"])
            #expect(store.recorder.statements.count == 1)
            #expect(context.lazyLoadCount == 0)
            try context.throwUnreportedErrors()
        }
    }

    @Test func `enumerations and batches take part`() async throws {
        try await withGraphStore { store in
            for age in 0..<4 { try await store.save(Child("s\(age)", age: age)) }
            let context = store.context()
            let children = try await context.all(Child.self)
            context.delete(children[0])
            children[1].age = 9
            context.insert(Child("n", age: 5))
            let descriptor = FetchDescriptor<Child>(
                predicate: #Predicate { $0.age > 1 }, sortBy: [SortDescriptor(\.age, order: .reverse)])
            var names: [String] = []
            try await context.enumerate(descriptor, batchSize: 2, allowEscapingMutations: true) {
                names.append($0.name)
            }
            #expect(names == ["s1", "n", "s3", "s2"])
            let batches: FetchResultsCollection<Child> = try await context.fetch(descriptor, batchSize: 3)
            #expect(batches.map(\.name) == names)
            #expect(throws: SwiftDataError.self) { try context.enumerate(descriptor) { _ in } }
        }
    }

    @Test func `a deletion by predicate in an enumeration's block is a mutation`() async throws {
        try await withGraphStore { store in
            try await store.save(Child("a"))
            let context = store.context()
            #expect(throws: SwiftDataError.self) {
                try context.enumerate(FetchDescriptor<Child>()) { _ in try context.delete(model: Child.self) }
            }
        }
    }

    @Test func `relationships that are prefetched show unsaved objects`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            let context = store.context()
            let child = Child("n", parent: try await context.only(Parent.self))
            context.insert(child)
            var descriptor = FetchDescriptor<Parent>(predicate: #Predicate { $0.children.contains { $0.name == "n" } })
            descriptor.relationshipKeyPathsForPrefetching = [\.children]
            #expect(try await context.fetch(descriptor).first?.children.map(\.name) == ["a", "n"])
        }
    }
}
