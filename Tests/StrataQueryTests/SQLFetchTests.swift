import Foundation
import Strata
import StrataModelTestSupport
import Testing

@Suite struct SQLFetchTests {
    private func withVoyages(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            let context = ModelContext(store.container)
            for (number, port) in ["Kiel", "Kiel", "Bergen", "Oslo", "Bergen", "Kiel"].enumerated() {
                let voyage =
                    number % 3 == 2
                    ? Cruise("v\(number)", port, day: number, decks: number)
                    : Voyage(
                        "v\(number)", port, day: number, price: Decimal(number) / 4, mood: number == 1 ? .wild : .calm)
                context.insert(voyage)
                context.insert(Stop("s\(number)", of: voyage))
            }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private struct Port: Decodable, Equatable {
        var city: String
        var voyages: Int
        var lastStart: Date
        var cheapest: Decimal?
    }

    @Test func `rows become structs by the names of their columns`() async throws {
        try await withVoyages { store, context in
            let date = Date(timeIntervalSince1970: 0)
            let sql: SQLStatement = """
                SELECT \(\Voyage.homePort) AS city, count(*) AS voyages, max(\(\Voyage.startDate)) AS last_start, \
                min(\(\Voyage.price)) AS cheapest FROM \(Voyage.self) WHERE \(\Voyage.startDate) > \(date) GROUP BY 1 ORDER BY 1
                """
            let ports = try await context.fetch(Port.self, sql: sql)
            #expect(
                ports == [
                    Port(city: "Bergen", voyages: 2, lastStart: date + 4 * 86_400, cheapest: 1),
                    Port(city: "Kiel", voyages: 2, lastStart: date + 5 * 86_400, cheapest: 0.25),
                    Port(city: "Oslo", voyages: 1, lastStart: date + 3 * 86_400, cheapest: 0.75),
                ])
            #expect(
                store.recorder.flushes == [
                    [
                        """
                        SELECT "voyage"."home_port" AS city, count(*) AS voyages, max("voyage"."start_date") AS last_start, \
                        min("voyage"."price") AS cheapest FROM "public"."voyage" WHERE "voyage"."start_date" > $1::timestamptz \
                        GROUP BY 1 ORDER BY 1
                        """
                    ]
                ])
            #expect(try { try context.fetch(Port.self, sql: sql) }() == ports)
        }
    }

    @Test func `a column is one value, and a tuple takes columns in order`() async throws {
        try await withVoyages { _, context in
            #expect(try await context.fetch(Int.self, sql: "SELECT count(*) FROM \(Voyage.self)") == [6])
            #expect(
                try await context.fetch(
                    Decimal?.self, sql: "SELECT \(\Voyage.price) FROM \(Voyage.self) ORDER BY name LIMIT 3")
                    == [0, 0.25, nil])
            #expect(
                try await context.fetch(
                    Voyage.Mood.self, sql: "SELECT DISTINCT \(\Voyage.mood) FROM \(Voyage.self) ORDER BY 1") == [
                        .calm, .wild,
                    ])
            #expect(
                try await context.fetch(
                    [String].self, sql: "SELECT \(\Voyage.tags) FROM \(Voyage.self) WHERE name = \("v3")")
                    == [["v3", "Oslo"]])
            #expect(
                try await context.fetch(
                    Voyage.Captain.self, sql: "SELECT name, 7 AS years FROM \(Voyage.self) WHERE name = \("v0")")
                    == [Voyage.Captain(name: "v0", years: 7)])
            let pairs = try await context.fetch(
                (String, Int?, Voyage.Captain).self,
                sql: "SELECT \(\Cruise.name), \(\Cruise.decks), \(\Cruise.captain) FROM \(Cruise.self) ORDER BY 1 DESC")
            #expect(pairs.map(\.0) == ["v5", "v2"])
            #expect(pairs.map(\.1) == [5, 2])
            #expect(pairs[0].2 == Voyage.Captain(name: "Captain of v5", years: 5))
            let blocking = try { try context.fetch((String, Bool).self, sql: "VALUES ('a', true), ('b', false)") }()
            #expect(blocking.map(\.0) == ["a", "b"])
            #expect(blocking.map(\.1) == [true, false])
        }
    }

    @Test func `a subclass is the join of its tables, and tables get other names`() async throws {
        try await withVoyages { store, context in
            #expect(
                try await context.fetch(
                    String.self,
                    sql: """
                        SELECT \(\Stop.name, of: "s") FROM \(Stop.self, as: "s") JOIN \(Cruise.self, as: "c") \
                        ON \(\Stop.voyage, of: "s") = \(\Cruise.persistentModelID, of: "c") \
                        WHERE \(\Cruise.decks, of: "c") > \(2) AND \(\Cruise.homePort, of: "c") = \("Kiel")
                        """) == ["s5"])
            #expect(
                store.recorder.statements == [
                    """
                    SELECT "s"."name" FROM "public"."stop" AS "s" JOIN ("public"."voyage" JOIN "public"."cruise" USING ("pk")) \
                    AS "c" ON "s"."voyage" = "c"."pk" WHERE "c"."decks" > $1::bigint AND "c"."home_port" = $2::text
                    """
                ])
            let decks = try await context.fetch(
                Int.self,
                sql: "SELECT sum(\(\Cruise.decks))::bigint FROM \(Cruise.self) WHERE \(\Cruise.homePort) = \("Bergen")")
            #expect(decks == [2])
        }
    }

    @Test func `values are parameters whatever they hold`() async throws {
        try await withVoyages { store, context in
            let attack = "'; DROP TABLE voyage; --"
            #expect(
                try await context.fetch(
                    String.self, sql: "SELECT \(\Voyage.name) FROM \(Voyage.self) WHERE \(\Voyage.name) = \(attack)")
                    == [])
            #expect(store.recorder.statements.last?.contains("DROP") == false)
            let nothing: Int? = nil
            let captain = Voyage.Captain(name: "Q", years: 1)
            let row = try await context.fetch(
                (Int?, String, [String], Voyage.Captain, Voyage.Mood, UUID, Data).self,
                sql: """
                    SELECT \(nothing), \(attack), \(["a", attack]), \(json: captain), \(Voyage.Mood.wild), \
                    \(UUID(uuidString: "0EA7B1C4-5C52-4A9A-8B83-7D3C2AB60C11")), \(Data([0, 1]))
                    """)
            #expect(row[0].0 == nil)
            #expect(row[0].1 == attack)
            #expect(row[0].2 == ["a", attack])
            #expect(row[0].3 == captain)
            #expect(row[0].4 == .wild)
            #expect(row[0].5.uuidString == "0EA7B1C4-5C52-4A9A-8B83-7D3C2AB60C11")
            #expect(row[0].6 == Data([0, 1]))
            #expect(
                store.recorder.statements.last
                    == "SELECT $1::bigint, $2::text, $3::text[], $4::jsonb, $5::text, $6::uuid, $7::bytea")
            let condition: SQLStatement = "\(\Voyage.name) = ANY(\(["v1", "v4"]))"
            let order = "DESC"
            #expect(
                try await context.fetch(
                    String.self,
                    sql: "SELECT \(\Voyage.name) FROM \(Voyage.self) WHERE \(condition) ORDER BY 1 \(raw: order)")
                    == ["v4", "v1"])
        }
    }

    @Test func `keys become the context's objects, in the query's order`() async throws {
        try await withVoyages { store, context in
            let known = try #require(
                try await context.fetch(FetchDescriptor<Voyage>(predicate: #Predicate { $0.name == "v5" })).first)
            store.recorder.reset()
            let voyages = try await context.fetch(
                Voyage.self,
                sql: """
                    SELECT \(\Voyage.persistentModelID) FROM \(Voyage.self) WHERE \(\Voyage.homePort) = \("Kiel") \
                    ORDER BY \(\Voyage.name) DESC
                    """)
            #expect(voyages.map(\.name) == ["v5", "v1", "v0"])
            #expect(voyages[0] === known)
            #expect(voyages[0] is Cruise)
            #expect(store.recorder.roundTrips == 2)
            let stops = try {
                try context.fetch(
                    Stop.self,
                    sql:
                        "SELECT \(\Stop.persistentModelID) FROM \(Stop.self) WHERE \(\Stop.voyage) = \(known.persistentModelID)"
                )
            }()
            #expect(stops.map(\.name) == ["s5"])
            let identifiers = voyages.map(\.persistentModelID)
            #expect(
                try await context.fetch(
                    Int.self,
                    sql: "SELECT count(*) FROM \(Voyage.self) WHERE \(\Voyage.persistentModelID) = ANY(\(identifiers))")
                    == [3])
        }
    }

    /// A tree is walked by a recursive query.
    @Test func `common table expressions and windows are SQL as ever`() async throws {
        try await withVoyages { _, context in
            let ranks = try await context.fetch(
                (String, Int).self,
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(3)), r AS (
                      SELECT \(\Voyage.name) AS name, rank() OVER (PARTITION BY \(\Voyage.homePort) ORDER BY \(\Voyage.name)) AS place
                      FROM \(Voyage.self))
                    SELECT r.name, n.i FROM r JOIN n ON n.i = r.place ORDER BY 2 DESC, 1 LIMIT 2
                    """)
            #expect(ranks.map(\.0) == ["v5", "v1"])
            #expect(ranks.map(\.1) == [3, 2])
        }
    }

    @Test func `many rows are read by the plan of the first`() async throws {
        struct Row: Decodable {
            var i: Int
            var s: String
            var d: Date?
            var u: UUID
            var b: Bool?
        }
        try await withVoyages { _, context in
            let rows = try await context.fetch(
                Row.self,
                sql: """
                    SELECT i, 'text ' || i AS s, CASE WHEN i % 2 = 0 THEN to_timestamp(i) END AS d, \
                    lpad(to_hex(i), 32, '0')::uuid AS u, nullif(i % 3 = 0, true) AS b FROM generate_series(1, \(3000)) AS i
                    """)
            #expect(rows.count == 3000)
            for (index, row) in rows.enumerated() {
                let number = index + 1
                #expect(row.i == number && row.s == "text \(number)")
                #expect(row.d == (number % 2 == 0 ? Date(timeIntervalSince1970: Double(number)) : nil))
                #expect(row.b == (number % 3 == 0 ? nil : false))
            }
        }
    }

    /// Asks with two enumerations of keys whose cases have the same numbers, and in another order in every other row.
    private struct TwoKinds: Decodable {
        enum Numbers: String, CodingKey { case i, j }
        enum Texts: String, CodingKey { case s, t }
        var numbers: [Int]
        var texts: [String]

        init(from decoder: any Decoder) throws {
            let (numbers, texts) = (
                try decoder.container(keyedBy: Numbers.self), try decoder.container(keyedBy: Texts.self)
            )
            let i = try numbers.decode(Int.self, forKey: .i)
            if i % 2 == 0 {
                self.texts = [try texts.decode(String.self, forKey: .s), try texts.decode(String.self, forKey: .t)]
                self.numbers = [i, try numbers.decode(Int.self, forKey: .j)]
            } else {
                self.numbers = [i, try numbers.decode(Int.self, forKey: .j)]
                self.texts = [try texts.decode(String.self, forKey: .s), try texts.decode(String.self, forKey: .t)]
            }
        }
    }

    /// Asks with keys that are no enumeration.
    private struct Named: Decodable {
        struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        /// As many bytes as no other key has, none of which is a reference.
        enum Wide: CodingKey {
            case number(Int)
            init?(stringValue: String) { nil }
            init?(intValue: Int) { nil }
            var intValue: Int? { nil }
            var stringValue: String {
                switch self {
                case .number(let number): number == 0 ? "i" : "j"
                }
            }
        }
        var values: [Int]
        var texts: [String]

        init(from decoder: any Decoder) throws {
            let (names, wide) = (try decoder.container(keyedBy: Name.self), try decoder.container(keyedBy: Wide.self))
            values = try (0...1).map { try wide.decode(Int.self, forKey: .number($0)) }
            texts = try ["s", "t"].map { try names.decode(String.self, forKey: Name(stringValue: $0)) }
        }
    }

    @Test func `columns are told apart by any keys`() async throws {
        try await withVoyages { _, context in
            let sql: SQLStatement = """
                SELECT i, -i AS j, 's' || i AS s, 't' || i AS t FROM generate_series(1, \(500)) AS i ORDER BY i
                """
            let rows = try await context.fetch(TwoKinds.self, sql: sql)
            let named = try await context.fetch(Named.self, sql: sql)
            #expect(rows.map(\.numbers) == (1...500).map { [$0, -$0] })
            #expect(rows.map(\.texts) == (1...500).map { ["s\($0)", "t\($0)"] })
            #expect(named.map(\.values) == rows.map(\.numbers))
            #expect(named.map(\.texts) == rows.map(\.texts))
        }
    }

    private struct Wrong: Decodable { var name: Int }
    private struct Missing: Decodable { var harbour: String? }
    private struct Late: Decodable { var price: Decimal }

    @Test func `what does not fit says the column and the type`() async throws {
        try await withVoyages { store, context in
            func message(_ body: () async throws -> Void) async -> String {
                do { try await body() } catch let error as SwiftDataError {
                    #expect(error.code == .invalidValue)
                    return error.message
                } catch {
                    return "another error: \(error)"
                }
                return "no error"
            }
            #expect(
                await message { _ = try await context.fetch(Wrong.self, sql: "SELECT name FROM \(Voyage.self)") }
                    == "The column \"name\" of the result is text, which is not read as Int. Cast it in the statement, or read it as "
                    + "another type.")
            #expect(
                await message { _ = try await context.fetch(Missing.self, sql: "SELECT home_port FROM \(Voyage.self)") }
                    == "The result has no column for Missing.harbour; it has \"home_port\". Write AS \"harbour\" behind one of them."
            )
            #expect(
                await message {
                    _ = try await context.fetch(Late.self, sql: "SELECT price FROM \(Voyage.self) ORDER BY name")
                }
                    == "The column \"price\" of the result is NULL in a row, but Decimal is not optional. Read it as Decimal?, or "
                    + "write coalesce(…) in the statement.")
            #expect(
                await message {
                    _ = try await context.fetch(
                        Missing.self, sql: "SELECT home_port AS harbour, name AS harbour FROM \(Voyage.self)")
                }
                    == "The result has 2 columns for Missing.harbour, all named \"harbour\". Select the one that is meant, or name it by AS."
            )
            #expect(
                await message { _ = try await context.fetch(Int.self, sql: "SELECT 1, 2") }.hasPrefix(
                    "The result has 2 columns (\"?column?\", \"?column?\"), but Int takes 1."))
            #expect(
                await message { _ = try await context.fetch((Int, Int).self, sql: "SELECT 1, 2, 3") }.contains(
                    "takes 2"))
            #expect(
                await message { _ = try await context.fetch(Voyage.self, sql: "SELECT name FROM \(Voyage.self)") }
                    .contains(
                        "SELECT \\(\\Voyage.persistentModelID)"))
            #expect(
                await message {
                    _ = try await context.fetch(Voyage.Mood.self, sql: "SELECT 'angry'::text")
                } == "The column \"text\" of the result is text: a value of it is no Mood.")
            let keys = try await context.fetch(Int.self, sql: "SELECT \(\Voyage.id) FROM \(Voyage.self) ORDER BY 1")
            #expect(keys.count == 6)
            // The connection is as good as before.
            let one = try await context.fetch(Int.self, sql: "SELECT 1::int4")
            #expect(one == [1])
        }
    }

    @Test func `what cannot be named is refused before anything is sent`() async throws {
        try await withVoyages { store, context in
            func refused(_ sql: SQLStatement, _ code: SwiftDataError.Code, _ part: String) async {
                let error = await #expect(throws: SwiftDataError.self) { try await context.execute(sql) }
                #expect(error?.code == code)
                #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
            }
            await refused(
                "SELECT \(\Voyage.stops)", .unsupportedKeyPath, "Join \"stop\", whose column \"voyage\" holds the key.")
            await refused("SELECT \(\Stop.voyage?.name)", .unsupportedKeyPath, "is no stored property of one class")
            await refused("SELECT 1 FROM \(Other.self)", .unknownSchema, "Other")
            let foreign = Stop("nowhere", of: nil)
            await refused("SELECT \(foreign.persistentModelID)", .invalidIdentifier, "never inserted")
            for text in ["COMMIT", " begin", "/* a /* b */ */ -- c\n rollback", "SAVEPOINT a"] {
                await refused("\(raw: text)", .unsupportedFeature, "begins or ends a transaction")
            }
            for text in ["SET search_path = x", "LISTEN a", "DISCARD ALL"] {
                await refused("\(raw: text)", .unsupportedFeature, "a connection that others use")
            }
            await refused("COPY voyage TO STDOUT", .unsupportedFeature, "COPY")
            await refused("", .unsupportedFeature, "empty")
            #expect(store.recorder.statements.isEmpty)
        }
    }

    @Test func `a label is text, and a row or an array is none`() async throws {
        try await withVoyages { store, context in
            try await context.execute("CREATE TYPE weather AS ENUM ('fair', 'foul')")
            try await context.execute("CREATE TYPE place AS (name text, depth int)")
            #expect(try await context.fetch(String.self, sql: "SELECT 'fair'::weather") == ["fair"])
            struct Labelled: Decodable {
                var label: String
            }
            let labels = try await context.fetch(
                Labelled.self, sql: "SELECT unnest(enum_range(NULL::weather)) AS label ORDER BY 1")
            #expect(labels.map(\.label) == ["fair", "foul"])
            let values = ["row('Kiel', 3)::place", "ARRAY['fair']::weather[]", "ARRAY[]::weather[]"]
            for value in values {
                for read in [
                    { _ = try await context.fetch(String.self, sql: "SELECT \(raw: value)") },
                    { _ = try await context.fetch(String?.self, sql: "SELECT \(raw: value)") },
                    { _ = try await context.fetch((Int, String).self, sql: "SELECT 1, \(raw: value)") },
                    { _ = try await context.fetch(Labelled.self, sql: "SELECT \(raw: value) AS label") },
                    // Not the first row.
                    {
                        _ = try await context.fetch(
                            Labelled.self,
                            sql:
                                "SELECT (CASE WHEN n = 2 THEN row('a', 3)::place END) AS label FROM generate_series(2, 3) n"
                        )
                    },
                ] as [() async throws -> Void] {
                    let error = await #expect(throws: SwiftDataError.self, "\(value)") { try await read() }
                    #expect(error?.code == .invalidValue)
                    #expect(error?.message.contains("is no text. Cast it in the") == true, "\(value)")
                }
            }
        }
    }
}

@Model private final class Other {
    var number = 0
    init() {}
}
