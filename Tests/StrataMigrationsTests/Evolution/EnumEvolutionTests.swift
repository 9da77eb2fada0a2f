import StrataMigrations
import StrataModels
import Testing

/// Enums that gain and lose cases, and change their raw values: no row holds what no code can read.
@Suite("Evolution: enums") struct EnumEvolutionTests {
    enum Text {
        @Model class Item {
            var kind: String = "plane"
            init() {}
        }
    }
    enum Two {
        enum Kind: String, Codable, CaseIterable { case plane, train }
        @Model class Item {
            var kind: Kind = Kind.plane
            init() {}
        }
    }
    enum Three {
        enum Kind: String, Codable, CaseIterable { case train, plane, bus }
        @Model class Item {
            var kind: Kind = Kind.plane
            init() {}
        }
    }
    enum Numbered {
        enum Kind: Int, Codable, CaseIterable {
            case plane = 1
            case train
        }
        @Model class Item {
            var kind: Kind = Kind.plane
            init() {}
        }
    }
    enum Small {
        enum Kind: Int16, Codable, CaseIterable {
            case plane = 1
            case train
        }
        @Model class Item {
            var kind: Kind = Kind.plane
            init() {}
        }
    }
    enum Scaled {
        enum Kind: Double, Codable, CaseIterable {
            case half = 0.5
            case whole = 1
        }
        @Model class Item {
            var kind: Kind = Kind.whole
            init() {}
        }
    }
    enum Number {
        @Model class Item {
            var kind: Double = 1
            init() {}
        }
    }
    enum TwoOfMany {
        enum Kind: String, Codable, CaseIterable { case plane, train }
        @Model class Item {
            var kinds: [Kind] = []
            init() {}
        }
    }
    enum ThreeOfMany {
        enum Kind: String, Codable, CaseIterable { case plane, train, bus }
        @Model class Item {
            var kinds: [Kind] = []
            init() {}
        }
    }
    enum Perhaps {
        enum Kind: String, Codable, CaseIterable { case plane, train }
        @Model class Item {
            var kind: Kind?
            init() {}
        }
    }

    static func rows(_ values: String...) -> [String] {
        ["INSERT INTO item (kind) VALUES " + values.map { "(\($0))" }.joined(separator: ", ")]
    }

    @Test func `a case is added, without a statement`() async throws {
        let evolution = try Evolution([Two.Item.self], [Three.Item.self])
        #expect(try evolution.scripts()[1].steps.map(\.title) == ["record version 2.0.0"])
        try await evolution.run(
            seed: Self.rows("'plane'", "'train'"), expecting: "SELECT kind FROM item ORDER BY pk",
            is: ["plane", "train"], returning: .whole)
    }

    @Test func `a case that no row holds is removed`() async throws {
        try await Evolution([Three.Item.self], [Two.Item.self]).run(
            seed: Self.rows("'plane'", "'train'"), expecting: "SELECT kind FROM item ORDER BY pk",
            is: ["plane", "train"], returning: .whole)
    }

    @Test(arguments: ["M205", "bus", "17", "2 rows", "Item.kind"]) func `a case that rows hold is not removed`(
        naming word: String
    ) async throws {
        try await Evolution([Three.Item.self], [Two.Item.self]).refuse(
            seed: ["INSERT INTO item (pk, kind) VALUES (17, 'bus'), (18, 'bus'), (19, 'train')"], naming: word)
    }

    @Test func `rows of a removed case become another one`() async throws {
        try await Evolution(
            [Three.Item.self], [Two.Item.self],
            changes: [.converted(\Two.Item.kind, using: "CASE kind WHEN 'bus' THEN 'train' ELSE kind END")]
        ).run(
            seed: Self.rows("'bus'", "'plane'"), expecting: "SELECT kind FROM item ORDER BY pk",
            is: ["train", "plane"], returning: .none(because: "the plan's own conversions have no way back: Item.kind"))
    }

