import Foundation
import Strata
import Testing

@Suite struct DeleteTests {
    private typealias Department = Graph.Department

    private func department() -> Department {
        let department = Department("D")
        department.duties = [Graph.Duty("x"), Graph.Duty("y")]
        department.members = [Graph.Member("Anna"), Graph.Member("Ben")]
        return department
    }

    @Test(arguments: [false, true])
    func `cascade deletes and nullify clears, whether the targets are loaded or not`(loaded: Bool) async throws {
        try await withGraphStore { store in
            try await store.save(department())
            let context = store.context()
            let department = try await context.only(Department.self)
            var duties: [Graph.Duty] = []
            var members: [Graph.Member] = []
            if loaded {
                duties = department.duties
                members = department.members
                #expect(members[0].department === department)
            }
            context.delete(department)
            #expect(department.isDeleted)
            try await context.save()
            #expect(duties.allSatisfy { $0.isDeleted })
            #expect(members.allSatisfy { $0.department == nil && !$0.isDeleted && !$0.hasChanges })
            #expect(!context.hasChanges)
            #expect(try await store.count(Department.self) == 0)
            #expect(try await store.count(Graph.Duty.self) == 0)
            let left = try await store.reader().all(Graph.Member.self)
            #expect(left.count == 2)
            #expect(left.allSatisfy { $0.department == nil })
        }
    }

    @Test func `targets that are in memory on their own are reached by the rules`() async throws {
        try await withGraphStore { store in
            try await store.save(department())
            let context = store.context()
            let duties = try await context.all(Graph.Duty.self)
            let members = try await context.all(Graph.Member.self)
            let department = try await context.only(Department.self)
            context.delete(department)
            try await context.save()
            #expect(duties.allSatisfy { $0.isDeleted && $0.modelContext == nil })
            #expect(members.allSatisfy { $0.department == nil && $0.modelContext === context })
        }
    }

