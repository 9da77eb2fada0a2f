import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private final class Booking {
    #Index<Booking>(.gist([\.nights]))
    #Unique<Booking>([\.room, \.nights])

    var room: Int
    var nights: PostgresRange<CalendarDate>
    var hours: PostgresRange<Date>?
    var guests: PostgresRange<Int> = PostgresRange<Int>.empty
    var floors: PostgresRange<Int32> = PostgresRange<Int32>.empty
    @Attribute(.preserveValueOnDeletion) var price: PostgresRange<Decimal> = PostgresRange<Decimal>.empty
    var pauses: [PostgresRange<CalendarDate>] = []

    init(_ room: Int, _ nights: PostgresRange<CalendarDate>) { (self.room, self.nights) = (room, nights) }
}

/// Ranges as values of Swift, and as properties.
@Suite struct RangeTests {
    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate("2026-11-" + text)) }
    private func nights(_ from: String?, _ to: String?) throws -> PostgresRange<CalendarDate> {
        try #require(try PostgresRange(from: from.map(day), to: to.map(day)))
    }

    @Test func `a range has one form, and one text`() throws {
        #expect(PostgresRange(1...3) == PostgresRange(1..<4) && PostgresRange(1...3)?.description == "[1,4)")
        #expect(PostgresRange(from: 1, includesLower: false, to: 4) == PostgresRange(2..<4))
        #expect(PostgresRange(5..<5) == .empty && PostgresRange<Int>("(3,4)") == .empty)
        #expect(PostgresRange(from: 4, to: 3) == nil && PostgresRange(from: 1, to: Int.max, includesUpper: true) == nil)
        #expect(PostgresRange(from: nil, to: 3)?.description == "(,3)" && PostgresRange(3...)?.description == "[3,)")
        #expect(PostgresRange<Int>(from: nil, to: nil)?.description == "(,)")
        let numbers = PostgresRange(Decimal(1)...Decimal(2))
        #expect(numbers?.description == "[1,2]" && numbers != PostgresRange(Decimal(1)..<Decimal(2)))
        #expect(PostgresRange<Decimal>("[1.50,2)") == PostgresRange(from: Decimal(3) / 2, to: 2))
        #expect(PostgresRange(from: Decimal.nan, to: nil) == nil)
        let (start, end) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1.5))
        let moments = PostgresRange(start..<end)
        #expect(moments?.description == #"["1970-01-01T00:00:00+00","1970-01-01T00:00:01.5+00")"#)
        for text in [
            #"["1970-01-01 00:00:00+00","1970-01-01 00:00:01.5+00")"#,
            #"["1970-01-01 05:30:00+05:30","1969-12-31 19:00:01.5-05")"#,
        ] { #expect(PostgresRange<Date>(text) == moments) }
        #expect(PostgresRange<Date>("[-infinity,infinity]")?.upper?.bound == .distantFuture)
        for text in ["", "[", "1,2", "[1,2", "[a,b)", "[1,2,3)", "[1;2)"] { #expect(PostgresRange<Int>(text) == nil) }
        let coded = try JSONDecoder().decode(
            [PostgresRange<Int>].self, from: JSONEncoder().encode([PostgresRange(1..<2)]))
        #expect(coded == [PostgresRange(1..<2)])
    }

    @Test func `they are stored in PostgreSQL's types, and come back as they were`() async throws {
        try await withModelStore(Booking.self) { store in
            let context = ModelContext(store.container)
            let booking = Booking(1, try nights("20", "24"))
            booking.hours = PostgresRange(Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 0.25))
            booking.guests = try #require(PostgresRange(2...4))
            booking.floors = try #require(PostgresRange<Int32>(from: nil, to: 3))
            booking.price = try #require(PostgresRange(Decimal(1) / 2...Decimal(100)))
            booking.pauses = [try nights("01", nil), .empty]
            context.insert(booking)
            context.insert(Booking(2, try nights("24", nil)))
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws('|', nights, guests, floors, price, pauses) FROM booking ORDER BY room")
                    == [
                        #"[2026-11-20,2026-11-24)|[2,5)|(,3)|[0.5,100]|{"[2026-11-01,)",empty}"#,
                        "[2026-11-24,)|empty|empty|empty|{}",
                    ])
            let other = ModelContext(store.container)
            let read = try #require(
                try await other.fetch(FetchDescriptor<Booking>(predicate: #Predicate { $0.room == 1 })).first)
            #expect(read.nights == booking.nights && read.hours == booking.hours && read.guests == booking.guests)
            #expect(read.floors == booking.floors && read.price == booking.price && read.pauses == booking.pauses)
            // Another program writes the same number in other digits: it is no change.
            try await store.database.execute("UPDATE booking SET price = '[0.50,100.0]' WHERE room = 1")
            read.price = try #require(PostgresRange(Decimal(2)...))
            try await other.save()
            // What is unique is compared as ranges are: the row is met.
            context.rollback()
            let again = Booking(2, try nights("24", nil))
            again.guests = try #require(PostgresRange(1...1))
            context.insert(again)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT price || ' ' || guests FROM booking ORDER BY room")
                    == ["[2,) [2,5)", "empty [1,2)"])
        }
    }

    @Test(arguments: [false, true])
    func `contains, overlaps and equality mean the same in memory, saved or not`(isSaved: Bool) async throws {
        try await withModelStore(Booking.self) { store in
            let context = ModelContext(store.container)
            let all = [
                try nights("20", "24"), try nights("24", nil), try nights(nil, "10"), .empty, try nights(nil, nil),
            ]
            for (room, nights) in all.enumerated() {
                let booking = Booking(room, nights)
                booking.price = try #require(
                    PostgresRange(from: room == 1 ? nil : Decimal(room), to: room == 4 ? nil : 10))
                context.insert(booking)
            }
            if isSaved { try await context.save() }
            let bookings = try await context.fetch(FetchDescriptor<Booking>(sortBy: [SortDescriptor(\.room)]))
            let predicates: [Predicate<Booking>] =
                try [day("09"), day("10"), day("23"), day("24"), .distantFuture].map { day in
                    #Predicate { $0.nights.contains(day) }
                } + all.map { range in #Predicate { $0.nights.overlaps(range) } }
                + all.map { range in #Predicate { $0.nights == range } }
                + [Decimal(3), Decimal(10), Decimal.nan].map { number in #Predicate { $0.price.contains(number) } }
                + [#Predicate { !$0.nights.contains(CalendarDate.distantPast) && $0.hours == nil }]
            for predicate in predicates {
                let found = try await context.fetch(
                    FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.room)]))
                #expect(
                    try found.map(\.room) == bookings.filter { try predicate.evaluate($0) }.map(\.room), "\(predicate)")
            }
            let today = try day("22")
            store.recorder.reset()
            _ = try await context.fetch(FetchDescriptor<Booking>(predicate: #Predicate { $0.nights.contains(today) }))
            let sql = store.recorder.statements.last ?? ""
            #expect(!isSaved || sql.contains(#"."nights")::daterange @> $1::date"#), "\(sql)")
        }
    }
}
