import Foundation
import Strata
import Testing

@Suite struct TransactionTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    // MARK: A COMMIT that fails

    /// With the changes, by itself, and after a deletion by predicate.
    @Test(arguments: ["changes", "nothing", "deletion"])
    func `a transaction whose COMMIT fails is over, and not rolled back once more`(before: String) async throws {
        try await withGraphStore { store in
            try await store.database.execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '23514'; END $$
                """,
                """
                CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON parent DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION refuse()
                """)
            let context = store.context()
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    context.insert(Parent("A"))
                    if before == "nothing" { try await context.save() }
                    if before == "deletion" { try context.delete(model: Child.self) }
                }
            }
            #expect(error?.sqlState == "23514", "\(String(describing: error))")
            #expect(store.recorder.statements.contains("COMMIT"))
            #expect(!store.recorder.statements.contains { $0.hasPrefix("ROLLBACK") }, "\(store.recorder.statements)")
            #expect(try await store.count(Parent.self) == 0)
        }
    }

    // MARK: A last save that meets a conflict

    /// What the transaction itself has written is gone when it is asked what stood in the way.
    @Test(arguments: ["save", "SQL", "blocking"])
    func `the last save of a transaction names what others have changed, not what the transaction wrote before`(
        how: String
    ) async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"), Parent("B"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            func blocking() throws {
                try context.transaction {
                    let new = Parent("C")
                    context.insert(new)
                    try context.save()
                    new.note = "mine"
                    parents[1].note = "mine"
                }
            }
            func change() async throws {
                try await store.database.execute("UPDATE parent SET note = 'theirs' WHERE name = 'B'")
            }
            let error = await #expect(throws: SwiftDataError.self) {
                if how == "blocking" {
                    try await change()
                    return try blocking()
                }
                try await context.transaction {
                    var own = Parent("C")
                    if how == "save" {
                        context.insert(own)
                        try await context.save()
                    } else {
                        try await context.execute(
                            "UPDATE \(table: Parent.self) SET \(column: \Parent.note) = \("SQL") WHERE \(column: \Parent.name) = \("A")"
                        )
                        own = try await context.fetch(
                            FetchDescriptor<Parent>(predicate: #Predicate { $0.name == "A" }))[0]
                        #expect(own.note == "SQL")
                    }
                    try await change()
                    own.note = "mine"
                    parents[1].note = "mine"
                }
            }
            #expect(error?.code == .conflict, "\(String(describing: error))")
            #expect(error?.identifiers == [parents[1].persistentModelID])
            #expect(error?.conflicts.map(\.qualifiedName) == ["Parent.note"])
            #expect(error?.isRetryable == true)
            #expect(try await store.count(Parent.self) == 2)
        }
    }

    @Test func `a transaction that meets a conflict after it has saved something is done again`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("B"))
            let runs = Shared(0)
            try await store.container.withContext(isolation: .readCommitted) { context in
                runs.withLock { $0 += 1 }
                let known = try await context.all(Parent.self)[0]
                let new = Parent("A")
                context.insert(new)
                try await context.save()
                if runs.value == 1 { try await store.database.execute("UPDATE parent SET note = 'theirs'") }
                new.note = "mine"
                known.note = "mine"
            }
            #expect(runs.value == 2)
            let notes = try await store.database.texts("SELECT name || ' ' || note FROM parent ORDER BY name")
            #expect(notes == ["A mine", "B mine"])
        }
    }

    // MARK: Rollback

    @Test func `rollback takes back inserts, changes, deletions and relationships`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a"), Child("b")]), Parent("B"), Parent("C"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let children = parents[0].children
            parents[0].name = "changed"
            parents[0].name = "changed twice"
            parents[0].note = "new"
            children[0].parent = parents[1]
            let added = Child("added")
            parents[0].children.append(added)
            let inserted = Parent("D")
            context.insert(inserted)
            context.delete(parents[2])
            context.rollback()
            #expect(!context.hasChanges)
            #expect(context.insertedModelsArray.isEmpty)
            #expect(context.changedModelsArray.isEmpty)
            #expect(context.deletedModelsArray.isEmpty)
            #expect(parents.map(\.name) == ["A", "B", "C"])
            #expect(parents[0].note == nil)
            #expect(parents[0].children.map(\.name) == ["a", "b"])
            #expect(parents[1].children.isEmpty)
            #expect(children[0].parent === parents[0])
            #expect(!parents[2].isDeleted)
            #expect(inserted.modelContext == nil)
            #expect(added.modelContext == nil)
            #expect(!inserted.hasChanges)
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 0)
            #expect(try await store.count(Parent.self) == 3)
            // And all of it can be done again.
            context.insert(inserted)
            parents[0].children.append(added)
            context.delete(parents[2])
            try await context.save()
            #expect(try await store.reader().all(Parent.self).map(\.name).sorted() == ["A", "B", "D"])
            #expect(try await store.count(Child.self) == 3)
        }
    }

    @Test func `rollback takes back what a relationship showed that was loaded after the change`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            let added = Child("added", parent: parent)
            context.insert(added)
            #expect(parent.children.map(\.name) == ["a", "added"])
            context.rollback()
            #expect(parent.children.map(\.name) == ["a"])
            let child = parent.children[0]
            let student = Graph.Student("S")
            context.insert(student)
            child.parent = nil
            #expect(parent.children.isEmpty)
            context.rollback()
            #expect(parent.children.map(\.name) == ["a"])
        }
    }

    @Test func `a graph that was rolled back can be inserted by any of its objects`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Parent("A", children: [Child("a")])
            let child = parent.children[0]
            context.insert(parent)
            context.rollback()
            #expect(child.parent === parent)
            context.insert(child)
            try await context.save()
            #expect(try await store.reader().only(Parent.self).children.map(\.name) == ["a"])
        }
    }

    // MARK: A failed save

    @Test func `a failed save leaves everything as before and can be tried again`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "A"), Parent("A", children: [Child("a")]))
            let context = store.context()
            context.uniquePolicy = .fail
            let parent = try await context.only(Parent.self)
            parent.name = "changed"
            parent.children.append(Child("b"))
            let twin = Graph.Account("a@x", name: "Twin")
            context.insert(twin)
            await expectError(.uniqueConstraint) { try await context.save() }
            #expect(context.insertedModelsArray.count == 2)
            #expect(parent.hasChanges)
            #expect(twin.hasChanges && twin.modelContext === context)
            #expect(try await store.reader().only(Parent.self).name == "A")
            await expectError(.uniqueConstraint) { try await context.save() }
            twin.email = "b@x"
            try await context.save()
            #expect(!context.hasChanges)
            #expect(try await store.count(Graph.Account.self) == 2)
            let read = try await store.reader().only(Parent.self)
            #expect(read.name == "changed")
            #expect(read.children.count == 2)
        }
    }

    @Test func `a failed save can be rolled back`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "A"))
            let context = store.context()
            context.uniquePolicy = .fail
            let account = try await context.only(Graph.Account.self)
            account.name = "changed"
            context.insert(Graph.Account("a@x", name: "Twin"))
            await expectError(.uniqueConstraint) { try await context.save() }
            context.rollback()
            #expect(account.name == "A")
            try await context.save()
            #expect(try await store.reader().only(Graph.Account.self).name == "A")
        }
    }

    // MARK: Notifications

    @Test func `willSave and didSave are posted with the identifiers`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("changed"), Parent("deleted"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let log = NotificationLog(context)
            try await context.save()
            #expect(log.events.isEmpty)
            let inserted = Parent("inserted")
            context.insert(inserted)
            parents[0].note = "x"
            context.delete(parents[1])
            try await context.save()
            #expect(log.events.map(\.name) == [ModelContext.willSave, ModelContext.didSave])
            let last = try #require(log.events.last)
            #expect(last.identifiers[.insertedIdentifiers] == [inserted.persistentModelID])
            #expect(last.identifiers[.updatedIdentifiers] == [parents[0].persistentModelID])
            #expect(last.identifiers[.deletedIdentifiers] == [parents[1].persistentModelID])
        }
    }

    // MARK: Transactions

    @Test func `a transaction saves what its block changed, and its fetches see what it saved`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            store.recorder.reset()
            let names = try await context.transaction {
                parent.name = "B"
                try await context.save()
                #expect(try await store.reader().only(Parent.self).name == "A")
                context.insert(Parent("C"))
                return try await context.all(Parent.self).map(\.name)
            }
            #expect(names == ["B", "C"])
            #expect(!context.hasChanges)
            #expect(try await store.reader().all(Parent.self).map(\.name) == ["B", "C"])
        }
    }

    @Test func `a transaction whose block throws leaves neither rows nor values behind`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a"), Child("b")]), Parent("B"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let children = parents[0].children
            let inserted = Parent("C")
            await expectStop {
                try await context.transaction {
                    parents[0].name = "first"
                    children[0].parent = parents[1]
                    context.insert(inserted)
                    try await context.save()
                    parents[0].name = "second"
                    parents[1].note = "unsaved"
                    context.delete(children[1])
                    try await context.save()
                    parents[0].name = "third"
                    throw Stop()
                }
            }
            #expect(parents.map(\.name) == ["A", "B"])
            #expect(parents[1].note == nil)
            #expect(parents[0].children.map(\.name) == ["a", "b"])
            #expect(parents[1].children.isEmpty)
            #expect(children.allSatisfy { !$0.isDeleted && $0.parent === parents[0] && $0.modelContext === context })
            #expect(inserted.modelContext == nil)
            #expect(!context.hasChanges)
            #expect(try await store.count(Parent.self) == 2)
            parents[0].name = "later"
            try await context.save()
            #expect(try await store.reader().all(Parent.self).map(\.name) == ["later", "B"])
        }
    }

    @Test func `what was changed and deleted in a transaction that fails has its old values again`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            await expectStop {
                try await context.transaction {
                    parent.name = "changed"
                    context.delete(parent)
                    try await context.save()
                    throw Stop()
                }
            }
            #expect(parent.name == "A")
            #expect(!parent.isDeleted)
            #expect(!parent.hasChanges)
            parent.note = "alive"
            try await context.save()
            #expect(try await store.reader().only(Parent.self).name == "A")
        }
    }

    @Test func `the inner of two transactions is rolled back alone`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"), Parent("B"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let (outer, inner) = (Parent("outer"), Parent("inner"))
            try await context.transaction {
                parents[0].name = "outer"
                context.insert(outer)
                await expectStop {
                    try await context.transaction {
                        parents[0].name = "inner"
                        parents[1].name = "inner"
                        context.insert(inner)
                        try await context.save()
                        throw Stop()
                    }
                }
                #expect(parents.map(\.name) == ["outer", "B"])
                #expect(outer.modelContext === context)
                #expect(inner.modelContext == nil)
                try await context.transaction { parents[1].name = "second inner" }
            }
            #expect(parents.map(\.name) == ["outer", "second inner"])
            #expect(try await store.reader().all(Parent.self).map(\.name) == ["outer", "second inner", "outer"])
        }
    }

    @Test func `an inner transaction that succeeded goes with the outer`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            await expectStop {
                try await context.transaction {
                    parent.note = "outer"
                    try await context.transaction { parent.name = "inner" }
                    #expect(!context.hasChanges)
                    throw Stop()
                }
            }
            #expect(parent.name == "A")
            #expect(parent.note == nil)
            #expect(try await store.reader().only(Parent.self).name == "A")
        }
    }

    @Test func `a save that fails in a transaction does not end it`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "A"))
            let context = store.context()
            context.uniquePolicy = .fail
            try await context.transaction {
                context.insert(Parent("kept"))
                try await context.save()
                let twin = Graph.Account("a@x", name: "Twin")
                context.insert(twin)
                await expectError(.uniqueConstraint) { try await context.save() }
                twin.email = "b@x"
            }
            #expect(try await store.count(Graph.Account.self) == 2)
            #expect(try await store.count(Parent.self) == 1)
        }
    }

    @Test func `a statement that fails in a transaction cannot be forgotten`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            await expectError(nil) {
                try await context.transaction {
                    context.insert(Parent("lost"))
                    try await context.save()
                    // Fails in the server: division by zero. Whoever swallows it must not believe in the commit.
                    let zero = 0
                    _ = try? await context.fetch(
                        FetchDescriptor<Child>(predicate: #Predicate { 1 / ($0.age * zero) == 1 }))
                    let children = try? await context.all(Child.self)
                    if children != nil { throw SwiftDataError(.storeFailure, "the fetch did not fail") }
                }
            }
        }
    }

    @Test func `the blocking transaction is the same`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            func work() throws {
                let context = store.context()
                let parent = try #require(try context.fetch(FetchDescriptor<Parent>()).first)
                expectBlockingStop {
                    try context.transaction {
                        parent.name = "B"
                        try context.save()
                        throw Stop()
                    }
                }
                #expect(parent.name == "A")
                try context.transaction {
                    parent.name = "C"
                    expectBlockingStop {
                        try context.transaction {
                            parent.name = "D"
                            throw Stop()
                        }
                    }
                    #expect(parent.name == "C")
                }
                #expect(try ModelContext(store.container).fetch(FetchDescriptor<Parent>()).map(\.name) == ["C"])
            }
            try work()
        }
    }

    @Test func `an isolation level is that of the transaction`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            store.recorder.reset()
            try await context.transaction(isolation: .serializable) { context.insert(Parent("A")) }
            #expect(store.recorder.statements.first?.contains("SERIALIZABLE") == true)
            #expect(try await store.count(Parent.self) == 1)
        }
    }
}

/// What one context posted.
final class NotificationLog {
    struct Event {
        let name: Notification.Name
        let identifiers: [ModelContext.NotificationKey: Set<PersistentIdentifier>]
    }

    private final class Events: @unchecked Sendable {
        // Notifications are posted and read by one test, one after the other.
        var list: [Event] = []
    }

    private let log = Events()
    private var tokens: [any NSObjectProtocol] = []
    var events: [Event] { log.list }

    init(_ context: ModelContext) {
        let log = log
        tokens = [ModelContext.willSave, ModelContext.didSave].map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
                var identifiers: [ModelContext.NotificationKey: Set<PersistentIdentifier>] = [:]
                for (key, value) in notification.userInfo ?? [:] {
                    guard let name = key as? String, let key = ModelContext.NotificationKey(rawValue: name) else {
                        continue
                    }
                    identifiers[key] = Set(value as? [PersistentIdentifier] ?? [])
                }
                log.list.append(Event(name: notification.name, identifiers: identifiers))
            }
        }
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
}
