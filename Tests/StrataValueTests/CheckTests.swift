import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

private enum Kind: String, Codable, CaseIterable { case bus, rail }

@Model private class Ride {
    #Check<Ride>("positivePrice") { $0.price > 0 }
    // False for a ride without a note: in SQL alone NULL would pass.
    #Check<Ride>("noted") { $0.note == "ok" }
    #Check<Ride>("kinds") { $0.kind != .rail || $0.price > 5 }
    #Index<Ride>(.sorted([.lowercased(\.name)]))
    #Index<Ride>([\.price]) { !$0.isOff }
    var name = ""
    var price = 1
    var note: String? = "ok"
    var kind = Kind.bus
    var isOff = false
    init(_ name: String, price: Int = 1) {
        self.name = name
        self.price = price
    }
}

@Model private final class NightRide: Ride {
    #Check<NightRide>("berths") { $0.berths >= 2 }
    var berths = 2
}

@Model private final class Halt {
    #Index<Halt>(.sorted([.key(\.name, order: .reverse), .key(\.platform)], including: [\.isOpen]))
    var name: String?
    var platform = 1
    var isOpen = true
    init() {}
}

private struct TicketPlace: Codable { var city = "Rome" }

@Model private final class Ticket {
    #Check<Ticket>("positive") { $0.code > 0 }
    #Check<Ticket>("spot") { $0.spot.city == "Rome" }
    #Check<Ticket>("placed") { $0.row != 0 && $0.train != "" }
    #Unique<Ticket>([\.train, \.row, \.seat])
    @Attribute(.unique) var code: Int
    var spot = TicketPlace()
    var train = "a"
    var row: Int? = 1
    var seat: Int
    init(_ code: Int, seat: Int) { (self.code, self.seat) = (code, seat) }
}

