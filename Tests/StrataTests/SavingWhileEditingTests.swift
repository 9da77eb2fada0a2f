import Foundation
import Strata
import StrataTestSupport
import Testing

@testable import StrataContext

/// An actor goes on while a save waits for the server.
@MainActor @Suite struct SavingWhileEditingTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    /// Edits objects after their save has begun and before the server has answered.
    private func whileSaving(
        _ context: ModelContext, _ table: String, mode: String = "SHARE", in store: GraphStore, _ edit: () -> Void
    ) async throws {
        let held = try await HeldTable.hold(table, mode: mode, in: store)
        let saving = Task { try await context.save() }
        try await held.isWaitedFor()
        edit()
        try await held.letGo()
        try await saving.value
    }

    @Test(.timeLimit(.minutes(1))) func `an edit of a new object during the save is written by the next`() async throws
    {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Parent("x")
            context.insert(parent)
            try await whileSaving(context, "parent", in: store) {
                parent.name = "y"
                parent.name = "z"
                parent.note = "n"
            }
            #expect(try await store.reader().only(Parent.self).name == "x")
            #expect(parent.name == "z")
            #expect(parent.hasChanges)
            #expect(context.hasChanges)
            #expect(context.changedModelsArray.count == 1)
            try await context.save()
            let read = try await store.reader().only(Parent.self)
            #expect(read.name == "z")
            #expect(read.note == "n")
            #expect(!context.hasChanges)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a second edit of a changed property during the save is written by the next`()
        async throws
    {
        try await withGraphStore { store in
            try await store.save(Parent("a"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            parent.name = "x"
            try await whileSaving(context, "parent", in: store) { parent.name = "y" }
            #expect(parent.hasChanges)
            #expect(try await store.reader().only(Parent.self).name == "x")
            context.rollback()
            #expect(parent.name == "x")
            parent.name = "z"
            try await context.save()
            #expect(try await store.reader().only(Parent.self).name == "z")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `what changes between two batches of a save is not written by it`() async throws
    {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "old"), Parent("p"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            let account = Graph.Account("a@x", name: "first")
            context.insert(account)
            parent.name = "first"
            // The look-up of the unique value waits; after it the save is planned again.
            try await whileSaving(context, "account", mode: "ACCESS EXCLUSIVE", in: store) {
                account.name = "second"
                parent.name = "second"
                parent.note = "second"
            }
            let reader = store.reader()
            #expect(try await reader.only(Graph.Account.self).name == "first")
            #expect(try await reader.only(Parent.self).name == "first")
            #expect(try await reader.only(Parent.self).note == nil)
            #expect(account.name == "second" && parent.name == "second")
            try await context.save()
            let later = store.reader()
            #expect(try await later.only(Graph.Account.self).name == "second")
            #expect(try await later.only(Parent.self).name == "second")
            #expect(try await later.only(Parent.self).note == "second")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a property first changed while a connection is awaited is no conflict later`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            parent.name = "x"
            let saving = Task { try await context.save() }
            // The task has begun, and waits for its connection or the server.
            // It may also have ended by now.
            try await waitUntil { context.isSaving || !parent.hasChanges }
            parent.note = "later"
            try await saving.value
            #expect(parent.note == "later")
            try await context.save()
            #expect(try await store.reader().only(Parent.self).note == "later")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `relationships made during the save are written by the next`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("old"))
            let context = store.context()
            let old = try await context.only(Parent.self)
            let parent = Parent("new", children: [Child("a"), Child("b")])
            context.insert(parent)
            let (a, b) = (parent.children[0], parent.children[1])
            let course = Graph.Course("c")
            let student = Graph.Student("s")
            student.courses = [course]
            context.insert(student)
            try await whileSaving(context, "child", in: store) {
                a.parent = old
                parent.children.append(Child("c"))
                student.courses = []
                #expect(b.parent === parent)
            }
            let between = store.reader()
            #expect(try await between.all(Parent.self).map { $0.children.map(\.name) } == [[], ["a", "b"]])
            #expect(try await between.only(Graph.Student.self).courses.count == 1)
            try await context.save()
            let after = store.reader()
            #expect(try await after.all(Parent.self).map { $0.children.map(\.name) } == [["a"], ["b", "c"]])
            #expect(try await after.only(Graph.Student.self).courses.isEmpty)
            #expect(old.children.map(\.name) == ["a"])
            #expect(parent.children.map(\.name) == ["b", "c"])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an end that is loaded while a new object is saved and edited shows the object`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Course("a"))
            try await store.save(Graph.Course("b"))
            let context = store.context()
            let courses = try await context.all(Graph.Course.self).sorted { $0.title < $1.title }
            let student = Graph.Student("s")
            context.insert(student)
            student.courses = [courses[0]]
            try await whileSaving(context, "student", in: store) {
                student.courses.append(courses[1])
                #expect(courses[0].students.map(\.name) == ["s"])
            }
            #expect(courses[0].students.first === student)
            #expect(courses[1].students.first === student)
            try await context.save()
            #expect(try await store.reader().all(Graph.Course.self).allSatisfy { $0.students.count == 1 })
        }
    }

    @Test(.timeLimit(.minutes(1))) func `what is deleted during the save is deleted by the next`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("changed"))
            let context = store.context()
            let changed = try await context.only(Parent.self)
            changed.name = "written"
            let inserted = Parent("inserted")
            context.insert(inserted)
            try await whileSaving(context, "parent", in: store) {
                context.delete(changed)
                context.delete(inserted)
            }
            #expect(try await store.reader().all(Parent.self).map(\.name) == ["written", "inserted"])
            #expect(changed.isDeleted && inserted.isDeleted)
            #expect(context.deletedModelsArray.count == 2)
            try await context.save()
            #expect(try await store.count(Parent.self) == 0)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a deletion that is taken back during the save makes the object a new one`()
        async throws
    {
        try await withGraphStore { store in
            try await store.save(Parent("a"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            context.delete(parent)
            try await whileSaving(context, "parent", in: store) { context.insert(parent) }
            #expect(try await store.count(Parent.self) == 0)
            #expect(context.insertedModelsArray.count == 1)
            try await context.save()
            #expect(try await store.reader().only(Parent.self).name == "a")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `rolling back during the save keeps what the save writes`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            parent.name = "x"
            let inserted = Parent("i")
            context.insert(inserted)
            let late = Parent("late")
            try await whileSaving(context, "parent", in: store) {
                parent.name = "y"
                parent.note = "y"
                inserted.name = "y"
                context.insert(late)
                context.delete(inserted)
                context.rollback()
                #expect(parent.name == "x")
            }
            #expect(!context.hasChanges)
            #expect([parent.name, inserted.name] == ["x", "i"])
            #expect(parent.note == nil)
            #expect(late.modelContext == nil)
            #expect(!inserted.isDeleted)
            #expect(try await store.reader().all(Parent.self).map(\.name) == ["x", "i"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `after a save that failed everything is unsaved, the later edits too`()
        async throws
    {
        try await withGraphStore { store in
            try await store.save(Parent("a"), Graph.Account("a@x", name: "A"))
            let context = store.context()
            context.uniquePolicy = .fail
            let parent = try await context.only(Parent.self)
            parent.name = "x"
            let (kept, deleted) = (Parent("kept"), Parent("deleted"))
            context.insert(kept)
            context.insert(deleted)
            let twin = Graph.Account("a@x", name: "twin")
            context.insert(twin)
            await expectError(.uniqueConstraint) {
                try await whileSaving(context, "parent", in: store) {
                    parent.name = "y"
                    kept.name = "kept later"
                    context.delete(deleted)
                }
            }
            #expect(parent.hasChanges && kept.hasChanges)
            #expect(deleted.modelContext == nil)
            twin.email = "b@x"
            try await context.save()
            #expect(try await store.reader().all(Parent.self).map(\.name) == ["y", "kept later"])
            #expect(!context.hasChanges)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an object that leaves a target during the save that deletes it is no conflict`()
        async throws
    {
        try await withGraphStore { store in
            let department = Graph.Department("d")
            department.members = [Graph.Member("m")]
            try await store.save(department, Graph.Department("other"))
            let context = store.context()
            let departments = try await context.all(Graph.Department.self)
            let member = try #require(departments[0].members.first)
            context.delete(departments[0])
            try await whileSaving(context, "department", in: store) { member.department = departments[1] }
            try await context.save()
            #expect(try await store.reader().only(Graph.Member.self).department?.name == "other")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `an edit while a change of class waits is written by it`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Vehicle("old"))
            let context = store.context()
            let vehicle = try await context.only(Graph.Vehicle.self)
            vehicle.name = "first"
            let held = try await HeldTable.hold("vehicle", in: store)
            let converting = Task { try await context.convert(vehicle, to: Graph.Car.self).name }
            try await held.isWaitedFor()
            vehicle.name = "second"
            try await held.letGo()
            #expect(try await converting.value == "second")
            #expect(!context.hasChanges)
            #expect(try await store.reader().only(Graph.Car.self).name == "second")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `what refers to a new object that takes over a row during the save refers to the row`() async throws {
        try await withModelStore(League.Team.self, League.Player.self) { store in
            let first = ModelContext(store.container)
            first.insert(League.Team("A"))
            try await first.save()
            let context = ModelContext(store.container)
            let team = League.Team("A", players: [League.Player("early"), League.Player("leaving")])
            context.insert(team)
            let (early, leaving) = (team.players[0], team.players[1])
            let held = try await HeldTable.hold("player", in: store.database)
            let saving = Task { try await context.save() }
            try await held.isWaitedFor()
            let late = League.Player("late")
            late.team = team
            context.insert(late)
            leaving.team = nil
            try await held.letGo()
            try await saving.value
            #expect(early.team === team && late.team === team)
            try await context.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.only(League.Team.self).players.map(\.name) == ["early", "late"])
            #expect(try await reader.fetchCount(FetchDescriptor<League.Player>()) == 3)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a property that is set while it is loaded keeps what was set`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Photo("one", pixels: Data([1])))
            let context = store.context()
            let photo = try await context.only(Graph.Photo.self)
            let held = try await HeldTable.hold("photo", mode: "ACCESS EXCLUSIVE", in: store)
            let taking = Task { try await context.snapshots(of: [photo], including: \.pixels)[0].pixels }
            try await held.isWaitedFor()
            photo.pixels = Data([2])
            try await held.letGo()
            #expect(try await taking.value == Data([2]))
            try await context.save()
            #expect(try await store.reader().only(Graph.Photo.self).pixels == Data([2]))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a save that reads what undoing needs blocks nobody`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a"), Child("b")]))
            let context = store.context()
            let undo = ModelUndoManager()
            context.undoManager = undo
            context.delete(try await context.only(Parent.self))
            let held = try await HeldTable.hold("child", mode: "ACCESS EXCLUSIVE", in: store)
            let saving = Task { try await context.save() }
            // Nobody could ask if the save blocked the main thread.
            try await held.isWaitedFor()
            try await held.letGo()
            try await saving.value
            #expect(try await store.count(Child.self) == 0)
            undo.undo()
            try await context.save()
            #expect(try await store.reader().only(Parent.self).children.map(\.name) == ["a", "b"])
        }
    }
}

private enum League {
    @Model final class Team {
        @Attribute(.unique) var name: String
        @Relationship(inverse: \Player.team) var players: [Player] = []

        init(_ name: String, players: [Player] = []) {
            self.name = name
            self.players = players
        }
    }

    @Model final class Player {
        var name: String
        var team: Team?
        init(_ name: String) { self.name = name }
    }
}
