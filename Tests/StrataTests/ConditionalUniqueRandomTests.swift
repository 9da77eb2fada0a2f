import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

private typealias Slot = Register.Slot

/// Random saves over what is unique under a condition, held against a few lines in memory, and against the rows at rest.
@Suite struct ConditionalUniqueRandomTests {
    /// What one booking is, as far as the sets ask.
    private struct Entry: Hashable {
        var room: String
        var hour: Int
        var state: Register.State

        var isHeld: Bool { state != .draft }
        var text: String { "\(room) \(hour) \(state.rawValue)" }
    }

    private static let rooms = ["r1", "r2"]
    private static let states: [Register.State] = [.draft, .held, .booked]

    /// Whether the sets hold: of room and hour among those that are held, and of the hour among those that are booked.
    private static func isAllowed(_ entries: some Collection<Entry>) -> Bool {
        let held = entries.filter(\.isHeld).map { "\($0.room) \($0.hour)" }
        let booked = entries.filter { $0.state == .booked }.map(\.hour)
        return Set(held).count == held.count && Set(booked).count == booked.count
    }

    private static func entry(_ random: inout SeededGenerator) -> Entry {
        Entry(
            room: rooms.randomElement(using: &random) ?? "", hour: Int.random(in: 0..<3, using: &random),
            state: states.randomElement(using: &random) ?? .draft)
    }

    private func rows(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts("SELECT concat_ws(' ', code, room, hour, state) FROM slot ORDER BY 1")
    }

    /// Every save that the reference allows is written, and every other one is refused and leaves the rows as they were: objects move in and out
    /// of both conditions, exchange values, go, and come.
    @Test(arguments: 1...(isSoak ? 200 : 8) as ClosedRange<UInt64>)
    func `saves write what is allowed, and nothing else`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        try await withModelStore(of: Schema(Register.all)) { store in
            let context = ModelContext(store.container)
            context.uniquePolicy = .fail
            var expected: [String: Entry] = [:]
            var number = 0
            var (saved, refused) = (0, 0)
            for round in 0..<40 {
                let bookings = try await context.fetch(FetchDescriptor<Slot>(sortBy: [SortDescriptor(\.code)]))
                var next = expected
                for booking in bookings.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
                    if Int.random(in: 0..<8, using: &random) == 0 {
                        context.delete(booking)
                        next[booking.code] = nil
                        continue
                    }
                    // One that stands in its way half of the time: an exchange, or a place that is given up.
                    let other = bookings.randomElement(using: &random).flatMap { next[$0.code] }
                    let new = Bool.random(using: &random) ? Self.entry(&random) : other ?? Self.entry(&random)
                    (booking.room, booking.hour, booking.state) = (new.room, new.hour, new.state)
                    next[booking.code] = new
                }
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    number += 1
                    let new = Self.entry(&random)
                    context.insert(Slot("c\(number)", new.room, new.hour, new.state))
                    next["c\(number)"] = new
                }
                do {
                    try await context.save()
                    #expect(Self.isAllowed(next.values), "seed \(seed), round \(round): \(next)")
                    expected = next
                    saved += 1
                } catch let error as SwiftDataError {
                    #expect(error.code == .uniqueConstraint, "\(error)")
                    #expect(
                        !Self.isAllowed(next.values), "seed \(seed), round \(round): \(expected) → \(next): \(error)")
                    context.rollback()
                    refused += 1
                }
                let found = try await rows(store)
                #expect(found == expected.map { "\($0) \($1.text)" }.sorted(), "seed \(seed), round \(round)")
            }
            #expect(saved > 0 && refused > 0)
        }
    }

    /// Upserts take over the row of the set that they are in, and no other.
    @Test(arguments: 1...(isSoak ? 100 : 5) as ClosedRange<UInt64>)
    func `upserts find the rows of the condition`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        try await withModelStore(of: Schema(Register.all)) { store in
            let context = ModelContext(store.container)
            // By e-mail, who is there; and how many are deleted.
            var there: [String: String] = [:]
            var deleted: [String] = []
            for round in 0..<40 {
                let email = "\(Int.random(in: 0..<4, using: &random))@x"
                switch Int.random(in: 0..<6, using: &random) {
                case 0...2:
                    context.insert(Register.Account(email, "n\(round)"))
                    there[email] = "n\(round)"
                case 3:
                    let gone = Register.Account(email, "g\(round)")
                    gone.deletedAt = .now
                    context.insert(gone)
                    deleted.append("\(email) g\(round)")
                case 4:
                    try await context.insert(
                        into: Register.Account.self, \.email, \.name,
                        rows: [(email, "r\(round)"), (email, "s\(round)")],
                        uniquePolicy: .upsert)
                    there[email] = "s\(round)"
                default:
                    let descriptor = FetchDescriptor<Register.Account>(predicate: #Predicate { $0.email == email })
                    if let account = try await context.fetch(descriptor).first, let name = there[email] {
                        context.delete(account)
                        deleted.append("\(email) \(name)")
                        there[email] = nil
                        if Bool.random(using: &random) {
                            context.insert(Register.Account(email, "d\(round)"))
                            there[email] = "d\(round)"
                        }
                    }
                }
                try await context.save()
            }
            #expect(
                try await store.database.texts(
                    "SELECT email || ' ' || name FROM account WHERE deleted_at IS NULL ORDER BY 1")
                    == there.map { "\($0) \($1)" }.sorted())
            #expect(
                try await store.database.texts(
                    "SELECT email || ' ' || name FROM account WHERE deleted_at IS NOT NULL ORDER BY 1")
                    == deleted.sorted())
        }
    }

    /// Whoever wins: no two of one e-mail are there, nobody who lost a race for a new object is told so, and no row is lost.
    @Test func `several writers`() async throws {
        try await withModelStore(of: Schema(Register.all)) { store in
            let container = store.container
            let removed = try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        var random = SeededGenerator(UInt64(100 + writer))
                        var removed = 0
                        for round in 0..<25 {
                            let context = ModelContext(container)
                            let email = "\(Int.random(in: 0..<3, using: &random))@x"
                            if Int.random(in: 0..<3, using: &random) > 0 {
                                context.insert(Register.Account(email, "w\(writer) \(round)"))
                                try await context.save()
                                continue
                            }
                            let descriptor = FetchDescriptor<Register.Account>(
                                predicate: #Predicate { $0.email == email })
                            guard let account = try await context.fetch(descriptor).first else { continue }
                            context.delete(account)
                            context.insert(Register.Account(email, "w\(writer) \(round)"))
                            do {
                                try await context.save()
                                removed += 1
                            } catch let error as SwiftDataError where error.code == .conflict {
                                // Another writer has deleted it, or has written to it.
                            }
                        }
                        return removed
                    }
                }
                return try await group.reduce(0, +)
            }
            let there = try await store.database.texts(
                "SELECT email FROM account WHERE deleted_at IS NULL GROUP BY email HAVING count(*) > 1")
            #expect(there == [])
            #expect(
                try await store.database.texts("SELECT count(*)::text FROM account WHERE deleted_at IS NOT NULL") == [
                    "\(removed)"
                ])
        }
    }
}