/// What models declare, held by the database.
@Suite struct CheckTests {
    private func expectRule(
        _ name: String, of entity: String = "Ride", sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation) { try await body() }
        #expect(error?.code == .checkConstraint, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(
            error?.message.contains("the rule \(name) of \(entity) refuses it: { ") == true,
            "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.underlying?.sqlState == "23514", sourceLocation: sourceLocation)
    }

    @Test func `a save that breaks a rule says which, and saves nothing`() async throws {
        try await withModelStore(Ride.self, NightRide.self) { store in
            let context = ModelContext(store.container)
            context.insert(Ride("good"))
            let bad = Ride("bad", price: 0)
            context.insert(bad)
            await expectRule("positivePrice") { try await context.save() }
            bad.price = 3
            bad.note = nil
            await expectRule("noted") { try await context.save() }
            bad.note = "ok"
            bad.kind = .rail
            await expectRule("kinds") { try await context.save() }
            bad.price = 6
            try await context.save()
            #expect(try await context.fetchCount(FetchDescriptor<Ride>()) == 2)
            bad.price = -1
            bad.kind = .bus
            await expectRule("positivePrice") { try await context.save() }
            bad.price = 7
            let night = NightRide("night")
            night.berths = 1
            context.insert(night)
            await expectRule("berths", of: "NightRide") { try await context.save() }
            night.berths = 4
            try await context.save()
            #expect(night.berths == 4)
        }
    }

    @Test func `updates by predicate and rows without objects are refused alike`() async throws {
        try await withModelStore(Ride.self, NightRide.self) { store in
            let context = ModelContext(store.container)
            context.insert(Ride("a"))
            try await context.save()
            try context.update(model: Ride.self, .set(\.price, to: 0))
            await expectRule("positivePrice") { try await context.save() }
            context.rollback()
            await expectRule("positivePrice") {
                try await context.insert(into: Ride.self, \.name, \.price, rows: [("b", 2), ("c", 0)])
            }
            #expect(try await context.fetchCount(FetchDescriptor<Ride>()) == 1)
        }
    }

    @Test func `texts in lower case, some of the objects and orders with nil are served by indexes`() async throws {
        try await withModelStore(Ride.self, NightRide.self) { store in
            let context = ModelContext(store.container)
            for name in ["Bus", "ÉTÉ", "İstanbul", "ꓐ"] { context.insert(Ride(name)) }
            try await context.save()
            let summer = FetchDescriptor<Ride>(predicate: #Predicate { $0.name.lowercased() == "été" })
            #expect(try await context.fetch(summer).map(\.name) == ["ÉTÉ"])
            let sql = store.recorder.statements.last?.replacing("\"", with: "") ?? ""
            #expect(sql.contains("WHERE translate(lower(t0.name COLLATE C), 'À"), "\(sql)")
            #expect(sql.contains(") = $1::text AND translate(t0.name, "), "\(sql)")
            for text in ["kiosk", "å", "ω", "straße", "θ"] {
                let other = FetchDescriptor<Ride>(predicate: #Predicate { $0.name.lowercased() == text })
                let plan = try await context.explain(other, avoidsSequentialScans: true)
                #expect(plan.indexes.contains("ride_name_idx"), "\(text): \(plan)")
            }
            let plan = try await context.explain(summer, avoidsSequentialScans: true)
            #expect(plan.indexes.contains("ride_name_idx"), "\(plan)")
            let others = FetchDescriptor<Ride>(predicate: #Predicate { $0.name.lowercased() != "bus" })
            #expect(try await context.fetch(others).count == 3)
            let part = FetchDescriptor<Ride>(predicate: #Predicate { !$0.isOff && $0.price < 9 })
            let partPlan = try await context.explain(part, avoidsSequentialScans: true)
            #expect(partPlan.indexes.contains("ride_price_idx"), "\(partPlan)")
        }
    }

    @Test func `a fetch in the order of an index reads it, nil and the other way round included`() async throws {
        try await withModelStore(Halt.self) { store in
            let context = ModelContext(store.container)
            context.insert(Halt())
            try await context.save()
            for order in [SortOrder.reverse, .forward] {
                let sorted = FetchDescriptor<Halt>(sortBy: [
                    SortDescriptor(\.name, order: order),
                    SortDescriptor(\.platform, order: order == .reverse ? .forward : .reverse),
                ])
                let plan = try await context.explain(sorted, avoidsSequentialScans: true)
                #expect(plan.indexes.contains("halt_name_platform_idx"), "\(plan)")
            }
        }
    }

    @Test func `every text is found by its lower case, whichever letters it has`() async throws {
        try await withModelStore(Ride.self, NightRide.self) { store in
            let context = ModelContext(store.container)
            // Letters of all scripts that have capitals, some of which the index leaves alone.
            let names = [
                "Straße", "ΑΣΜΑ", "ЖУК", "ԱՐԱ", "Ⴀ", "𐐀", "Ǆ", "KELVIN", "K", "Å", "Ω", "\u{212A}IOSK", "KIOSK",
                "\u{212B}", "\u{2126}", "Θ", "İ", "ẞ", "ϴ", "Ꭰ", "ﬀ", "ⒶⒷ",
            ]
            for name in names { context.insert(Ride(name)) }
            try await context.save()
            let rides = try await context.fetch(FetchDescriptor<Ride>())
            for name in names {
                for text in [name.lowercased(), name] {
                    let predicate = #Predicate<Ride> { $0.name.lowercased() == text }
                    let inMemory = try rides.filter { try predicate.evaluate($0) }.map(\.name).sorted()
                    let found = try await context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
                    #expect(found == inMemory, "\(text)")
                }
            }
        }
    }

    @Test func `values in between are kept out of what a rule looks at`() async throws {
        try await withModelStore(Ticket.self) { store in
            let context = ModelContext(store.container)
            let (one, two) = (Ticket(1, seat: 1), Ticket(2, seat: 2))
            context.insert(one)
            context.insert(two)
            try await context.save()
            // Of the set the seat alone is in no rule.
            (one.seat, two.seat) = (two.seat, one.seat)
            try await context.save()
            #expect((one.seat, two.seat) == (2, 1))
            (one.code, two.code) = (two.code, one.code)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint, "\(String(describing: error))")
            context.rollback()
            #expect((one.code, two.code) == (1, 2))
        }
    }

    @Test func `a missing part of a document does not pass, and constraints of others are named`() async throws {
        try await withModelStore(Ticket.self) { store in
            let context = ModelContext(store.container)
            let ticket = Ticket(1, seat: 1)
            context.insert(ticket)
            try await context.save()
            let error = await #expect(throws: PostgresError.self) {
                try await store.database.execute("UPDATE ticket SET spot = '{}'")
            }
            #expect(error?.constraint == "ticket_spot_check")
            try await store.database.execute(
                "ALTER TABLE ticket ADD CONSTRAINT odd CHECK (seat % 2 = 1)",
                "ALTER TABLE ticket RENAME CONSTRAINT ticket_positive_check TO ticket_positive_check__new")
            ticket.seat = 2
            let odd = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                odd?.code == .invalidValue && odd?.message.contains("the constraint odd") == true,
                "\(String(describing: odd))")
            ticket.seat = 3
            ticket.code = 0
            await expectRule("positive", of: "Ticket") { try await context.save() }
        }
    }

    @Test func `a table without the check is refused, and one without the index is advice`() async throws {
        try await withModelStore(Ride.self, NightRide.self) { store in
            try await store.database.execute("DROP INDEX ride_price_idx")
            try await store.reopened(Schema(Ride.self, NightRide.self)).close()
            try await store.database.execute("ALTER TABLE night_ride DROP CONSTRAINT night_ride_berths_check")
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.reopened(Schema(Ride.self, NightRide.self)).close()
            }
            #expect(error?.code == .storeDoesNotFit)
            #expect(error?.message.contains("night_ride has no check night_ride_berths_check") == true)
        }
    }
}
