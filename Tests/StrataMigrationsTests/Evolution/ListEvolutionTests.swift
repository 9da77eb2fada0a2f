import Foundation
import StrataMigrations
import StrataModels
import Testing

/// Lists, moments and documents: what is one value in Swift stays that value, in whatever form it is stored.
@Suite("Evolution: lists, moments and documents") struct ListEvolutionTests {
    typealias Case = TypeEvolutionTests.Case
    typealias Types = TypeEvolutionTests
    enum Reals {
        @Model class Item {
            var value: [Double]?
            init() {}
        }
    }
    enum Moments {
        @Model class Item {
            var value: [Date]?
            init() {}
        }
    }
    enum TextDocument {
        @Model class Item {
            @Attribute(.codable) var value: String?
            init() {}
        }
    }
    enum NumberDocument {
        @Model class Item {
            @Attribute(.codable) var value: Int?
            init() {}
        }
    }
    enum MomentDocument {
        @Model class Item {
            @Attribute(.codable) var value: Date?
            init() {}
        }
    }
    enum TokenDocument {
        @Model class Item {
            @Attribute(.codable) var value: UUID?
            init() {}
        }
    }
    enum BytesDocument {
        @Model class Item {
            @Attribute(.codable) var value: Data?
            init() {}
        }
    }
    enum ListDocument {
        @Model class Item {
            @Attribute(.codable) var value: [Int]?
            init() {}
        }
    }
    struct Place: Codable { var city: String }
    enum PlaceDocument {
        @Model class Item {
            var value: Place?
            init() {}
        }
    }
    enum Numbers {
        @Model class Item {
            var value: [Int]
            init(value: [Int]) { self.value = value }
        }
    }
    enum Number {
        @Model class Item {
            var value: Int
            init(value: Int) { self.value = value }
        }
    }
    enum Defaulted {
        @Model class Item {
            var value: Int = -1
            init() {}
        }
    }

    /// Values are separated by ` | `: lists have commas.
    private static func seed(_ example: Case) -> [String] {
        ["INSERT INTO item (value) VALUES (\(example.values.replacing(" | ", with: "), (")))"]
    }

    static let fitting = [
        Case(Types.List.Item.self, Types.Words.Item.self, "'{1,2}'::bigint[] | '{}'", ["{1,2}", "{}"]),
        Case(Types.Words.Item.self, Types.List.Item.self, "'{1,NULL,\" 3\"}'::text[]", ["{1,NULL,3}"]),
        Case(Types.List.Item.self, Reals.Item.self, "'{1,2}'::bigint[]", ["{1,2}"]),
        Case(Reals.Item.self, Types.List.Item.self, "'{1,2}'::double precision[]", ["{1,2}"]),
        Case(
            Moments.Item.self, Types.Words.Item.self, "'{2024-02-03T04:05:06Z}'::timestamptz[]",
            ["{2024-02-03T04:05:06.000000Z}"]),
        Case(Types.Text.Item.self, Types.Words.Item.self, "'a,b' | NULL", ["{\"a,b\"}", "nil"]),
        Case(Types.Words.Item.self, Types.Text.Item.self, "'{a}'::text[] | '{}' | NULL", ["a", "nil", "nil"]),
        Case(Types.Text.Item.self, Types.List.Item.self, "'7'", ["{7}"]),
        Case(Types.Text.Item.self, TextDocument.Item.self, "'12' | 'a\"b' | NULL", ["\"12\"", "\"a\\\"b\"", "nil"]),
        Case(TextDocument.Item.self, Types.Text.Item.self, "'\"12\"'::jsonb", ["12"]),
        Case(Types.Whole.Item.self, NumberDocument.Item.self, "9007199254740993", ["9007199254740993"]),
        Case(NumberDocument.Item.self, Types.Whole.Item.self, "'9007199254740993'::jsonb", ["9007199254740993"]),
        Case(Types.List.Item.self, ListDocument.Item.self, "'{1,2}'::bigint[] | '{}' | NULL", ["[1, 2]", "[]", "nil"]),
        Case(ListDocument.Item.self, Types.List.Item.self, "'[1, 2]'::jsonb | '[]' | NULL", ["{1,2}", "{}", "nil"]),
        Case(
            Types.Moment.Item.self, MomentDocument.Item.self, "to_timestamp(1.5) | 'infinity'",
            ["1.500000", "64092211200"]),
        Case(
            Types.Token.Item.self, TokenDocument.Item.self, "'7d444840-9dc0-11d1-b245-5ffdce74fad2'::uuid",
            ["\"7D444840-9DC0-11D1-B245-5FFDCE74FAD2\""]),
        Case(
            TokenDocument.Item.self, Types.Token.Item.self, "'\"7D444840-9DC0-11D1-B245-5FFDCE74FAD2\"'::jsonb",
            ["7d444840-9dc0-11d1-b245-5ffdce74fad2"]),
        Case(Types.Bytes.Item.self, BytesDocument.Item.self, "'\\x00ff'::bytea", ["\"AP8=\""]),
        Case(BytesDocument.Item.self, Types.Bytes.Item.self, "'\"AP8=\"'::jsonb", ["\\x00ff"]),
        Case(Types.Text.Item.self, PlaceDocument.Item.self, "'{\"city\": \"Rome\"}'", ["{\"city\": \"Rome\"}"]),
        Case(PlaceDocument.Item.self, Types.Text.Item.self, "'{\"city\": \"Rome\"}'::jsonb", ["{\"city\": \"Rome\"}"]),
        Case(
            Types.Moment.Item.self, Types.Text.Item.self, "'infinity'::timestamptz | '2024-02-03T04:05:06.5+02'",
            ["infinity", "2024-02-03T02:05:06.500000Z"]),
    ]

