import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private final class Hall {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Place.hall) var places: [Place] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Place {
    #Unique<Place>([\.hall, \.row, \.number], nulls: .notDistinct)
    var hall: Hall?
    var row: String?
    var number: Int
    var note: String = ""

    init(_ hall: Hall?, _ row: String?, _ number: Int, _ note: String = "") {
        (self.hall, self.row, self.number, self.note) = (hall, row, number, note)
    }
}

@Model private final class Desk {
    #Unique<Desk>([\.number], nulls: .notDistinct) { $0.isUsed }
    var number: Int?
    var isUsed = true
    init(_ number: Int?, isUsed: Bool = true) { (self.number, self.isUsed) = (number, isUsed) }
}

@Model private final class Required {
    #Unique<Required>([\.number], nulls: .notDistinct)
    var number = 0
    init() {}
}

/// Unique values among which `nil` equals `nil`.
@Suite struct UniqueNullsTests {
    private func withPlaces(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Hall.self, Place.self, Desk.self) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private func places(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            "SELECT concat_ws(' ', coalesce(h.name, '-'), coalesce(row, '-'), number, note) FROM place LEFT JOIN hall AS h ON h.pk = hall ORDER BY 1"
        )
    }

    @Test func `a new object takes over the row with the same nil`() async throws {
        try await withPlaces { store, context in
            let hall = Hall("h")
            for place in [
                Place(nil, nil, 1, "a"), Place(nil, nil, 1, "b"), Place(hall, nil, 1, "c"), Place(nil, "r", 1, "d"),
            ] { context.insert(place) }
            try await context.save()
            #expect(try await places(store) == ["- - 1 b", "- r 1 d", "h - 1 c"])
            store.recorder.reset()
            // The hall is a row too, and so the place is another one than it seems at first.
            context.insert(Place(nil, nil, 1, "e"))
            context.insert(Place(Hall("h"), nil, 1, "f"))
            try await context.save()
            #expect(try await places(store) == ["- - 1 e", "- r 1 d", "h - 1 f"])
            let find = try #require(store.recorder.statements.first { $0.contains(#"JOIN "public"."place""#) })
            #expect(
                find
                    == #"SELECT u.i, t."pk" FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS u(i, c0, c1, c2) CROSS JOIN LATERAL ("#
                    + ["0 0", "1 0", "0 1", "1 1"].map { pattern in
                        let hall = pattern.hasPrefix("1") ? #"t."hall" IS NULL AND u.c0 IS NULL"# : #"t."hall" = u.c0"#
                        let row = pattern.hasSuffix("1") ? #"t."row" IS NULL AND u.c1 IS NULL"# : #"t."row" = u.c1"#
                        return
                            #"SELECT t."pk" FROM "public"."place" AS t WHERE \#(hall) AND \#(row) AND t."number" = u.c2"#
                    }.joined(separator: " UNION ALL ")
                    + #") AS m JOIN "public"."place" AS t ON t."pk" = m."pk" AND (t."hall" = u.c0 OR t."hall" IS NULL AND u.c0 IS NULL) "#
                    + #"AND (t."row" = u.c1 OR t."row" IS NULL AND u.c1 IS NULL) AND t."number" = u.c2 "#
                    + #"WHERE t."pk" <> ALL ($5::bigint[]) ORDER BY t."pk" FOR NO KEY UPDATE OF t"#)
            let result = try await context.insert(
                into: Place.self, \.row, \.number, \.note, rows: [(nil, 1, "g"), ("r", 2, "h"), (nil, 1, "i")],
                uniquePolicy: .upsert)
            #expect(result.insertedCount == 1)
            #expect(try await places(store) == ["- - 1 i", "- r 1 d", "- r 2 h", "h - 1 f"])
            context.uniquePolicy = .fail
            context.insert(Place(nil, nil, 1))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                error?.message
                    == "Another object has the same Place.hall, Place.row, Place.number. Change the value, or fetch that object and change it."
            )
        }
    }

    @Test func `values and nil are exchanged, and no row is parked with nil`() async throws {
        try await withPlaces { store, context in
            let places = [Place(nil, nil, 1, "a"), Place(nil, "r", 1, "b"), Place(nil, nil, 2, "c")]
            for place in places { context.insert(place) }
            try await context.save()
            (places[0].row, places[1].row) = ("r", nil)
            try await context.save()
            #expect(try await self.places(store) == ["- - 1 b", "- - 2 c", "- r 1 a"])
            (places[1].number, places[2].number) = (2, 1)
            try await context.save()
            #expect(try await self.places(store) == ["- - 1 c", "- - 2 b", "- r 1 a"])
            let desks = [Desk(nil), Desk(1), Desk(nil, isUsed: false)]
            for desk in desks { context.insert(desk) }
            try await context.save()
            (desks[0].isUsed, desks[2].isUsed) = (false, true)
            try await context.save()
            (desks[1].number, desks[2].number) = (nil, 1)
            try await context.save()
            desks[0].isUsed = true
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.message.hasPrefix("Another object has the same Desk.number.") == true)
        }
    }

    @Test func `a constraint that counts nil otherwise is not that one`() async throws {
        try await withPlaces { store, _ in
            try await store.database.execute(
                "ALTER TABLE place DROP CONSTRAINT place_hall_row_number_key",
                "ALTER TABLE place ADD UNIQUE (hall, row, number)")
            let error = await #expect(throws: (any Error).self) {
                try await store.reopened(Schema(Hall.self, Place.self, Desk.self))
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(
                text.contains(
                    "the unique values of place (hall, row, number) are NULLS DISTINCT, the schema needs NULLS NOT DISTINCT: "
                ), "\(text)")
            try await store.database.execute(
                "CREATE UNIQUE INDEX ON place (hall, row, number) NULLS NOT DISTINCT")
            let container = try await store.reopened(Schema(Hall.self, Place.self, Desk.self))
            await container.close()
        }
    }

    @Test func `where nothing is optional, nil equals nothing`() async {
        let error = await #expect(throws: (any Error).self) {
            try await ModelContainer(
                for: Schema(Required.self), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(
            text.contains("#Unique of number says that nil equals nil, and none of these properties is optional"),
            "\(text)"
        )
    }
}
