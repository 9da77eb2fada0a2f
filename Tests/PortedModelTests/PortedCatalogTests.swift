import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels

/// A transformer of the server's own, under the name that the app's source gives.
private enum ColorTransformer: AttributeTransformer {
    static func transformed(_ value: CardColor) -> Data { Data([value.red, value.green, value.blue]) }

    static func restored(_ data: Data) throws -> CardColor {
        guard data.count == 3 else { throw CocoaError(.coderInvalidValue) }
        let bytes = Array(data)
        return CardColor(red: bytes[0], green: bytes[1], blue: bytes[2])
    }
}

/// What SwiftData's macros accept without a word.
@Suite struct PortedCatalogTests {
    private static let types: [any PersistentModel.Type] = [
        Publication.self, Magazine.self, Bookcase.self, Reader.self, LibraryCard.self,
    ]

    private func withCatalog(_ body: (ModelContainer) throws -> Void) async throws {
        ColorTransformer.register()
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let container = try ModelContainer(for: Schema(Self.types), configurations: ModelConfiguration(url: url))
            do { try body(container) } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    @Test func `a class with an == of its own`() async throws {
        try await withCatalog { container in
            let context = ModelContext(container)
            let (one, other) = (Publication(title: "A", isbn: "1"), Publication(title: "B", isbn: "1"))
            let magazine = Magazine(title: "C", isbn: "1", issue: 7)
            func areEqual<T: Equatable>(_ one: T, _ other: T) -> Bool { one == other }
            #expect(one == other)
            #expect(areEqual(one, other))
            #expect(areEqual(one, magazine))
            #expect(CatalogStore(context: context).distinct([one, other, magazine]).count == 1)
            // The subclass's is for expressions that know its type; `Equatable`, and `!=` with it, is the superclass's conformance.
            let next = Magazine(title: "C", isbn: "1", issue: 8)
            #expect(!(magazine == next))
            #expect(areEqual(magazine, next))

            // Objects that are equal to the class are different ones to the identity map, and the other way round.
            let shelf = Bookcase(code: "S")
            shelf.publications = [Publication(title: "A", isbn: "10"), Magazine(title: "C", isbn: "11", issue: 1)]
            context.insert(shelf)
            try context.save()
            shelf.publications[0].isbn = "11x"
            shelf.publications[0].isbn = "10"
            #expect(shelf.publications.count == 2)
            let again = try context.fetch(FetchDescriptor<Publication>(sortBy: [SortDescriptor(\.isbn)]))
            #expect(again.count == 2)
            #expect(again[0] === shelf.publications.first { $0.isbn == "10" })
            #expect(again[1] is Magazine)
            let second = CatalogStore(context: ModelContext(container))
            let elsewhere = try #require(try second.publication(isbn: "10"))
            #expect(elsewhere !== again[0])
            #expect(elsewhere == again[0])
            #expect(elsewhere.isShelved)
            #expect(elsewhere.label == "A (10)")
            withExtendedLifetime(second.context) {}
            context.delete(again[0])
            try context.save()
            #expect(try container.count(Publication.self) == 1)
        }
    }

    @Test func `a unique foreign key from @Attribute(.unique) on a to-one relationship`() async throws {
        try await withCatalog { container in
            let entity = try #require(container.schema.entity(for: LibraryCard.self))
            #expect(entity.relationshipsByName["holder"]?.isUnique == true)
            let context = ModelContext(container)
            let reader = Reader(name: "Ada")
            context.insert(LibraryCard(number: 1, holder: reader))
            try context.save()
            context.insert(LibraryCard(number: 2, holder: reader))
            try context.save()
            #expect(try container.count(LibraryCard.self) == 1)
        }
    }

    @Test func `a transformer by name`() async throws {
        try await withCatalog { container in
            let context = ModelContext(container)
            let reader = Reader(name: "Ada")
            reader.color = CardColor(red: 1, green: 2, blue: 3)
            context.insert(reader)
            try context.save()
            let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Reader>()).first)
            #expect(stored.color == CardColor(red: 1, green: 2, blue: 3))
        }
    }

    @Model final class Unregistered {
        @Attribute(.transformable(by: "NobodysTransformer")) var color: CardColor?
        @Attribute(.transformable(by: "NumberTransformer")) var other: CardColor?
        init() {}
    }

    private enum NumberTransformer: AttributeTransformer {
        static func transformed(_ value: Int) -> Data { Data() }
        static func restored(_ data: Data) -> Int { 0 }
    }

    @Test func `a transformer that nobody has registered is an error of the container`() async throws {
        NumberTransformer.register()
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let error = #expect(throws: SwiftDataError.self) {
                _ = try ModelContainer(for: Unregistered.self, configurations: ModelConfiguration(url: url))
            }
            let text = try #require(error).description
            #expect(
                text.contains("Unregistered.color: no transformer is registered under the name \"NobodysTransformer\""),
                "\(text)")
            #expect(text.contains("\"NumberTransformer\" is not for CardColor"), "\(text)")
        }
    }
}
