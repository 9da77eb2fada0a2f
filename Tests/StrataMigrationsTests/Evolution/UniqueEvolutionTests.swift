import StrataMigrations
import StrataModels
import Testing

/// Unique constraints and indexes that come, change and go, with duplicates present.
@Suite("Evolution: unique constraints and indexes") struct UniqueEvolutionTests {
    enum Plain {
        @Model class Item {
            var code: String = ""
            var city: String?
            init() {}
        }
    }
    enum Single {
        @Model class Item {
            @Attribute(.unique) var code: String = ""
            var city: String?
            init() {}
        }
    }
    enum Pair {
        @Model class Item {
            #Unique<Item>([\.code, \.city])
            var code: String = ""
            var city: String?
            init() {}
        }
    }
    enum Reversed {
        @Model class Item {
            #Unique<Item>([\.city, \.code])
            var code: String = ""
            var city: String?
            init() {}
        }
    }
    enum Both {
        @Model class Item {
            #Unique<Item>([\.code], [\.city])
            var code: String = ""
            var city: String?
            init() {}
        }
    }
    enum Indexed {
        @Model class Item {
            #Index<Item>([\.code])
            var code: String = ""
            var city: String?
            init() {}
        }
    }
    enum IndexedPair {
        @Model class Item {
            #Index<Item>([\.code, \.city])
            var code: String = ""
            var city: String?
            init() {}
        }
    }
    enum Hashed {
        @Model class Item {
            #Index<Item>(.gin([\.words]))
            var code: String = ""
            var city: String?
            var words: [String] = []
            init() {}
        }
    }
    enum Numbered {
        @Model class Item {
            @Attribute(.unique) var code: Int = 0
            var city: String?
            init() {}
        }
    }
    enum Added {
        @Model class Item {
            var code: String = ""
            var city: String?
            @Attribute(.unique) var serial: Int = 7
            init() {}
        }
    }
    enum Keyed {
        @Model class Item {
            @Attribute(.unique, originalName: "code") var key: String = ""
            var city: String?
            init() {}
        }
    }
    enum Shop {
        @Model class Shop {
            @Attribute(.unique) var code: String = ""
            var city: String?
            init() {}
        }
    }

    static let apart = ["INSERT INTO item (pk, code, city) VALUES (1, 'a', 'Rome'), (2, 'b', NULL), (3, 'c', NULL)"]
    static let alike = [
        "INSERT INTO item (pk, code, city) VALUES (11, 'dup', 'Rome'), (12, 'dup', 'Rome'), (13, 'c', NULL)"
    ]
    static let query = "SELECT pk, code FROM item ORDER BY pk"
    static let found = ["1|a", "2|b", "3|c"]

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var from: any PersistentModel.Type
        var to: any PersistentModel.Type
        init(_ description: String, _ from: any PersistentModel.Type, _ to: any PersistentModel.Type) {
            (testDescription, self.from, self.to) = (description, from, to)
        }
    }
    static let changes = [
        Change("a unique constraint is added", Plain.Item.self, Single.Item.self),
        Change("a unique constraint is dropped", Single.Item.self, Plain.Item.self),
        Change("a compound constraint is added", Plain.Item.self, Pair.Item.self),
        Change("a constraint becomes compound", Single.Item.self, Pair.Item.self),
        Change("a compound constraint becomes single", Pair.Item.self, Single.Item.self),
        Change("a compound constraint changes its order", Pair.Item.self, Reversed.Item.self),
        Change("a second constraint is added", Single.Item.self, Both.Item.self),
        Change("a compound constraint becomes two", Pair.Item.self, Both.Item.self),
        Change("an index is added", Plain.Item.self, Indexed.Item.self),
        Change("an index is dropped", Indexed.Item.self, Plain.Item.self),
        Change("an index becomes compound", Indexed.Item.self, IndexedPair.Item.self),
        Change("an index becomes a unique constraint", Indexed.Item.self, Single.Item.self),
        Change("a unique constraint becomes an index", Single.Item.self, Indexed.Item.self),
        Change("a GIN index is added with its attribute", Plain.Item.self, Hashed.Item.self),
    ]

    @Test(arguments: changes) func `rows and keys stay`(_ change: Change) async throws {
        try await Evolution([change.from], [change.to]).run(
            seed: Self.apart, expecting: Self.query, is: Self.found, returning: .whole)
    }

    static let refusals: [(any PersistentModel.Type, String)] = [
        (Single.Item.self, "M203"), (Single.Item.self, "11, 12: dup"), (Single.Item.self, "1 row"),
        (Pair.Item.self, "11, 12: dup, Rome"), (Reversed.Item.self, "11, 12: Rome, dup"),
        (Both.Item.self, "11, 12: Rome"),
    ]

    @Test(arguments: refusals.indices) func `duplicates are refused with keys and values`(_ index: Int) async throws {
        let (model, word) = Self.refusals[index]
        try await Evolution([Plain.Item.self], [model]).refuse(seed: Self.alike, naming: word)
    }

    @Test func `empty values are no duplicates`() async throws {
        try await Evolution([Plain.Item.self], [Pair.Item.self]).run(
            seed: ["INSERT INTO item (pk, code) VALUES (1, 'a'), (2, 'a')"], expecting: Self.query, is: ["1|a", "2|a"],
            returning: .whole)
    }

    @Test func `texts that are one number are duplicates`() async throws {
        try await Evolution([Plain.Item.self], [Numbered.Item.self]).refuse(
            seed: ["INSERT INTO item (pk, code) VALUES (1, '7'), (2, '07')"], naming: "1, 2: 7")
    }

    @Test func `texts that are no numbers are named, not their failing conversion`() async throws {
        try await Evolution([Plain.Item.self], [Numbered.Item.self]).refuse(
            seed: ["INSERT INTO item (pk, code) VALUES (1, 'x'), (2, '7')"], naming: "1: x")
    }

    @Test func `a default that all rows would get is no unique value`() async throws {
        let evolution = try Evolution([Plain.Item.self], [Added.Item.self])
        try await evolution.refuse(seed: Self.apart, naming: "1, 2, 3: 7")
        try await evolution.run(
            seed: ["INSERT INTO item (pk, code) VALUES (1, 'a')"], expecting: "SELECT serial FROM item", is: ["7"],
            returning: .whole)
    }

    @Test func `a declared filling that differs is unique`() async throws {
        try await Evolution(
            [Plain.Item.self], [Added.Item.self], changes: [.filled(\Added.Item.serial, with: "pk * 10")]
        )
        .run(
            seed: Self.apart, expecting: "SELECT serial FROM item ORDER BY pk", is: ["10", "20", "30"],
            returning: .whole)
    }

    @Test func `an attribute is renamed and unique from now on`() async throws {
        let evolution = try Evolution([Plain.Item.self], [Keyed.Item.self])
        try await evolution.run(
            seed: Self.apart, expecting: "SELECT key FROM item ORDER BY pk", is: ["a", "b", "c"], returning: .whole)
        try await evolution.refuse(seed: Self.alike, naming: "11, 12: dup")
    }

    @Test func `a class is renamed and its attribute unique from now on`()
        async throws
    {
        try await Evolution(
            [Plain.Item.self], [Shop.Shop.self], changes: [.renamed(Plain.Item.self, to: Shop.Shop.self)]
        ).run(
            seed: Self.apart, expecting: "SELECT code FROM shop ORDER BY pk", is: ["a", "b", "c"], returning: .whole)
    }
}
