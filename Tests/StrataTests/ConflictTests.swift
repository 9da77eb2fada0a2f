import Foundation
import Strata
import Testing

@Suite struct ConflictTests {
    private typealias Parent = Graph.Parent

    /// Two contexts that have read the same row.
    private func race(
        _ body: (GraphStore, (context: ModelContext, model: Parent), (context: ModelContext, model: Parent))
            async throws -> Void
    ) async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let (one, other) = (store.context(), store.context())
            let (mine, theirs) = (try await one.only(Parent.self), try await other.only(Parent.self))
            try await body(store, (one, mine), (other, theirs))
        }
    }

    @Test func `two contexts that change different properties both win`() async throws {
        try await race { store, one, other in
            one.model.name = "one"
            other.model.note = "other"
            try await one.context.save()
            try await other.context.save()
            let read = try await store.reader().only(Parent.self)
            #expect(read.name == "one")
            #expect(read.note == "other")
        }
    }

    @Test func `two contexts that change the same property are a conflict that names the object`() async throws {
        try await race { store, one, other in
            one.model.name = "one"
            other.model.name = "other"
            try await one.context.save()
            do {
                try await other.context.save()
                Issue.record("no conflict")
            } catch let error as SwiftDataError {
                #expect(error.code == .conflict)
                #expect(error.identifiers == [other.model.persistentModelID])
                #expect(error.isRetryable)
                #expect(error.message.contains("name"))
            }
            #expect(other.model.name == "other")
            #expect(other.model.hasChanges)
            #expect(try await store.reader().only(Parent.self).name == "one")
            other.context.rollback()
            _ = try await other.context.all(Parent.self)
            #expect(other.model.name == "one")
            other.model.name = "other again"
            try await other.context.save()
            #expect(try await store.reader().only(Parent.self).name == "other again")
        }
    }

    @Test func `overwrite lets the last writer win`() async throws {
        try await race { store, one, other in
            one.model.name = "one"
            other.model.name = "other"
            other.context.conflictPolicy = .overwrite
            try await one.context.save()
            try await other.context.save()
            #expect(try await store.reader().only(Parent.self).name == "other")
        }
    }

    @Test func `keepStore drops the change and the object takes the store's value`() async throws {
        try await race { store, one, other in
            one.model.name = "one"
            other.model.name = "other"
            other.model.note = "other's"
            other.context.conflictPolicy = .keepStore
            try await one.context.save()
            try await other.context.save()
            let read = try await store.reader().only(Parent.self)
            #expect(read.name == "one")
            #expect(other.model.name == "one")
            #expect(!other.context.hasChanges)
        }
    }

    @Test func `changing what another context deleted is an error that says so`() async throws {
        try await race { store, one, other in
            one.context.delete(one.model)
            try await one.context.save()
            other.model.name = "late"
            await expectError(.modelNotFound) { try await other.context.save() }
            #expect(try await store.count(Parent.self) == 0)
        }
    }

    @Test func `two contexts may move a child at the same time only to the same parent`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Graph.Child("a")]), Parent("B"), Parent("C"))
            let (one, other) = (store.context(), store.context())
            let (mine, theirs) = (try await one.all(Parent.self), try await other.all(Parent.self))
            mine[1].children.append(try #require(mine[0].children.first))
            theirs[2].children.append(try #require(theirs[0].children.first))
            try await one.save()
            await expectError(.conflict) { try await other.save() }
            #expect(try await store.reader().all(Parent.self).map(\.children.count) == [0, 1, 0])
        }
    }

    /// A context that wants a report to leave its boss, and the boss deleted, while `body` did something else to their rows.
    private func leaving(
        _ body: (_ boss: Graph.Employee, _ report: Graph.Employee, _ other: Graph.Employee, ModelContext) -> Void,
        _ check: (GraphStore, ModelContext, _ report: Graph.Employee) async throws -> Void
    ) async throws {
        try await withGraphStore { store in
            let boss = Graph.Employee("boss")
            try await store.save(boss, Graph.Employee("report", boss: boss), Graph.Employee("third"))
            let (context, others) = (store.context(), store.context())
            let byName = FetchDescriptor(sortBy: [SortDescriptor(\Graph.Employee.name)])
            let (mine, theirs) = (try await context.fetch(byName), try await others.fetch(byName))
            mine[1].boss = nil
            context.delete(mine[0])
            body(theirs[0], theirs[1], theirs[2], others)
            try await others.save()
            try await check(store, context, mine[1])
        }
    }

    @Test func `what left an object that goes with the save is in no conflict when others have deleted that`()
        async throws
    {
        try await leaving { boss, _, _, context in
            context.delete(boss)
        } _: { store, context, _ in
            try await context.save()
            let left = try await store.reader().all(Graph.Employee.self)
            #expect(left.count == 2 && left.allSatisfy { $0.boss == nil })
        }
    }

    @Test func `what left an object that goes with the save is in conflict when others have moved it`() async throws {
        try await leaving { _, report, third, _ in
            report.boss = third
        } _: { store, context, report in
            do {
                try await context.save()
                Issue.record("no conflict")
            } catch let error as SwiftDataError {
                #expect(error.code == .conflict && error.identifiers == [report.persistentModelID])
            }
            #expect(report.boss == nil && context.hasChanges)
            #expect(try await store.count(Graph.Employee.self) == 3)
            context.conflictPolicy = .overwrite
            try await context.save()
            let left = try await store.reader().all(Graph.Employee.self)
            #expect(left.count == 2 && left.allSatisfy { $0.boss == nil })
        }
    }
}
