import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private class Article {
    #Index<Article>(.fullText([\.title, \.body], language: "english"))
    var title: String
    var body: String?
    var year: Int
    @Relationship(inverse: \Remark.article) var remarks: [Remark] = []
    init(_ title: String, _ body: String? = nil, year: Int = 2024) {
        (self.title, self.body, self.year) = (title, body, year)
    }
}

@Model private final class Review: Article {
    #Index<Review>(.fullText([\.verdict], language: "english"))
    var verdict: String
    init(_ title: String, verdict: String) {
        self.verdict = verdict
        super.init(title)
    }
}

@Model private final class Dispatch {
    #Index<Dispatch>(.fullText([\.headline, \.text], weights: [.a, .d], language: "english"))
    var headline: String
    var text: String?
    init(_ headline: String, _ text: String?) { (self.headline, self.text) = (headline, text) }
}

private enum WrongWeights {
    @Model final class Letter {
        #Index<Letter>(.fullText([\.title, \.body], weights: [.a]))
        var title: String = ""
        var body: String = ""
        init() {}
    }
}

@Model private final class Remark {
    @Attribute(.spotlight) var text: String
    var article: Article?
    init(_ text: String, on article: Article) {
        self.text = text
        self.article = article
    }
}

@Suite struct FullTextTests {
    private func withArticles(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Article.self, Review.self, Remark.self) { store in
            let context = ModelContext(store.container)
            let garden = Article("Kyoto", "The gardens of the old temples, and how they are raked.")
            context.insert(garden)
            context.insert(Article("Gardens of Kyoto, Kyoto's gardens", nil, year: 2020))
            context.insert(Article("Paris", "No garden here."))
            context.insert(Review("A guide to Kyoto", verdict: "Gardening at its best"))
            context.insert(Remark("Quiet place", on: garden))
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func titles(_ context: ModelContext, _ text: String) async throws -> [String] {
        try await context.fetch(
            FetchDescriptor<Article>(predicate: #Predicate { $0.matches(text) }, sortBy: [SortDescriptor(\.title)]),
            selecting: \.title)
    }

    @Test func `all words have to be there, in any form and any of the texts`() async throws {
        try await withArticles { store, context in
            let found = try await titles(context, "garden kyoto")
            #expect(found == ["Gardens of Kyoto, Kyoto's gardens", "Kyoto"])
            #expect(
                store.lastSQL == """
                    SELECT t0.title FROM article AS t0 WHERE to_tsvector('english'::regconfig, COALESCE(t0.title, '') || ' ' \
                    || COALESCE(t0.body, '')) @@ websearch_to_tsquery('english'::regconfig, $1::text) \
                    ORDER BY t0.title COLLATE C ASC, t0.pk
                    """)
            #expect(store.recorder.roundTrips == 1)
            #expect(try await titles(context, "paris or temple") == ["Kyoto", "Paris"])
            #expect(try await titles(context, "\"old temple\" -paris") == ["Kyoto"])
            #expect(try await titles(context, "garden -temple -paris") == ["Gardens of Kyoto, Kyoto's gardens"])
            #expect(try await titles(context, "'; DROP TABLE article --").isEmpty)
            #expect(try await titles(context, "the").isEmpty)
        }
    }

    @Test func `an update by words is for saved objects`() async throws {
        try await withArticles { store, context in
            let update = try context.update(
                model: Article.self, where: #Predicate { $0.matches("garden") }, .set(\.year, to: 1999))
            try await context.save()
            #expect(update.count == 3)
            context.insert(Article("A new garden"))
            let error = #expect(throws: SwiftDataError.self) {
                try context.update(
                    model: Article.self, where: #Predicate { $0.matches("garden") }, .set(\.year, to: 2000))
            }
            #expect(error?.code == .unsupportedFeature)
            #expect(
                error?.message == """
                    An update of Article by predicate looks for words, which only PostgreSQL knows, and an object with unsaved changes is \
                    looked at in memory. Call save() first (within a transaction that commits nothing).
                    """)
            try await context.save()
            try context.update(model: Article.self, where: #Predicate { $0.matches("new") }, .set(\.year, to: 2000))
            try await context.save()
            let years = try await context.fetch(
                FetchDescriptor<Article>(predicate: #Predicate { $0.year < 2001 }, sortBy: [SortDescriptor(\.title)]),
                selecting: \.year)
            #expect(years == [2000, 1999, 1999, 1999])
        }
    }

    @Test func `a subclass has its own texts and those of the class above`() async throws {
        try await withArticles { _, context in
            let reviews = try await context.fetch(
                FetchDescriptor<Review>(predicate: #Predicate { $0.matches("kyoto garden") }), selecting: \.title)
            #expect(reviews == ["A guide to Kyoto"])
        }
    }

    @Test func `other objects are searched along a path, by the words of spotlight`() async throws {
        try await withArticles { store, context in
            let found = try await context.fetch(
                FetchDescriptor<Remark>(
                    predicate: #Predicate { $0.matches("QUIET") && $0.article?.matches("rake") == true }),
                selecting: \.text)
            #expect(found == ["Quiet place"])
            #expect(
                store.lastSQL.contains("to_tsvector('simple'::regconfig, COALESCE(t0.text, ''))"), "\(store.lastSQL)")
            // `simple` knows no forms of a word.
            let none = try await context.fetchCount(
                FetchDescriptor<Remark>(predicate: #Predicate { $0.matches("places") }))
            #expect(none == 0)
            let discussed = try await context.fetch(
                FetchDescriptor<Article>(predicate: #Predicate { $0.remarks.contains { $0.matches("place") } }),
                selecting: \.title)
            #expect(discussed == ["Kyoto"])
        }
    }

    @Test func `the rank is an order, a value and a place for pages`() async throws {
        try await withArticles { store, context in
            var descriptor = FetchDescriptor<Article>(predicate: #Predicate { $0.matches("kyoto garden") })
            descriptor.orderBy = [.reverse(.rank("kyoto garden"))]
            let articles = try await context.fetch(descriptor)
            #expect(articles.map(\.title) == ["Gardens of Kyoto, Kyoto's gardens", "Kyoto"])
            #expect(store.lastSQL.contains("ORDER BY ts_rank(to_tsvector('english'::regconfig, "), "\(store.lastSQL)")
            let ranks = try await context.fetch(
                descriptor, selecting: .value(\.title), .rank("kyoto garden"))
            #expect(ranks.map(\.0) == articles.map(\.title))
            #expect(ranks[0].1 > ranks[1].1 && ranks[1].1 > 0)
            let first = try await context.fetchPage(descriptor, size: 1)
            let second = try await context.fetchPage(descriptor, after: first.next, size: 1)
            #expect((first.objects + second.objects).map(\.title) == articles.map(\.title))
            #expect(second.next == nil)
        }
    }

    @Test func `words of some properties count for more`() async throws {
        try await withModelStore(Dispatch.self) { store in
            let context = ModelContext(store.container)
            context.insert(Dispatch("Weather", "A storm over the harbour."))
            context.insert(Dispatch("Storm at night", "Ships stay in port."))
            context.insert(Dispatch("Storm", nil))
            try await context.save()
            let words = "storm"
            var descriptor = FetchDescriptor<Dispatch>(predicate: #Predicate { $0.matches(words) })
            descriptor.orderBy = [.reverse(.rank(words))]
            let found = try await context.fetch(descriptor, selecting: .value(\.headline), .rank(words))
            #expect(found.map(\.0).last == "Weather")
            #expect(found.map(\.1).first! > 0.6 && found.map(\.1).last! < 0.07, "\(found)")
            let vector = """
                (setweight(to_tsvector('english'::regconfig, COALESCE(t0.headline, '')), 'A') || \
                setweight(to_tsvector('english'::regconfig, COALESCE(t0.text, '')), 'D'))
                """
            #expect(
                store.lastSQL.contains("WHERE \(vector) @@ websearch_to_tsquery('english'::regconfig, $"),
                "\(store.lastSQL)")
            let plan = try await context.explain(descriptor, avoidsSequentialScans: true)
            #expect(plan.indexes == ["dispatch_headline_text_idx"], "\(plan)")
            // The server's own words for it are understood: nothing is missing, and nothing is another index.
            let again = try await store.reopened(Schema([Dispatch.self]))
            await again.close()
        }
    }

    @Test func `each property has its weight`() throws {
        #expect {
            _ = try ModelContainer(
                for: Schema([WrongWeights.Letter.self]),
                configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        } throws: {
            "\($0)".contains("its index for full text has 1 weights for 2 properties")
        }
    }

    @Test func `the part of a text in which the words stand is a value`() async throws {
        try await withArticles { store, context in
            let words = "garden or quiet"
            let found = try await context.fetch(
                FetchDescriptor<Article>(
                    predicate: #Predicate { $0.matches(words) }, sortBy: [SortDescriptor(\.title)]),
                selecting: .value(\.title), .excerpt(of: \.body, matching: words, start: "[\"", end: "\\]", words: 6),
                .excerpt(of: \.title, matching: words))
            #expect(found.map(\.1) == [nil, "[\"gardens\\] of the old temples", "[\"garden\\] here"], "\(found)")
            #expect(
                found.map(\.2) == ["<b>Gardens</b> of Kyoto, Kyoto's <b>gardens</b>", "Kyoto", "Paris"], "\(found)")
            #expect(
                store.lastSQL.hasPrefix(
                    """
                    SELECT t0.title, ts_headline('english'::regconfig, t0.body, websearch_to_tsquery('english'::regconfig, $1::text), $2::text), \
                    ts_headline('english'::regconfig, t0.title, websearch_to_tsquery('english'::regconfig, $3::text), $4::text) FROM article AS t0
                    """), "\(store.lastSQL)")
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(
                    FetchDescriptor<Article>(), selecting: .excerpt(of: \.title, matching: "x", words: 1))
            }
            #expect(error?.message == "An excerpt of Article.title is to have 1 words; it can have 2 to 10000.")
        }
    }

    @Test func `an index finds the words`() async throws {
        try await withArticles { _, context in
            let plan = try await context.explain(
                FetchDescriptor<Article>(predicate: #Predicate { $0.matches("kyoto garden") }),
                avoidsSequentialScans: true)
            #expect(plan.indexes.contains("article_title_body_idx"), "\(plan)")
            let remarks = try await context.explain(
                FetchDescriptor<Remark>(predicate: #Predicate { $0.matches("quiet") }), avoidsSequentialScans: true)
            #expect(remarks.indexes.contains("remark_text_idx"), "\(remarks)")
        }
    }

    @Test func `unsaved changes are searched as they are`() async throws {
        try await withArticles { _, context in
            let paris = try #require(
                try await context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.title == "Paris" })).first)
            paris.body = "Some gardens resemble those of Kyoto."
            context.insert(Article("Kyoto garden"))
            #expect(
                try await titles(context, "garden kyoto")
                    == ["Gardens of Kyoto, Kyoto's gardens", "Kyoto", "Kyoto garden", "Paris"])
        }
    }

    @Test func `the server's own index is recognized, and a missing one is advice`() async throws {
        try await withArticles { store, _ in
            // Opened again, the schema finds what it needs.
            let again = try await store.reopened(Schema([Article.self, Review.self, Remark.self]))
            await again.close()
            let printed = try await store.database.texts(
                "SELECT pg_get_indexdef(indexrelid, 1, true) FROM pg_index WHERE indexrelid = 'article_title_body_idx'::regclass"
            )
            #expect(
                printed == [
                    "to_tsvector('english'::regconfig, (COALESCE(title, ''::text) || ' '::text) || COALESCE(body, ''::text))"
                ])
        }
    }

    @Test func `a cursor belongs to the words of its rank, and to the constants of its expression`() async throws {
        try await withArticles { _, context in
            var descriptor = FetchDescriptor<Article>(sortBy: [SortDescriptor(\.title)])
            descriptor.orderBy = [.reverse(.rank("kyoto"))]
            let page = try await context.fetchPage(descriptor, size: 1)
            descriptor.orderBy = [.reverse(.rank("garden"))]
            let other = descriptor
            await #expect(throws: SwiftDataError.invalidPageCursor) {
                _ = try await context.fetchPage(other, after: page.next, size: 1)
            }
            func order(_ factor: Int) -> FetchDescriptor<Article> {
                var descriptor = FetchDescriptor<Article>()
                descriptor.orderBy = [.forward(.value(#Expression<Article, Int> { $0.year * factor }))]
                return descriptor
            }
            let first = try await context.fetchPage(order(2), size: 1)
            #expect(try await context.fetchPage(order(2), after: first.next, size: 9).objects.count == 3)
            for other in [order(-2), order(1)] {
                await #expect(throws: SwiftDataError.invalidPageCursor) {
                    _ = try await context.fetchPage(other, after: first.next, size: 1)
                }
            }
        }
    }

    @Test func `unsaved changes that come up between the pages of a stream do not end it`() async throws {
        try await withArticles { _, context in
            var descriptor = FetchDescriptor<Article>(predicate: #Predicate { $0.year > 0 })
            descriptor.orderBy = [.forward(.value(#Expression<Article, Bool> { $0.remarks.isEmpty }))]
            var page = try await context.fetchPage(descriptor, size: 1)
            var titles = page.objects.map(\.title)
            while let next = page.next {
                context.insert(Remark("unsaved", on: page.objects[0]))
                page = try await context.fetchPage(descriptor, after: next, size: 1)
                titles += page.objects.map(\.title)
            }
            #expect(titles.count == 4)
        }
    }

    @Test func `a text with too many words is refused by the name of its property`() async throws {
        try await withArticles { _, context in
            let words = (0..<250_000).map { "w\($0)" }.joined(separator: " ")
            context.insert(Article("long", words))
            var error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue && error?.sqlState == "54000")
            #expect(
                error?.message.hasPrefix(
                    "Article.title, Article.body cannot be searched: the words of an object's texts take more than 1 MB together"
                )
                    == true)
            context.rollback()
            let remark = try #require(try await context.fetch(FetchDescriptor<Remark>()).first)
            remark.text = words
            error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.message.hasPrefix("Remark.text cannot be searched") == true)
        }
    }

    @Test func `in memory it is an error that says what to do`() async throws {
        let article = Article("Kyoto")
        let predicate = #Predicate<Article> { $0.matches("kyoto") }
        #expect(throws: SwiftDataError.unsupportedFeature) { try predicate.evaluate(article) }
        let error = #expect(throws: SwiftDataError.self) { try article.matches("kyoto") }
        #expect(
            error?.description.contains("Fetch with a predicate that contains it, or use localizedStandardContains")
                == true
        )
    }

    @Test func `a class without texts is refused`() async throws {
        try await withVoyages { store, context in
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Voyage>(predicate: #Predicate { $0.matches("kyoto") }))
            }
            #expect(error?.code == .unsupportedPredicate)
            #expect(
                error?.description.contains(
                    "mark its properties @Attribute(.spotlight), or declare #Index<Voyage>(.fullText([…], language: …))"
                )
                    == true)
            #expect(store.recorder.roundTrips == 0)
        }
    }
}
