import Foundation
import StrataMigrations
import StrataModels
import Testing

/// Attributes that change their types: values are converted, and rows that cannot be are found before.
@Suite("Evolution: types") struct TypeEvolutionTests {
    enum Text {
        @Model class Item {
            var value: String?
            init() {}
        }
    }
    enum Whole {
        @Model class Item {
            var value: Int?
            init() {}
        }
    }
    enum Small {
        @Model class Item {
            var value: Int16?
            init() {}
        }
    }
    enum Real {
        @Model class Item {
            var value: Double?
            init() {}
        }
    }
    enum Money {
        @Model class Item {
            var value: Decimal?
            init() {}
        }
    }
    enum Flag {
        @Model class Item {
            var value: Bool?
            init() {}
        }
    }
    enum Moment {
        @Model class Item {
            var value: Date?
            init() {}
        }
    }
    enum Token {
        @Model class Item {
            var value: UUID?
            init() {}
        }
    }
    enum List {
        @Model class Item {
            var value: [Int]?
            init() {}
        }
    }
    enum Words {
        @Model class Item {
            var value: [String]?
            init() {}
        }
    }
    enum Bytes {
        @Model class Item {
            var value: Data?
            init() {}
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var from: any PersistentModel.Type
        var to: any PersistentModel.Type
        var values: String
        var found: [String]
        var testDescription: String { "\(from) → \(to): \(values)" }
        init(_ from: any PersistentModel.Type, _ to: any PersistentModel.Type, _ values: String, _ found: [String]) {
            (self.from, self.to, self.values, self.found) = (from, to, values, found)
        }

        var seed: [String] { ["INSERT INTO item (value) SELECT * FROM unnest(ARRAY[\(values)]) AS v"] }
    }

    static let fitting = [
        Case(Small.Item.self, Whole.Item.self, "7, -7, NULL", ["7", "-7", "nil"]),
        Case(Small.Item.self, Real.Item.self, "7", ["7"]),
        Case(Small.Item.self, Money.Item.self, "7", ["7"]),
        Case(Whole.Item.self, Real.Item.self, "7", ["7"]),
        Case(Whole.Item.self, Money.Item.self, "9007199254740993", ["9007199254740993"]),
        Case(Real.Item.self, Money.Item.self, "2.5", ["2.5"]),
        Case(Whole.Item.self, Small.Item.self, "32767, NULL", ["32767", "nil"]),
        Case(Money.Item.self, Whole.Item.self, "12", ["12"]),
        Case(Money.Item.self, Real.Item.self, "2.5::numeric", ["2.5"]),
        Case(Real.Item.self, Whole.Item.self, "3::double precision", ["3"]),
        Case(Whole.Item.self, Text.Item.self, "7, NULL", ["7", "nil"]),
        Case(Text.Item.self, Whole.Item.self, "'7', ' 8 ', NULL", ["7", "8", "nil"]),
        Case(Text.Item.self, Real.Item.self, "'2.5'", ["2.5"]),
        Case(Real.Item.self, Text.Item.self, "2.5::double precision", ["2.5"]),
        Case(Text.Item.self, Money.Item.self, "'12.50'", ["12.50"]),
        Case(Money.Item.self, Text.Item.self, "12.50::numeric", ["12.50"]),
        Case(Text.Item.self, Flag.Item.self, "'true', 'f'", ["true", "false"]),
        Case(Flag.Item.self, Text.Item.self, "true", ["true"]),
        Case(Whole.Item.self, Flag.Item.self, "0, 1", ["false", "true"]),
        Case(Flag.Item.self, Whole.Item.self, "true, false", ["1", "0"]),
        Case(
            Text.Item.self, Token.Item.self, "'7d444840-9dc0-11d1-b245-5ffdce74fad2'",
            ["7d444840-9dc0-11d1-b245-5ffdce74fad2"]),
        Case(
            Token.Item.self, Text.Item.self, "'7d444840-9dc0-11d1-b245-5ffdce74fad2'::uuid",
            ["7d444840-9dc0-11d1-b245-5ffdce74fad2"]),
        Case(Moment.Item.self, Text.Item.self, "'2024-02-03T04:05:06Z'::timestamptz", ["2024-02-03T04:05:06.000000Z"]),
        Case(Moment.Item.self, Real.Item.self, "to_timestamp(1.5)", ["1.5"]),
    ]

    @Test(arguments: fitting) func `values that fit are converted`(_ example: Case) async throws {
        try await Evolution([example.from], [example.to]).run(
            seed: example.seed, expecting: "SELECT value FROM item ORDER BY pk", is: example.found,
            returning: .asPlanned)
    }

