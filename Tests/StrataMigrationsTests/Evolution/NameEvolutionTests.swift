import StrataMigrations
import StrataModels
import Testing

/// Properties that change names with each other, and names that other properties had before.
@Suite("Evolution: names") struct NameEvolutionTests {
    enum Three {
        @Model class Item {
            var first: String = ""
            var second: String = ""
            var third: String = ""
            init() {}
        }
    }
    enum Swapped {
        @Model class Item {
            @Attribute(originalName: "second") var first: String = ""
            @Attribute(originalName: "first") var second: String = ""
            var third: String = ""
            init() {}
        }
    }
    enum Turned {
        @Model class Item {
            @Attribute(originalName: "second") var first: String = ""
            @Attribute(originalName: "third") var second: String = ""
            @Attribute(originalName: "first") var third: String = ""
            init() {}
        }
    }
    enum Onto {
        @Model class Item {
            @Attribute(originalName: "first") var second: String = ""
            var third: String = ""
            init() {}
        }
    }
    enum Again {
        @Model class Item {
            var first: String?
            @Attribute(originalName: "first") var fourth: String = ""
            var second: String = ""
            var third: String = ""
            init() {}
        }
    }
    enum Kept {
        @Model class Item {
            var first: String = ""
            @Attribute(originalName: "first") var fourth: String = ""
            init() {}
        }
    }
    enum Plain {
        @Model class Item {
            var fourth: String = ""
            var first: String = ""
            init() {}
        }
    }
    enum Note {
        @Model class Item {
            var note: String?
            init() {}
        }
    }
    enum NumberNote {
        @Model class Item {
            var note: Int?
            init() {}
        }
    }
    enum Codes {
        @Model class Item {
            #Index<Item>([\.code], [\.code, \.city])
            #Unique<Item>([\.city, \.code])
            @Attribute(.unique) var code: String = ""
            var city: String = ""
            init() {}
        }
    }
    enum Keys {
        @Model class Item {
            #Index<Item>([\.key], [\.key, \.city])
            #Unique<Item>([\.city, \.key])
            @Attribute(.unique, originalName: "code") var key: String = ""
            var city: String = ""
            init() {}
        }
    }
    enum Things {
        @Model class Thing {
            #Index<Thing>([\.key], [\.key, \.city])
            #Unique<Thing>([\.city, \.key])
            @Attribute(.unique, originalName: "code") var key: String = ""
            var city: String = ""
            init() {}
        }
    }

    static let row = ["INSERT INTO item (pk, first, second, third) VALUES (1, 'a', 'b', 'c')"]

    @Test func `two attributes swap names by their original names`() async throws {
        try await Evolution([Three.Item.self], [Swapped.Item.self]).run(
            seed: Self.row, expecting: "SELECT first, second, third FROM item", is: ["b|a|c"], returning: .whole)
    }

    @Test func `three attributes pass their names on`() async throws {
        try await Evolution([Three.Item.self], [Turned.Item.self]).run(
            seed: Self.row, expecting: "SELECT first, second, third FROM item", is: ["b|c|a"], returning: .whole)
    }

    @Test func `names that were swapped are swapped back by the way back`() async throws {
        let evolution = try Evolution([Three.Item.self], [Turned.Item.self])
        try await evolution.runAndReturn(
            seed: Self.row, expecting: "SELECT first, second, third FROM item", is: ["a|b|c"])
    }

    @Test func `an attribute takes the name of one that is dropped`()
        async throws
    {
        try await Evolution([Three.Item.self], [Onto.Item.self], changes: [.dropped(\Three.Item.second)]).run(
            seed: Self.row, expecting: "SELECT second, third FROM item", is: ["a|c"],
            returning: .none(because: "dropped values cannot come back: Item.second"))
    }

    @Test func `the attribute whose name is taken does not go without a word`() throws {
        let evolution = try Evolution([Three.Item.self], [Onto.Item.self])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.places == ["Item.second"])
    }

    @Test func `a new attribute has the name of one that is renamed`()
        async throws
    {
        try await Evolution([Three.Item.self], [Again.Item.self]).run(
            seed: Self.row, expecting: "SELECT first, fourth, second, third FROM item", is: ["nil|a|b|c"],
            returning: .whole)
    }

    @Test func `an original name that the older version has as well is of an older rename`() async throws {
        try await Evolution([Kept.Item.self], [Kept.Item.self]).run(
            seed: ["INSERT INTO item (first, fourth) VALUES ('a', 'd')"], expecting: "SELECT first, fourth FROM item",
            is: ["a|d"], returning: .whole)
    }

    @Test func `the way back follows the changes and not original names`() async throws {
        try await Evolution(
            [Kept.Item.self], [Plain.Item.self]
        ).runAndReturn(
            seed: ["INSERT INTO item (first, fourth) VALUES ('a', 'd')"], expecting: "SELECT first, fourth FROM item",
            is: ["a|d"])
    }

    @Test func `a dropped attribute leaves nothing to a new one of its name`()
        async throws
    {
        try await Evolution([Note.Item.self], [NumberNote.Item.self], changes: [.dropped(\Note.Item.note)]).run(
            seed: ["INSERT INTO item (note) VALUES ('7')"], expecting: "SELECT note FROM item", is: ["nil"],
            returning: .none(because: "dropped values cannot come back: Item.note"))
        try await Evolution([Note.Item.self], [Note.Item.self], changes: [.dropped(\Note.Item.note)]).run(
            seed: ["INSERT INTO item (note) VALUES ('7')"], expecting: "SELECT note FROM item", is: ["nil"],
            returning: .none(because: "dropped values cannot come back: Item.note"))
    }

    @Test func `indexes and constraints follow a renamed attribute`()
        async throws
    {
        try await Evolution([Codes.Item.self], [Keys.Item.self]).run(
            seed: ["INSERT INTO item (code, city) VALUES ('x', 'Rome')"], expecting: "SELECT key, city FROM item",
            is: ["x|Rome"], returning: .whole)
    }

    @Test func `indexes and constraints follow a renamed class and attribute`()
        async throws
    {
        try await Evolution(
            [Codes.Item.self], [Things.Thing.self], changes: [.renamed(Codes.Item.self, to: Things.Thing.self)]
        ).run(
            seed: ["INSERT INTO item (code, city) VALUES ('x', 'Rome')"], expecting: "SELECT key, city FROM thing",
            is: ["x|Rome"], returning: .whole)
    }

    @Test func `renames build no index anew`() throws {
        let script = try Evolution([Codes.Item.self], [Keys.Item.self]).scripts()[1]
        #expect(script.steps.count == 2)
        #expect(!script.steps.contains { $0.execution == .alone })
    }
}
