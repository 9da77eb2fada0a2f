import Foundation
import Strata
import StrataModelTestSupport
import Testing

@Model private final class Leaf {
    enum Colour: String, Codable { case green, red }

    var number: Int
    var colour = Colour.green
    @Attribute(.unique) var code: String
    init(_ number: Int) {
        self.number = number
        code = "c\(number)"
    }
}

@Suite struct FetchPageTests {
    private func withLeaves(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Leaf.self) { store in
            let context = ModelContext(store.container)
            for number in 0..<25 { context.insert(Leaf(number)) }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func descriptor(limit: Int? = nil, offset: Int? = nil) -> FetchDescriptor<Leaf> {
        var descriptor = FetchDescriptor<Leaf>(
            predicate: #Predicate { $0.number >= 5 }, sortBy: [SortDescriptor(\.number)])
        (descriptor.fetchLimit, descriptor.fetchOffset) = (limit, offset)
        return descriptor
    }

    @Test func `a page comes with the number of all objects in one round trip`() async throws {
        try await withLeaves { store, context in
            let page = try await context.fetchPage(descriptor(limit: 10, offset: 15))
            #expect(page.objects.map(\.number) == Array(20..<25))
            #expect(page.totalCount == 20)
            #expect(store.recorder.roundTrips == 1)
            #expect(store.recorder.statements.count == 2)
            let beyond = try await context.fetchPage(descriptor(limit: 10, offset: 100))
            #expect(beyond.objects.isEmpty)
            #expect(beyond.totalCount == 20)
            let blocking = try { try context.fetchPage(descriptor(limit: 3)) }()
            #expect(blocking.objects.map(\.number) == [5, 6, 7])
            #expect(blocking.totalCount == 20)
        }
    }

    @Test func `unsaved changes take part in a page and in its count`() async throws {
        try await withLeaves { store, context in
            let first = try await context.fetchPage(descriptor(limit: 3))
            context.delete(first.objects[0])
            for number in [6, 100, 101] {
                let leaf = Leaf(number)
                leaf.code = number == 6 ? "c7" : "new\(number)"
                context.insert(leaf)
            }
            let page = try await context.fetchPage(descriptor(limit: 2))
            #expect(page.objects.map(\.number) == [6, 6])
            #expect(page.totalCount == 21)
            #expect(try await context.fetch(descriptor()).count == 21)
        }
    }

    @Test func `a count is of the objects within limit and offset`() async throws {
        try await withLeaves { _, context in
            for (limit, offset) in [(nil, nil), (7, nil), (nil, 18), (10, 15), (0, nil), (5, 50)] as [(Int?, Int?)] {
                let descriptor = descriptor(limit: limit, offset: offset)
                let fetched = try await context.fetch(descriptor).count
                #expect(try await context.fetchCount(descriptor) == fetched)
                #expect(try { try context.fetchCount(descriptor) }() == fetched)
            }
        }
    }

    @Test func `a row that cannot be read is gone around, and named`() async throws {
        try await withLeaves { store, context in
            try await store.database.execute(
                """
                DO $$ DECLARE c record; BEGIN FOR c IN SELECT conname FROM pg_constraint WHERE conrelid = 'leaf'::regclass
                AND contype = 'c' LOOP EXECUTE format('ALTER TABLE leaf DROP CONSTRAINT %I', c.conname); END LOOP; END $$
                """,
                "UPDATE leaf SET colour = 'ultraviolet' WHERE number IN (7, 9)")
            let error = await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(descriptor()) }
            #expect(error?.code == .invalidValue)
            store.recorder.reset()
            let read = try await context.fetchReadable(descriptor())
            #expect(store.recorder.roundTrips == 1)
            #expect(read.objects.map(\.number) == [5, 6, 8] + Array(10..<25))
            #expect(read.failures.count == 2)
            for failure in read.failures {
                #expect(failure.code == .invalidValue)
                #expect(failure.message.contains("Leaf.colour"))
                #expect(!failure.description.contains("ultraviolet"))
            }
            // What was found so can be put right.
            let identifiers = read.failures.flatMap(\.identifiers)
            #expect(identifiers.count == 2)
            #expect(identifiers.allSatisfy { $0.entityName == "Leaf" })
            let blocking = try { try context.fetchReadable(descriptor()) }()
            #expect(blocking.objects.count == 18)
            #expect(blocking.objects.first === read.objects.first)
            read.objects[0].number = 50
            try await context.save()
            try await store.database.execute("UPDATE leaf SET colour = 'red' WHERE colour = 'ultraviolet'")
            #expect(try await context.fetchReadable(descriptor()).failures.isEmpty)
            #expect(try await context.fetch(descriptor()).count == 20)
        }
    }
}
