import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Views whose objects have properties as their key, and views that lead to objects with keys of several columns.
@Suite struct PartViewTests {
    private typealias Purchase = Parted.Purchase
    private typealias Article = Parted.Article
    private typealias Line = Parted.Line
    private typealias LineValue = PartViews.LineValue

    private func withPurchases(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: PartViews.schema) { store in
            let context = ModelContext(store.container)
            let (tea, salt) = (Article("tea", price: 3), Article("salt", price: 2))
            let (first, second) = (Purchase(1), Purchase(2))
            first.lines = [Line(first, tea, quantity: 4), Line(first, salt)]
            second.lines = [Line(second, salt, quantity: 7)]
            for purchase in [first, second] { context.insert(purchase) }
            try await context.save()
            try await context.refresh(PartViews.ArticleReport.self, concurrently: false)
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    @Test func `properties are the key of a view's objects, and a relationship has the columns of them`() async throws {
        try await withPurchases { store, context in
            let values = try await context.fetch(
                FetchDescriptor<LineValue>(sortBy: [SortDescriptor(\.value), SortDescriptor(\.article)]))
            #expect(values.map { "\($0.article) \($0.value)" } == ["salt 2", "tea 12", "salt 14"])
            #expect(
                store.recorder.statements == [
                    """
                    SELECT (to_jsonb(t0."purchase") || to_jsonb(t0."article"))::text, t0."purchase", t0."article", t0."value", \
                    (to_jsonb(t0."purchase") || to_jsonb(t0."article"))::text FROM "public"."line_value" AS t0 \
                    ORDER BY t0."value" ASC, t0."article" COLLATE "C" ASC, t0."purchase", t0."article"
                    """
                ], "\(store.recorder.statements)")
            #expect(values.map(\.line.quantity) == [1, 4, 7] && values.map(\.purchase.number) == [1, 1, 2])
            // The key is the line's, and finds the row.
            let purchase = values[1].purchase
            let line = try await context.model(Line.self, key: purchase.persistentModelID, "tea")
            #expect(values[1].line === line)
            let other = ModelContext(store.container)
            let again = try await other.model(LineValue.self, key: purchase.persistentModelID, "tea")
            #expect(again.value == 12 && again.persistentModelID == values[1].persistentModelID)
            let known: LineValue? = try await other.existingModel(for: values[2].persistentModelID)
            #expect(known?.value == 14)

            store.recorder.reset()
            let many = try await other.fetch(
                FetchDescriptor<LineValue>(
                    predicate: #Predicate { $0.line.quantity > 1 && $0.purchase.number < 9 },
                    sortBy: [SortDescriptor(\.line.quantity, order: .reverse)]))
            #expect(many.map(\.value) == [14, 12])
            #expect(
                store.recorder.statements.first?.contains(
                    #"JOIN "public"."line" AS t1 ON (t1."purchase", t1."article") = (t0."purchase", t0."article")"#)
                    == true,
                "\(store.recorder.statements)")
            line.quantity = 5
            try await context.save()
            #expect(try await ModelContext(store.container).fetchSum(FetchDescriptor<LineValue>(), of: \.value) == 31)
            let changed = try #require(values.first)
            changed.value = 1
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(refused?.message.contains("are rows of a view (DatabaseView)") == true)
            // Opened again, nothing is missing.
            try await store.reopened(PartViews.schema).close()
        }
    }

