import Foundation
import Strata
import StrataBrowsing
import StrataTestSupport
import Testing

/// Objects whose keys are texts and values of several columns, and such that refer to them, as a browser shows and changes them.
@Suite struct BrowsedTextKeysTests {
    @Model final class Article {
        @Attribute(.primaryKey) var code: String
        var title: String
        @Relationship(deleteRule: .deny, inverse: \Line.article) var lines: [Line] = []
        init(_ code: String, _ title: String) {
            self.code = code
            self.title = title
        }
    }

    @Model final class Purchase {
        var number: Int
        @Relationship(deleteRule: .cascade, inverse: \Line.purchase) var lines: [Line] = []
        init(_ number: Int) { self.number = number }
    }

    @Model final class Line {
        #PrimaryKey<Line>([\.purchase, \.article])
        var purchase: Purchase
        var article: Article
        var quantity: Int
        @Relationship(deleteRule: .cascade, inverse: \Remark.line) var remarks: [Remark] = []
        init(_ purchase: Purchase, _ article: Article, _ quantity: Int) {
            self.purchase = purchase
            self.article = article
            self.quantity = quantity
        }
    }

    @Model final class Remark {
        var text: String
        var line: Line
        init(_ text: String, _ line: Line) {
            self.text = text
            self.line = line
        }
    }

    private static let models = Schema(Article.self, Purchase.self, Line.self, Remark.self)
    /// Longer than any text that a list shows, and of characters that JSON and addresses write otherwise.
    private static let long = #"a "quoted"/% \#(String(repeating: "long ", count: 60))code"#

