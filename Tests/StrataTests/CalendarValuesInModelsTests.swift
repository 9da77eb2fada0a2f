import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private final class Shift {
    #Unique<Shift>([\.day, \.worker])

    var worker: String
    @Attribute(.preserveValueOnDeletion) var day: CalendarDate
    @Attribute(.preserveValueOnDeletion) var begins: TimeOfDay = TimeOfDay.midnight
    @Attribute(.preserveValueOnDeletion) var repeats: CalendarInterval = CalendarInterval(months: 1)
    var ended: CalendarDate?
    var pause: TimeOfDay?
    var notice: CalendarInterval?
    @Attribute(.preserveValueOnDeletion) var days: [CalendarDate] = []
    var times: [TimeOfDay] = []
    var spans: [CalendarInterval] = []
    @Relationship(inverse: \Shift.next) var previous: [Shift] = []
    var next: Shift?

    init(_ worker: String, _ day: CalendarDate) {
        self.worker = worker
        self.day = day
    }
}

/// Properties that are days, times of day and spans of the calendar.
@Suite struct CalendarValuesInModelsTests {
    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }
    private func time(_ text: String) throws -> TimeOfDay { try #require(TimeOfDay(text)) }

    private func withShifts(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Shift.self) { store in
            let context = ModelContext(store.container)
            for (worker, text) in [("a", "-infinity"), ("b", "0044-03-15 BC"), ("c", "2026-11-24"), ("d", "infinity")] {
                context.insert(Shift(worker, try day(text)))
            }
            try await context.save()
            try await body(store, context)
        }
    }

    @Test func `they have the server's types, and come back as they were`() async throws {
        try await withModelStore(Shift.self) { store in
            let context = ModelContext(store.container)
            let shift = Shift("ann", try day("4714-11-24 BC"))
            shift.begins = .endOfDay
            shift.repeats = CalendarInterval(months: -14, days: 3, microseconds: -1)
            shift.ended = .distantFuture
            shift.pause = try time("12:00:00.000001")
            shift.notice = CalendarInterval(days: -1)
            shift.days = [try day("0001-01-01 BC"), .distantPast, try day("5874897-12-31")]
            shift.times = [.midnight, .endOfDay]
            shift.spans = [CalendarInterval(), CalendarInterval(months: .max, days: .min, microseconds: 5)]
            context.insert(shift)
            context.insert(Shift("ben", try day("2026-01-01")))
            try await context.save()
            let types = try await store.database.texts(
                """
                SELECT column_name || ' ' || udt_name FROM information_schema.columns
                WHERE table_name = 'shift' AND udt_name ~ 'date|time|interval' ORDER BY ordinal_position
                """)
            #expect(
                types == [
                    "day date", "begins time", "repeats interval", "ended date", "pause time", "notice interval",
                    "days _date", "times _time", "spans _interval",
                ])
            let reader = ModelContext(store.container)
            let read = try #require(
                try await reader.fetch(FetchDescriptor<Shift>(predicate: #Predicate { $0.worker == "ann" })).first)
            #expect(read.day == shift.day && read.begins == .endOfDay && read.repeats == shift.repeats)
            #expect(read.ended == .distantFuture && read.pause == shift.pause && read.notice == shift.notice)
            #expect(read.days == shift.days && read.times == shift.times && read.spans == shift.spans)
            // One row, then two: statements of their own.
            read.day = try day("2026-01-02")
            read.notice = nil
            read.spans.append(CalendarInterval(days: 7))
            try await reader.save()
            let all = FetchDescriptor<Shift>(sortBy: [SortDescriptor(\.worker)])
            for (index, one) in try await reader.fetch(all).enumerated() {
                one.begins = try #require(TimeOfDay(hour: 8, minute: index))
                one.days.append(try day("2000-02-29"))
                one.repeats.days += 1
            }
            try await reader.save()
            #expect(
                try await store.database.texts(
                    "SELECT begins || ' ' || repeats || ' ' || days::text FROM shift ORDER BY worker")
                    == [
                        "08:00:00 -1 years -2 mons +4 days -00:00:00.000001 {\"0001-01-01 BC\",-infinity,5874897-12-31,2000-02-29}",
                        "08:01:00 1 mon 1 day {2000-02-29}",
                    ])
        }
    }

    @Test(arguments: [false, true])
    func `they are compared and sorted as in memory`(isSaved: Bool) async throws {
        try await withShifts { store, context in
            let ides = try day("0044-03-15 BC")
            let noon = try time("12:00:00")
            for shift in try await context.fetch(FetchDescriptor<Shift>()) where shift.worker >= "c" {
                shift.begins = noon
                shift.pause = noon
                shift.days = [ides]
            }
            if isSaved { try await context.save() }
            func workers(_ predicate: Predicate<Shift>) async throws -> String {
                let descriptor = FetchDescriptor<Shift>(predicate: predicate, sortBy: [SortDescriptor(\.day)])
                let found = try await context.fetch(descriptor)
                let all = try await context.fetch(FetchDescriptor<Shift>())
                let expected = try all.filter { try predicate.evaluate($0) }.sorted { $0.day < $1.day }
                #expect(found.map(\.worker) == expected.map(\.worker))
                return found.map(\.worker).joined()
            }
            #expect(try await workers(#Predicate { $0.day == ides }) == "b")
            #expect(try await workers(#Predicate { $0.day > ides }) == "cd")
            #expect(try await workers(#Predicate { $0.day <= ides }) == "ab")
            let days: [CalendarDate] = [ides, .distantFuture]
            #expect(try await workers(#Predicate { days.contains($0.day) }) == "bd")
            #expect(try await workers(#Predicate { $0.begins < noon }) == "ab")
            #expect(try await workers(#Predicate { $0.pause == noon }) == "cd")
            #expect(try await workers(#Predicate { $0.pause == nil }) == "ab")
            #expect(try await workers(#Predicate { $0.days.contains(ides) }) == "cd")
            #expect(try await workers(#Predicate { $0.notice == nil }) == "abcd")
            let backwards = FetchDescriptor<Shift>(
                sortBy: [SortDescriptor(\.begins, order: .reverse), SortDescriptor(\.day, order: .reverse)])
            #expect(try await context.fetch(backwards).map(\.worker) == ["d", "c", "b", "a"])
            #expect(try await context.fetchMinimum(FetchDescriptor<Shift>(), of: \.day) == .distantPast)
            #expect(try await context.fetchMaximum(FetchDescriptor<Shift>(), of: \.begins) == noon)
        }
    }

    @Test func `spans are not compared, because the server has others that are equal`() async throws {
        try await withShifts { _, context in
            let month = CalendarInterval(months: 1)
            let list = [month]
            for predicate in [
                #Predicate<Shift> { $0.repeats == month }, #Predicate<Shift> { $0.notice != month },
                #Predicate<Shift> { $0.repeats == $0.notice }, #Predicate<Shift> { list.contains($0.repeats) },
                #Predicate<Shift> { $0.spans.contains(month) },
                #Predicate<Shift> { $0.spans.contains($0.repeats) },
            ] {
                await #expect {
                    _ = try await context.fetch(FetchDescriptor<Shift>(predicate: predicate))
                } throws: { error in
                    guard let error = error as? SwiftDataError else { return false }
                    return error.code == .unsupportedPredicate && error.message.contains("Shift.")
                        && error.message.contains("a month for 30 days")
                }
            }
        }
    }

    @Test func `spans are no keys of groups, and are read as they are`() async throws {
        try await withShifts { store, context in
            try await store.database.execute("UPDATE shift SET repeats = '30 days' WHERE worker < 'c'")
            let all = FetchDescriptor<Shift>(sortBy: [SortDescriptor(\.worker)])
            func isRefused(_ body: () async throws -> Void) async {
                await #expect {
                    try await body()
                } throws: { error in
                    guard let error = error as? SwiftDataError else { return false }
                    return error.code == .unsupportedKeyPath
                        && error.message.contains("Shift.repeats is a CalendarInterval")
                }
            }
            await isRefused { _ = try await context.fetch(all, selecting: \.repeats, distinct: true) }
            await isRefused {
                _ = try await context.fetch(FetchDescriptor<Shift>(), selecting: .key(\.repeats), .count)
            }
            await isRefused {
                _ = try await context.fetch(FetchDescriptor<Shift>(), selecting: .count(distinct: \.repeats))
            }
            let (days, month) = (CalendarInterval(days: 30), CalendarInterval(months: 1))
            #expect(try await context.fetch(all, selecting: \.repeats) == [days, days, month, month])
        }
    }

    @Test func `a change to a span that the server calls equal is in the history`() async throws {
        try await withShifts { store, context in
            for text in ["30 days", "720:00:00"] {
                let seen = try await store.history().count
                try await store.database.execute("UPDATE shift SET repeats = '\(text)' WHERE worker = 'a'")
                let changes = try await store.history().dropFirst(seen).flatMap(\.changes)
                guard case .update(let update as DefaultHistoryUpdate<Shift>)? = changes.first, changes.count == 1
                else {
                    Issue.record("\(changes)")
                    continue
                }
                #expect(update.updatedAttributes.map { $0 == \Shift.repeats } == [true])
            }
        }
    }

    @Test func `an update by predicate sets them`() async throws {
        try await withShifts { store, context in
            let (first, evening) = (try day("2026-01-01"), try time("18:00:00"))
            try context.update(
                model: Shift.self, where: #Predicate { $0.day > first }, .set(\.ended, to: first),
                .set(\.begins, to: evening), .set(\.notice, to: CalendarInterval(days: 14)))
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT worker || ' ' || ended || ' ' || begins || ' ' || notice FROM shift WHERE ended IS NOT NULL ORDER BY worker"
                )
                    == ["c 2026-01-01 18:00:00 14 days", "d 2026-01-01 18:00:00 14 days"])
        }
    }

    @Test func `snapshots, files and the history have them`() async throws {
        try await withShifts { store, context in
            let shift = try #require(
                try await context.fetch(FetchDescriptor<Shift>(predicate: #Predicate { $0.worker == "b" })).first)
            shift.begins = .endOfDay
            shift.repeats = CalendarInterval(months: -13, microseconds: 1_500_000)
            shift.days = [shift.day, .distantFuture]
            try await context.save()
            let json = try JSONEncoder().encode(shift.snapshot())
            #expect(String(decoding: json, as: UTF8.self).contains(#""day":"0044-03-15 BC""#))
            let snapshot = try JSONDecoder().decode(ModelSnapshot<Shift>.self, from: json)
            #expect(snapshot.day == shift.day && snapshot.begins == .endOfDay && snapshot.repeats == shift.repeats)

            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).csv")
            defer { try? FileManager.default.removeItem(at: file) }
            let all = FetchDescriptor<Shift>(sortBy: [SortDescriptor(\.day)])
            try await context.exportCSV(all, selecting: \.worker, \.day, \.begins, \.repeats, \.pause, to: file)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("b,0044-03-15 BC,24:00:00,P-1Y-1MT1.5S,"))
            let before = try await context.fetch(all, selecting: \.day, \.begins, \.repeats)
            for shift in try await context.fetch(all) { context.delete(shift) }
            try await context.save()
            let changes = try #require(try await store.history().last?.changes)
            let deletions = changes.compactMap { change -> DefaultHistoryDelete<Shift>? in
                if case .delete(let deletion as DefaultHistoryDelete<Shift>) = change { deletion } else { nil }
            }
            let left = try #require(
                deletions.map(\.tombstone).first { $0[\.begins] as? TimeOfDay == .endOfDay })
            #expect(left[\.day] as? CalendarDate == snapshot.day)
            #expect(left[\.repeats] as? CalendarInterval == snapshot.repeats)
            #expect(left[\.days] as? [CalendarDate] == [snapshot.day, .distantFuture])

            try await context.importCSV(from: file, into: Shift.self, \.worker, \.day, \.begins, \.repeats, \.pause)
            let after = try await context.fetch(all, selecting: \.day, \.begins, \.repeats)
            #expect(after.map { "\($0)" } == before.map { "\($0)" })
        }
    }

    @Test(arguments: ["sql_standard", "postgres_verbose", "iso_8601", "postgres"])
    func `what is left of a span depends on no setting of who deletes`(style: String) async throws {
        try await withShifts { store, context in
            let spans = [
                CalendarInterval(months: -14, days: 3, microseconds: -1), CalendarInterval(),
                CalendarInterval(months: 25, days: -40, microseconds: 3_599_000_001),
                CalendarInterval(microseconds: .max), CalendarInterval(months: .max, days: .min),
            ]
            for (number, span) in spans.enumerated() {
                let shift = Shift("s\(number)", .distantPast)
                shift.repeats = span
                context.insert(shift)
            }
            try await context.save()
            try await store.database.execute(
                "SET IntervalStyle = '\(style)'", "DELETE FROM shift WHERE worker LIKE 's%'")
            let changes = try #require(try await store.history().last?.changes)
            let left = changes.compactMap { change -> CalendarInterval? in
                guard case .delete(let deletion as DefaultHistoryDelete<Shift>) = change else { return nil }
                return deletion.tombstone[\.repeats] as? CalendarInterval
            }
            #expect(Set(left) == Set(spans))
        }
    }

    @Test func `a change of another program is a conflict`() async throws {
        try await withShifts { store, context in
            let shift = try #require(
                try await context.fetch(FetchDescriptor<Shift>(predicate: #Predicate { $0.worker == "c" })).first)
            try await store.database.execute(
                "UPDATE shift SET day = '2026-12-24', repeats = '2 mons' WHERE worker = 'c'")
            shift.day = try day("2026-12-25")
            shift.repeats = CalendarInterval(days: 2)
            await #expect {
                try await context.save()
            } throws: { error in
                guard let error = error as? SwiftDataError, error.code == .conflict else { return false }
                return Set(error.conflicts.map(\.qualifiedName)) == ["Shift.day", "Shift.repeats"]
            }
        }
    }
}
