import StrataModels
import Testing

@testable import StrataMigrations

/// What a stage declares is done, or refused with a reason; nothing is passed over.
@Suite("Evolution: declared changes") struct DeclaredChangeEvolutionTests {
    enum Value {
        @Model class Person { init() {} }
        @Model class Item {
            var name: String = ""
            var owner: String?
            init() {}
        }
    }
    enum Link {
        @Model class Person { init() {} }
        @Model class Item {
            var name: String = ""
            @Relationship(inverse: nil) var holder: Person?
            init() {}
        }
    }
    enum Elsewhere {
        @Model class Person {
            var owner: String?
            init() {}
        }
        @Model class Item {
            var name: String = ""
            init() {}
        }
    }
    enum Coded {
        @Model class Person { init() {} }
        @Model class Item {
            var name: String = ""
            var owner: String?
            var code: String
            init(code: String) { self.code = code }
        }
    }

    private static let value: [any PersistentModel.Type] = [Value.Person.self, Value.Item.self]
    private static let link: [any PersistentModel.Type] = [Link.Person.self, Link.Item.self]

    // MARK: Renames

    @Test func `a value does not become a link by a rename`() throws {
        let evolution = try Evolution(
            Self.value, Self.link, changes: [.renamed(\Value.Item.owner, to: \Link.Item.holder)])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message.contains("a value cannot become a link") == true)
        #expect(error?.remedy?.contains(".consumed(\\Item.owner)") == true)
        #expect(error?.places == ["Item.owner", "Item.holder"])
    }

    @Test func `a link does not become a value by a rename`() throws {
        let evolution = try Evolution(
            Self.link, Self.value, changes: [.renamed(\Link.Item.holder, to: \Value.Item.owner)])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message.contains("a link cannot become a value") == true)
    }

    @Test func `a rename between classes that have no rows in common is refused`() throws {
        let evolution = try Evolution(
            Self.value, [Elsewhere.Person.self, Elsewhere.Item.self],
            changes: [.renamed(\Value.Item.owner, to: \Elsewhere.Person.owner)])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message.contains("No object of Item becomes one of Person") == true)
    }

    // MARK: Fillings

    @Test(arguments: [
        ("'x' || lower(name)", ["xrome", "xoslo"]), ("'x'::text || name", ["xRome", "xOslo"]),
        ("CASE WHEN name = 'Rome' THEN 'r' ELSE 'o' END", ["r", "o"]), ("'it''s \"x\"'", ["it's \"x\"", "it's \"x\""]),
        ("'a'::text", ["a", "a"]), ("E'a\\tb'", ["a\tb", "a\tb"]),
    ]) func `what rows are filled with may be any expression`(filling: String, values: [String]) async throws {
        try await Evolution(
            Self.value, [Coded.Person.self, Coded.Item.self],
            changes: [.filled(\Coded.Item.code, with: filling)]
        ).run(
            seed: ["INSERT INTO item (pk, name) VALUES (1, 'Rome'), (2, 'Oslo')"],
            expecting: "SELECT code FROM item ORDER BY pk", is: values, returning: .whole)
    }

    @Test(arguments: [
        ("'x'", true), ("'x'::text", true), ("-3", true), ("1.5::numeric(10, 2)", true), ("now()", true),
        ("ARRAY[1, 2]::bigint[]", true), ("TRUE", true), ("E'a'", true),
        ("'2024-01-01'::timestamp with time zone", true),
        ("name", false), ("'x' || name", false), ("'x'::text || \"name\"", false), ("lower('X')", false),
        ("gen_random_uuid()", false), ("'x'::text AND flag", false), ("(SELECT max(pk) FROM item)", false), ("", false),
        ("'open", false),
    ]) func `a constant is what names no column and calls nothing`(text: String, isConstant: Bool) {
        #expect(FillExpression(text).isConstant == isConstant)
    }

    @Test(arguments: [
        ("random()", true), ("RANDOM ()", true), ("uuidv7()", true), ("nextval('s')", true), ("'random()'", false),
        ("lower(name)", false), ("my_random()", false), ("now()", false),
    ]) func `what is volatile is told from words, not from letters`(text: String, isVolatile: Bool) {
        #expect(FillExpression(text).isVolatile == isVolatile)
    }
}
