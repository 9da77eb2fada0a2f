import Foundation
import Strata
import Testing

@Suite struct RelationshipTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    // MARK: Insert

    @Test func `what others have moved shows, although the object that they left has other unsaved changes`()
        async throws
    {
        try await withGraphStore { store in
            try await store.save(Graph.Owner("O"), Graph.Passport(1), Graph.Passport(2))
            let other = store.context()
            let (first, second) = (
                try await other.all(Graph.Passport.self)[0], try await other.all(Graph.Passport.self)[1]
            )
            let owner = try await other.only(Graph.Owner.self)
            first.owner = owner
            try await other.save()

            let context = store.context()
            let passports = try await context.all(Graph.Passport.self)
            first.owner = nil
            second.owner = owner
            try await other.save()
            passports[0].number = 11
            #expect(try await context.only(Graph.Owner.self).passport?.number == 2)
        }
    }

    @Test func `inserting one object inserts everything it reaches, in any order, and twice is harmless`() async throws
    {
        try await withGraphStore { store in
            let context = store.context()
            let (one, two) = (Child("a"), Child("b"))
            context.insert(one)
            let parent = Parent("A", children: [one, two])
            context.insert(parent)
            context.insert(parent)
            context.insert(two)
            #expect(context.insertedModelsArray.count == 3)
            try await context.save()
            context.insert(parent)
            #expect(!context.hasChanges)
            #expect(try await store.count(Child.self) == 2)
            #expect(try await store.reader().only(Parent.self).children.map(\.name) == ["a", "b"])
        }
    }

    @Test func `inserting a child inserts its parent and its siblings`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Parent("A", children: [Child("a"), Child("b")])
            context.insert(parent.children.first ?? Child("none", parent: parent))
            let child = Child("c", parent: parent)
            context.insert(child)
            #expect(parent.modelContext === context)
            #expect(parent.children.map(\.name) == ["a", "b", "c"])
            try await context.save()
            #expect(try await store.reader().only(Parent.self).children.map(\.name) == ["a", "b", "c"])
        }
    }

    @Test func `relating a new object to one of a context inserts it`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            let added = Child("added")
            parent.children.append(added)
            #expect(added.modelContext === context)
            let pointing = Child("pointing")
            pointing.parent = parent
            #expect(pointing.modelContext === context)
            #expect(context.insertedModelsArray.count == 2)
            try await context.save()
            #expect(try await store.reader().only(Parent.self).children.map(\.name) == ["added", "pointing"])
        }
    }

    @Test func `relationships that an initializer set are complete on both sides at insert`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Parent("A")
            let child = Child("a", parent: parent)
            context.insert(child)
            #expect(parent.children.map(\.name) == ["a"])
            #expect(parent.children.first === child)
            let other = Child("b")
            let second = Parent("B", children: [other, other])
            context.insert(second)
            #expect(other.parent === second)
            #expect(second.children.count == 1)
            let owner = Graph.Owner("O")
            let passport = Graph.Passport(1, owner: owner)
            context.insert(passport)
            #expect(owner.passport === passport)
            try await context.save()
            let reader = store.context()
            #expect(try await reader.all(Parent.self).map { $0.children.map(\.name) } == [["a"], ["b"]])
            #expect(try await reader.only(Graph.Owner.self).passport?.number == 1)
        }
    }

    @Test func `a new object whose initializer takes a saved parent joins its children`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]), Parent("B", children: [Child("b")]))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            #expect(parents[0].children.count == 1)
            let (loaded, unloaded) = (Child("c", parent: parents[0]), Child("d", parent: parents[1]))
            context.insert(loaded)
            context.insert(unloaded)
            #expect(parents[0].children.map(\.name) == ["a", "c"])
            #expect(parents[1].children.map(\.name) == ["b", "d"])
            try await context.save()
            #expect(
                try await store.reader().all(Parent.self).map { $0.children.map(\.name) } == [["a", "c"], ["b", "d"]])
        }
    }

    // MARK: One-to-many

    @Test(arguments: [false, true])
    func `setting one side of a one-to-many sets the other`(saved: Bool) async throws {
        try await withGraphStore { store in
            let context = store.context()
            let (first, second) = (Parent("A"), Parent("B"))
            let child = Child("a")
            if saved {
                for object in [first, second] { context.insert(object) }
                context.insert(child)
                try await context.save()
            }
            child.parent = first
            #expect(first.children.map(\.name) == ["a"])
            child.parent = first
            #expect(first.children.count == 1)
            child.parent = second
            #expect(first.children.isEmpty)
            #expect(second.children.count == 1)
            first.children = [child, child]
            #expect(second.children.isEmpty)
            #expect(child.parent === first)
            #expect(first.children.count == 1)
            first.children.append(child)
            #expect(first.children.count == 1)
            first.children.removeAll()
            #expect(child.parent == nil)
            second.children.append(child)
            #expect(child.parent === second)
            for object in [first, second] { context.insert(object) }
            try await context.save()
            let parents = try await store.reader().all(Parent.self)
            #expect(parents.map { $0.children.count }.sorted() == [0, 1])
            #expect(parents.first { $0.name == "B" }?.children.map(\.name) == ["a"])
        }
    }

    @Test func `a child can be moved without either parent's children being loaded`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]), Parent("B", children: [Child("b")]))
            let context = store.context()
            let children = try await context.all(Child.self)
            let parents = try await context.all(Parent.self)
            children[0].parent = parents[1]
            #expect(parents[0].children.isEmpty)
            #expect(parents[1].children.map(\.name) == ["a", "b"])
            try await context.save()
            #expect(try await store.reader().all(Parent.self).map { $0.children.map(\.name) } == [[], ["a", "b"]])
        }
    }

    @Test func `an optional array reads as empty and takes nil for empty`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let album = Graph.Album("A")
            context.insert(album)
            try await context.save()
            #expect(album.photos?.isEmpty ?? true)
            album.photos = [Graph.Photo("p"), Graph.Photo("q")]
            album.photos?.append(Graph.Photo("r"))
            try await context.save()
            let other = store.context()
            let read = try await other.only(Graph.Album.self)
            #expect(read.photos?.map(\.title) == ["p", "q", "r"])
            #expect(read.photos?[0].album === read)
            let photo = try #require(read.photos?[0])
            read.photos = nil
            #expect(photo.album == nil)
            try await other.save()
            let last = try await store.reader().only(Graph.Album.self)
            #expect(last.photos?.count == 0)
            #expect(try await store.count(Graph.Photo.self) == 3)
        }
    }

    // MARK: One-to-one

    @Test(arguments: [false, true])
    func `a one-to-one takes its partner from whoever had it`(saved: Bool) async throws {
        try await withGraphStore { store in
            let context = store.context()
            let (anna, ben) = (Graph.Owner("Anna"), Graph.Owner("Ben"))
            let (one, two) = (Graph.Passport(1), Graph.Passport(2))
            if saved {
                context.insert(anna)
                context.insert(ben)
                context.insert(one)
                context.insert(two)
                try await context.save()
            }
            anna.passport = one
            #expect(one.owner === anna)
            ben.passport = one
            #expect(one.owner === ben)
            #expect(anna.passport == nil)
            two.owner = ben
            #expect(ben.passport === two)
            #expect(one.owner == nil)
            one.owner = anna
            context.insert(anna)
            context.insert(ben)
            try await context.save()
            let owners = try await store.reader().fetch(FetchDescriptor<Graph.Owner>(sortBy: [SortDescriptor(\.name)]))
            #expect(owners.map(\.passport?.number) == [1, 2])
        }
    }

    @Test func `a one-to-one is taken from a partner that is not in memory`() async throws {
        try await withGraphStore { store in
            let (anna, ben) = (Graph.Owner("Anna"), Graph.Owner("Ben"))
            anna.passport = Graph.Passport(1)
            ben.passport = Graph.Passport(2)
            try await store.save(anna, ben)

            let context = store.context()
            let owners = try await context.fetch(FetchDescriptor<Graph.Owner>(sortBy: [SortDescriptor(\.name)]))
            let new = Graph.Passport(3)
            owners[0].passport = new
            try await context.save()
            let reader = store.context()
            let passports = try await reader.fetch(FetchDescriptor<Graph.Passport>(sortBy: [SortDescriptor(\.number)]))
            #expect(passports.map(\.owner?.name) == [nil, "Ben", "Anna"])

            let third = store.context()
            let free = try #require(
                try await third.fetch(FetchDescriptor<Graph.Passport>(predicate: #Predicate { $0.number == 1 })).first)
            let bens = try #require(
                try await third.fetch(FetchDescriptor<Graph.Owner>(predicate: #Predicate { $0.name == "Ben" })).first)
            free.owner = bens
            try await third.save()
            let last = try await store.reader().fetch(
                FetchDescriptor<Graph.Passport>(sortBy: [SortDescriptor(\.number)]))
            #expect(last.map(\.owner?.name) == ["Ben", nil, "Anna"])
        }
    }

    /// The key stands in the row of the owner, and nobody but the passport is to hold that.
    @Test func `a one-to-one partner that was saved and let go is read again, and kept`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let passports = ["Anna", "Ben"].map { Graph.Passport(1, owner: Graph.Owner($0)) }
            for passport in passports { context.insert(passport) }
            try await context.save()
            #expect(passports.map(\.owner?.name) == ["Anna", "Ben"])
            let anna = try #require(passports[0].owner)
            #expect(anna === passports[0].owner && anna.passport === passports[0])
            #expect(!context.hasChanges)
            try await store.database.execute("UPDATE owner SET passport = NULL WHERE name = 'Ben'")
            try await context.refresh([passports[1]])
            #expect(passports[1].owner == nil)
        }
    }

    @Test func `a partner that is set again comes back from whom others have given it to`() async throws {
        try await withGraphStore { store in
            let anna = Graph.Owner("Anna")
            anna.passport = Graph.Passport(1)
            try await store.save(anna, Graph.Owner("Ben"))
            let context = store.context()
            context.conflictPolicy = .overwrite
            let byName = FetchDescriptor<Graph.Owner>(sortBy: [SortDescriptor(\.name)])
            let owners = try await context.fetch(byName)
            let passport = try #require(owners[0].passport)
            owners[0].name = "Anne"

            let other = store.context()
            let theirs = try await other.fetch(byName)
            theirs[1].passport = theirs[0].passport
            try await other.save()
            var descriptor = FetchDescriptor<Graph.Passport>()
            descriptor.relationshipKeyPathsForPrefetching = [\.owner]
            _ = try await context.fetch(descriptor)
            #expect(passport.owner === owners[1])

            owners[0].passport = passport
            #expect(passport.owner === owners[0] && owners[1].passport == nil)
            try await context.save()
            let read = try await store.reader().fetch(byName)
            #expect(read.map(\.name) == ["Anne", "Ben"])
            #expect(read.map(\.passport?.number) == [1, nil])
        }
    }

    @Test func `who took the place of a partner that was to be deleted keeps it`() async throws {
        try await withGraphStore { store in
            let anna = Graph.Owner("Anna")
            anna.passport = Graph.Passport(1)
            try await store.save(anna)
            let context = store.context()
            let passport = try await context.only(Graph.Passport.self)
            let old = try await context.only(Graph.Owner.self)
            context.delete(old)
            #expect(passport.owner == nil)
            context.insert(old)
            #expect(passport.owner === old && old.passport === passport && !context.hasChanges)

            context.delete(old)
            let new = Graph.Owner("Ben")
            passport.owner = new
            context.insert(old)
            #expect(passport.owner === new && old.passport == nil)
            try await context.save()
            let read = try await store.reader().fetch(
                FetchDescriptor<Graph.Owner>(sortBy: [SortDescriptor(\.name)]))
            #expect(read.map(\.passport?.number) == [nil, 1])
        }
    }

    @Test func `two owners swap their partners in one save`() async throws {
        try await withGraphStore { store in
            let (anna, ben) = (Graph.Owner("Anna"), Graph.Owner("Ben"))
            anna.passport = Graph.Passport(1)
            ben.passport = Graph.Passport(2)
            try await store.save(anna, ben)
            let context = store.context()
            let owners = try await context.fetch(FetchDescriptor<Graph.Owner>(sortBy: [SortDescriptor(\.name)]))
            let (one, two) = (owners[0].passport, owners[1].passport)
            owners[0].passport = two
            owners[1].passport = one
            #expect(owners.map(\.passport?.number) == [2, 1])
            try await context.save()
            let read = try await store.reader().fetch(FetchDescriptor<Graph.Owner>(sortBy: [SortDescriptor(\.name)]))
            #expect(read.map(\.passport?.number) == [2, 1])
        }
    }

    // MARK: Many-to-many

    @Test func `many-to-many is kept from both sides, before and after insert`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let (anna, ben) = (Graph.Student("Anna"), Graph.Student("Ben"))
            let (art, biology) = (Graph.Course("Art"), Graph.Course("Biology"))
            anna.courses = [art, biology, art]
            #expect(anna.courses.count == 2)
            art.students.append(ben)
            #expect(ben.courses.map(\.title) == ["Art"])
            context.insert(ben)
            #expect(context.insertedModelsArray.count == 4)
            try await context.save()

            let other = store.context()
            let students = try await other.fetch(FetchDescriptor<Graph.Student>(sortBy: [SortDescriptor(\.name)]))
            #expect(students.map { $0.courses.map(\.title).sorted() } == [["Art", "Biology"], ["Art"]])
            let courses = try await other.fetch(FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
            #expect(courses[0].students.count == 2)
            courses[0].students.removeAll { $0 === students[0] }
            #expect(students[0].courses.map(\.title) == ["Biology"])
            students[1].courses.append(courses[1])
            #expect(courses[1].students.count == 2)
            try await other.save()

            let last = try await store.reader().fetch(FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
            #expect(last.map { $0.students.map(\.name).sorted() } == [["Ben"], ["Anna", "Ben"]])
        }
    }

    @Test func `a change of one end of a many-to-many is seen when the other end is loaded before the save`()
        async throws
    {
        try await withGraphStore { store in
            let (anna, art) = (Graph.Student("Anna"), Graph.Course("Art"))
            anna.courses = [art]
            try await store.save(anna, Graph.Course("Biology"))
            let context = store.context()
            let student = try await context.only(Graph.Student.self)
            let courses = try await context.fetch(FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
            student.courses = [courses[1]]
            #expect(courses[0].students.isEmpty)
            #expect(courses[1].students.map(\.name) == ["Anna"])
            try await context.save()
            let read = try await store.reader().fetch(FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
            #expect(read.map { $0.students.count } == [0, 1])
        }
    }

    // MARK: To itself

    @Test func `a hierarchy of one class is kept from both sides`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let boss = Graph.Employee("Boss")
            let left = Graph.Employee("Left", boss: boss)
            let right = Graph.Employee("Right")
            right.boss = boss
            right.reports.append(Graph.Employee("Leaf"))
            context.insert(left)
            context.insert(right)
            #expect(Set(boss.reports.map(\.name)) == ["Left", "Right"])
            try await context.save()
            let other = store.context()
            let top = try #require(
                try await other.fetch(FetchDescriptor<Graph.Employee>(predicate: #Predicate { $0.boss == nil })).first)
            #expect(top.name == "Boss")
            let reports = top.reports.sorted { $0.name < $1.name }
            #expect(reports.map(\.name) == ["Left", "Right"])
            let leaf = try #require(reports[1].reports.first)
            leaf.boss = leaf
            #expect(reports[1].reports.isEmpty)
            #expect(leaf.reports.first === leaf)
            try await other.save()
            let name = "Leaf"
            let read = try await store.reader().fetch(
                FetchDescriptor<Graph.Employee>(predicate: #Predicate { $0.name == name }))
            #expect(read[0].boss === read[0])
        }
    }

    @Test func `objects without an inverse may refer to each other and to themselves`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let (carl, dora) = (Graph.Person("Carl"), Graph.Person("Dora"))
            carl.friend = dora
            dora.friend = carl
            carl.contacts = [carl, dora]
            context.insert(carl)
            try await context.save()
            let people = try await store.reader().fetch(FetchDescriptor<Graph.Person>(sortBy: [SortDescriptor(\.name)]))
            #expect(people.map(\.friend?.name) == ["Dora", "Carl"])
            #expect(Set(people[0].contacts.map(\.name)) == ["Carl", "Dora"])
        }
    }

    // MARK: To a superclass

    @Test func `a relationship to a base class holds objects of any subclass`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let garage = Graph.Garage("G")
            let (car, truck) = (Graph.Car("Beetle"), Graph.Truck("Hauler"))
            car.wheels = (1...4).map { Graph.Wheel($0) }
            garage.vehicles = [Graph.Vehicle("Bicycle"), car, truck]
            garage.favourite = truck
            context.insert(garage)
            try await context.save()
            let read = try await store.reader().only(Graph.Garage.self)
            #expect(read.vehicles.map { "\(type(of: $0))" } == ["Vehicle", "Car", "Truck"])
            #expect((read.vehicles[1] as? Graph.Car)?.wheels.count == 4)
            #expect(read.favourite === read.vehicles[2])
            #expect(read.vehicles.allSatisfy { $0.garage === read })
        }
    }
}