    @Test func `rows of a removed case do not become what is no case`() async throws {
        try await Evolution(
            [Three.Item.self], [Two.Item.self],
            changes: [.converted(\Two.Item.kind, using: "CASE kind WHEN 'bus' THEN 'coach' ELSE kind END")]
        ).refuse(seed: Self.rows("'bus'"), naming: "M205")
    }

    @Test func `raw values change their type`() async throws {
        try await Evolution(
            [Two.Item.self], [Numbered.Item.self],
            changes: [.converted(\Numbered.Item.kind, using: "CASE kind WHEN 'plane' THEN 1 WHEN 'train' THEN 2 END")]
        ).run(
            seed: Self.rows("'train'", "'plane'"), expecting: "SELECT kind FROM item ORDER BY pk", is: ["2", "1"],
            returning: .none(because: "the plan's own conversions have no way back: Item.kind"))
    }

    @Test func `raw values do not change their type by themselves`() async throws {
        try await Evolution([Two.Item.self], [Numbered.Item.self]).refuse(seed: Self.rows("'train'"), naming: "M204")
    }

    @Test func `raw values are kept in a smaller number`() async throws {
        try await Evolution([Numbered.Item.self], [Small.Item.self]).run(
            seed: Self.rows("2"), expecting: "SELECT kind FROM item", is: ["2"],
            returning: .changed(
                note:
                    "going back, Item.kind is converted from smallint: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    @Test func `texts become an enum`() async throws {
        let evolution = try Evolution([Text.Item.self], [Two.Item.self])
        try await evolution.run(
            seed: Self.rows("'plane'"), expecting: "SELECT kind FROM item", is: ["plane"], returning: .whole)
        try await evolution.refuse(seed: Self.rows("'plane'", "'Plane'"), naming: "no case of Kind")
    }

    @Test func `numbers become an enum`() async throws {
        let evolution = try Evolution([Number.Item.self], [Scaled.Item.self])
        try await evolution.run(
            seed: Self.rows("1", "0.5"), expecting: "SELECT kind FROM item ORDER BY pk", is: ["1", "0.5"],
            returning: .whole)
        try await evolution.refuse(seed: Self.rows("1", "0.25"), naming: "0.25")
    }

    @Test func `texts become an enum of numbers`() async throws {
        let evolution = try Evolution([Text.Item.self], [Numbered.Item.self])
        try await evolution.run(
            seed: Self.rows("'2'"), expecting: "SELECT kind FROM item", is: ["2"],
            returning: .changed(
                note:
                    "going back, Item.kind is converted from bigint: what was written in another form than PostgreSQL writes comes back in that one"
            ))
        try await evolution.refuse(seed: Self.rows("'3'"), naming: "M205")
        try await evolution.refuse(seed: Self.rows("'plane'"), naming: "M204")
    }

    @Test func `an enum becomes a text`() async throws {
        try await Evolution([Two.Item.self], [Text.Item.self]).run(
            seed: Self.rows("'train'"), expecting: "SELECT kind FROM item", is: ["train"], returning: .whole)
    }

    @Test func `a case in a list is not removed while rows hold it`() async throws {
        let evolution = try Evolution([ThreeOfMany.Item.self], [TwoOfMany.Item.self])
        try await evolution.run(
            seed: ["INSERT INTO item (kinds) VALUES ('{}'), ('{train,plane}')"],
            expecting: "SELECT kinds::text AS k FROM item ORDER BY pk", is: ["{}", "{train,plane}"], returning: .whole)
        try await evolution.refuse(seed: ["INSERT INTO item (kinds) VALUES ('{train,bus}')"], naming: "bus")
    }

    @Test func `an enum becomes optional and required again`() async throws {
        try await Evolution([Two.Item.self], [Perhaps.Item.self]).runAndReturn(
            seed: Self.rows("'train'"), between: ["INSERT INTO item (kind) VALUES (NULL)"],
            expecting: "SELECT kind FROM item ORDER BY pk", is: ["train", "plane"])
    }
}
