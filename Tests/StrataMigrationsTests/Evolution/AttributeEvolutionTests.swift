import Foundation
import StrataMigrations
import StrataModels
import Testing

/// Attributes that come, go and change their names: rows and values stay.
@Suite("Evolution: attributes") struct AttributeEvolutionTests {
    enum Plain {
        @Model class Item {
            var name: String = ""
            var note: String?
            init() {}
        }
    }
    enum Bare {
        @Model class Item {
            var name: String = ""
            init() {}
        }
    }
    enum Defaults {
        @Model class Item {
            var name: String = ""
            var note: String?
            var text: String = "it's"
            var flag: Bool = true
            var count: Int = -7
            var small: Int16 = 3
            var medium: Int32 = 4
            var float: Float = 1.5
            var double: Double = 2.25
            var price: Decimal = 9
            var data: Data = Data([1, 2])
            var words: [String] = ["a", "b"]
            var numbers: [Int] = []
            init() {}
        }
    }
    enum Volatile {
        @Model class Item {
            var name: String = ""
            var note: String?
            var token: UUID = UUID()
            var made: Date = Date.now
            init() {}
        }
    }
    enum Demanding {
        @Model class Item {
            var name: String = ""
            var note: String?
            var code: String
            init(code: String) { self.code = code }
        }
    }
    enum Renamed {
        @Model class Item {
            @Attribute(originalName: "name") var title: String = ""
            var note: String?
            init() {}
        }
    }
    enum Titled {
        @Model class Item {
            var title: String = ""
            var note: String?
            init() {}
        }
    }
    enum Counted {
        @Model class Item {
            @Attribute(originalName: "name") var count: Int = 0
            var note: String?
            init() {}
        }
    }
    enum Pair {
        @Model class Item {
            var first: String = ""
            var second: String = ""
            init() {}
        }
    }
    enum Swapped {
        @Model class Item {
            @Attribute(originalName: "second") var first: String = ""
            @Attribute(originalName: "first") var second: String = ""
            init() {}
        }
    }
    enum Strict {
        @Model class Item {
            var name: String = ""
            var note: String
            init(note: String) { self.note = note }
        }
    }
    enum Lenient {
        @Model class Item {
            var name: String?
            var note: String?
            init() {}
        }
    }
    enum Thing {
        @Model class Thing {
            var name: String = ""
            var note: String?
            init() {}
        }
    }

    static let rows = ["INSERT INTO item (pk, name, note) VALUES (1, 'Rome', 'x'), (2, 'Oslo', NULL)"]

    @Test func `an optional attribute is added`() async throws {
        try await Evolution([Bare.Item.self], [Plain.Item.self]).run(
            seed: ["INSERT INTO item (pk, name) VALUES (1, 'Rome')"], expecting: "SELECT name, note FROM item",
            is: ["Rome|nil"], returning: .whole)
    }

    @Test func `attributes with defaults of every type are added`() async throws {
        try await Evolution([Plain.Item.self], [Defaults.Item.self]).run(
            seed: Self.rows,
            expecting: """
                SELECT name, text, flag, count, small, medium, float, double, price::text AS price, \
                encode(data, 'hex') AS data, array_to_string(words, ',') AS words, cardinality(numbers) AS n \
                FROM item ORDER BY pk
                """,
            is: [
                "Rome|it's|true|-7|3|4|1.5|2.25|9|0102|a,b|0", "Oslo|it's|true|-7|3|4|1.5|2.25|9|0102|a,b|0",
            ], returning: .whole)
    }

    @Test func `volatile defaults differ from row to row`() async throws {
        try await Evolution([Plain.Item.self], [Volatile.Item.self]).run(
            seed: Self.rows,
            expecting:
                "SELECT count(DISTINCT token) AS tokens, bool_and(made > now() - interval '1 h') AS ok FROM item",
            is: ["2|true"], returning: .whole)
    }

    @Test func `a required attribute without a default is added to an empty table`() async throws {
        try await Evolution([Plain.Item.self], [Demanding.Item.self]).run(
            expecting: "SELECT count(*) AS n FROM item", is: ["0"], returning: .whole)
    }

    @Test func `a required attribute without a default is refused where rows are`() async throws {
        try await Evolution([Plain.Item.self], [Demanding.Item.self]).refuse(seed: Self.rows, naming: "Item.code")
    }

    @Test func `a required attribute is filled from another column`()
        async throws
    {
        try await Evolution(
            [Plain.Item.self], [Demanding.Item.self], changes: [.filled(\Demanding.Item.code, with: "upper(name)")]
        ).run(
            seed: Self.rows, expecting: "SELECT name, code FROM item ORDER BY pk", is: ["Rome|ROME", "Oslo|OSLO"],
            returning: .whole)
    }

    @Test func `a required attribute is filled with a literal`() async throws {
        try await Evolution(
            [Plain.Item.self], [Demanding.Item.self], changes: [.filled(\Demanding.Item.code, with: "'?'")]
        ).run(seed: Self.rows, expecting: "SELECT code FROM item ORDER BY pk", is: ["?", "?"], returning: .whole)
    }

    @Test func `an attribute is dropped`() async throws {
        try await Evolution([Plain.Item.self], [Bare.Item.self], changes: [.dropped(\Plain.Item.note)]).run(
            seed: Self.rows, expecting: "SELECT * FROM item ORDER BY pk", is: ["1|Rome", "2|Oslo"],
            returning: .none(because: "dropped values cannot come back: Item.note"))
    }

