import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private final class Price {
    @Attribute(.unique) var name: String
    @Attribute(.precision(6, scale: 2)) var amount: Decimal
    @Attribute(.unique, .precision(4)) var rank: Decimal?
    var note: Decimal = 0

    init(_ name: String, _ amount: Decimal, rank: Decimal? = nil) {
        (self.name, self.amount, self.rank) = (name, amount, rank)
    }
}

private enum Misused {
    @Model final class Word { @Attribute(.precision(3)) var text: String = "" }
    @Model final class Many { @Attribute(.precision(39)) var number: Decimal = 0 }
    @Model final class Fine { @Attribute(.precision(3, scale: 4)) var number: Decimal = 0 }
    @Model final class Document { @Attribute(.codable, .precision(3)) var number: Decimal = 0 }
}

/// Numbers with a precision: stored as they are, or refused.
@Suite struct PrecisionTests {
    private func withPrices(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Price.self) { store in try await body(store, ModelContext(store.container)) }
    }

    private func rows(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts("SELECT concat_ws(' ', name, amount, rank) FROM price ORDER BY name")
    }

    private static let refusal =
        "has a number that does not fit: it takes 6 digits, 2 of them behind the point. Round it, or declare more with .precision."

    private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

    @Test func `a save refuses what the server would round, and sends nothing`() async throws {
        try await withPrices { store, context in
            #expect(
                try await store.database.texts(
                    "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'price'::regclass AND attname IN ('amount', 'rank', 'note') ORDER BY attname"
                ) == ["numeric(6,2)", "numeric", "numeric(4,0)"])
            let price = Price("a", try decimal("9999.99"), rank: 1)
            context.insert(price)
            context.insert(Price("b", try decimal("-0.10")))
            context.insert(Price("c", .nan))
            try await context.save()
            #expect(try await rows(store) == ["a 9999.99 1", "b -0.10", "c NaN"])
            for text in ["10000", "-10000.00", "1.234", "0.001"] {
                store.recorder.reset()
                price.amount = try decimal(text)
                let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(error?.code == .invalidValue)
                #expect(error?.message == "Price.amount " + Self.refusal)
                #expect(error?.identifiers == [price.persistentModelID])
                // Beside other objects too, and as a new one.
                context.insert(Price("d", 1))
                await #expect(throws: SwiftDataError.self) { try await context.save() }
                context.rollback()
                context.insert(Price("d", try decimal(text)))
                await #expect(throws: SwiftDataError.self) { try await context.save() }
                context.rollback()
                #expect(store.recorder.statements == [])
            }
            price.amount = try decimal("1.50000")
            price.rank = 2
            try await context.save()
            #expect(try await rows(store).first == "a 1.50 2")
        }
    }

    @Test func `values that are exchanged have no number in between that would not fit`() async throws {
        try await withPrices { store, context in
            let (a, b) = (Price("a", 1, rank: 1), Price("b", 2, rank: 2))
            context.insert(a)
            context.insert(b)
            try await context.save()
            (a.rank, b.rank) = (2, 1)
            try await context.save()
            #expect(try await rows(store) == ["a 1.00 2", "b 2.00 1"])
        }
    }

    @Test func `rows without objects, and updates by predicate, are held to it`() async throws {
        try await withPrices { store, context in
            let (good, bad) = (try decimal("1.25"), try decimal("1.255"))
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Price.self, \.name, \.amount, rows: [("a", good), ("b", bad)])
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.message == "Row 2 of those inserted into Price: Price.amount " + Self.refusal)
            #expect(try await rows(store) == [])
            try await context.insert(into: Price.self, \.name, \.amount, rows: [("a", good), ("b", 3)])
            #expect(throws: SwiftDataError.self) { try context.update(model: Price.self, .set(\.amount, to: bad)) }
            try context.update(model: Price.self, .add(good, to: \.amount))
            try await context.save()
            #expect(try await rows(store) == ["a 2.50", "b 4.25"])
            for update in [PropertyUpdate<Price>.add(bad, to: \.amount), .add(9999, to: \.amount)] {
                let error = await #expect(throws: SwiftDataError.self) {
                    try context.update(model: Price.self, update)
                    try await context.save()
                }
                #expect(error?.code == .invalidValue)
                context.rollback()
            }
            try context.update(model: Price.self, .set(\.note, to: bad))
            try await context.save()
            let computed = await #expect(throws: SwiftDataError.self) {
                try context.update(model: Price.self, .set(\.amount, from: \.note))
                try await context.save()
            }
            #expect(computed?.code == .invalidValue)
            context.rollback()
            #expect(try await rows(store) == ["a 2.50", "b 4.25"])
        }
    }

    @Test func `a column of another precision is not that one`() async throws {
        try await withPrices { store, _ in
            try await store.database.execute("ALTER TABLE price ALTER COLUMN amount TYPE numeric(5,2)")
            let error = await #expect(throws: (any Error).self) { try await store.reopened(Schema(Price.self)) }
            let text = error.map { "\($0)" } ?? ""
            #expect(
                text.contains("column price.amount is numeric(5,2), the property Price.amount needs numeric(6,2)"),
                "\(text)")
        }
    }

    @Test func `what no numeric can be is refused`() async {
        func finding(_ type: any PersistentModel.Type) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema([type]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return "opened"
            } catch { return "\(error)" }
        }
        #expect(
            await finding(Misused.Word.self).contains("Word.text: it is marked .precision, and String is no Decimal"))
        #expect(await finding(Misused.Many.self).contains("give 1 to 38 digits"))
        #expect(await finding(Misused.Fine.self).contains("with 3 digits, 4 of them behind the point"))
        #expect(await finding(Misused.Document.self).contains(".precision and .codable, and has no numeric column"))
    }
}
