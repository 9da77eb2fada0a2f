import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// Optional and required attributes, with and without defaults, with empty values present.
@Suite("Evolution: required attributes") struct RequiredEvolutionTests {
    enum Perhaps {
        @Model class Item {
            var note: String?
            init() {}
        }
    }
    enum Required {
        @Model class Item {
            var note: String
            init(note: String) { self.note = note }
        }
    }
    enum Defaulted {
        @Model class Item {
            var note: String = "none"
            init() {}
        }
    }
    enum PerhapsNumber {
        @Model class Item {
            var note: Int?
            init() {}
        }
    }
    enum Number {
        @Model class Item {
            var note: Int
            init(note: Int) { self.note = note }
        }
    }
    enum DefaultedNumber {
        @Model class Item {
            var note: Int = -1
            init() {}
        }
    }
    enum Renamed {
        @Model class Item {
            @Attribute(originalName: "note") var remark: String = "none"
            init() {}
        }
    }

    static let rows = ["INSERT INTO item (pk, note) VALUES (1, '5'), (2, NULL)"]
    static let full = ["INSERT INTO item (pk, note) VALUES (1, '5'), (2, '6')"]
    static let query = "SELECT note FROM item ORDER BY pk"

    @Test func `empty values get the default`() async throws {
        try await Evolution([Perhaps.Item.self], [Defaulted.Item.self]).run(
            seed: Self.rows, expecting: Self.query, is: ["5", "none"],
            returning: .changed(note: "going back, Item.note keeps what it is filled with where it is empty now"))
    }

    @Test func `empty values get the default under another name`() async throws {
        try await Evolution([Perhaps.Item.self], [Renamed.Item.self]).run(
            seed: Self.rows, expecting: "SELECT remark FROM item ORDER BY pk", is: ["5", "none"],
            returning: .changed(note: "going back, Item.note keeps what it is filled with where it is empty now"))
    }

    @Test func `empty values get the default in another type`() async throws {
        try await Evolution([Perhaps.Item.self], [DefaultedNumber.Item.self]).run(
            seed: Self.rows, expecting: Self.query, is: ["5", "-1"],
            returning: .changed(note: "going back, Item.note keeps what it is filled with where it is empty now"))
    }

    @Test func `empty values without a default are refused in another type, too`() async throws {
        let evolution = try Evolution([Perhaps.Item.self], [Number.Item.self])
        try await evolution.refuse(seed: Self.rows, naming: "M201")
        try await evolution.run(
            seed: Self.full, expecting: Self.query, is: ["5", "6"],
            returning: .changed(
                note:
                    "going back, Item.note is converted from bigint: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    @Test func `a required attribute becomes an optional one of another type`() async throws {
        try await Evolution([Required.Item.self], [PerhapsNumber.Item.self]).run(
            seed: Self.full, expecting: Self.query, is: ["5", "6"],
            returning: .changed(
                note:
                    "going back, Item.note is converted from bigint: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    @Test func `a conversion without a value for some rows is refused`() async throws {
        try await Evolution(
            [Required.Item.self], [Number.Item.self],
            changes: [.converted(\Number.Item.note, using: "NULLIF(note, '6')::bigint")]
        ).refuse(seed: Self.full, naming: "M201")
    }

    @Test func `a conversion that fails is refused before anything runs`() async throws {
        try await Evolution(
            [Perhaps.Item.self], [PerhapsNumber.Item.self],
            changes: [.converted(\PerhapsNumber.Item.note, using: "note::bigint")]
        ).refuse(seed: ["INSERT INTO item (note) VALUES ('5'), ('x')"], naming: "its conversion would fail")
    }

    @Test func `a conversion without a value for some rows takes the default`() async throws {
        try await Evolution(
            [Required.Item.self], [DefaultedNumber.Item.self],
            changes: [.converted(\DefaultedNumber.Item.note, using: "NULLIF(note, '6')::bigint")]
        ).run(
            seed: Self.full, expecting: Self.query, is: ["5", "-1"],
            returning: .none(because: "the plan's own conversions have no way back: Item.note"))
    }

    @Test func `empty values come back after a way back`() async throws {
        try await Evolution([Required.Item.self], [Perhaps.Item.self]).runAndReturn(
            seed: Self.full, expecting: Self.query, is: ["5", "6"])
    }

    @Test func `a declared conversion has no way back`() throws {
        let script = try Evolution(
            [Perhaps.Item.self], [Perhaps.Item.self], changes: [.converted(\Perhaps.Item.note, using: "upper(note)")]
        ).scripts()[1]
        guard case .none(let reason) = script.down else {
            Issue.record("there is a way back")
            return
        }
        #expect(reason.contains("Item.note"))
    }

    @Test func `what old code writes and no conversion takes is named in contract, and not before`() async throws {
        let evolution = try Evolution([Perhaps.Item.self], [PerhapsNumber.Item.self])
        try await evolution.withDatabase("conversion") { database, runner, scripts in
            try await database.execute(Self.rows[0])
            try await blocking { try runner.apply(scripts, through: .expand) }
            try await database.execute("INSERT INTO item (pk, note) VALUES (3, 'x')")
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute("INSERT INTO item (pk, note) VALUES (4, 'y')")
            let error = await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            #expect(error?.places.contains { $0.contains("3: x") } == true)
            #expect(error?.places.contains { $0.contains("4: y") } == true)
            try await database.execute("UPDATE item SET note = '7' WHERE pk IN (3, 4)")
            try await blocking { try runner.apply(scripts) }
            #expect(try await evolution.texts(Self.query, on: database) == ["5", "nil", "7", "7"])
        }
    }

    @Test func `a conversion follows every column it reads`() async throws {
        let evolution = try Evolution(
            [AttributeEvolutionTests.Pair.Item.self], [AttributeEvolutionTests.Pair.Item.self],
            changes: [.converted(\AttributeEvolutionTests.Pair.Item.first, using: "first || second")])
        try await evolution.withDatabase("conversion") { database, runner, scripts in
            try await database.execute("INSERT INTO item (pk, first, second) VALUES (1, 'a', 'b')")
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute("UPDATE item SET second = 'c'")
            try await blocking { try runner.apply(scripts) }
            #expect(try await evolution.texts("SELECT first, second FROM item", on: database) == ["ac|c"])
        }
    }
}
