import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Seeded writers of purchases and their lines, with server processes that end under them: afterwards the tables have what each of them knows,
/// and objects say what the tables have.
@Suite struct PartKeyWritersTests {
    private typealias Purchase = Parted.Purchase
    private typealias Article = Parted.Article
    private typealias Line = Parted.Line

    /// What one writer believes of its own purchases: quantities by number and article.
    private typealias Known = [Int: [String: Int]]

    private static let articles = ["a", "b, \"quoted\"", "c", "an article with a long code", "é"]

    @Test(arguments: [1, 2, 3] as [UInt64]) func `writers, kills and the tables agree`(seed: UInt64) async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            for code in Self.articles { context.insert(Article(code)) }
            context.insert(Purchase(0))
            try await context.save()
            let writers = InterruptedWriters(steps: 40, from: Known(), change: Self.change, read: Self.read)
            let known = try await writers.run(in: store, seed: seed).reduce(into: Known()) {
                $0.merge($1) { first, _ in first }
            }
            let expected = known.flatMap { number, lines in lines.map { "\(number) \($0) \($1)" } }.sorted()
            let rows = """
                SELECT p.number || ' ' || l.article || ' ' || l.quantity FROM line l JOIN purchase p ON p.pk = l.purchase
                """
            #expect(try await store.database.texts("\(rows) WHERE p.number > 0").sorted() == expected)
            let all = try await store.database.texts(rows).sorted()
            let reader = ModelContext(store.container)
            let lines = try await reader.fetch(FetchDescriptor<Line>())
            #expect(lines.map { "\($0.purchase.number) \($0.article.code) \($0.quantity)" }.sorted() == all)
            let purchases = try await reader.fetch(FetchDescriptor<Purchase>())
            #expect(
                purchases.flatMap { purchase in
                    purchase.lines.map { "\(purchase.number) \($0.article.code) \($0.quantity)" }
                }
                .sorted() == all)
            for line in lines {
                let same: Line? = try await ModelContext(store.container).existingModel(for: line.persistentModelID)
                #expect(same?.quantity == line.quantity)
            }
        }
    }

    /// One edit, in a context and in what its writer knows.
    private static func change(
        _ known: inout Known, _ context: ModelContext, _ edit: InterruptedWriters<Known>.Edit,
        _ random: inout SeededGenerator
    ) async throws {
        let number = edit.writer * 100 + edit.step
        let articles = try await context.fetch(FetchDescriptor<Article>(sortBy: [SortDescriptor(\.code)]))
        let article = try #require(articles.randomElement(using: &random))
        let quantity = Int.random(in: 1...1_000, using: &random)
        func purchase(_ number: Int) async throws -> Purchase? {
            try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == number })).first
        }
        let chosen = known.keys.sorted().randomElement(using: &random)
        switch (Int.random(in: 0..<7, using: &random), chosen) {
        case (0, _), (_, nil):
            let new = Purchase(number)
            new.lines = [Line(new, article, quantity: quantity)]
            context.insert(new)
            known[number] = [article.code: quantity]
        case (1...2, let chosen?):
            // New, or the row that is there.
            guard let purchase = try await purchase(chosen) else { return }
            let code = article.code
            let there = purchase.lines.first { $0.article.code == code }
            if let there {
                there.quantity = quantity
            } else {
                context.insert(Line(purchase, article, quantity: quantity))
            }
            known[chosen]?[code] = quantity
        case (3, let chosen?):
            // By the key alone, whoever has read it.
            guard let purchase = try await purchase(chosen) else { return }
            let code = article.code
            if let line = try await context.existingModel(Line.self, key: purchase.persistentModelID, code) {
                context.delete(line)
                known[chosen]?[code] = nil
            }
        case (4, let chosen?):
            guard let purchase = try await purchase(chosen) else { return }
            context.delete(purchase)
            known[chosen] = nil
        case (5, let chosen?):
            try context.update(
                model: Line.self, where: #Predicate { $0.purchase.number == chosen }, .set(\.quantity, to: quantity))
            known[chosen] = known[chosen]?.mapValues { _ in quantity }
        default:
            // All writers at once, in fresh contexts: an upsert each.
            let shared = ModelContext(context.container)
            let purchase = try await shared.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 0 }))[
                0]
            shared.insert(Line(purchase, try await shared.model(Article.self, id: article.code), quantity: quantity))
            try await shared.save()
        }
    }

    private static func read(_ database: TestDatabase, _ writer: Int) async throws -> Known {
        var known: Known = [:]
        let (first, last) = (writer * 100, writer * 100 + 99)
        for text in try await database.texts(
            "SELECT number::text FROM purchase WHERE number BETWEEN \(first) AND \(last)")
        {
            known[try #require(Int(text))] = [:]
        }
        for text in try await database.texts(
            """
            SELECT p.number || ' ' || l.quantity || ' ' || l.article FROM line l JOIN purchase p ON p.pk = l.purchase
            WHERE p.number BETWEEN \(first) AND \(last)
            """)
        {
            let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
            known[try #require(Int(parts[0]))]?[parts[2]] = Int(parts[1])
        }
        return known
    }
}