    @Test func `columns without a value are no object`() async throws {
        try await withPurchases { store, context in
            let teas = try await context.fetch(
                FetchDescriptor<PartViews.TeaOfPurchase>(sortBy: [SortDescriptor(\.purchase)]))
            #expect(teas.map { $0.tea?.quantity } == [4, nil])
            let without = try await context.fetchCount(
                FetchDescriptor<PartViews.TeaOfPurchase>(predicate: #Predicate { $0.tea == nil }))
            #expect(without == 1)
            // And no key.
            let half = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<PartViews.HalfKeyed>())
            }
            #expect(
                half?.message
                    == "A row of half_keyed has no key: one of its columns number, article, which are it together, has NULL, and no object "
                    + "of HalfKeyed can have that. Give each row a value there.", "\(String(describing: half))")
            let unnamed = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<PartViews.Unnamed>())
            }
            #expect(
                unnamed?.message.hasPrefix(
                    "A row of unnamed has no key: its column article has NULL, and no object of Unnamed can")
                    == true, "\(String(describing: unnamed))")
        }
    }

    /// No foreign key stands behind columns of a view.
    @Test func `what a view leads to need not be there`() async throws {
        try await withPurchases { _, context in
            let all = try await context.fetch(FetchDescriptor<PartViews.Combination>())
            #expect(all.count == 4)
            #expect(all.compactMap { $0.line?.quantity }.sorted() == [1, 4, 7])
            // Of the columns there is a value in each row, of the object there is none in one.
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<PartViews.Combination>(predicate: #Predicate { $0.line == nil })) == 0)
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<PartViews.Combination>(predicate: #Predicate { $0.line?.quantity == nil })) == 1)
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<PartViews.Combination>(predicate: #Predicate { $0.sold == nil })) == 1)
        }
    }

    @Test func `one property is the key, and a relationship has its column`() async throws {
        try await withPurchases { store, context in
            let tea = try await context.model(PartViews.ArticlePrice.self, id: "tea")
            #expect(tea.price == 3 && tea.article.code == "tea")
            #expect(
                store.recorder.statements.first
                    == #"SELECT t0."code", t0."price", t0."code" FROM "public"."article_price" AS t0 WHERE t0."code" = $1::text"#,
                "\(store.recorder.statements)")
            let sorted = try await context.fetch(
                FetchDescriptor<PartViews.ArticlePrice>(sortBy: [SortDescriptor(\.article.price)]))
            #expect(sorted.map(\.code) == ["salt", "tea"] && sorted[1] === tea)
        }
    }

    @Test func `a materialized view has a unique index of its key`() async throws {
        try await withPurchases { store, context in
            #expect(
                try await store.database.texts(
                    "SELECT indexdef FROM pg_indexes WHERE tablename = 'article_report'") == [
                        "CREATE UNIQUE INDEX article_report_code_idx ON public.article_report USING btree (code)"
                    ])
            let tea = try await context.model(PartViews.ArticleReport.self, key: "tea")
            #expect(tea.sold == 4)
            let line = try #require(
                try await context.fetch(FetchDescriptor<Line>(predicate: #Predicate { $0.quantity == 4 })).first)
            line.quantity = 6
            try await context.save()
            try await context.refresh(PartViews.ArticleReport.self)
            #expect(tea.sold == 6)
            #expect(store.recorder.statements.contains { $0.contains("REFRESH MATERIALIZED VIEW CONCURRENTLY") })
            try await store.database.execute("DROP INDEX article_report_code_idx")
            try await store.reopened(PartViews.schema).close()
        }
    }

    @Test func `what such a view cannot have is named when the schema is made`() async {
        func findings(_ types: any PersistentModel.Type...) -> String {
            do {
                _ = try ModelContainer(
                    for: Schema(PartViews.tables + types),
                    configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return ""
            } catch { return "\(error)" }
        }
        let several = findings(PartViews.Several.self)
        #expect(
            several.contains(
                "Several.line: it leads to a key of parts, purchase, article, and a result of its view is the value of one property. Remedy: declare "
                    + "a property for each, and let the relationship have their columns: @Relationship(columns:)"),
            "\(several)")
        #expect(!several.contains("no result of its view is called so"), "\(several)")
        let twice = findings(PartViews.Twice.self)
        #expect(
            twice.contains(
                "Twice: its key is purchase, article, and the definition of its view gives a persistentModelID too. Remedy: remove"
            ),
            "\(twice)")
        #expect(!twice.contains("the definition of its view names"), "\(twice)")
        let doubled = findings(PartViews.Doubled.self)
        #expect(
            doubled.contains("Doubled: its key is code, and the definition of its view gives a persistentModelID too"),
            "\(doubled)")
        let given = findings(PartViews.Given.self)
        #expect(
            given.contains(
                "Given.owner: the definition of its view gives it a column, and it has those of other properties"),
            "\(given)")
        let lacking = findings(PartViews.Lacking.self)
        #expect(lacking.contains("Lacking.article: no result of its view is called so"), "\(lacking)")
        #expect(!lacking.contains("persistentModelID"), "\(lacking)")
    }
}

/// Views of what ``Parted`` has.
enum PartViews {
    static let tables: [any PersistentModel.Type] = [
        Purchase.self, Article.self, Line.self, Parted.Ticket.self, Parted.Seal.self,
    ]
    static let schema = Schema(
        tables + [
            LineValue.self, TeaOfPurchase.self, HalfKeyed.self, ArticlePrice.self, ArticleReport.self, Combination.self,
            Unnamed.self,
        ])

    typealias Purchase = Parted.Purchase
    typealias Article = Parted.Article
    typealias Line = Parted.Line

    /// What a line comes to.
    @Model final class LineValue: DatabaseView {
        #PrimaryKey<LineValue>([\.purchase, \.article])
        static let definition: SQLStatement = """
            SELECT \(\Line.purchase) AS \(column: \LineValue.purchase), \(\Line.article) AS \(column: \LineValue.article), \
            \(\Line.quantity) * \(\Article.price) AS \(column: \LineValue.value)
            FROM \(Line.self) JOIN \(Article.self) ON \(\Article.persistentModelID) = \(\Line.article)
            """
        var purchase: Purchase
        var article: String
        var value: Int
        @Relationship(columns: ["purchase", "article"], inverse: nil) var line: Line
    }