    @Test(arguments: fitting) func `values that fit are converted`(_ example: Case) async throws {
        try await Evolution([example.from], [example.to]).run(
            seed: Self.seed(example), expecting: "SELECT value::text AS v FROM item ORDER BY pk", is: example.found,
            returning: .asPlanned)
    }

    @Test func `texts name moments with their zone, or in UTC, whatever the session says`() async throws {
        try await Evolution([Types.Text.Item.self], [Types.Moment.Item.self]).run(
            seed: [
                "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Tokyo''', current_database()); END $$",
                """
                INSERT INTO item (value) VALUES ('1970-01-02'), ('1970-01-01 00:00:07'), ('1970-01-01T02:00:07+02:00'),
                ('1970-01-01T00:00:07Z'), ('infinity')
                """,
            ],
            expecting: "SELECT extract(epoch FROM value)::text AS v FROM item ORDER BY pk",
            is: ["86400.000000", "7.000000", "7.000000", "7.000000", "Infinity"],
            returning: .changed(
                note:
                    "going back, Item.value is converted from timestamptz: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    static let offending = [
        Case(Types.Words.Item.self, Types.List.Item.self, "'{1,x}'::text[]", []),
        Case(Types.Words.Item.self, Types.Text.Item.self, "'{a,b}'::text[]", []),
        Case(Reals.Item.self, Types.List.Item.self, "'{1,2.5}'::double precision[]", []),
        Case(Types.Text.Item.self, Types.List.Item.self, "'x'", []),
        Case(TextDocument.Item.self, Types.Text.Item.self, "'12'::jsonb", []),
        Case(NumberDocument.Item.self, Types.Whole.Item.self, "'\"12\"'::jsonb", []),
        Case(NumberDocument.Item.self, Types.Whole.Item.self, "'1.5'::jsonb", []),
        Case(ListDocument.Item.self, Types.List.Item.self, "'[1, \"x\"]'::jsonb", []),
        Case(ListDocument.Item.self, Types.List.Item.self, "'{}'::jsonb", []),
        Case(Types.Text.Item.self, PlaceDocument.Item.self, "'Rome'", []),
        Case(Types.Text.Item.self, Types.Moment.Item.self, "'today'", []),
        Case(Types.Text.Item.self, Types.Moment.Item.self, "'01/02/2024'", []),
        Case(Types.Text.Item.self, Types.Moment.Item.self, "'2024-02-03T04Z'", []),
        Case(Types.Real.Item.self, Types.Moment.Item.self, "'NaN'::double precision", []),
        Case(Types.Real.Item.self, Types.Moment.Item.self, "1e15::double precision", []),
        Case(Types.Moment.Item.self, Types.Text.Item.self, "'0044-03-15 BC'::timestamptz", []),
    ]

    @Test(arguments: offending) func `values that do not fit are refused`(_ example: Case) async throws {
        try await Evolution([example.from], [example.to]).refuse(seed: Self.seed(example), naming: "Item.value")
    }

    static let unknown = [
        Case(Types.Whole.Item.self, PlaceDocument.Item.self, "", []),
        Case(PlaceDocument.Item.self, Types.Whole.Item.self, "", []),
        Case(Types.List.Item.self, PlaceDocument.Item.self, "", []),
    ]

    @Test(arguments: unknown) func `only the user can say what the value is`(_ example: Case) throws {
        let evolution = try Evolution([example.from], [example.to])
        let error = #expect(throws: MigrationError.self) { _ = try evolution.scripts() }
        #expect(error?.code == .planRefused)
        #expect(error?.places == ["Item.value"])
    }

    @Test func `an empty list is no required value`() async throws {
        try await Evolution([Numbers.Item.self], [Number.Item.self]).refuse(
            seed: ["INSERT INTO item (value) VALUES ('{1}'), ('{}')"], naming: "M201")
        try await Evolution([Numbers.Item.self], [Defaulted.Item.self]).run(
            seed: ["INSERT INTO item (value) VALUES ('{1}'), ('{}')"], expecting: "SELECT value FROM item ORDER BY pk",
            is: ["1", "-1"],
            returning: .changed(note: "going back, Item.value keeps what it is filled with where it is empty now"))
    }
}