    @Test(arguments: [false, true])
    func `deny refuses while there are targets, loaded or not, and nothing is changed`(loaded: Bool) async throws {
        try await withGraphStore { store in
            let saved = department()
            saved.budgets = [Graph.Budget(5)]
            try await store.save(saved)
            let context = store.context()
            let department = try await context.only(Department.self)
            if loaded { #expect(department.budgets.count == 1) }
            context.delete(department)
            await expectError(.deleteDenied) { try await context.save() }
            #expect(try await store.count(Graph.Duty.self) == 2)
            #expect(context.deletedModelsArray.count == 1)
            // Together with what denied it, it can be deleted.
            context.delete(try await context.only(Graph.Budget.self))
            try await context.save()
            #expect(try await store.count(Department.self) == 0)
            #expect(try await store.count(Graph.Duty.self) == 0)
        }
    }

    /// A deletion by predicate comes before the other changes of its save, whatever was asked for first.
    @Test(arguments: [false, true])
    func `a deletion by predicate is denied what the same save would only delete or move later`(isFirst: Bool)
        async throws
    {
        try await withGraphStore { store in
            let department = Graph.Department("D")
            department.budgets = [Graph.Budget(1), Graph.Budget(2)]
            try await store.save(department)
            let context = store.context()
            let budgets = try await context.all(Graph.Budget.self)
            func deleteByPredicate() throws {
                try context.delete(model: Graph.Department.self, where: #Predicate { $0.name == "D" })
            }
            if isFirst { try deleteByPredicate() }
            context.delete(budgets[0])
            budgets[1].department = nil
            if !isFirst { try deleteByPredicate() }
            await expectError(.deleteDenied) { try await context.save() }
            #expect(try await store.count(Graph.Department.self) == 1)
            #expect(try await store.count(Graph.Budget.self) == 2)
            // Still unsaved: saved before, it is out of the way.
            #expect(context.hasChanges)
            context.rollback()
            context.delete(budgets[0])
            budgets[1].department = nil
            try await context.save()
            try deleteByPredicate()
            try await context.save()
            #expect(try await store.count(Graph.Department.self) == 0)
            #expect(try await store.count(Graph.Budget.self) == 1)
        }
    }

    @Test(arguments: [false, true])
    func `deletions by predicate of one save count in the order in which they were asked for`(isFirst: Bool)
        async throws
    {
        try await withGraphStore { store in
            let department = Graph.Department("D")
            department.budgets = [Graph.Budget(1)]
            try await store.save(department)
            let context = store.context()
            if isFirst { try context.delete(model: Graph.Budget.self) }
            try context.delete(model: Graph.Department.self)
            if !isFirst { try context.delete(model: Graph.Budget.self) }
            if isFirst {
                try await context.save()
            } else {
                await expectError(.deleteDenied) { try await context.save() }
            }
            #expect(try await store.count(Graph.Department.self) == (isFirst ? 0 : 1))
        }
    }

    @Test func `what others have moved to another owner does not go with its former one`() async throws {
        for policy in [ConflictPolicy.throw, .keepStore, .overwrite] {
            try await withGraphStore { store in
                try await store.save(
                    Graph.Parent("A", children: [Graph.Child("moved"), Graph.Child("stays"), Graph.Child("erased")]),
                    Graph.Parent("B"))
                let context = store.context()
                context.conflictPolicy = policy
                let parents = try await context.fetch(FetchDescriptor<Graph.Parent>(sortBy: [SortDescriptor(\.name)]))
                let children = parents[0].children.sorted { $0.name < $1.name }
                let other = store.context()
                let theirs = try await other.fetch(FetchDescriptor<Graph.Child>(sortBy: [SortDescriptor(\.name)]))
                theirs[1].parent = try await other.all(Graph.Parent.self).first { $0.name == "B" }
                other.delete(theirs[0])
                try await other.save()

                context.delete(parents[0])
                children[1].name = "mine"
                if policy != .overwrite {
                    let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                    #expect(error?.code == .conflict && error?.identifiers == [children[1].persistentModelID])
                    #expect(try await store.count(Graph.Parent.self) == 2)
                    context.rollback()
                    try await context.refresh([children[1]])
                    context.delete(parents[0])
                    children[1].name = "mine"
                }
                try await context.save()
                #expect(children.map(\.isDeleted) == [true, policy == .overwrite, true])
                #expect(try await store.count(Graph.Parent.self) == 1)
                guard policy != .overwrite else { return }
                let read = try await store.reader().only(Graph.Child.self)
                #expect(read.parent?.name == "B" && read.name == "mine")
            }
        }
    }

    @Test func `what was moved to an owner goes with it, whatever its row says`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("A", children: [Graph.Child("a")]), Graph.Parent("B"))
            let context = store.context()
            let parents = try await context.fetch(FetchDescriptor<Graph.Parent>(sortBy: [SortDescriptor(\.name)]))
            let child = try await context.only(Graph.Child.self)
            child.parent = parents[1]
            context.delete(parents[1])
            try await context.save()
            #expect(child.isDeleted)
            #expect(try await store.count(Graph.Child.self) == 0)
        }
    }

    @Test func `deny allows what was moved away before`() async throws {
        try await withGraphStore { store in
            let saved = Department("D")
            saved.budgets = [Graph.Budget(5)]
            try await store.save(saved, Department("E"))
            let context = store.context()
            let departments = try await context.fetch(FetchDescriptor<Department>(sortBy: [SortDescriptor(\.name)]))
            departments[1].budgets = departments[0].budgets
            #expect(departments[0].budgets.isEmpty)
            context.delete(departments[0])
            try await context.save()
            #expect(try await store.reader().only(Graph.Budget.self).department?.name == "E")
        }
    }

    @Test func `noAction leaves the target, in memory and in the store alike`() async throws {
        try await withGraphStore { store in
            let saved = Department("D")
            saved.labels = [Graph.Label("red")]
            try await store.save(saved)
            let context = store.context()
            let label = try await context.only(Graph.Label.self)
            let department = try await context.only(Department.self)
            context.delete(department)
            do {
                try await context.save()
                #expect(!label.isDeleted)
                #expect(try await store.count(Graph.Label.self) == 1)
                #expect(label.department == nil)
                #expect(try await store.reader().only(Graph.Label.self).department == nil)
            } catch SwiftDataError.deleteDenied {
                #expect(try await store.count(Department.self) == 1)
                #expect(label.department === department)
            }
        }
    }

    @Test func `many-to-many links go with either end`() async throws {
        try await withGraphStore { store in
            let anna = Graph.Student("Anna")
            anna.courses = [Graph.Course("Art"), Graph.Course("Biology")]
            try await store.save(anna)
            let context = store.context()
            let student = try await context.only(Graph.Student.self)
            let courses = student.courses.sorted { $0.title < $1.title }
            context.delete(courses[0])
            try await context.save()
            #expect(student.courses.map(\.title) == ["Biology"])
            context.delete(student)
            try await context.save()
            #expect(courses[1].students.isEmpty)
            #expect(try await store.reader().only(Graph.Course.self).students.isEmpty)
        }
    }

    @Test func `a required reference of an object that stays refuses the deletion`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Sticker("s", person: Graph.Person("P")))
            let context = store.context()
            let person = try await context.only(Graph.Person.self)
            context.delete(person)
            await expectError(.deleteDenied) { try await context.save() }
            context.delete(try await context.only(Graph.Sticker.self))
            try await context.save()
            #expect(try await store.count(Graph.Person.self) == 0)
        }
    }

    @Test func `objects that refer to each other are deleted together`() async throws {
        try await withGraphStore { store in
            let (carl, dora) = (Graph.Person("Carl"), Graph.Person("Dora"))
            carl.friend = dora
            dora.friend = carl
            carl.contacts = [carl, dora]
            try await store.save(carl)
            let context = store.context()
            for person in try await context.all(Graph.Person.self) { context.delete(person) }
            try await context.save()
            #expect(try await store.count(Graph.Person.self) == 0)
        }
    }

    @Test func `an object of a subclass is deleted with the rows of all its classes and what its class cascades to`()
        async throws
    {
        try await withGraphStore { store in
            let car = Graph.Car("Beetle")
            car.wheels = [Graph.Wheel(1)]
            try await store.save(car, Graph.Truck("Hauler"))
            let context = store.context()
            let vehicles = try await context.all(Graph.Vehicle.self)
            context.delete(try #require(vehicles.first { $0.name == "Beetle" }))
            try await context.save()
            #expect(try await store.reader().all(Graph.Vehicle.self).map(\.name) == ["Hauler"])
            #expect(try await store.count(Graph.Wheel.self) == 0)
        }
    }

    // MARK: The life of an object

    @Test func `modelContext, isDeleted and hasChanges through the life of an object`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Graph.Parent("A")
            func expect(_ changes: Bool, _ deleted: Bool, _ inContext: Bool, _ place: SourceLocation = #_sourceLocation)
            {
                #expect(parent.hasChanges == changes, sourceLocation: place)
                #expect(parent.isDeleted == deleted, sourceLocation: place)
                #expect((parent.modelContext === context) == inContext, sourceLocation: place)
                #expect(context.hasChanges == changes, sourceLocation: place)
            }
            expect(false, false, false)
            context.insert(parent)
            expect(true, false, true)
            try await context.save()
            expect(false, false, true)
            parent.name = "B"
            expect(true, false, true)
            #expect(context.changedModelsArray.first === parent)
            try await context.save()
            expect(false, false, true)
            context.delete(parent)
            expect(true, true, true)
            #expect(context.deletedModelsArray.first === parent)
            try await context.save()
            expect(false, true, false)
            #expect(parent.modelContext == nil)
            #expect(parent.name == "B")
        }
    }

    @Test func `deleted and inserted again before the save is as if nothing happened`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("A"))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            context.delete(parent)
            context.insert(parent)
            #expect(!parent.isDeleted)
            #expect(!context.hasChanges)
            parent.name = "B"
            context.delete(parent)
            context.insert(parent)
            #expect(context.changedModelsArray.count == 1)
            try await context.save()
            #expect(try await store.reader().only(Graph.Parent.self).name == "B")
        }
    }

    @Test func `deleted, saved and inserted again is a row again`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("A", children: [Graph.Child("a")]))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            #expect(parent.children.count == 1)
            context.delete(parent)
            try await context.save()
            context.insert(parent)
            #expect(!parent.isDeleted)
            #expect(parent.hasChanges)
            try await context.save()
            #expect(try await store.reader().only(Graph.Parent.self).name == "A")
        }
    }

    @Test func `an object that was inserted and deleted before the save leaves no trace`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Graph.Parent("A", children: [Graph.Child("a")])
            context.insert(parent)
            context.delete(parent)
            #expect(parent.isDeleted)
            #expect(parent.modelContext == nil)
            try await context.save()
            #expect(try await store.count(Graph.Parent.self) == 0)
            #expect(try await store.count(Graph.Child.self) == 0)
        }
    }

    @Test func `a new object that is deleted before the save leaves the relationships of others`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("A", children: [Graph.Child("a")]))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            let child = Graph.Child("b")
            parent.children.append(child)
            context.delete(child)
            try await context.save()
            #expect(parent.children.map(\.name) == ["a"])
            let department = Department("D")
            let member = Graph.Member("M")
            member.department = department
            context.insert(member)
            context.delete(department)
            try await context.save()
            #expect(member.department == nil)
            #expect(try await store.reader().only(Graph.Member.self).department == nil)
        }
    }

    @Test func `an object that is changed after its deletion is deleted, and rolled back to what it was`() async throws
    {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("A"))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            context.delete(parent)
            parent.name = "touched"
            context.rollback()
            #expect(parent.name == "A")
            #expect(!parent.isDeleted)
            #expect(!context.hasChanges)
            context.delete(parent)
            parent.name = "touched"
            try await context.save()
            parent.name = "touched again"
            #expect(!context.hasChanges)
            #expect(try await store.count(Graph.Parent.self) == 0)
            context.delete(parent)
            #expect(!context.hasChanges)
        }
    }

    @Test func `a child of a deleted parent is changed and saved in one go`() async throws {
        try await withGraphStore { store in
            try await store.save(department())
            let context = store.context()
            let department = try await context.only(Department.self)
            let members = department.members
            let duties = department.duties
            context.delete(department)
            members[0].name = "changed"
            duties[0].name = "goes anyway"
            try await context.save()
            let left = try await store.reader().fetch(FetchDescriptor<Graph.Member>(sortBy: [SortDescriptor(\.name)]))
            #expect(left.map(\.name) == ["Ben", "changed"])
            #expect(left.allSatisfy { $0.department == nil })
            #expect(try await store.count(Graph.Duty.self) == 0)
        }
    }

    @Test func `a new child of a deleted parent goes with it or stays without it`() async throws {
        try await withGraphStore { store in
            try await store.save(department())
            let context = store.context()
            let department = try await context.only(Department.self)
            let (duty, member) = (Graph.Duty("new"), Graph.Member("new"))
            department.duties.append(duty)
            department.members.append(member)
            context.delete(department)
            try await context.save()
            #expect(try await store.count(Graph.Duty.self) == 0)
            #expect(member.department == nil)
            #expect(try await store.count(Graph.Member.self) == 3)
        }
    }

    // MARK: By predicate

    @Test func `a class is deleted with or without its subclasses, and registered objects know it`() async throws {
        try await withGraphStore { store in
            let car = Graph.Car("Beetle")
            car.wheels = [Graph.Wheel(1)]
            try await store.save(Graph.Vehicle("Bicycle"), car, Graph.Truck("Hauler"))
            let context = store.context()
            let vehicles = try await context.all(Graph.Vehicle.self)
            let wheel = try await context.only(Graph.Wheel.self)
            try context.delete(model: Graph.Vehicle.self, includeSubclasses: false)
            #expect(context.hasChanges)
            store.recorder.reset()
            try await context.save()
            #expect(store.work.count == 1)
            #expect(vehicles.map(\.isDeleted) == [true, false, false])
            #expect(!context.hasChanges)
            try context.delete(model: Graph.Vehicle.self, where: #Predicate { $0.name == "Beetle" })
            try await context.save()
            #expect(vehicles.map(\.isDeleted) == [true, true, false])
            #expect(wheel.isDeleted)
            #expect(try await store.reader().all(Graph.Vehicle.self).map(\.name) == ["Hauler"])
            try context.delete(model: Graph.Vehicle.self)
            context.rollback()
            try await context.save()
            #expect(try await store.count(Graph.Vehicle.self) == 1)
        }
    }

    @Test func `a deletion by predicate that a rule denies changes nothing`() async throws {
        try await withGraphStore { store in
            let saved = department()
            saved.budgets = [Graph.Budget(5)]
            try await store.save(saved)
            let context = store.context()
            let department = try await context.only(Department.self)
            try context.delete(model: Department.self)
            await expectError(.deleteDenied) { try await context.save() }
            #expect(!department.isDeleted)
            #expect(context.hasChanges)
            #expect(try await store.count(Graph.Duty.self) == 2)
        }
    }

    @Test func `a predicate that cannot be translated is refused at once`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            expectBlockingError(nil) {
                try context.delete(model: Graph.Photo.self, where: #Predicate { $0.isSelected })
            }
            #expect(!context.hasChanges)
        }
    }
}
