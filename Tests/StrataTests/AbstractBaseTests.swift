import Foundation
import Strata
import StrataTestSupport
import Testing

private enum Papers {
    @Model class Document {
        class var isAbstract: Bool { true }
        var title: String
        var folder: Folder?
        init(_ title: String) { self.title = title }
    }

    /// Abstract too, between the root and its objects.
    @Model class Letter: Document {
        override class var isAbstract: Bool { true }
        var receiver: String = ""
    }

    @Model final class Postcard: Letter {
        var picture: String = "sea"
    }

    @Model final class Invoice: Document {
        var amount: Int = 0
    }

    @Model final class Folder {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Document.folder) var documents: [Document] = []
        init(_ name: String) { self.name = name }
    }
}

/// `static let isAbstract = true`: a class that has no objects of its own.
@Suite struct AbstractBaseTests {
    private func withPapers(_ body: (ModelStore) async throws -> Void) async throws {
        try await withModelStore(
            Papers.Document.self, Papers.Letter.self, Papers.Postcard.self, Papers.Invoice.self, Papers.Folder.self
        ) { try await body($0) }
    }

    @Test func `objects of subclasses are stored, fetched and related by the base`() async throws {
        try await withPapers { store in
            let context = ModelContext(store.container)
            let folder = Papers.Folder("mail")
            folder.documents = [Papers.Postcard("from the sea"), Papers.Invoice("number 7")]
            context.insert(folder)
            try await context.save()
            let other = ModelContext(store.container)
            let documents = try await other.fetch(
                FetchDescriptor<Papers.Document>(sortBy: [SortDescriptor(\.title)]))
            #expect(documents.map { "\(type(of: $0)) \($0.title)" } == ["Postcard from the sea", "Invoice number 7"])
            #expect(try await other.fetchCount(FetchDescriptor<Papers.Letter>()) == 1)
            #expect(try await other.only(Papers.Folder.self).documents.count == 2)
            #expect(store.container.schema.entitiesByName["Letter"]?.isAbstract == true)
            #expect(store.container.schema.entitiesByName["Postcard"]?.isAbstract == false)
        }
    }

    @Test func `an object of the base itself is refused, and named`() async throws {
        try await withPapers { store in
            let context = ModelContext(store.container)
            let document = Papers.Document("nothing")
            context.insert(document)
            do {
                try await context.save()
                Issue.record("an object of an abstract class was saved")
            } catch {
                let error = error as? SwiftDataError
                #expect(error?.code == .modelValidationFailure)
                #expect(
                    error?.message
                        == "There are no objects of Document itself (isAbstract). Make one of a subclass: Invoice, Postcard."
                )
            }
            #expect(document.modelContext == nil && !context.hasChanges)
            let card = Papers.Postcard("from the sea")
            context.insert(card)
            try await context.save()
            await expectError(.modelValidationFailure) { try await context.convert(card, to: Papers.Letter.self) }
            let invoice = try await context.convert(card, to: Papers.Invoice.self) { $0.amount = 5 }
            #expect(invoice.title == "from the sea")
        }
    }
}
