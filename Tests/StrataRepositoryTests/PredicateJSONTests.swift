import Foundation
import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

private final class Badge: Codable {
    var name: String
    var number: Int
    var note: String?
    var safeNumber: Int { max(0, number) }
    var shownName: String { name.isEmpty ? "unknown" : name }
    var shownNote: String? { note ?? "unknown" }

    init(_ name: String, number: Int) {
        self.name = name
        self.number = number
    }
}

@Model private final class Crate {
    var badge: Badge
    init(badge: Badge) { self.badge = badge }
}

@Model private final class Shelf {
    var shapes: [Shape?] = []
    init() {}
}

/// What is stored as JSON is looked into: elements of arrays and sets, values of dictionaries.
@Suite struct PredicateJSONTests {
    static let template = TestTemplate("parcels") { database in
        let connection = try await database.connect()
        defer { connection.close() }
        try await ParcelWorld(seed: 5).write(to: connection)
    }

    @Test func `Predicates over JSON mean the same in SQL`() async throws {
        let world = ParcelWorld(seed: 5)
        try await withTestDatabase("parcels", template: Self.template) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            var samples = PredicateSamples(seed: 11)
            var (failures, telling) = (0, 0)
            func check(_ predicate: Predicate<Parcel>) throws -> Int {
                try PredicateDifferentialTests.check(
                    predicate, world.parcels, samples.log, connection, ParcelModels.mapping, &telling)
            }
            for piece in ParcelPieces.all {
                for round in 0..<16 {
                    samples.log = []
                    let predicate = piece(&samples)
                    let difference = try check(round % 4 == 3 ? #Predicate { !predicate.evaluate($0) } : predicate)
                    failures += difference
                    if difference > 0 { break }
                }
            }
            for _ in 0..<300 {
                samples.log = []
                let (a, b) = (samples.piece(), samples.piece())
                let combined: Predicate<Parcel> =
                    switch samples.number(below: 4) {
                    case 0: #Predicate { a.evaluate($0) && b.evaluate($0) }
                    case 1: #Predicate { !(a.evaluate($0) || b.evaluate($0)) }
                    case 2: #Predicate { a.evaluate($0) != b.evaluate($0) }
                    default:
                        #Predicate { p in
                            p.courier?.parcels.contains { a.evaluate($0) && $0.number != p.number } ?? b.evaluate(p)
                        }
                    }
                failures += try check(combined)
                try #require(failures < 10, "stopped after ten differences")
            }
            #expect(failures == 0)
            #expect(telling > 700)
        }
    }

    @Test func `Elements of JSON arrays become rows of a subquery`() {
        expectSQL(
            #Predicate<Parcel> { $0.items.contains { $0.title == "x" && $0.amount > 2 } },
            """
            FROM parcel AS t0 WHERE EXISTS (SELECT FROM jsonb_array_elements(t0.items) AS t1(v) WHERE
            (t1.v #>> ARRAY[$1::text]) = $2::text AND (t1.v #>> ARRAY[$3::text])::bigint > $4::bigint)
            """, mapping: ParcelModels.mapping)
        expectSQL(
            #Predicate<Parcel> { $0.items.allSatisfy { $0.isFragile } && $0.items.count > 2 && !$0.shapes.isEmpty },
            """
            FROM parcel AS t0 WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(t0.items) AS t1(v) WHERE NOT
            (t1.v #>> ARRAY[$1::text])::boolean) AND jsonb_array_length(t0.items)::bigint > $2::bigint AND
            NOT (jsonb_array_length(t0.shapes) = 0)
            """, mapping: ParcelModels.mapping)
        expectSQL(
            #Predicate<Parcel> { $0.items.filter { $0.weather == .rainy }.count == 3 },
            """
            FROM parcel AS t0 WHERE (SELECT count(*) FROM jsonb_array_elements(t0.items) AS t1(v) WHERE
            (t1.v #>> ARRAY[$1::text]) = $2::text) = $3::bigint
            """, mapping: ParcelModels.mapping)
        expectSQL(
            #Predicate<Parcel> { $0.shapes.contains(.letter) },
            """
            FROM parcel AS t0 WHERE EXISTS (SELECT FROM jsonb_array_elements(t0.shapes) AS t1(v) WHERE t1.v = $1::jsonb)
            """, mapping: ParcelModels.mapping)
    }

    @Test func `Arrays inside of Codable values are collections too`() {
        expectSQL(
            #Predicate<Parcel> { $0.label.lines.contains("x") },
            "FROM parcel AS t0 WHERE NULLIF(t0.label #> ARRAY[$1::text], 'null'::jsonb) @> $2::jsonb",
            mapping: ParcelModels.mapping)
        expectSQL(
            #Predicate<Parcel> { $0.label.lines.contains { $0.hasPrefix("x") } },
            """
            FROM parcel AS t0 WHERE EXISTS (SELECT FROM
            jsonb_array_elements(NULLIF(t0.label #> ARRAY[$1::text], 'null'::jsonb)) AS t1(v) WHERE
            starts_with(t1.v #>> '{}', $2::text))
            """, mapping: ParcelModels.mapping)
        expectSQL(
            #Predicate<Parcel> { $0.label.lines.first == "x" },
            "FROM parcel AS t0 WHERE (t0.label #>> ARRAY[$1::text, $2::text]) = $3::text", mapping: ParcelModels.mapping
        )
    }

    @Test func `Dictionaries are looked up by key`() {
        expectSQL(
            #Predicate<Parcel> { $0.settings["theme"] == "dark" && $0.settings["n"] == nil },
            """
            FROM parcel AS t0 WHERE (t0.settings #>> ARRAY[$1::text]) = $2::text AND
            (t0.settings #>> ARRAY[$3::text]) IS NULL
            """, mapping: ParcelModels.mapping)
        expectSQL(
            #Predicate<Parcel> { $0.limits?["n"] ?? 0 > 3 && $0.label.owner.ages["x", default: 1] == 2 },
            """
            FROM parcel AS t0 WHERE COALESCE((t0.limits #>> ARRAY[$1::text])::bigint, $2::bigint) > $3::bigint AND
            COALESCE((t0.label #>> ARRAY[$4::text, $5::text, $6::text])::bigint, $7::bigint) = $8::bigint
            """, mapping: ParcelModels.mapping)
        expectSQL(
            #Predicate<Parcel> { $0.settings.keys.contains("x") && $0.places[3] != "y" },
            "FROM parcel AS t0 WHERE t0.settings ? $1::text AND (t0.places #>> ARRAY[$2::text]) IS DISTINCT FROM $3::text",
            mapping: ParcelModels.mapping)
    }

    @Test func `An enum with values beside its cases is compared as a document`() {
        expectSQL(
            #Predicate<Parcel> { $0.shape == .box(width: 1, height: 2) || $0.formerShape != .letter },
            "FROM parcel AS t0 WHERE t0.shape = $1::jsonb OR t0.former_shape IS DISTINCT FROM $2::jsonb",
            mapping: ParcelModels.mapping)
    }

    @Test func `A computed property that is often the same as a stored one is refused`() {
        let predicates: [(Predicate<Parcel>, String)] = [
            (#Predicate { $0.items.contains { $0.safeAmount == 0 } }, "Int"),
            (#Predicate { $0.items.contains { $0.total == 0 } }, "Int"),
            (#Predicate { $0.items.contains { $0.shownTitle == "unknown" } }, "String"),
        ]
        for (predicate, type) in predicates {
            expectUnsupported(
                predicate, .unsupportedKeyPath,
                "Parcel.items: it cannot be found out which coding key of Item a property of type \(type) reads.",
                mapping: ParcelModels.mapping)
        }
    }

    @Test func `The same in a class, whose stored properties are found`() {
        let mapping = StoreMapping(Schema([Crate.self]))
        for predicate in [
            #Predicate<Crate> { $0.badge.safeNumber == 0 }, #Predicate<Crate> { $0.badge.shownName == "unknown" },
            #Predicate<Crate> { $0.badge.shownNote == "unknown" },
        ] {
            expectUnsupported(
                predicate, .unsupportedKeyPath, "Crate.badge: it cannot be found out which coding key of Badge",
                mapping: mapping)
        }
        expectSQL(
            #Predicate<Crate> { $0.badge.number == -1 && $0.badge.name == "" && $0.badge.note == nil },
            """
            FROM crate AS t0 WHERE (t0.badge #>> ARRAY[$1::text])::bigint = $2::bigint AND
            (t0.badge #>> ARRAY[$3::text]) = $4::text AND (t0.badge #>> ARRAY[$5::text]) IS NULL
            """, mapping: mapping)
    }

    @Test func `A null in an array is nil`() {
        expectSQL(
            #Predicate<Shelf> { $0.shapes.contains { $0 == nil } },
            """
            FROM shelf AS t0 WHERE EXISTS (SELECT FROM jsonb_array_elements(t0.shapes) AS t1(v) WHERE
            NULLIF(t1.v, 'null'::jsonb) IS NULL)
            """, mapping: StoreMapping(Schema([Shelf.self])))
    }

    @Test func `What JSON does not tell is refused`() {
        let map = ["x": 1]
        expectUnsupported(
            #Predicate<Parcel> { $0.levels[.rainy] == 1 }, .unsupportedPredicate,
            "A look-up in Parcel.levels, whose keys of type Weather are not names in JSON, cannot be translated to SQL.",
            mapping: ParcelModels.mapping)
        expectUnsupported(
            #Predicate<Parcel> { $0.optionals["x"] == nil }, .unsupportedPredicate,
            "A look-up in Parcel.optionals, whose values may be nil themselves, cannot be translated to SQL.",
            mapping: ParcelModels.mapping)
        expectUnsupported(
            #Predicate<Parcel> { map[$0.name] == 1 }, .unsupportedPredicate,
            "A look-up in a captured Dictionary<String, Int> by a value of each row cannot be translated to SQL.",
            mapping: ParcelModels.mapping)
        expectUnsupported(
            #Predicate<Parcel> { $0.label.scores.first == 1 }, .unsupportedPredicate,
            "A property of type Optional<Optional<Int>> of Parcel.label.scores, a collection inside of JSON,",
            mapping: ParcelModels.mapping)
        expectUnsupported(
            #Predicate<Parcel> { p in p.items.contains { $0.packed == p.sent } }, .unsupportedPredicate,
            "A comparison of Parcel.items.packed with Parcel.sent, which are stored in different forms,",
            mapping: ParcelModels.mapping)
    }
}

extension PredicateSamples {
    fileprivate mutating func piece() -> Predicate<Parcel> { one(of: ParcelPieces.all)(&self) }
}