    @Model final class TeaOfPurchase: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Purchase.persistentModelID) AS \(column: \TeaOfPurchase.persistentModelID), \
            \(\Purchase.persistentModelID) AS \(column: \TeaOfPurchase.purchase), \(\Line.article) AS \(column: \TeaOfPurchase.article)
            FROM \(Purchase.self) LEFT JOIN \(Line.self)
            ON \(\Line.purchase) = \(\Purchase.persistentModelID) AND \(\Line.article) = \("tea")
            """
        var purchase: Int
        var article: String?
        @Relationship(columns: ["purchase", "article"], inverse: nil) var tea: Line?
    }

    @Model final class HalfKeyed: DatabaseView {
        #PrimaryKey<HalfKeyed>([\.number, \.article])
        static let definition: SQLStatement = """
            SELECT \(\Purchase.number) AS \(column: \HalfKeyed.number), \(\Line.article) AS \(column: \HalfKeyed.article)
            FROM \(Purchase.self) LEFT JOIN \(Line.self)
            ON \(\Line.purchase) = \(\Purchase.persistentModelID) AND \(\Line.article) = \("tea")
            """
        var number: Int
        var article: String
    }

    @Model final class Unnamed: DatabaseView {
        static let definition: SQLStatement = """
            SELECT nullif(\(\Article.code), \("salt")) AS \(column: \Unnamed.article) FROM \(Article.self)
            """
        @Attribute(.primaryKey) var article: String
    }

    /// Each purchase with each article, bought or not.
    @Model final class Combination: DatabaseView {
        #PrimaryKey<Combination>([\.purchase, \.article])
        static let definition: SQLStatement = """
            SELECT \(\Purchase.persistentModelID) AS \(column: \Combination.purchase), \(\Article.code) AS \(column: \Combination.article), \
            \(\Line.quantity) AS \(column: \Combination.sold)
            FROM \(Purchase.self) CROSS JOIN \(Article.self) LEFT JOIN \(Line.self)
            ON \(\Line.purchase) = \(\Purchase.persistentModelID) AND \(\Line.article) = \(\Article.code)
            """
        var purchase: Purchase
        var article: String
        var sold: Int?
        @Relationship(columns: ["purchase", "article"], inverse: nil) var line: Line?
    }

    @Model final class Doubled: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Article.code) AS \(column: \Doubled.code), \(\Article.code) AS \(column: \Doubled.persistentModelID) \
            FROM \(Article.self)
            """
        @Attribute(.primaryKey) var code: String
    }

    @Model final class ArticlePrice: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Article.code) AS \(column: \ArticlePrice.code), \(\Article.price) AS \(column: \ArticlePrice.price) FROM \(Article.self)
            """
        var price: Int
        @Attribute(.primaryKey) var code: String
        @Relationship(columns: ["code"], inverse: nil) var article: Article
    }

    @Model final class ArticleReport: DatabaseView {
        #PrimaryKey<ArticleReport>([\.code])
        static let isMaterialized = true
        static let definition: SQLStatement = """
            SELECT \(\Line.article) AS \(column: \ArticleReport.code), sum(\(\Line.quantity)) AS \(column: \ArticleReport.sold)
            FROM \(Line.self) GROUP BY \(\Line.article)
            """
        var code: String
        var sold: Int
    }

    @Model final class Several: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Purchase.persistentModelID) AS \(column: \Several.persistentModelID) FROM \(Purchase.self)
            """
        @Relationship(inverse: nil) var line: Line?
    }

    @Model final class Twice: DatabaseView {
        #PrimaryKey<Twice>([\.purchase, \.article])
        static let definition: SQLStatement = """
            SELECT \(\Line.purchase) AS \(column: \Twice.purchase), \(\Line.article) AS \(column: \Twice.article), \
            1 AS \(column: \Twice.persistentModelID) FROM \(Line.self)
            """
        var purchase: Purchase
        var article: String
    }

    @Model final class Given: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Purchase.persistentModelID) AS \(column: \Given.persistentModelID), \
            \(\Purchase.persistentModelID) AS \(column: \Given.purchase), \
            \(\Purchase.persistentModelID) AS \(column: \Given.owner) FROM \(Purchase.self)
            """
        var purchase: Int
        @Relationship(columns: ["purchase"], inverse: nil) var owner: Purchase
    }

    @Model final class Lacking: DatabaseView {
        #PrimaryKey<Lacking>([\.purchase, \.article])
        static let definition: SQLStatement = """
            SELECT \(\Line.purchase) AS \(column: \Lacking.purchase) FROM \(Line.self)
            """
        var purchase: Purchase
        var article: String
    }
}
