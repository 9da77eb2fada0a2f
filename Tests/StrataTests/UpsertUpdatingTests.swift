import Foundation
import Strata
import Testing

/// An upsert that writes some columns of rows that exist.
@Suite struct UpsertUpdatingTests {
    private func withProducts(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Product.self, Book.self, Maker.self) { store in
            let writer = ModelContext(store.container)
            writer.insert(Product("a", name: "Apple", price: 1, stock: 10, note: "red", maker: Maker("Orchard")))
            writer.insert(Product("b", name: "Bread", price: 2, stock: 20, note: "brown"))
            try await writer.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func rows(_ store: ModelStore) async throws -> [String] {
        let products = try await ModelContext(store.container).fetch(
            FetchDescriptor<Product>(sortBy: [SortDescriptor(\.sku)]))
        return products.map { "\($0.sku) \($0.name) \($0.price) \($0.stock) \($0.note ?? "-")" }
    }

    @Test func `an upsert of the whole object clears what the object does not have`() async throws {
        try await withProducts { store, context in
            context.insert(Product("a", name: "Apple", price: 3))
            try await context.save()
            #expect(try await rows(store) == ["a Apple 3 0 -", "b Bread 2 20 brown"])
        }
    }

    @Test func `an upsert writes the columns that are named, and inserts whole rows`() async throws {
        try await withProducts { store, context in
            context.uniquePolicy = .upsert(updating: \Product.name, \.price)
            let apple = Product("a", name: "Äpfel", price: 3)
            for product in [
                apple, Product("b", name: "Brot", price: 4), Product("c", name: "Cake", price: 5, stock: 1),
            ] {
                context.insert(product)
            }
            try await context.save()
            let statements = store.recorder.statements
            #expect(
                statements.filter { $0.contains("UPDATE \"public\"") } == [
                    """
                    WITH written AS (UPDATE "public"."product" AS t SET "name" = u.n0, "price" = u.n1 FROM \
                    unnest($1::bigint[], $2::text[], $3::bigint[]) AS u(pk, n0, n1) WHERE t."pk" = u.pk RETURNING t."pk") \
                    SELECT 1 FROM written HAVING 1 / (count(*) = cardinality($1))::int = 0
                    """
                ])
            #expect(statements.filter { $0.contains("INSERT INTO \"public\".\"product\"") }.count == 1)
            #expect(try await rows(store) == ["a Äpfel 3 10 red", "b Brot 4 20 brown", "c Cake 5 1 -"])
            // The object is the row's from now on, with its other values.
            #expect((apple.stock, apple.note, apple.maker?.name) == (10, "red", "Orchard"))
            #expect(!context.hasChanges)
            apple.stock = 9
            try await context.save()
            #expect(try await rows(store)[0] == "a Äpfel 3 9 red")
        }
    }

    @Test func `fetches before the save find the rows as they will be`() async throws {
        try await withProducts { store, context in
            context.uniquePolicy = .upsert(updating: \Product.price)
            context.insert(Product("a", name: "Other", price: 7))
            context.insert(Product("c", name: "Cake", price: 8))
            let byName = try await context.fetchCount(
                FetchDescriptor<Product>(predicate: #Predicate { $0.name == "Apple" }))
            let byPrice = try await context.fetchCount(FetchDescriptor<Product>(predicate: #Predicate { $0.price > 6 }))
            let byStock = try await context.fetchCount(
                FetchDescriptor<Product>(predicate: #Predicate { $0.stock == 0 }))
            #expect((byName, byPrice, byStock) == (1, 2, 1))
            try await context.save()
            #expect(try await rows(store) == ["a Apple 7 10 red", "b Bread 2 20 brown", "c Cake 8 0 -"])
        }
    }

    @Test func `a subclass is updated as its superclass, other classes whole`() async throws {
        try await withProducts { store, context in
            let book = Book("x", name: "Strata", price: 10, pages: 300)
            context.insert(book)
            try await context.save()
            let other = ModelContext(store.container)
            other.uniquePolicy = .upsert(updating: \Product.price)
            other.insert(Book("x", name: "-", price: 12, pages: 1))
            other.insert(Maker("Orchard", city: "Riga"))
            try await other.save()
            let found = try #require(try await ModelContext(store.container).fetch(FetchDescriptor<Book>()).first)
            #expect((found.name, found.price, found.pages) == ("Strata", 12, 300))
            let third = ModelContext(store.container)
            third.uniquePolicy = .upsert(updating: \Product.name).updating(\Book.pages)
            third.insert(Book("x", name: "-", price: 1, pages: 400))
            third.insert(Product("b", name: "Brot", price: 1))
            try await third.save()
            let book2 = try #require(try await ModelContext(store.container).fetch(FetchDescriptor<Book>()).first)
            #expect((book2.name, book2.price, book2.pages) == ("Strata", 12, 400))
            #expect(try await rows(store)[1] == "b Brot 2 20 brown")
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Maker>()).map(\.city) == ["Riga"])
        }
    }

    @Test func `what has no column is refused`() async throws {
        try await withProducts { _, context in
            context.insert(Product("c", name: "Cake", price: 1))
            context.uniquePolicy = .upsert(updating: \Maker.products)
            await expectError(.unsupportedKeyPath) { try await context.save() }
            context.uniquePolicy = .upsert(updating: \Product.shout)
            await expectError(.unsupportedKeyPath) { try await context.save() }
            context.uniquePolicy = .upsert(updating: \Product.maker)
            try await context.save()
        }
    }
}

@Model private class Product {
    @Attribute(.unique) var sku: String
    var name: String
    var price: Int
    var stock: Int = 0
    var note: String?
    var maker: Maker?

    init(_ sku: String, name: String, price: Int, stock: Int = 0, note: String? = nil, maker: Maker? = nil) {
        self.sku = sku
        self.name = name
        self.price = price
        self.stock = stock
        self.note = note
        self.maker = maker
    }

    var shout: String { name.uppercased() }
}

@Model private final class Book: Product {
    var pages: Int = 0
    init(_ sku: String, name: String, price: Int, pages: Int) {
        self.pages = pages
        super.init(sku, name: name, price: price)
    }
}

@Model private final class Maker {
    @Attribute(.unique) var name: String
    var city: String
    @Relationship(inverse: \Product.maker) var products: [Product] = []
    init(_ name: String, city: String = "") {
        self.name = name
        self.city = city
    }
}
