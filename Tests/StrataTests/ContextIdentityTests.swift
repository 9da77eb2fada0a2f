import Foundation
import Strata
import Testing

@Suite struct ContextIdentityTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    @Test func `two fetches return one instance a row`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"), Parent("B"))
            let context = store.context()
            let first = try await context.all(Parent.self)
            let second = try await context.all(Parent.self)
            #expect(first.count == 2)
            #expect(zip(first, second).allSatisfy { $0 === $1 })
        }
    }

    @Test func `what was inserted and saved is what a fetch returns`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Parent("A")
            context.insert(parent)
            try await context.save()
            #expect(try await context.only(Parent.self) === parent)
            #expect(try await context.model(for: parent.persistentModelID) === parent)
        }
    }

    @Test func `two contexts never share an instance, but its identifier and equality`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let (one, other) = (store.context(), store.context())
            let mine = try await one.only(Parent.self)
            let theirs = try await other.only(Parent.self)
            #expect(mine !== theirs)
            #expect(mine == theirs)
            #expect(mine.hashValue == theirs.hashValue)
            #expect(mine.persistentModelID == theirs.persistentModelID)
            #expect(mine.modelContext === one)
            #expect(theirs.modelContext === other)
        }
    }

    @Test func `clean objects are freed when nobody holds them, and their children with them`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a"), Child("b")]))
            let context = store.context()
            weak var parent: Parent?
            weak var child: Child?
            func use() async throws {
                let fetched = try await context.only(Parent.self)
                #expect(fetched.children.count == 2)
                #expect(fetched.children[0].parent === fetched)
                parent = fetched
                child = fetched.children[0]
            }
            try await use()
            #expect(parent == nil)
            #expect(child == nil)
            let identifier = try await context.fetchIdentifiers(FetchDescriptor<Parent>())[0]
            #expect((context.registeredModel(for: identifier) as Parent?) == nil)
        }
    }

    @Test func `a saved graph is freed, also when children were moved before the save`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            weak var first: Parent?
            weak var child: Child?
            func use() async throws {
                let (one, other) = (Parent("A", children: [Child("a")]), Parent("B"))
                context.insert(one)
                context.insert(other)
                try await context.save()
                let moved = one.children[0]
                other.children.append(moved)
                moved.name = "moved"
                try await context.save()
                first = other
                child = moved
                #expect(moved.parent === other)
            }
            try await use()
            #expect(first == nil)
            #expect(child == nil)
        }
    }

    @Test func `a changed object is kept until it is saved`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            weak var parent: Parent?
            func change() async throws {
                let fetched = try await context.only(Parent.self)
                fetched.name = "changed"
                parent = fetched
            }
            try await change()
            #expect(parent != nil)
            try await context.save()
            #expect(parent == nil)
            #expect(try await store.reader().only(Parent.self).name == "changed")
        }
    }

    @Test func `a child finds its parent again after the parent was freed`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a"), Child("b")]))
            let context = store.context()
            func child() async throws -> Child {
                let parent = try await context.only(Parent.self)
                return try #require(parent.children.first)
            }
            let first = try await child()
            let parent = try #require(first.parent)
            #expect(parent.name == "A")
            #expect(parent.children.map(\.name) == ["a", "b"])
            #expect(parent.children[0] === first)
        }
    }

    @Test func `nothing of a context is left when it is gone, whatever holds whatever`() async throws {
        try await withGraphStore { store in
            weak var student: Graph.Student?
            weak var course: Graph.Course?
            weak var person: Graph.Person?
            weak var other: Graph.Person?
            weak var employee: Graph.Employee?
            weak var child: Child?
            weak var owner: Graph.Owner?
            weak var passport: Graph.Passport?
            weak var unsaved: Child?
            func use() async throws {
                let context = store.context()
                let (anna, ben) = (Graph.Student("Anna"), Graph.Student("Ben"))
                let (art, biology) = (Graph.Course("Art"), Graph.Course("Biology"))
                anna.courses = [art, biology]
                biology.students.append(ben)
                context.insert(anna)
                let (carl, dora) = (Graph.Person("Carl"), Graph.Person("Dora"))
                carl.friend = dora
                dora.friend = carl
                carl.contacts = [carl, dora]
                dora.contacts = [carl]
                context.insert(carl)
                let boss = Graph.Employee("Boss")
                boss.boss = boss
                boss.reports.append(Graph.Employee("Report"))
                context.insert(boss)
                let parent = Parent("A", children: [Child("a"), Child("b")])
                context.insert(parent)
                let holder = Graph.Owner("O")
                holder.passport = Graph.Passport(1)
                context.insert(holder)
                try await context.save()
                parent.children.append(Child("c"))
                parent.children[0].parent = nil
                parent.children.append(parent.children[0])
                unsaved = parent.children.last
                student = ben
                course = art
                person = carl
                other = dora
                employee = boss
                child = parent.children[0]
                owner = holder
                passport = holder.passport
            }
            try await use()
            #expect(student == nil)
            #expect(course == nil)
            #expect(person == nil)
            #expect(other == nil)
            #expect(employee == nil)
            #expect(child == nil)
            #expect(owner == nil)
            #expect(passport == nil)
            #expect(unsaved == nil)
        }
    }

    @Test func `an object outlives its context with the values it has`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            func load() async throws -> Parent {
                let context = store.context()
                let parent = try await context.only(Parent.self)
                #expect(parent.children.count == 1)
                return parent
            }
            let parent = try await load()
            #expect(parent.modelContext == nil)
            #expect(parent.name == "A")
            #expect(parent.children.map(\.name) == ["a"])
            parent.name = "B"
            #expect(parent.name == "B")
        }
    }

    @Test func `a fetch refreshes clean objects and leaves changed ones alone`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"), Parent("B"))
            let context = store.context()
            let mine = try await context.all(Parent.self)
            mine[1].name = "mine"
            let other = store.context()
            for (number, parent) in try await other.all(Parent.self).enumerated() {
                parent.name = "theirs \(number)"
                parent.note = "noted"
            }
            try await other.save()
            let again = try await context.all(Parent.self)
            #expect(again.map(\.name) == ["theirs 0", "mine"])
            #expect(again.map(\.note) == ["noted", nil])
            #expect(again[0].hasChanges == false)
            #expect(again[1].hasChanges)
        }
    }

    @Test func `a fetch with prefetching refreshes the relationship too`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            let context = store.context()
            var descriptor = FetchDescriptor<Parent>()
            descriptor.relationshipKeyPathsForPrefetching = [\.children]
            let parent = try #require(try await context.fetch(descriptor).first)
            #expect(parent.children.map(\.name) == ["a"])
            let other = store.context()
            try await other.only(Parent.self).children.append(Child("b"))
            try await other.save()
            _ = try await context.fetch(descriptor)
            #expect(parent.children.map(\.name) == ["a", "b"])
        }
    }

    @Test func `refresh reads values and relationships again`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]), Parent("B"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            #expect(parents[0].children.count == 1)
            parents[1].name = "mine"
            let other = store.context()
            for parent in try await other.all(Parent.self) { parent.name = "theirs" }
            try await other.all(Parent.self)[0].children.append(Child("b"))
            try await other.save()
            try await context.refresh(parents)
            #expect(parents.map(\.name) == ["theirs", "mine"])
            #expect(parents[0].children.map(\.name) == ["a", "b"])
        }
    }

    @Test func `a plain refetch keeps a prefetched to-one in memory`() async throws {
        try await withGraphStore { store in
            try await store.save(Child("a", parent: Parent("A")))
            let context = store.context()
            var descriptor = FetchDescriptor<Child>()
            descriptor.relationshipKeyPathsForPrefetching = [\.parent]
            let child = try #require(try await context.fetch(descriptor).first)
            context.lazyLoading = .forbidden
            _ = try await context.all(Child.self)
            #expect(child.parent?.name == "A")
            try context.throwUnreportedErrors()
        }
    }

    @Test func `registeredModel looks in memory only, model and existingModel in the store too`() async throws {
        try await withGraphStore { store in
            let saved = Parent("A")
            try await store.save(saved)
            let identifier = saved.persistentModelID
            let context = store.context()
            #expect((context.registeredModel(for: identifier) as Parent?) == nil)
            #expect(store.recorder.roundTrips == 0)
            let parent = try #require(try await context.model(for: identifier) as? Parent)
            #expect(store.recorder.roundTrips == 1)
            #expect(parent.name == "A")
            #expect((context.registeredModel(for: identifier) as Parent?) === parent)
            #expect(try await context.model(for: identifier) === parent)
            #expect(try await context.existingModel(for: identifier, as: Parent.self) === parent)
            #expect(store.recorder.roundTrips == 1)
            #expect(try await context.existingModel(for: identifier, as: Child.self) == nil)

            context.delete(parent)
            try await context.save()
            #expect((context.registeredModel(for: identifier) as Parent?) == nil)
            #expect(try await context.existingModel(for: identifier, as: Parent.self) == nil)
            await expectError(.modelNotFound) { _ = try await context.model(for: identifier) }
        }
    }

    @Test func `an object of a subclass is found by its identifier as its own class`() async throws {
        try await withGraphStore { store in
            let car = Graph.Car("Beetle")
            try await store.save(car)
            let context = store.context()
            let found = try await context.existingModel(for: car.persistentModelID, as: Graph.Vehicle.self)
            #expect(found is Graph.Car)
            #expect(car.persistentModelID.entityName == "Car")
        }
    }

    @Test func `the blocking twins do what the asynchronous calls do`() async throws {
        try await withGraphStore { store in
            func work() throws {
                let context = store.context()
                context.insert(Parent("A", children: [Child("a")]))
                try context.save()
                let other = store.context()
                let parent = try #require(try other.fetch(FetchDescriptor<Parent>()).first)
                #expect(parent.children.count == 1)
                #expect(try other.fetchCount(FetchDescriptor<Child>()) == 1)
                #expect(try other.fetchIdentifiers(FetchDescriptor<Parent>()) == [parent.persistentModelID])
                #expect(try other.model(for: parent.persistentModelID) === parent)
                #expect(try other.existingModel(for: parent.persistentModelID, as: Parent.self) === parent)
                try other.transaction { parent.name = "B" }
                var names: [String] = []
                try other.enumerate(FetchDescriptor<Parent>()) { names.append($0.name) }
                #expect(names == ["B"])
            }
            try work()
        }
    }
}
