import Foundation
import Strata
import Testing

@Suite struct LazyLoadingTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    private func families(_ number: Int, in store: GraphStore) async throws {
        let context = store.context()
        for index in 0..<number {
            context.insert(Parent("P\(index)", children: [Child("a\(index)"), Child("b\(index)")]))
        }
        try await context.save()
        store.recorder.reset()
    }

    @Test func `reading a relationship loads it for all objects of the fetch with one statement`() async throws {
        try await withGraphStore { store in
            try await families(5, in: store)
            let context = store.context()
            let parents = try await context.all(Parent.self)
            #expect(store.recorder.roundTrips == 1)
            #expect(parents.map(\.children.count) == [2, 2, 2, 2, 2])
            #expect(store.recorder.roundTrips == 2)
            #expect(context.lazyLoadCount == 1)
            #expect(parents.allSatisfy { parent in parent.children.allSatisfy { $0.parent === parent } })
            #expect(store.recorder.roundTrips == 2)
        }
    }

    @Test func `reading a to-one loads it for all objects of the fetch with one statement`() async throws {
        try await withGraphStore { store in
            try await families(4, in: store)
            let context = store.context()
            let children = try await context.all(Child.self)
            #expect(children.map { $0.parent?.name } == ["P0", "P0", "P1", "P1", "P2", "P2", "P3", "P3"])
            #expect(store.recorder.roundTrips == 2)
            #expect(context.lazyLoadCount == 1)
        }
    }

    @Test func `the end of a one-to-one that has no column is loaded with one statement too`() async throws {
        try await withGraphStore { store in
            for index in 0..<3 {
                let owner = Graph.Owner("O\(index)")
                if index != 1 { owner.passport = Graph.Passport(index) }
                try await store.save(owner)
            }
            for fetchesOwners in [true, false] {
                let context = store.context()
                store.recorder.reset()
                if fetchesOwners {
                    #expect(try await context.all(Graph.Owner.self).map(\.passport?.number) == [0, nil, 2])
                } else {
                    #expect(try await context.all(Graph.Passport.self).map(\.owner?.name) == ["O0", "O2"])
                }
                #expect(store.recorder.roundTrips == 2)
            }
        }
    }

    @Test func `many-to-many and a subclass's relationship are loaded for all siblings`() async throws {
        try await withGraphStore { store in
            let (art, biology) = (Graph.Course("Art"), Graph.Course("Biology"))
            for index in 0..<3 {
                let student = Graph.Student("S\(index)")
                student.courses = index == 0 ? [art, biology] : [art]
            }
            let cars = (0..<3).map { Graph.Car("C\($0)") }
            for car in cars { car.wheels = [Graph.Wheel(1), Graph.Wheel(2)] }
            try await store.save(art, cars[0], Graph.Truck("T"), cars[1], cars[2])
            let context = store.context()
            let students = try await context.fetch(FetchDescriptor<Graph.Student>(sortBy: [SortDescriptor(\.name)]))
            #expect(students.map(\.courses.count) == [2, 1, 1])
            #expect(store.recorder.roundTrips == 2)
            store.recorder.reset()
            let vehicles = try await context.all(Graph.Vehicle.self)
            #expect(vehicles.compactMap { ($0 as? Graph.Car)?.wheels.count } == [2, 2, 2])
            #expect(store.recorder.roundTrips == 2)
        }
    }

    @Test func `where lazy loading is forbidden nothing is sent, and the error comes with the next save`() async throws
    {
        try await withGraphStore { store in
            try await families(1, in: store)
            let context = store.context()
            context.lazyLoading = .forbidden
            let parent = try await context.only(Parent.self)
            store.recorder.reset()
            #expect(parent.children.isEmpty)
            #expect(store.recorder.roundTrips == 0)
            expectBlockingError(.unfulfilledFault) { try context.throwUnreportedErrors() }
            try context.throwUnreportedErrors()
            _ = parent.children
            parent.name = "changed"
            await expectError(.unfulfilledFault) { try await context.save() }
            try await context.load([parent], \.children)
            #expect(parent.children.count == 2)
            try await context.save()
            #expect(try await store.count(Child.self) == 2)
        }
    }

    @Test func `load is the asynchronous form, one round trip a level`() async throws {
        try await withGraphStore { store in
            try await families(3, in: store)
            let context = store.context()
            context.lazyLoading = .forbidden
            let children = try await context.all(Child.self)
            store.recorder.reset()
            try await context.load(children, \.parent)
            #expect(store.recorder.roundTrips == 1)
            #expect(children.allSatisfy { $0.parent != nil })
            let parents = try await context.all(Parent.self)
            store.recorder.reset()
            try await context.load(parents, \.children)
            #expect(store.recorder.roundTrips == 1)
            #expect(parents.allSatisfy { $0.children.count == 2 })
            try context.throwUnreportedErrors()
            try await context.load([Parent](), \.children)
            #expect(store.recorder.roundTrips == 1)
        }
    }

    @Test func `a new object's relationships are empty without a statement`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let (parent, owner) = (Parent("A"), Graph.Owner("O"))
            context.insert(parent)
            context.insert(owner)
            store.recorder.reset()
            #expect(parent.children.isEmpty)
            #expect(owner.passport == nil)
            try await context.save()
            store.recorder.reset()
            #expect(parent.children.isEmpty)
            #expect(owner.passport == nil)
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `lazy loading in a transaction sees what the transaction wrote`() async throws {
        try await withGraphStore { store in
            try await families(1, in: store)
            let context = store.context()
            try await context.transaction {
                let child = Child("c")
                child.parent = try await context.only(Parent.self)
                try await context.save()
                #expect(try await context.only(Parent.self).children.count == 3)
            }
        }
    }

    @Test func `objects keep their loaded relationships in step with what is saved`() async throws {
        try await withGraphStore { store in
            try await families(2, in: store)
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let moved = parents[0].children[0]
            parents[1].children.append(moved)
            try await context.save()
            store.recorder.reset()
            #expect(parents.map(\.children.count) == [1, 3])
            #expect(moved.parent === parents[1])
            #expect(store.recorder.roundTrips == 0)
        }
    }
}
