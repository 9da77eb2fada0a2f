import Foundation
import Strata
import StrataBrowsing
import StrataTestSupport
import Testing

/// Objects whose keys are UUIDs, and such that refer to them, as a browser shows and changes them.
@Suite struct BrowsedKeysTests {
    @Model final class Sender {
        @Attribute(.primaryKey) var id: UUID = UUID.v7()
        @Attribute(.unique, .preserveValueOnDeletion) var name: String
        @Relationship(deleteRule: .cascade, inverse: \Letter.sender) var letters: [Letter] = []
        var friends: [Sender] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Letter {
        var title: String
        var sender: Sender?
        @Relationship(deleteRule: .cascade, inverse: \Stamp.letter) var stamps: [Stamp] = []
        init(_ title: String) { self.title = title }
    }

    @Model final class Stamp {
        @Attribute(.primaryKey) var id: UUID = UUID.v7()
        var title: String
        var letter: Letter?
        init(_ title: String) { self.title = title }
    }

    @Model final class Shelf {
        @Attribute(.primaryKey) var number: Int
        var title: String = ""
        init(_ number: Int) { self.number = number }
    }

    private static let models = Schema(Sender.self, Letter.self, Stamp.self, Shelf.self)

    private func withSenders(
        knowingModels: Bool, _ body: (TestDatabase, StoreBrowser, StoredSchema, [String: UUID]) async throws -> Void
    ) async throws {
        try await withTestDatabase("browsed_keys") { database in
            let container = try await ModelContainer(
                for: Self.models, configurations: [ModelConfiguration(url: try #require(database.foundationURL))])
            let context = ModelContext(container)
            let (ann, ben) = (Sender("Ann"), Sender("Ben"))
            ann.friends = [ben]
            ann.letters = [Letter("one"), Letter("two")]
            ann.letters[0].stamps = [Stamp("red"), Stamp("blue")]
            context.insert(ann)
            context.insert(Shelf(7))
            try await context.save()
            let ids = ["Ann": ann.id, "Ben": ben.id]
            await container.close()
            let browser = try StoreBrowser(
                url: database.url, models: knowingModels ? Self.models : nil, allowsEdits: true)
            do { try await body(database, browser, try await browser.schema(named: "public"), ids) } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    private func key(_ name: String, _ ids: [String: UUID]) throws -> StoredKey {
        try #require(ids[name].flatMap { StoredKey($0) })
    }

    @Test func `a key is what the database writes`() throws {
        let uuid = try #require(UUID(uuidString: "0190163D-8694-739B-AEA5-966C26F8AD91"))
        let key = StoredKey(uuid)
        #expect(String(key) == "0190163d-8694-739b-aea5-966c26f8ad91")
        #expect(StoredKey("4711") == 4711 && StoredKey(4711).description == "4711")
        #expect(StoredKey("Ann")?.description == "Ann" && StoredKey("a\0") == nil)
        #expect(StoredKey("\u{E9}") != StoredKey("e\u{301}"))
    }

    @Test(arguments: [true, false])
    func `objects are listed, found and followed in both directions`(knowingModels: Bool) async throws {
        try await withSenders(knowingModels: knowingModels) { _, browser, schema, ids in
            #expect(schema.source == (knowingModels ? .models : .history))
            let (ann, ben) = (try key("Ann", ids), try key("Ben", ids))
            let first = try await browser.objects(of: "Sender", in: schema, limit: 1)
            let second = try await browser.objects(of: "Sender", in: schema, after: first.next, limit: 1)
            #expect(first.objects.map(\.key) + second.objects.map(\.key) == [ann, ben].sorted())
            #expect(second.next == nil)
            let found = try #require(try await browser.object(ann, of: "Sender", in: schema))
            #expect(found.values["name"]?.text == "Ann")
            let capitals = try #require(StoredKey(ann.description.uppercased()))
            #expect(try await browser.object(capitals, of: "Sender", in: schema)?.key == ann)
            #expect(try await browser.history(of: capitals, of: "Sender", in: schema).changes.count == 1)
            #expect(try await browser.object(4, of: "Sender", in: schema) == nil)
            #expect(try await browser.object(ann, of: "Letter", in: schema) == nil)
            #expect(try await browser.labels(of: [ann, ben, 3], of: "Sender", in: schema) == [ann: "Ann", ben: "Ben"])

            let letter = try #require(try await browser.objects(of: "Letter", in: schema).objects.first)
            #expect(letter.values["sender"]?.text == ann.description)
            let sender = try #require(schema.storedClass(named: "Letter")?.properties.first { $0.name == "sender" })
            #expect(sender.destination == "Sender")
            // Without the models, a relationship to many is known by the key that leads back.
            let letters = try #require(
                schema.storedClass(named: "Sender")?.relationships
                    .first { $0.name == (knowingModels ? "letters" : "Letter.sender") })
            let both = try await browser.related(to: ann, by: letters, in: schema).objects.map(\.key)
            #expect(both.count == 2 && both.first == letter.key && both == both.sorted())
            let friends = try #require(
                schema.storedClass(named: "Sender")?.relationships.first { $0.name == "friends" })
            #expect(try await browser.related(to: ann, by: friends, in: schema).objects.map(\.key) == [ben])
            let stamps = try #require(
                schema.storedClass(named: "Letter")?.relationships
                    .first { $0.name == (knowingModels ? "stamps" : "Stamp.letter") })
            var count = 0
            for key in both { count += try await browser.related(to: key, by: stamps, in: schema).objects.count }
            #expect(count == 2)
        }
    }

    @Test(arguments: ["bigint", "uuid"])
    func `a foreign key to another column than the key leads to no object, and takes nobody's rows along`(
        type: String
    ) async throws {
        try await withTestDatabase("browsed_references") { database in
            let (five, six) =
                type == "uuid" ? ("'\(UUID())'", "'\(UUID())'") : ("5", "6")
            try await database.execute(
                "CREATE TABLE users (id \(type) PRIMARY KEY, number int UNIQUE)",
                "CREATE TABLE orders (id bigint PRIMARY KEY, user_number int REFERENCES users (number) ON DELETE CASCADE)",
                "INSERT INTO users VALUES (\(five), 50), (\(six), 5)", "INSERT INTO orders VALUES (1, 5), (2, 50)")
            let browser = try StoreBrowser(url: database.url, allowsEdits: true)
            do {
                let schema = try await browser.schema(named: "public")
                #expect(schema.source == .tables)
                #expect(schema.storedClass(named: "users")?.relationships.isEmpty == true)
                let number = schema.storedClass(named: "orders")?.properties.first { $0.name == "user_number" }
                #expect(number?.destination == nil)
                let key = try #require(StoredKey(five.filter { $0 != "'" }))
                let mark = try #require(try await browser.mark(of: key, of: "users", in: schema))
                try await browser.delete(key, of: "users", mark: mark, in: schema)
                // The server takes along what refers to the row, and nothing else.
                #expect(try await database.texts("SELECT id::text FROM orders") == ["1"])
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    @Test func `objects of two classes with the same key are two changes of a transaction`() async throws {
        try await withSenders(knowingModels: true) { database, browser, schema, _ in
            let container = try await ModelContainer(
                for: Self.models, configurations: [ModelConfiguration(url: try #require(database.foundationURL))])
            let context = ModelContext(container)
            let (sender, stamp) = (Sender("Eve"), Stamp("green"))
            stamp.id = sender.id
            context.insert(sender)
            context.insert(stamp)
            try await context.save()
            await container.close()
            let changes = try await browser.latestChanges(in: schema).changes.filter { $0.key == StoredKey(sender.id) }
            #expect(changes.map(\.className).sorted() == ["Sender", "Stamp"])
        }
    }

    @Test func `objects are made, changed and deleted with all that goes along`() async throws {
        try await withSenders(knowingModels: true) { database, browser, schema, ids in
            let ann = try key("Ann", ids)
            let made = try await browser.create(
                [InitialValue(property: "name", source: .text("Cid"))], of: "Sender", in: schema)
            #expect(made.description.dropFirst(14).first == "7")
            let value = try await browser.editableValue(of: "name", key: made, of: "Sender", in: schema)
            try await browser.save(
                PropertyEdit(className: "Sender", key: made, property: "name", mark: value.mark, value: "Dan"),
                in: schema)
            #expect(try await browser.object(made, of: "Sender", in: schema)?.values["name"]?.text == "Dan")
            await #expect(throws: BrowsingError.self) {
                _ = try await browser.editableValue(of: "name", key: 5, of: "Sender", in: schema)
            }
            let refused = await #expect(throws: BrowsingError.self) {
                _ = try await browser.create([], of: "Shelf", in: schema)
            }
            #expect(refused?.code == .refused && refused?.message.contains("from the application") == true)
            let title = InitialValue(property: "title", source: .text("Art"))
            #expect(try await browser.create([title], key: 9, of: "Shelf", in: schema) == 9)

            // The letters and their stamps go along: three hierarchies with keys of two kinds.
            let mark = try #require(try await browser.mark(of: ann, of: "Sender", in: schema))
            #expect(try await browser.mark(of: 1, of: "Sender", in: schema) == nil)
            try await browser.delete(ann, of: "Sender", mark: mark, in: schema)
            #expect(
                try await database.texts(
                    """
                    SELECT (SELECT string_agg(name, ',' ORDER BY name) FROM sender) || ' ' || (SELECT count(*) FROM letter) || ' '
                    || (SELECT count(*) FROM stamp)
                    """) == ["Ben,Dan 0 0"])

            let changes = try await browser.history(of: ann, of: "Sender", in: schema).changes
            #expect(changes.map(\.kind) == [.delete, .insert])
            #expect(changes.map(\.key) == [ann, ann])
            #expect(changes.first?.preserved == ["name": "Ann"])
            let latest = try await browser.latestChanges(in: schema).changes
            #expect(
                latest.filter { $0.kind == .delete }.map(\.className).sorted() == [
                    "Letter", "Letter", "Sender", "Stamp", "Stamp",
                ])
            #expect(latest.allSatisfy { $0.key != nil })
        }
    }
}
