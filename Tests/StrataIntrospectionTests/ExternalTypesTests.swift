import Foundation
import Strata
import StrataClient
import StrataIntrospection
import StrataModels
import StrataTestSupport
import Testing
import UnusualModels

/// Columns of types that models of one's own do not have, through the classes that introspection has written.
@Suite struct ExternalTypesTests {
    private func withData(_ body: (TestDatabase, PostgresConnection, ModelContext) async throws -> Void) async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            let container = try await database.container(of: UnusualSchema.self)
            defer { container.close() }
            try await body(database, connection, ModelContext(container))
        }
    }

    private func first(_ context: ModelContext) async throws -> Datum {
        try #require(try await context.fetch(FetchDescriptor<Datum>(sortBy: [SortDescriptor(\.level)])).first)
    }

    private static let columns = """
        SELECT concat_ws('|', feeling, temper, kinds, "when", at, lasts, host, hardware, networks, document, letters, stamps, holidays)
        FROM data WHERE id = 1
        """

    @Test func valuesOfEveryTypeAreRead() async throws {
        try await withData { _, _, context in
            let one = try await first(context)
            #expect(one.feeling == .sad && one.temper == .itSFine)
            #expect(one.kinds == [.value17, .value2, .nc17])
            #expect(one.when == CalendarDate(year: -43, month: 3, day: 15))
            #expect(one.at == .endOfDay)
            #expect(one.lasts == CalendarInterval(months: -1, days: 3, microseconds: -500_000))
            #expect(one.host == "192.168.0.1/24" && one.hardware == "08:00:2b:01:02:03")
            #expect(one.networks == ["10.0.0.0/8", "::1/128"])
            #expect(one.document == .object(["b": .number(1), "a": .array([.number(2), .null])]))
            #expect(one.letters == ["abc", "d"])
            #expect(one.stamps == [Date(timeIntervalSince1970: 1_704_110_400.5), .distantFuture])
            #expect(one.holidays == [.distantFuture, CalendarDate(year: 0, month: 1, day: 1)])
            #expect(one.made == .today(in: .gmt) || one.made.adding(days: 1) == .today(in: .gmt))
        }
    }

    @Test(arguments: [1, 2])
    func valuesOfEveryTypeAreWritten(rows: Int) async throws {
        try await withData { _, connection, context in
            let all = try await context.fetch(FetchDescriptor<Datum>(sortBy: [SortDescriptor(\.level)]))
            for one in all.prefix(rows) {
                (one.feeling, one.temper, one.kinds) = (nil, .ok, [.classValue, .aB, .aB2])
                (one.when, one.at, one.lasts) = (.distantPast, .midnight, CalendarInterval(months: 13, microseconds: 1))
                (one.host, one.hardware, one.networks) = ("10.1.2.3", "08002b:010203", ["192.168.0.0/16"])
                (one.document, one.letters) = (.array([.bool(true)]), ["x"])
                (one.stamps, one.holidays) = ([.distantPast], [])
            }
            try await context.save()
            let expected =
                "ok|{class,\"a b\",A-B}|-infinity|00:00:00|1 year 1 mon 00:00:00.000001|10.1.2.3|08:00:2b:01:02:03|{192.168.0.0/16}|[true]|{x}|{-infinity}|{}"
            #expect(try await connection.lines(Self.columns) == [expected])
            // The old values are compared as the server has made them of what was written.
            for one in all.prefix(rows) { (one.host, one.hardware, one.document) = (nil, nil, nil) }
            try await context.save()
            let new = Datum()
            (new.feeling, new.level, new.kinds, new.host) = (.itSFine, 99, [.value], "::1")
            let other = Datum()
            other.level = 100
            if rows == 2 { context.insert(other) }
            context.insert(new)
            try await context.save()
            #expect(
                try await connection.lines("SELECT concat_ws('|', feeling, kinds, host) FROM data WHERE level = 99")
                    == ["it's fine|{+}|::1"])
        }
    }

    @Test(arguments: [false, true])
    func theyAreComparedAndSortedAsInMemory(isSaved: Bool) async throws {
        try await withData { _, connection, context in
            let new = Datum()
            (new.level, new.feeling, new.temper, new.host, new.letters) = (9, .itSFine, .sad, "10.0.0.1", ["d"])
            new.networks = ["10.0.0.0/8"]
            context.insert(new)
            let second = try #require(
                try await context.fetch(FetchDescriptor<Datum>(predicate: #Predicate { $0.level == 2 })).first)
            (second.feeling, second.host, second.kinds) = (nil, "192.168.0.1/24", [.nc17])
            if isSaved { try await context.save() }
            func levels(_ predicate: Predicate<Datum>) async throws -> [Int32] {
                let found = try await context.fetch(FetchDescriptor<Datum>(predicate: predicate)).map(\.level).sorted()
                let all = try await context.fetch(FetchDescriptor<Datum>())
                #expect(found == (try all.filter { try predicate.evaluate($0) }.map(\.level).sorted()))
                return found
            }
            let (sad, fine) = (Mood.sad, Mood.itSFine)
            #expect(try await levels(#Predicate { $0.feeling == sad }) == [1])
            #expect(try await levels(#Predicate { $0.feeling != sad }) == [2, 3, 9])
            #expect(try await levels(#Predicate { $0.feeling == nil }) == [2])
            #expect(try await levels(#Predicate { $0.temper == fine }) == [1, 2, 3])
            let moods: [Mood] = [.sad, .ok]
            #expect(try await levels(#Predicate { moods.contains($0.temper) }) == [9])
            #expect(try await levels(#Predicate { $0.host == "192.168.0.1/24" }) == [1, 2])
            #expect(try await levels(#Predicate { $0.host == "10.0.0.1" }) == [9])
            #expect(try await levels(#Predicate { $0.hardware == nil }) == [2, 3, 9])
            // An enum sorts by its raw values, as in memory, and not in the order of its labels in the database.
            let descriptor = FetchDescriptor<Datum>(sortBy: [SortDescriptor(\.temper), SortDescriptor(\.level)])
            let sorted = try await context.fetch(descriptor)
            #expect(sorted.map(\.level) == [1, 2, 3, 9])
            let text = FetchDescriptor<Datum>(sortBy: [SortDescriptor(\.host), SortDescriptor(\.level)])
            #expect(try await context.fetch(text).map(\.level) == [3, 9, 1, 2])
            let groups = try await context.fetch(FetchDescriptor<Datum>(), selecting: .key(\Datum.temper), .count)
            #expect(Set(groups.map(\.0)) == [.itSFine, .sad])
            if isSaved {
                try context.update(
                    model: Datum.self, where: #Predicate { $0.feeling == sad }, .set(\.feeling, to: Mood.ok),
                    .set(\.temper, to: Mood.ok), .set(\.host, to: "1.2.3.4"))
                try await context.save()
                #expect(
                    try await connection.lines("SELECT concat_ws('|', feeling, temper, host) FROM data WHERE level = 1")
                        == ["ok|ok|1.2.3.4"])
            }
        }
    }

    @Test func whatTheEnumDoesNotKnowIsSaidWithItsRow() async throws {
        try await withData { database, _, context in
            try await database.execute(
                "ALTER TYPE mood ADD VALUE 'new'", "UPDATE data SET feeling = 'new' WHERE id = 2")
            await #expect {
                _ = try await context.fetch(FetchDescriptor<Datum>())
            } throws: { error in
                guard let error = error as? SwiftDataError, error.code == .invalidValue else { return false }
                return error.message.contains("Datum.feeling of the Datum with the key 2")
            }
        }
    }

    @Test(arguments: [false, true])
    func aTextThatTheServerCannotReadIsSaidWithItsProperty(isNew: Bool) async throws {
        try await withData { _, _, context in
            let datum = isNew ? Datum() : try await first(context)
            if isNew { context.insert(datum) }
            datum.host = "10.0.0.300"
            await #expect {
                try await context.save()
            } throws: { error in
                guard let error = error as? SwiftDataError, error.code == .invalidValue else { return false }
                return error.sqlState == "22P02" && error.message.contains("Datum.host")
                    && error.message.contains("Datum.hardware") == isNew
            }
        }
    }

    @Test func rowsWithoutObjectsAreNotConverted() async throws {
        try await withData { _, _, context in
            await #expect {
                try await context.insert(into: Datum.self, \.level, rows: [1, 2])
            } throws: { error in
                (error as? SwiftDataError)?.message.contains("in the external table, and rows are sent with values of")
                    == true
            }
        }
    }

    @Test func keysOfUUIDsAndOfNumbersThatNothingGives() async throws {
        try await withData { _, connection, context in
            let key = try #require(UUID(uuidString: "018f0000-0000-7000-8000-000000000001"))
            let first = try #require(try await context.existingModel(WithUuid.self, id: key))
            #expect(first.name == "first" && first.usesUuids.count == 1)
            #expect(first.numbereds.map(\.number) == [7])
            let uuid = UUID.v7()
            let (new, numbered, user) = (WithUuid(), Numbered(number: 12, withUuid: first, label: "twelve"), UsesUuid())
            new.id = uuid
            user.withUuid = new
            for model in [new, numbered, user] as [any PersistentModel] { context.insert(model) }
            new.numberedsByMarks = [numbered]
            try await context.save()
            #expect(
                try await connection.lines("SELECT with_uuid_id::text FROM uses_uuid ORDER BY id DESC LIMIT 1")
                    == [uuid.uuidString.lowercased()])
            #expect(
                try await connection.lines("SELECT with_uuid_id || ' ' || \"number\" FROM marks WHERE \"number\" = 12")
                    == ["\(uuid.uuidString.lowercased()) 12"])
            for user in first.usesUuids { context.delete(user) }
            context.delete(first)
            try await context.save()
            #expect(try await connection.lines("SELECT count(*)::text FROM numbered") == ["0"])
        }
    }

    @Test func tablesThatRequireEachOtherOpenAndTakeNewObjects() async throws {
        try await withData { _, connection, context in
            let shop = try #require(try await context.fetch(FetchDescriptor<Shop>()).first)
            #expect(shop.manager?.name == "Kim" && shop.manager?.shop === shop)
            let other = Shop(name: "mall")
            other.manager = Clerk(shop: other, name: "Lee")
            context.insert(other)
            try await context.save()
            #expect(
                try await connection.lines(
                    "SELECT s.name || ' ' || c.name FROM shop s JOIN clerk c ON c.id = s.manager_id AND c.shop_id = s.id WHERE s.id = 2"
                )
                    == ["mall Lee"])
        }
    }
}
