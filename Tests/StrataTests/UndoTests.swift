import Foundation
import SwiftData
import Testing

@Suite struct UndoTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    private func undoing(_ store: GraphStore) -> (context: ModelContext, undo: ModelUndoManager) {
        let context = store.context()
        let manager = ModelUndoManager()
        context.undoManager = manager
        return (context, manager)
    }

    @Test func `without a manager nothing is noted, and SwiftData's name is there`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            #expect(context.undoManager == nil)
            let manager = UndoManager()
            context.undoManager = manager
            #expect(context.undoManager === manager)
            #expect(!manager.canUndo && !manager.canRedo)
            manager.undo()
            manager.redo()
            let other = store.context()
            other.undoManager = manager
            #expect(context.undoManager == nil)
            context.insert(Parent("a"))
            #expect(!manager.canUndo)
        }
    }

    @Test func `ends that are loaded after a change follow when it is taken back and done again`() async throws {
        try await withGraphStore { store in
            let anna = Graph.Owner("Anna")
            anna.passport = Graph.Passport(1)
            try await store.save(
                Parent("A", children: [Child("a")]), anna, Graph.Owner("Ben"), Graph.Student("S"), Graph.Course("C"))
            let (context, undo) = undoing(store)
            let child = try await context.only(Child.self)
            let parent = try await context.only(Parent.self)
            let student = try await context.only(Graph.Student.self)
            let course = try await context.only(Graph.Course.self)
            let owners = try await context.fetch(FetchDescriptor<Graph.Owner>(sortBy: [SortDescriptor(\.name)]))
            let passport = try await context.only(Graph.Passport.self)
            child.parent = nil
            let new = Child("b", parent: parent)
            context.insert(new)
            passport.owner = nil
            passport.owner = owners[1]
            student.courses.append(course)
            #expect(parent.children.map(\.name) == ["b"])
            #expect(owners.map(\.passport?.number) == [nil, 1])
            #expect(course.students.map(\.name) == ["S"])

            undo.undo()
            #expect(parent.children.map(\.name) == ["a"] && child.parent === parent)
            #expect(owners.map(\.passport?.number) == [1, nil] && passport.owner === owners[0])
            #expect(course.students.isEmpty && student.courses.isEmpty)
            #expect(!context.hasChanges)

            undo.redo()
            #expect(parent.children.map(\.name) == ["b"] && child.parent == nil)
            #expect(owners.map(\.passport?.number) == [nil, 1])
            #expect(course.students.map(\.name) == ["S"])
            undo.undo()
            try await context.save()
            let reader = store.reader()
            #expect(try await reader.only(Parent.self).children.map(\.name) == ["a"])
            #expect(try await reader.only(Graph.Course.self).students.isEmpty)
        }
    }

    @Test func `who came to an array and left it since stays so when a change of it is taken back`() async throws {
        try await withGraphStore { store in
            let student = Graph.Student("S")
            student.courses = [Graph.Course("a"), Graph.Course("b")]
            try await store.save(student, Graph.Course("c"), Graph.Course("d"))
            func titles(_ student: Graph.Student) -> [String] { student.courses.map(\.title).sorted() }
            let (context, undo) = undoing(store)
            let courses = try await context.fetch(FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
            let own = try await context.only(Graph.Student.self)
            own.courses = [courses[0], courses[2]]
            try await context.save()

            let other = store.context()
            let theirs = try await other.only(Graph.Student.self)
            theirs.courses = try await other.all(Graph.Course.self).filter { "cd".contains($0.title) }
            try await other.save()
            var descriptor = FetchDescriptor<Graph.Student>()
            descriptor.relationshipKeyPathsForPrefetching = [\.courses]
            _ = try await context.fetch(descriptor)
            #expect(titles(own) == ["c", "d"])

            undo.undo()
            #expect(titles(own) == ["b", "d"])
            try await context.save()
            #expect(titles(try await store.reader().only(Graph.Student.self)) == ["b", "d"])
            undo.redo()
            try await context.save()
            #expect(titles(try await store.reader().only(Graph.Student.self)) == ["c", "d"])
        }
    }

    @Test func `deletions of one save are taken back one by one`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("p", children: [Child("a"), Child("b"), Child("c")]))
            let (context, undo) = undoing(store)
            let parent = try await context.only(Parent.self)
            let children = parent.children
            context.delete(children[0])
            context.processPendingChanges()
            context.delete(children[1])
            try await context.save()
            #expect(parent.children.map(\.name) == ["c"])

            undo.undo()
            #expect(parent.children.map(\.name) == ["b", "c"])
            undo.undo()
            #expect(parent.children.map(\.name) == ["a", "b", "c"])
            undo.redo()
            try await context.save()
            #expect(parent.children.map(\.name) == ["b", "c"])
            #expect(try await store.reader().only(Parent.self).children.map(\.name) == ["b", "c"])
        }
    }

    @Test func `values are taken back and done again, group by group`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a"))
            let (context, undo) = undoing(store)
            let parent = try await context.only(Parent.self)
            parent.name = "b"
            parent.name = "c"
            parent.note = "n"
            context.processPendingChanges()
            parent.name = "d"
            #expect(undo.undoCount == 2)
            undo.undo()
            #expect(parent.name == "c" && parent.note == "n")
            #expect(undo.canRedo)
            undo.undo()
            #expect(parent.name == "a" && parent.note == nil)
            #expect(!undo.canUndo && undo.redoCount == 2)
            #expect(!parent.hasChanges && !context.hasChanges)
            undo.redo()
            #expect(parent.name == "c" && parent.note == "n")
            undo.redo()
            #expect(parent.name == "d")
            #expect(!undo.canRedo)
            undo.undo()
            parent.note = "another way"
            #expect(!undo.canRedo)
            try await context.save()
            let read = try await store.reader().only(Parent.self)
            #expect(read.name == "c" && read.note == "another way")
        }
    }

    @Test func `an insertion is taken back with its relationships`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a", children: [Child("1")]))
            let (context, undo) = undoing(store)
            let parent = try await context.only(Parent.self)
            #expect(parent.children.count == 1)
            let child = Child("2")
            parent.children.append(child)
            undo.undo()
            #expect(parent.children.map(\.name) == ["1"])
            #expect(child.modelContext == nil)
            #expect(context.insertedModelsArray.isEmpty)
            #expect(!context.hasChanges)
            undo.redo()
            #expect(parent.children.map(\.name) == ["1", "2"])
            #expect(child.modelContext === context)
            #expect(child.parent === parent)
            try await context.save()
            #expect(try await store.reader().only(Parent.self).children.map(\.name) == ["1", "2"])
            undo.undo()
            #expect(child.isDeleted)
            #expect(parent.children.map(\.name) == ["1"])
            try await context.save()
            #expect(try await store.reader().only(Parent.self).children.map(\.name) == ["1"])
            undo.redo()
            try await context.save()
            let read = try await store.reader().only(Parent.self)
            #expect(read.children.map(\.name) == ["1", "2"])
            #expect(read.children.map(\.persistentModelID).contains(child.persistentModelID))
        }
    }

    @Test func `a relationship is taken back on both sides`() async throws {
        try await withGraphStore { store in
            try await store.save(
                Parent("a", children: [Child("1")]), Parent("b"), Graph.Student("s"), Graph.Course("c"))
            let (context, undo) = undoing(store)
            let parents = try await context.all(Parent.self)
            let child = parents[0].children[0]
            let student = try await context.only(Graph.Student.self)
            let course = try await context.only(Graph.Course.self)
            _ = (parents[1].children, student.courses, course.students)
            child.parent = parents[1]
            student.courses.append(course)
            try await context.save()
            undo.undo()
            #expect(child.parent === parents[0])
            #expect(parents.map(\.children.count) == [1, 0])
            #expect(student.courses.isEmpty && course.students.isEmpty)
            try await context.save()
            let read = store.reader()
            #expect(try await read.all(Parent.self).map(\.children.count) == [1, 0])
            #expect(try await read.only(Graph.Student.self).courses.isEmpty)
            undo.redo()
            #expect(parents.map(\.children.count) == [0, 1])
            #expect(course.students.count == 1)
            try await context.save()
            let later = store.reader()
            #expect(try await later.all(Parent.self).map(\.children.count) == [0, 1])
            #expect(try await later.only(Graph.Course.self).students.count == 1)
        }
    }

    @Test func `a deletion is taken back before it is saved`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a", children: [Child("1")]))
            let (context, undo) = undoing(store)
            let parent = try await context.only(Parent.self)
            let unsaved = Parent("unsaved", children: [Child("2")])
            context.insert(unsaved)
            context.processPendingChanges()
            context.delete(parent)
            context.delete(unsaved)
            #expect(context.insertedModelsArray.isEmpty)
            undo.undo()
            #expect(!parent.isDeleted && !unsaved.isDeleted)
            #expect(unsaved.children.map(\.name) == ["2"])
            #expect(context.deletedModelsArray.isEmpty)
            #expect(context.insertedModelsArray.count == 2)
            undo.redo()
            #expect(parent.isDeleted && unsaved.modelContext == nil)
            #expect(context.insertedModelsArray.isEmpty)
            undo.undo()
            try await context.save()
            #expect(try await store.count(Parent.self) == 2)
            #expect(try await store.count(Child.self) == 2)
        }
    }

    @Test func `a saved deletion is taken back with what the delete rules did`() async throws {
        try await withGraphStore { store in
            let department = Graph.Department("d")
            department.duties = [Graph.Duty("gone along")]
            department.members = [Graph.Member("stays")]
            try await store.save(department)
            let (context, undo) = undoing(store)
            let fetched = try await context.only(Graph.Department.self)
            let identifier = fetched.persistentModelID
            let member = try await context.only(Graph.Member.self)
            context.delete(fetched)
            try await context.save()
            #expect(try await store.count(Graph.Duty.self) == 0)
            #expect(member.department == nil)
            undo.undo()
            #expect(!fetched.isDeleted && context.hasChanges)
            #expect(member.department === fetched)
            try await context.save()
            let read = try await store.reader().only(Graph.Department.self)
            #expect(read.persistentModelID == identifier)
            #expect(read.duties.map(\.name) == ["gone along"])
            #expect(read.members.map(\.name) == ["stays"])
            undo.redo()
            try await context.save()
            #expect(try await store.count(Graph.Department.self) == 0)
            #expect(try await store.count(Graph.Duty.self) == 0)
            #expect(try await store.reader().only(Graph.Member.self).department == nil)
        }
    }

    @Test func `what came to an object after its deletion comes to it again only with its own group`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Employee("boss"), Graph.Employee("report"))
            let context = store.context()
            let manager = ModelUndoManager()
            context.undoManager = manager
            let employees = try await context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Graph.Employee.name)]))
            let (boss, report) = (employees[0], employees[1])
            context.delete(boss)
            context.processPendingChanges()
            report.boss = boss
            try await context.save()
            #expect(report.boss == nil)
            manager.undo()
            #expect(report.boss == nil)
            manager.undo()
            #expect(report.boss == nil && boss.reports.isEmpty)
            try await context.save()
            let names = try await store.reader().all(Graph.Employee.self).filter { $0.boss == nil }.map(\.name)
            #expect(names.sorted() == ["boss", "report"])
        }
    }

    @Test func `a pair with what was deleted before comes back only with its own group`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Student("s"), Graph.Course("c"))
            let context = store.context()
            let manager = ModelUndoManager()
            context.undoManager = manager
            let student = try await context.only(Graph.Student.self)
            let course = try await context.only(Graph.Course.self)
            context.delete(course)
            context.processPendingChanges()
            student.courses.append(course)
            try await context.save()
            #expect(student.courses.isEmpty)
            manager.undo()
            manager.undo()
            #expect(student.courses.isEmpty && course.students.isEmpty)
            try await context.save()
            let reader = store.reader()
            #expect(try await reader.only(Graph.Student.self).courses.isEmpty)
            #expect(try await reader.only(Graph.Course.self).students.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `thousands that are deleted leave an array together, and come back`()
        async throws
    {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("p", children: (0..<5000).map { Graph.Child("c", age: $0) }))
            let context = store.context()
            let manager = ModelUndoManager()
            context.undoManager = manager
            let parent = try await context.only(Graph.Parent.self)
            for child in parent.children { context.delete(child) }
            try await context.save()
            #expect(parent.children.isEmpty)
            manager.undo()
            #expect(parent.children.map(\.age) == Array(0..<5000))
            try await context.save()
            #expect(try await store.reader().only(Graph.Parent.self).children.map(\.age) == Array(0..<5000))
        }
    }

    @Test func `a save does not empty the stack, and later changes are its own`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a"))
            let (context, undo) = undoing(store)
            let parent = try await context.only(Parent.self)
            parent.name = "b"
            try await context.save()
            parent.name = "c"
            try await context.save()
            undo.undo()
            #expect(parent.name == "b" && parent.hasChanges)
            undo.undo()
            #expect(parent.name == "a")
            try await context.save()
            #expect(try await store.reader().only(Parent.self).name == "a")
            undo.redo()
            undo.redo()
            try await context.save()
            #expect(try await store.reader().only(Parent.self).name == "c")
        }
    }

    @Test func `rollback empties the stacks, a failed save and a failed transaction leave them`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "A"))
            let (context, undo) = undoing(store)
            context.uniquePolicy = .fail
            let account = try await context.only(Graph.Account.self)
            account.name = "B"
            context.processPendingChanges()
            let twin = Graph.Account("a@x", name: "twin")
            context.insert(twin)
            await expectError(.uniqueConstraint) { try await context.save() }
            #expect(undo.undoCount == 2)
            undo.undo()
            #expect(twin.modelContext == nil && account.name == "B")
            await expectStop {
                try await context.transaction {
                    account.name = "C"
                    try await context.save()
                    undo.undo()
                    throw Stop()
                }
            }
            #expect(account.name == "B")
            #expect(undo.undoCount == 1)
            undo.undo()
            #expect(account.name == "A")
            #expect(undo.canRedo)
            context.rollback()
            #expect(!undo.canUndo && !undo.canRedo)
        }
    }

    @Test func `groups can be begun and ended, named and limited; registration can be off`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a"))
            let (context, undo) = undoing(store)
            let parent = try await context.only(Parent.self)
            undo.beginUndoGrouping()
            #expect(undo.groupingLevel == 1)
            parent.name = "b"
            try await context.save()
            context.processPendingChanges()
            parent.note = "n"
            undo.setActionName("rename")
            undo.endUndoGrouping()
            #expect(undo.undoCount == 1)
            #expect(undo.undoActionName == "rename")
            undo.undo()
            #expect(parent.name == "a" && parent.note == nil)
            #expect(undo.redoActionName == "rename")
            undo.redo()
            undo.disableUndoRegistration()
            #expect(!undo.isUndoRegistrationEnabled)
            parent.note = "unnoted"
            undo.enableUndoRegistration()
            #expect(undo.undoCount == 1)
            undo.levelsOfUndo = 2
            for name in ["1", "2", "3"] {
                parent.name = name
                context.processPendingChanges()
            }
            #expect(undo.undoCount == 2)
            undo.undo()
            undo.undo()
            #expect(parent.name == "1")
            #expect(!undo.canUndo)
            undo.removeAllActions()
            #expect(!undo.canRedo)
        }
    }

    @Test func `a property that was not fetched is read before it is overwritten`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Photo("p", pixels: Data([1, 2])))
            let (context, undo) = undoing(store)
            let photo = try await context.only(Graph.Photo.self)
            photo.pixels = nil
            try await context.save()
            undo.undo()
            #expect(photo.pixels == Data([1, 2]))
            try await context.save()
            context.delete(photo)
            try await context.save()
            undo.undo()
            try await context.save()
            #expect(try await store.reader().only(Graph.Photo.self).pixels == Data([1, 2]))
        }
    }

    @Test func `an array that was forgotten since is read for the undo, and who came meanwhile stays`() async throws {
        for lazyLoading in [ModelContext.LazyLoading.allowed, .forbidden] {
            try await withGraphStore { store in
                try await store.save(Graph.Student("S"), Graph.Course("a"), Graph.Course("b"))
                func titles(_ student: Graph.Student) -> [String] { student.courses.map(\.title).sorted() }
                let (context, undo) = undoing(store)
                let student = try await context.only(Graph.Student.self)
                let courses = try await context.fetch(FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
                student.courses = [courses[0]]
                try await context.save()
                let other = store.context()
                let theirs = try await other.all(Graph.Course.self)
                try await other.only(Graph.Student.self).courses.append(theirs.first { $0.title == "b" }!)
                try await other.save()
                try await context.refresh([student])

                context.lazyLoading = lazyLoading
                store.recorder.reset()
                undo.undo()
                #expect(store.recorder.roundTrips == (lazyLoading == .allowed ? 1 : 0))
                if lazyLoading == .forbidden {
                    let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                    #expect(error?.code == .unfulfilledFault)
                    try await context.load([student], \.courses)
                    #expect(titles(student) == ["a", "b"])
                    undo.redo()
                    undo.undo()
                }
                #expect(titles(student) == ["b"])
                context.rollback()
                #expect(titles(student) == ["a", "b"])
            }
        }
    }

    @Test func `an array that was forgotten while its owner was to be deleted is read when both are taken back`()
        async throws
    {
        try await withGraphStore { store in
            try await store.save(Graph.Student("S"), Graph.Course("a"), Graph.Course("b"))
            func titles(_ student: Graph.Student) -> [String] { student.courses.map(\.title).sorted() }
            let (context, undo) = undoing(store)
            let student = try await context.only(Graph.Student.self)
            let courses = try await context.fetch(FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
            undo.beginUndoGrouping()
            student.courses = [courses[0]]
            try await context.save()
            undo.endUndoGrouping()
            let other = store.context()
            let theirs = try await other.all(Graph.Course.self)
            try await other.only(Graph.Student.self).courses.append(theirs.first { $0.title == "b" }!)
            try await other.save()
            try await context.refresh([student])
            undo.disableUndoRegistration()
            context.delete(student)
            undo.enableUndoRegistration()

            store.recorder.reset()
            undo.undo()
            #expect(store.recorder.roundTrips == 1)
            context.insert(student)
            #expect(titles(student) == ["b"])
            try await context.save()
            #expect(titles(try await store.reader().only(Graph.Student.self)) == ["b"])
        }
    }

    @Test func `what came to an array while nothing was noted is no part of another change of it`() async throws {
        try await withGraphStore { store in
            let ann = Graph.Person("Ann")
            ann.contacts = [Graph.Person("Bob")]
            try await store.save(ann, Graph.Person("Cid"), Graph.Person("Dan"))
            let (context, undo) = undoing(store)
            let people = try await context.fetch(FetchDescriptor<Graph.Person>(sortBy: [SortDescriptor(\.name)]))
            func contacts(_ people: [Graph.Person]) -> [[String]] { people.map { $0.contacts.map(\.name) } }
            #expect(contacts(people) == [["Bob"], [], [], []])
            people[2].contacts.append(people[3])
            context.processPendingChanges()
            undo.disableUndoRegistration()
            people[2].contacts.append(people[1])
            undo.enableUndoRegistration()
            try await context.save()
            #expect(contacts(people) == [[], [], ["Dan", "Bob"], []])
            undo.undo()
            #expect(contacts(people) == [[], [], ["Bob"], []])
            try await context.save()
            let read = store.reader()
            let stored = try await read.fetch(FetchDescriptor<Graph.Person>(sortBy: [SortDescriptor(\.name)]))
            #expect(contacts(stored) == [[], [], ["Bob"], []])
        }
    }

    @Test func `what was forgotten is saved as it was before, and as it was after`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Student("S"), Graph.Course("a"), Parent("A"), Child("a"))
            let (context, undo) = undoing(store)
            let student = try await context.only(Graph.Student.self)
            let parent = try await context.only(Parent.self)
            student.courses.append(try await context.only(Graph.Course.self))
            parent.children.append(try await context.only(Child.self))
            try await context.save()
            for isThere in [false, true, false] {
                try await context.refresh([student])
                try await context.refresh([parent])
                store.recorder.reset()
                if isThere { undo.redo() } else { undo.undo() }
                // The child says itself where it is.
                #expect(store.recorder.roundTrips == 1)
                try await context.save()
                let reader = store.reader()
                #expect(try await reader.only(Graph.Student.self).courses.count == (isThere ? 1 : 0))
                #expect(try await reader.only(Parent.self).children.count == (isThere ? 1 : 0))
                #expect(parent.children.count == (isThere ? 1 : 0))
            }
        }
    }

    @Test func `what came to an array before the deletion that is taken back too leaves it on both sides`() async throws
    {
        try await withGraphStore { store in
            try await store.save(Graph.Student("S"), Graph.Course("c"))
            let (context, undo) = undoing(store)
            let student = try await context.only(Graph.Student.self)
            let course = try await context.only(Graph.Course.self)
            student.courses.append(course)
            try await context.save()
            context.delete(course)
            try await context.save()
            undo.undo()
            undo.undo()
            #expect(student.courses.isEmpty && course.students.isEmpty)
            try await context.save()
            let reader = store.reader()
            #expect(try await reader.only(Graph.Student.self).courses.isEmpty)
            #expect(try await reader.only(Graph.Course.self).students.isEmpty)
        }
    }

    @Test func `new objects that a save makes one row are taken back one by one`() async throws {
        try await withGraphStore { store in
            let (context, undo) = undoing(store)
            let first = Graph.Account("a@x", name: "first")
            context.insert(first)
            context.processPendingChanges()
            let second = Graph.Account("a@x", name: "second")
            context.insert(second)
            try await context.save()
            #expect(first.modelContext == nil && second.modelContext === context)

            undo.undo()
            #expect(!second.isDeleted && second.name == "first")
            try await context.save()
            #expect(try await store.reader().only(Graph.Account.self).name == "first")
            undo.undo()
            #expect(second.isDeleted)
            try await context.save()
            #expect(try await store.count(Graph.Account.self) == 0)
            undo.redo()
            undo.redo()
            #expect(second.name == "second")
            try await context.save()
            #expect(try await store.reader().only(Graph.Account.self).name == "second")
        }
    }

    @Test func `who lost to a new object that was there before leaves nothing to take back`() async throws {
        try await withGraphStore { store in
            let (context, undo) = undoing(store)
            context.uniquePolicy = .ignore
            let first = Graph.Account("a@x", name: "first")
            context.insert(first)
            context.processPendingChanges()
            let second = Graph.Account("a@x", name: "second")
            context.insert(second)
            context.processPendingChanges()
            second.name = "changed"
            try await context.save()
            #expect(second.modelContext == nil && first.name == "first")
            #expect(undo.undoCount == 1)
            undo.undo()
            #expect(first.isDeleted)
        }
    }

    @Test func `a new object that took over the row of another has that one's values when it is taken back`()
        async throws
    {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "stored"))
            let (context, undo) = undoing(store)
            let stored = try await context.only(Graph.Account.self)
            stored.visits = 1
            try await context.save()
            let new = Graph.Account("a@x", name: "new")
            context.insert(new)
            try await context.save()
            #expect(stored.modelContext == nil)
            #expect(new.visits == 0)

            undo.undo()
            #expect(!new.isDeleted && new.name == "stored" && new.visits == 1)
            undo.undo()
            #expect(new.visits == 0)
            try await context.save()
            let read = try await store.reader().only(Graph.Account.self)
            #expect(read.name == "stored" && read.visits == 0)
            undo.redo()
            undo.redo()
            try await context.save()
            #expect(try await store.reader().only(Graph.Account.self).name == "new")
        }
    }

    @Test func `a row that was inserted and taken over is taken back and done again group by group`() async throws {
        try await withGraphStore { store in
            let (context, undo) = undoing(store)
            context.insert(Graph.Account("a@x", name: "first"))
            try await context.save()
            let second = Graph.Account("a@x", name: "second")
            context.insert(second)
            try await context.save()
            #expect(undo.undoCount == 2)
            undo.undo()
            #expect(second.name == "first")
            undo.undo()
            #expect(try await context.fetchCount(FetchDescriptor<Graph.Account>()) == 0)
            undo.redo()
            #expect(second.name == "first" && !second.isDeleted)
            undo.redo()
            #expect(second.name == "second" && !second.isDeleted)
            #expect(!undo.canRedo)
        }
    }
}