    private func withLines(
        knowingModels: Bool = true, _ body: (TestDatabase, StoreBrowser, StoredSchema) async throws -> Void
    ) async throws {
        try await withTestDatabase("browsed_texts") { database in
            let container = try await ModelContainer(
                for: Self.models, configurations: [ModelConfiguration(url: try #require(database.foundationURL))])
            let context = ModelContext(container)
            let (tea, rice) = (Article("tea", "Tea"), Article(Self.long, "Rice"))
            let (first, second) = (Purchase(1), Purchase(2))
            for object in [tea, rice] { context.insert(object) }
            for object in [first, second] { context.insert(object) }
            try await context.save()
            let lines = [Line(first, tea, 1), Line(first, rice, 2), Line(second, tea, 3)]
            for line in lines { context.insert(line) }
            try await context.save()
            context.insert(Remark("hot", lines[0]))
            context.insert(Remark("cold", lines[1]))
            try await context.save()
            await container.close()
            let browser = try StoreBrowser(
                url: database.url, models: knowingModels ? Self.models : nil, allowsEdits: true)
            do { try await body(database, browser, try await browser.schema(named: "public")) } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    /// The key of a line, as the server writes it.
    private func line(_ number: Int, _ code: String, _ database: TestDatabase) async throws -> StoredKey {
        let texts = try await database.texts(
            """
            SELECT (to_jsonb(l.purchase) || to_jsonb(l.article))::text FROM line l JOIN purchase p ON p.pk = l.purchase
            WHERE p.number = \(number) AND l.article LIKE '\(code)%'
            """)
        return try #require(texts.first.flatMap { StoredKey($0) })
    }

    @Test(arguments: [true, false])
    func `objects are listed, found and followed in both directions`(knowingModels: Bool) async throws {
        try await withLines(knowingModels: knowingModels) { database, browser, schema in
            #expect(schema.source == (knowingModels ? .models : .history))
            let (tea, rice) = (try #require(StoredKey("tea")), try #require(StoredKey(Self.long)))
            #expect(try await browser.objects(of: "Article", in: schema).objects.map(\.key) == [rice, tea])
            #expect(try await browser.object(tea, of: "Article", in: schema)?.values["title"]?.text == "Tea")
            #expect(try await browser.object(4711, of: "Article", in: schema) == nil)
            #expect(
                try await browser.labels(of: [tea, rice, 3], of: "Article", in: schema).count == 2)

            // A key of several columns is one value. Pages go by its columns.
            let storedLine = try schema.requireClass("Line")
            #expect(storedLine.keyColumns == ["purchase", "article"])
            var (found, after): ([StoredKey], PagePosition?) = ([], nil)
            repeat {
                let page = try await browser.objects(of: "Line", in: schema, after: after, limit: 1)
                found += page.objects.map(\.key)
                after = page.next
            } while after != nil
            let key = try await line(1, "a", database)
            #expect(found.count == 3 && found[0] == key)
            let object = try #require(try await browser.object(key, of: "Line", in: schema))
            #expect(object.values["quantity"]?.text == "2")
            // What refers to an object is its whole key, however long.
            #expect(object.values["article"]?.text == Self.long)
            let remark = try #require(
                try await browser.objects(
                    of: "Remark", in: schema,
                    where: [
                        PropertyFilter(property: "text", comparison: .equal, value: "cold")
                    ]
                ).objects.first)
            #expect(remark.values["line"]?.text.flatMap { StoredKey($0) } == key)

            let remarks = try #require(
                storedLine.relationships.first { $0.name == (knowingModels ? "remarks" : "Remark.line") })
            #expect(remarks.storage == .foreignKey(columns: ["line_purchase", "line_article"], of: "Remark"))
            #expect(try await browser.related(to: key, by: remarks, in: schema).objects.map(\.key) == [remark.key])
            let lines = try #require(
                schema.storedClass(named: "Article")?.relationships
                    .first { $0.name == (knowingModels ? "lines" : "Line.article") })
            let first = try await browser.related(to: tea, by: lines, in: schema, limit: 1)
            let second = try await browser.related(to: tea, by: lines, in: schema, after: first.next, limit: 1)
            let ofTea = [try await line(1, "tea", database), try await line(2, "tea", database)]
            #expect(first.objects.map(\.key) + second.objects.map(\.key) == ofTea)
        }
    }

    @Test(arguments: ["", "tea", "4711", "[1]", "[1, 2]", #"["1", "tea"]"#, "[1, \"tea\", 3]", #"[1, "\u0000"]"#, "{"])
    func `a text that no key of several columns is finds no object`(text: String) async throws {
        try await withLines { _, browser, schema in
            let key = try #require(StoredKey(text))
            #expect(try await browser.object(key, of: "Line", in: schema) == nil)
            #expect(try await browser.mark(of: key, of: "Line", in: schema) == nil)
            #expect(try await browser.labels(of: [key], of: "Line", in: schema).isEmpty)
            #expect(try await browser.history(of: key, of: "Line", in: schema).changes.isEmpty)
        }
    }

    @Test func `objects are made and changed, and their histories read`() async throws {
        try await withLines { database, browser, schema in
            #expect(
                try ["Article", "Line", "Remark"].map { schema.asksForKey(of: try schema.requireClass($0)) } == [
                    true, false, false,
                ])
            let made = try await browser.create(
                [InitialValue(property: "title", source: .text("Salt"))], key: StoredKey("salt"),
                of: "Article", in: schema)
            #expect(made.description == "salt")
            let refused = await #expect(throws: BrowsingError.self) {
                _ = try await browser.create(
                    [InitialValue(property: "title", source: .text("Salt"))], of: "Article", in: schema)
            }
            #expect(
                refused?.message
                    == "An object of Article gets its key from the application: give one, make the object there, or give article.code a default."
            )
            let number = try #require(try await database.texts("SELECT pk::text FROM purchase WHERE number = 2").first)
            let line = try await browser.create(
                [
                    InitialValue(property: "purchase", source: .text(number)),
                    InitialValue(property: "article", source: .text("salt")),
                    InitialValue(property: "quantity", source: .text("9")),
                ], of: "Line", in: schema)
            #expect(line.description == #"[\#(number), "salt"]"#)
            let final = await #expect(throws: BrowsingError.self) {
                _ = try await browser.editableValue(of: "article", key: line, of: "Line", in: schema)
            }
            #expect(final?.message == "Line.article is part of the key, which is final.")
            let value = try await browser.editableValue(of: "quantity", key: line, of: "Line", in: schema)
            try await browser.save(
                PropertyEdit(className: "Line", key: line, property: "quantity", mark: value.mark, value: "10"),
                in: schema)
            #expect(try await browser.object(line, of: "Line", in: schema)?.values["quantity"]?.text == "10")
            let history = try await browser.history(of: line, of: "Line", in: schema).changes
            #expect(history.map(\.kind) == [.update, .insert] && history.map(\.key) == [line, line])
            #expect(try await browser.history(of: made, of: "Article", in: schema).changes.map(\.key) == [made])
            // As somebody types it: the object is the same one, and so is its history.
            let typed = try #require(StoredKey(#"[ \#(number),"\u0073alt" ]"#))
            #expect(try await browser.object(typed, of: "Line", in: schema)?.key == line)
            #expect(try await browser.history(of: typed, of: "Line", in: schema).changes == history)
            let storedLine = try schema.requireClass("Line")
            #expect(
                storedLine.properties.filter { schema.isEditable($0, of: storedLine) }.map(\.name) == ["quantity"])

            let remark = try #require(try await browser.objects(of: "Remark", in: schema).objects.first)
            let error = await #expect(throws: BrowsingError.self) {
                _ = try await browser.editableValue(of: "line", key: remark.key, of: "Remark", in: schema)
            }
            #expect(error?.message == "Remark.line has several columns, which cannot be edited here.")
        }
    }

    @Test func `a deletion takes along and is forbidden across keys of texts and of several columns`() async throws {
        try await withLines { database, browser, schema in
            #expect(schema.knowsDeleteRules)
            let tea = try #require(StoredKey("tea"))
            let ofTea = try #require(try await browser.mark(of: tea, of: "Article", in: schema))
            let forbidden = await #expect(throws: BrowsingError.self) {
                try await browser.delete(tea, of: "Article", mark: ofTea, in: schema)
            }
            #expect(forbidden?.message.contains("Article.lines leads to 2 objects") == true)
            // The purchase takes its lines along, and they their remarks.
            let purchase = try #require(
                try await database.texts("SELECT pk::text FROM purchase WHERE number = 1").first.flatMap {
                    StoredKey($0)
                })
            let mark = try #require(try await browser.mark(of: purchase, of: "Purchase", in: schema))
            try await browser.delete(purchase, of: "Purchase", mark: mark, in: schema)
            let left = "SELECT (SELECT count(*) FROM line) || ' ' || (SELECT count(*) FROM remark)"
            #expect(try await database.texts(left) == ["1 0"])
            let line = try await line(2, "tea", database)
            let ofLine = try #require(try await browser.mark(of: line, of: "Line", in: schema))
            try await browser.delete(line, of: "Line", mark: ofLine, in: schema)
            try await browser.delete(tea, of: "Article", mark: ofTea, in: schema)
            #expect(try await database.texts(left) == ["0 0"])
            #expect(try await browser.history(of: tea, of: "Article", in: schema).changes.first?.kind == .delete)
        }
    }

    @Test func `tables that nobody described are classes with such keys, and lead to each other`() async throws {
        try await withTestDatabase("browsed_tables") { database in
            try await database.execute(
                "CREATE TABLE country (code varchar(2) PRIMARY KEY, title text NOT NULL)",
                """
                CREATE TABLE city (country varchar(2) REFERENCES country, number int, title text, PRIMARY KEY (country, number))
                """,
                """
                CREATE TABLE street (id bigint PRIMARY KEY, country varchar(2), city int,
                  CONSTRAINT city_of_street FOREIGN KEY (country, city) REFERENCES city ON DELETE CASCADE)
                """,
                "INSERT INTO country VALUES ('de', 'Germany')", "INSERT INTO city VALUES ('de', 7, 'Jena')",
                "INSERT INTO street VALUES (1, 'de', 7), (2, 'de', NULL)")
            let browser = try StoreBrowser(url: database.url, allowsEdits: true)
            do {
                let schema = try await browser.schema(named: "public")
                #expect(schema.source == .tables && schema.classes.map(\.name) == ["city", "country", "street"])
                let jena = try #require(StoredKey(#"["de", 7]"#))
                let streets = try await browser.objects(of: "street", in: schema).objects
                #expect(streets.map { $0.values["city_of_street"]?.text } == [jena.description, nil])
                let city = try schema.requireClass("city")
                #expect(city.properties.map(\.name) == ["country", "number", "title"])
                #expect(city.relationships.map(\.name) == ["street.city_of_street"])
                let found = try await browser.related(to: jena, by: city.relationships[0], in: schema)
                #expect(found.objects.map(\.key) == [1])
                let mark = try #require(try await browser.mark(of: jena, of: "city", in: schema))
                try await browser.delete(jena, of: "city", mark: mark, in: schema)
                #expect(try await database.texts("SELECT id::text FROM street") == ["2"])
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }
}
