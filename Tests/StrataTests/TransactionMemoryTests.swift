import Foundation
import Strata
import Testing

/// What is in memory after a transaction, or a part of one, was rolled back.
@Suite struct TransactionMemoryTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    @Test func `a failed outermost transaction leaves earlier unsaved work unsaved`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]), Parent("B"), Parent("C"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let child = parents[0].children[0]
            parents[0].name = "A1"
            child.parent = parents[1]
            let inserted = Parent("I", children: [Child("i")])
            context.insert(inserted)
            context.delete(parents[2])
            for isSaved in [false, true] {
                await expectStop {
                    try await context.transaction {
                        parents[0].name = "A2"
                        parents[0].note = "in the transaction"
                        inserted.name = "I2"
                        inserted.children = []
                        context.insert(Parent("lost"))
                        if isSaved { try await context.save() }
                        parents[1].name = "B2"
                        throw Stop()
                    }
                }
                #expect(parents.map(\.name) == ["A1", "B", "C"])
                #expect(parents[0].note == nil)
                #expect(parents[0].children.isEmpty)
                #expect(parents[1].children.map(\.name) == ["a"])
                #expect(child.parent === parents[1])
                #expect(inserted.name == "I")
                #expect(inserted.children.map(\.name) == ["i"])
                #expect(inserted.modelContext === context)
                #expect(parents[2].isDeleted && parents[2].hasChanges)
                #expect(context.insertedModelsArray.count == 2)
                #expect(context.deletedModelsArray.count == 1)
                #expect(try await store.count(Parent.self) == 3)
            }
            try await context.save()
            let read = store.reader()
            #expect(try await read.all(Parent.self).map(\.name) == ["A1", "B", "I"])
            #expect(try await read.all(Parent.self).map { $0.children.map(\.name) } == [[], ["a"], ["i"]])
        }
    }

    @Test func `what was inserted keeps its values, also when a part of the transaction failed before`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Parent("P", children: [Child("c")])
            await expectStop {
                try await context.transaction {
                    context.insert(parent)
                    await expectStop {
                        try await context.transaction {
                            context.insert(Parent("other"))
                            try await context.save()
                            _ = try await context.all(Parent.self)
                            throw Stop()
                        }
                    }
                    throw Stop()
                }
            }
            #expect(parent.modelContext == nil)
            context.insert(parent)
            try await context.save()
            let read = try await store.reader().only(Parent.self)
            #expect(read.name == "P" && read.children.map(\.name) == ["c"])
        }
    }

    @Test func `what was inserted keeps its children when a conversion fails beside unsaved changes`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Vehicle("V"))
            let context = store.context()
            let vehicle = try await context.only(Graph.Vehicle.self)
            let parent = Parent("P", children: [Child("c")])
            await expectStop {
                try await context.transaction {
                    context.insert(parent)
                    try await context.save()
                    context.insert(Parent("unsaved"))
                    await expectStop {
                        _ = try await context.convert(vehicle, to: Graph.Car.self) { _ in throw Stop() }
                    }
                    throw Stop()
                }
            }
            #expect(parent.children.map(\.name) == ["c"])
            context.insert(parent)
            try await context.save()
            let read = try await store.reader().all(Parent.self).first { $0.name == "P" }
            #expect(read?.children.map(\.name) == ["c"])
        }
    }

    @Test func `earlier work that a failed transaction left can be rolled back`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            parent.name = "unsaved"
            let inserted = Parent("inserted")
            context.insert(inserted)
            await expectStop {
                try await context.transaction {
                    try await context.save()
                    throw Stop()
                }
            }
            #expect(parent.name == "unsaved")
            context.rollback()
            #expect(parent.name == "A")
            #expect(inserted.modelContext == nil)
            #expect(!context.hasChanges)
        }
    }

    @Test func `a transaction whose save fails keeps what was to be saved before it`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "A"))
            let context = store.context()
            context.uniquePolicy = .fail
            let twin = Graph.Account("a@x", name: "Twin")
            context.insert(twin)
            await expectError(.uniqueConstraint) { try await context.transaction { context.insert(Parent("lost")) } }
            #expect(context.insertedModelsArray.count == 1)
            twin.email = "b@x"
            try await context.save()
            #expect(try await store.count(Graph.Account.self) == 2)
            #expect(try await store.count(Parent.self) == 0)
        }
    }

    @Test func `a deletion by predicate made before a failed transaction is carried out later`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"), Parent("B"))
            let context = store.context()
            try context.delete(model: Parent.self, where: #Predicate { $0.name == "A" })
            await expectStop { try await context.transaction { throw Stop() } }
            #expect(context.hasChanges)
            try await context.save()
            #expect(try await store.reader().all(Parent.self).map(\.name) == ["B"])
        }
    }

    @Test func `an object that was merged into a row is as it was after a failed transaction`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("a@x", name: "row"))
            let context = store.context()
            let account = Graph.Account("a@x", name: "new")
            context.insert(account)
            let key = account.persistentModelID
            await expectStop {
                try await context.transaction {
                    try await context.save()
                    throw Stop()
                }
            }
            #expect(account.persistentModelID == key)
            #expect(try await store.reader().only(Graph.Account.self).name == "row")
            try await context.save()
            #expect(try await store.reader().only(Graph.Account.self).name == "new")
        }
    }

    @Test func `a relationship loaded in a savepoint is read again after it`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"), Parent("B", children: [Child("b")]))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let child = try await context.only(Child.self)
            try await context.transaction {
                await expectStop {
                    try await context.transaction {
                        child.parent = parents[0]
                        try await context.save()
                        #expect(parents[0].children.count == 1)
                        throw Stop()
                    }
                }
                #expect(parents[0].children.isEmpty)
                #expect(parents[1].children.count == 1)
                #expect(child.parent === parents[1])
            }
        }
    }

    @Test func `an object fetched after a server-side nullify has its reference again`() async throws {
        try await withGraphStore { store in
            let department = Graph.Department("d")
            department.members = [Graph.Member("m")]
            try await store.save(department)
            let context = store.context()
            let fetched = try await context.only(Graph.Department.self)
            var members: [Graph.Member] = []
            await expectStop {
                try await context.transaction {
                    context.delete(fetched)
                    try await context.save()
                    members = try await context.all(Graph.Member.self)
                    #expect(members[0].department == nil)
                    throw Stop()
                }
            }
            #expect(members[0].department === fetched)
            #expect(members[0].name == "m")
            members[0].name = "renamed"
            members[0].department = nil
            try await context.save()
            #expect(try await store.reader().only(Graph.Member.self).department == nil)
        }
    }

    @Test func `an edit after a rolled-back savepoint is compared with the row as it is`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let (writer, context) = (store.context(), store.context())
            let parent = try await context.only(Parent.self)
            try await context.transaction {
                await expectStop {
                    try await context.transaction {
                        try context.delete(model: Child.self)
                        parent.note = "inner"
                        try await context.save()
                        _ = try await context.all(Parent.self)
                        throw Stop()
                    }
                }
                #expect(parent.note == nil)
                parent.note = "outer"
            }
            #expect(try await store.reader().only(Parent.self).note == "outer")
            _ = writer
        }
    }

    @Test func `what was read before anything was written is not read again`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            let context = store.context()
            var parents: [Parent] = []
            await expectStop {
                try await context.transaction {
                    parents = try await context.all(Parent.self)
                    #expect(parents[0].children.count == 1)
                    throw Stop()
                }
            }
            store.recorder.reset()
            #expect(parents[0].name == "A")
            #expect(parents[0].children.count == 1)
            #expect(store.recorder.roundTrips == 0)
        }
    }
}
