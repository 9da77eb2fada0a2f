import Foundation
import StrataModels
import StrataRepository
import Testing

private enum Mode: String, Codable, CaseIterable { case open, closed }

private struct Place: Codable { var city = "" }

@Model private class Trip {
    #Index<Trip>(
        .binary([\.name], including: [\.price, \.owner]), .brin([\.price]),
        where: { $0.mode == .open && $0.endDate == nil })
    #Index<Trip>(
        .sorted([.key(\.price, order: .reverse), .key(\.endDate, order: .reverse)]),
        .sorted([.key(\.price, order: .reverse, nils: .last), .key(\.endDate)]))
    #Index<Trip>(.gin([\.tags])) { !$0.tags.isEmpty }
    #Index<Trip>(.hash([\.name])) { $0 is Tour }
    #Index<Trip>([\.price]) { $0.price > 0.5 }
    // A key of its own beside the foreign key's index: not all objects are in it.
    #Index<Trip>([\.owner]) { $0.price > 3 }
    #Check<Trip>("order") { $0.endDate.flatMap { $0 > Date.distantPast } ?? true }
    #Check<Trip>("named") { trip in !trip.name.isEmpty && trip.name.lowercased() != "o'neil" }
    #Check<Trip>("place") { $0.place.city == "Rome" }
    #Check<Trip>("mode") { $0.mode == nil || $0.mode == .closed }
    var name = ""
    var price = 0.0
    var endDate: Date?
    var mode: Mode?
    var tags: [String] = []
    var place = Place()
    var owner: Owner?
    init() {}
}

@Model private final class Tour: Trip {
    // Properties of the superclass only: it stands on the table that has them.
    #Index<Tour>([\.price]) { $0.name == "x" }
    #Check<Tour>("seats") { $0.seats >= 1 }
    var seats = 1
    override init() { super.init() }
}

@Model private final class Owner {
    @Relationship(inverse: \Trip.owner) var trips: [Trip] = []
    init() {}
}

/// Orders, conditions and rules as SQL.
@Suite struct DeclaredConditionTextTests {
    private let mapping = StoreMapping(Schema(Trip.self, Tour.self, Owner.self))
    private var definition: DatabaseDefinition { DatabaseDefinition(mapping) }

    @Test func `what is written here is valid`() {
        #expect(SchemaValidation.findings(mapping.schema, mapping: mapping) == [])
    }

    @Test func `indexes say all that the model says`() throws {
        let trip = try #require(definition.table(named: "trip"))
        expectText(
            trip.indexes.map { trip.creation(of: $0, in: "public").text }.joined(separator: "\n"),
            #"""
            CREATE INDEX "trip_name_idx" ON "public"."trip" ("name") INCLUDE ("price", "owner") WHERE ("mode" = 'open'::text AND "end_date" IS NULL)
            CREATE INDEX "trip_price_idx" ON "public"."trip" USING brin ("price") WHERE ("mode" = 'open'::text AND "end_date" IS NULL)
            CREATE INDEX "trip_price_end_date_idx" ON "public"."trip" ("price" DESC, "end_date" DESC NULLS LAST)
            CREATE INDEX "trip_price_end_date_idx1" ON "public"."trip" ("price" DESC NULLS LAST, "end_date" NULLS FIRST)
            CREATE INDEX "trip_tags_idx" ON "public"."trip" USING gin ("tags") WHERE (NOT (cardinality("tags") = 0))
            CREATE INDEX "trip_name_idx1" ON "public"."trip" USING hash ("name") WHERE ("class" = 'Tour'::text)
            CREATE INDEX "trip_price_idx1" ON "public"."trip" ("price") WHERE ("price" > '0.5'::double precision AND "price" < 'NaN'::double precision)
            CREATE INDEX "trip_owner_idx" ON "public"."trip" ("owner") WHERE ("price" > '3.0'::double precision AND "price" < 'NaN'::double precision)
            CREATE INDEX "trip_owner_idx1" ON "public"."trip" ("owner")
            CREATE INDEX "trip_price_idx2" ON "public"."trip" ("price") WHERE ("name" = 'x'::text)
            """#)
    }

    @Test func `rules are checks of the table of their class`() throws {
        let tables = ["trip", "tour"].compactMap { definition.table(named: $0) }
        expectText(
            tables.flatMap(\.checks).map(\.clause).joined(separator: "\n"),
            #"""
            CONSTRAINT "trip_class_check" CHECK ("class" IN ('Trip', 'Tour'))
            CONSTRAINT "trip_order_check" CHECK (COALESCE("end_date" > '-infinity'::timestamptz, true))
            CONSTRAINT "trip_named_check" CHECK (NOT ("name" = '') AND translate("name", 'ONEIİL'::text, 'oneiil'::text) <> 'o''neil'::text)
            CONSTRAINT "trip_place_check" CHECK ((("place" #>> ARRAY['city'::text]) = 'Rome'::text) IS TRUE)
            CONSTRAINT "trip_mode_check" CHECK (("mode" IS NULL OR "mode" = 'closed'::text) IS TRUE)
            CONSTRAINT "tour_seats_check" CHECK ("seats" >= '1'::bigint)
            """#)
    }

    @Test func `what was written is what is read, and what was written before means the same`() throws {
        for index in definition.tables.flatMap(\.indexes) {
            #expect(try JSONDecoder().decode(IndexDefinition.self, from: JSONEncoder().encode(index)) == index)
        }
        for check in definition.tables.flatMap(\.checks) {
            #expect(try JSONDecoder().decode(CheckDefinition.self, from: JSONEncoder().encode(check)) == check)
        }
        let plain = #"{"name": "i", "method": "btree", "columns": ["a"], "isUnique": false, "predicate": "(a > 1)"}"#
        let index = try JSONDecoder().decode(IndexDefinition.self, from: Data(plain.utf8))
        #expect(index == IndexDefinition(name: "i", columns: ["a"], predicate: "(a > 1)"))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ColumnExpression.self, from: Data(#"["a", "b"]"#.utf8))
        }
    }

    @Test func `names of columns are told from the rest`() {
        let trip = definition.table(named: "trip")
        let index = trip?.indexes.first { $0.predicate != nil && !$0.included.isEmpty }
        let renamed = index?.renaming { $0 == "end_date" ? "fin\"al" : $0 }
        #expect(renamed?.predicate?.sql == #""mode" = 'open'::text AND "fin""al" IS NULL"#)
        #expect(index?.renaming { $0 == "end_date" ? nil : $0 } == nil)
    }
}
