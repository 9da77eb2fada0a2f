import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// As ``PartKeyWritersTests``, with objects that lead to lines: remarks that go with them, and refunds that share a column and are emptied.
@Suite struct ReferredPartWritersTests {
    private typealias Purchase = Referred.Purchase
    private typealias Article = Referred.Article
    private typealias Line = Referred.Line
    private typealias Remark = Referred.Remark
    private typealias Refund = Referred.Refund

    /// What one writer believes of its own purchases.
    private struct Known: Equatable {
        /// The articles of each purchase.
        var lines: [Int: Set<String>] = [:]
        /// The line of each remark, as `purchase article`.
        var remarks: [String: String] = [:]
        /// The article of each refund, by `purchase number`; `-` for none.
        var refunds: [String: String] = [:]

        /// As the tables say it.
        var texts: [String] {
            (lines.flatMap { number, codes in codes.map { "line \(number) \($0)" } }
                + lines.keys.map { "purchase \($0)" }
                + remarks.map { "remark \($0) \($1)" } + refunds.map { "refund \($0) \($1)" }).sorted()
        }
    }

    private static let articles = ["a", "b, \"c\"", "an article with a long code"]

    @Test(arguments: [1, 2, 3] as [UInt64]) func `writers, kills and the tables agree`(seed: UInt64) async throws {
        try await withModelStore(of: Referred.schema) { store in
            let context = ModelContext(store.container)
            for code in Self.articles { context.insert(Article(code)) }
            try await context.save()
            let (container, database) = (store.container, store.database)
            let known = try await withThrowingTaskGroup(of: [String].self) { group in
                for writer in 1...3 {
                    group.addTask { try await Self.write(container, database, writer, seed).texts }
                }
                group.addTask {
                    var random = SeededGenerator(seed &* 91)
                    for _ in 0..<3 {
                        try await Task.sleep(for: .milliseconds(Int.random(in: 30...150, using: &random)))
                        try await store.killConnections()
                    }
                    return []
                }
                return try await group.reduce(into: [String]()) { $0 += $1 }.sorted()
            }
            #expect(try await Self.stored(database, 0...999) == known)
            // Objects say what the tables have, from both ends.
            let reader = ModelContext(store.container)
            func text(_ line: Line?) -> String { line.map { "\($0.purchase.number) \($0.article.code)" } ?? "-" }
            let remarks = try await reader.fetch(FetchDescriptor<Remark>())
            #expect(
                remarks.map { "remark \($0.text) \(text($0.line))" }.sorted() == known.filter { $0.hasPrefix("remark") }
            )
            let other = ModelContext(store.container)
            let lines = try await other.fetch(FetchDescriptor<Line>())
            #expect(
                lines.flatMap { line in line.remarks.map { "remark \($0.text) \(text(line))" } }.sorted()
                    == known.filter { $0.hasPrefix("remark") })
            let refunds = try await reader.fetch(FetchDescriptor<Refund>())
            #expect(
                refunds.map { "refund \($0.purchase.number) \($0.number) \($0.line?.article.code ?? "-")" }.sorted()
                    == known.filter { $0.hasPrefix("refund") })
            #expect(refunds.allSatisfy { $0.line == nil || $0.line?.purchase === $0.purchase })
        }
    }

    private static func write(
        _ container: ModelContainer, _ database: TestDatabase, _ writer: Int, _ seed: UInt64
    ) async throws -> Known {
        var random = SeededGenerator(seed &* 3_000 &+ UInt64(writer))
        var known = Known()
        var context = ModelContext(container)
        for step in 0..<40 {
            var next = known
            do {
                try await change(&next, context, writer * 100 + step, &random)
                try await context.save()
                known = next
            } catch let error as SwiftDataError {
                // What others do is nobody's error, and repeated.
                let others: [SwiftDataError.Code] = [
                    .uniqueConstraint, .conflict, .deleteDenied, .modelValidationFailure, .modelNotFound,
                    .foreignObject,
                ]
                #expect(!others.contains(error.code), "\(error)")
                // A backend was ended: either all of it is there, or nothing.
                context = ModelContext(container)
                let stored = try await read(database, writer)
                #expect(stored == known.texts || stored == next.texts, "\(error)")
                if stored == next.texts { known = next }
            }
        }
        return known
    }

    /// One edit, in a context and in what its writer knows.
    private static func change(
        _ known: inout Known, _ context: ModelContext, _ number: Int, _ random: inout SeededGenerator
    ) async throws {
        let articles = try await context.fetch(FetchDescriptor<Article>(sortBy: [SortDescriptor(\.code)]))
        let article = try #require(articles.randomElement(using: &random))
        func purchase(_ number: Int) async throws -> Purchase {
            try #require(
                try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == number })).first)
        }
        /// One of the lines that the writer knows.
        func line() async throws -> (line: Line, purchase: Int, code: String)? {
            let all = known.lines.flatMap { number, codes in codes.map { (number, $0) } }.sorted { $0 < $1 }
            guard let (number, code) = all.randomElement(using: &random) else { return nil }
            let key = try await purchase(number).persistentModelID
            return (try await context.model(Line.self, key: key, code), number, code)
        }
        let kind = Int.random(in: 0..<9, using: &random)
        guard kind > 1, let (line, owner, code) = try await line() else {
            let new = Purchase(number)
            let line = Line(new, article)
            context.insert(Remark("r\(number)", line))
            context.insert(Refund(new, 1, line))
            known.lines[number] = [article.code]
            known.remarks["r\(number)"] = "\(number) \(article.code)"
            known.refunds["\(number) 1"] = article.code
            return
        }
        switch kind {
        case 2 where known.lines[owner]?.contains(article.code) == false:
            context.insert(Line(line.purchase, article))
            known.lines[owner]?.insert(article.code)
        case 3:
            // A remark moves, by hand.
            guard let text = known.remarks.keys.sorted().randomElement(using: &random) else { return }
            let remark = try #require(
                try await context.fetch(FetchDescriptor<Remark>(predicate: #Predicate { $0.text == text })).first)
            remark.line = line
            known.remarks[text] = "\(owner) \(code)"
        case 4:
            context.delete(line)
            known.lines[owner]?.remove(code)
            known.remarks = known.remarks.filter { $1 != "\(owner) \(code)" }
            for (refund, article) in known.refunds where refund.hasPrefix("\(owner) ") && article == code {
                known.refunds[refund] = "-"
            }
        case 5:
            context.delete(line.purchase)
            known.lines[owner] = nil
            known.remarks = known.remarks.filter { !$1.hasPrefix("\(owner) ") }
            known.refunds = known.refunds.filter { !$0.key.hasPrefix("\(owner) ") }
        case 6:
            // By the end that holds the key, or by the other one.
            let refunds = line.purchase.refunds.sorted { $0.number < $1.number }
            guard let refund = refunds.randomElement(using: &random) else {
                context.insert(Refund(line.purchase, 1))
                known.refunds["\(owner) 1"] = "-"
                return
            }
            if Bool.random(using: &random) { refund.line = nil } else { line.refunds.append(refund) }
            known.refunds["\(owner) \(refund.number)"] = refund.line == nil ? "-" : code
        case 7:
            let text = "r\(owner)"
            try context.update(model: Remark.self, where: #Predicate { $0.text == text }, .set(\.line, to: line))
            if known.remarks[text] != nil { known.remarks[text] = "\(owner) \(code)" }
        default:
            context.insert(Remark("s\(number)", line))
            known.remarks["s\(number)"] = "\(owner) \(code)"
        }
    }

    /// Its own session may be one of those that are ended.
    private static func read(_ database: TestDatabase, _ writer: Int) async throws -> [String] {
        for _ in 0..<5 {
            do { return try await stored(database, writer * 100...writer * 100 + 99) } catch is PostgresError {}
        }
        return try await stored(database, writer * 100...writer * 100 + 99)
    }

    private static func stored(_ database: TestDatabase, _ numbers: ClosedRange<Int>) async throws -> [String] {
        try await database.texts(
            """
            WITH p AS (SELECT pk, number FROM purchase WHERE number BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound))
            SELECT 'purchase ' || number FROM p
            UNION ALL SELECT 'line ' || p.number || ' ' || l.article FROM line l JOIN p ON p.pk = l.purchase
            UNION ALL SELECT 'remark ' || r.text || ' ' || p.number || ' ' || r.line_article FROM remark r JOIN p ON p.pk = r.line_purchase
            UNION ALL SELECT 'refund ' || p.number || ' ' || f.number || ' ' || coalesce(f.article_code, '-') FROM refund f JOIN p ON p.pk = f.purchase
            """
        ).sorted()
    }
}