    @Test func `a drop that nobody declares is refused when files are generated`() throws {
        let evolution = try Evolution([Plain.Item.self], [Bare.Item.self])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.places == ["Item.note"])
        #expect(error?.code == .planRefused)
    }

    @Test func `a change that names nothing is refused when files are generated`() throws {
        let evolution = try Evolution(
            [Plain.Item.self], [Plain.Item.self], changes: [.dropped(\Demanding.Item.code)])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.code == .usage)
    }

    @Test func `an attribute is renamed by its original name`() async throws {
        try await Evolution([Plain.Item.self], [Renamed.Item.self]).run(
            seed: Self.rows, expecting: "SELECT title, note FROM item ORDER BY pk", is: ["Rome|x", "Oslo|nil"],
            returning: .whole)
    }

    @Test func `an attribute is renamed by the stage`() async throws {
        try await Evolution(
            [Plain.Item.self], [Titled.Item.self], changes: [.renamed(\Plain.Item.name, to: \Titled.Item.title)]
        ).run(
            seed: Self.rows, expecting: "SELECT title, note FROM item ORDER BY pk", is: ["Rome|x", "Oslo|nil"],
            returning: .whole)
    }

    @Test func `a rename that nobody declares is refused when files are generated`() throws {
        let evolution = try Evolution([Plain.Item.self], [Titled.Item.self])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.places == ["Item.name"])
    }

    @Test func `two attributes swap names by the stage`() async throws {
        try await Evolution(
            [Pair.Item.self], [Pair.Item.self],
            changes: [
                .renamed(\Pair.Item.first, to: \Pair.Item.second), .renamed(\Pair.Item.second, to: \Pair.Item.first),
            ]
        ).run(
            seed: ["INSERT INTO item (pk, first, second) VALUES (1, 'a', 'b')"],
            expecting: "SELECT first, second FROM item", is: ["b|a"], returning: .whole)
    }

    @Test func `a rename and a new type together`() async throws {
        try await Evolution([Plain.Item.self], [Counted.Item.self]).run(
            seed: ["INSERT INTO item (pk, name) VALUES (1, '12'), (2, '-3')"],
            expecting: "SELECT count FROM item ORDER BY pk", is: ["12", "-3"],
            returning: .changed(
                note:
                    "going back, Item.name is converted from bigint: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    @Test func `a rename and a new type refuse rows that do not fit`() async throws {
        try await Evolution([Plain.Item.self], [Counted.Item.self]).refuse(seed: Self.rows, naming: "Item.count")
    }

    @Test func `a required attribute becomes optional`() async throws {
        try await Evolution([Plain.Item.self], [Lenient.Item.self]).run(
            seed: Self.rows, expecting: "SELECT name FROM item ORDER BY pk", is: ["Rome", "Oslo"], returning: .whole)
    }

    @Test func `an optional attribute becomes required where no row is empty`() async throws {
        try await Evolution([Plain.Item.self], [Strict.Item.self]).run(
            seed: [Self.rows[0].replacing("NULL", with: "'y'")], expecting: "SELECT note FROM item ORDER BY pk",
            is: ["x", "y"], returning: .whole)
    }

    @Test func `an optional attribute does not become required where rows are empty`() async throws {
        try await Evolution([Plain.Item.self], [Strict.Item.self]).refuse(seed: Self.rows, naming: "Item.note")
    }

    @Test func `empty values of a required attribute are filled`() async throws {
        try await Evolution(
            [Plain.Item.self], [Strict.Item.self], changes: [.filled(\Strict.Item.note, with: "'none'")]
        ).run(
            seed: Self.rows, expecting: "SELECT note FROM item ORDER BY pk", is: ["x", "none"],
            returning: .changed(note: "going back, Item.note keeps what it is filled with where it is empty now"))
    }

    @Test func `a class is renamed`() async throws {
        try await Evolution(
            [Plain.Item.self], [Thing.Thing.self], changes: [.renamed(Plain.Item.self, to: Thing.Thing.self)]
        ).run(
            seed: Self.rows, expecting: "SELECT name, note FROM thing ORDER BY pk", is: ["Rome|x", "Oslo|nil"],
            returning: .whole)
    }

    @Test func `a class is added`() async throws {
        try await Evolution([Plain.Item.self], [Plain.Item.self, Thing.Thing.self]).run(
            seed: Self.rows, expecting: "SELECT (SELECT count(*) FROM item) AS i, (SELECT count(*) FROM thing) AS t",
            is: ["2|0"], returning: .whole)
    }

    @Test func `a class is dropped`() async throws {
        try await Evolution(
            [Plain.Item.self, Thing.Thing.self], [Plain.Item.self], changes: [.dropped(Thing.Thing.self)]
        ).run(
            seed: Self.rows + ["INSERT INTO thing (name) VALUES ('gone')"], expecting: "SELECT count(*) AS n FROM item",
            is: ["2"], returning: .none(because: "dropped values cannot come back: Thing"))
    }

    @Test func `a class that is gone without a word is refused when files are generated`() throws {
        let evolution = try Evolution([Plain.Item.self, Thing.Thing.self], [Plain.Item.self])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.code == .planRefused)
    }
}