    @Test func `values become lists and lists become values`() async throws {
        try await Evolution([Whole.Item.self], [List.Item.self]).run(
            seed: ["INSERT INTO item (value) VALUES (7), (NULL)"],
            expecting: "SELECT value::text AS v FROM item ORDER BY pk", is: ["{7}", "nil"], returning: .whole)
        try await Evolution([List.Item.self], [Whole.Item.self]).run(
            seed: ["INSERT INTO item (value) VALUES ('{7}'), ('{}'), (NULL)"],
            expecting: "SELECT value FROM item ORDER BY pk", is: ["7", "nil", "nil"],
            returning: .changed(
                note:
                    "going back, Item.value is converted from bigint: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    @Test func `texts become moments`() async throws {
        try await Evolution([Text.Item.self], [Moment.Item.self]).run(
            seed: ["INSERT INTO item (value) VALUES ('2024-02-03T04:05:06Z')"],
            expecting: "SELECT extract(epoch FROM value)::bigint AS v FROM item", is: ["1706933106"],
            returning: .changed(
                note:
                    "going back, Item.value is converted from timestamptz: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    @Test func `numbers become moments`() async throws {
        try await Evolution([Real.Item.self], [Moment.Item.self]).run(
            seed: ["INSERT INTO item (value) VALUES (1.5)"],
            expecting: "SELECT extract(epoch FROM value)::double precision AS v FROM item", is: ["1.5"],
            returning: .changed(
                note:
                    "going back, Item.value is converted from timestamptz: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    static let offending = [
        Case(Whole.Item.self, Small.Item.self, "1, 32768", []),
        Case(Whole.Item.self, Small.Item.self, "-32769", []),
        Case(Money.Item.self, Whole.Item.self, "1.5", []),
        Case(Money.Item.self, Whole.Item.self, "'NaN'::numeric", []),
        Case(Real.Item.self, Whole.Item.self, "1.5::double precision", []),
        Case(Real.Item.self, Whole.Item.self, "'Infinity'::double precision", []),
        Case(Real.Item.self, Whole.Item.self, "1e300::double precision", []),
        Case(Text.Item.self, Whole.Item.self, "'12', 'x'", []),
        Case(Text.Item.self, Whole.Item.self, "''", []),
        Case(Text.Item.self, Small.Item.self, "'40000'", []),
        Case(Text.Item.self, Real.Item.self, "'x'", []),
        Case(Text.Item.self, Money.Item.self, "'1,5'", []),
        Case(Text.Item.self, Flag.Item.self, "'perhaps'", []),
        Case(Text.Item.self, Moment.Item.self, "'soon'", []),
        Case(Text.Item.self, Moment.Item.self, "'2024-02-30'", []),
        Case(Text.Item.self, Token.Item.self, "'x'", []),
        Case(Whole.Item.self, Flag.Item.self, "2", []),
        Case(Money.Item.self, Real.Item.self, "0.1234567890123456789::numeric", []),
    ]

    @Test(arguments: offending) func `values that do not fit are refused`(_ example: Case) async throws {
        try await Evolution([example.from], [example.to]).refuse(seed: example.seed, naming: "Item.value")
    }

    @Test func `a list of several is no single value`() async throws {
        try await Evolution([List.Item.self], [Whole.Item.self]).refuse(
            seed: ["INSERT INTO item (value) VALUES ('{7,8}')"], naming: "Item.value")
    }

    static let unknown = [
        Case(Bytes.Item.self, Text.Item.self, "", []), Case(Token.Item.self, Whole.Item.self, "", []),
        Case(Moment.Item.self, Token.Item.self, "", []), Case(Bytes.Item.self, Whole.Item.self, "", []),
        Case(Flag.Item.self, Moment.Item.self, "", []), Case(Text.Item.self, Bytes.Item.self, "", []),
    ]

    @Test(arguments: unknown) func `only the user can say what the value is`(_ example: Case) throws {
        let evolution = try Evolution([example.from], [example.to])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.code == .planRefused)
        #expect(error?.remedy?.contains(".converted(") == true)
    }

    @Test func `the user says what the value is`() async throws {
        try await Evolution(
            [Bytes.Item.self], [Text.Item.self],
            changes: [.converted(\Text.Item.value, using: "encode(value, 'hex')")]
        ).run(
            seed: ["INSERT INTO item (value) VALUES ('\\x0aff'), (NULL)"],
            expecting: "SELECT value FROM item ORDER BY pk", is: ["0aff", "nil"],
            returning: .none(because: "the plan's own conversions have no way back: Item.value"))
    }

    @Test func `the user says what texts that are no numbers become`() async throws {
        try await Evolution(
            [Text.Item.self], [Whole.Item.self],
            changes: [.converted(\Whole.Item.value, using: "CASE WHEN value ~ '^[0-9]+$' THEN value::bigint END")]
        ).run(
            seed: ["INSERT INTO item (value) VALUES ('12'), ('x')"], expecting: "SELECT value FROM item ORDER BY pk",
            is: ["12", "nil"], returning: .none(because: "the plan's own conversions have no way back: Item.value"))
    }

    @Test func `values of one type are converted in meaning`() async throws {
        try await Evolution(
            [Real.Item.self], [Real.Item.self], changes: [.converted(\Real.Item.value, using: "value * 100")]
        ).run(
            seed: ["INSERT INTO item (value) VALUES (2.5)"], expecting: "SELECT value FROM item", is: ["250"],
            returning: .none(because: "the plan's own conversions have no way back: Item.value"))
    }
}
