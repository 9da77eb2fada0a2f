import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// What a class with a key of several columns meets beside reading and writing: dates of deletion, several stores, several writers.
@Suite struct PartKeyCasesTests {
    private typealias Purchase = Parted.Purchase
    private typealias Article = Parted.Article
    private typealias Line = Parted.Line
    private typealias Measurement = Parted.Measurement
    private typealias Hall = Seated.Hall
    private typealias Seat = Seated.Seat

    @Test func `a date of deletion is given, followed and taken back`() async throws {
        try await withModelStore(of: Schema(Hall.self, Seat.self)) { store in
            let context = ModelContext(store.container)
            let hall = Hall("red")
            for number in 1...3 { context.insert(Seat(hall, number)) }
            context.insert(Seat(Hall("blue"), 1))
            try await context.save()
            func numbers(_ context: ModelContext, includeDeleted: Bool = false) async throws -> [Int] {
                var descriptor = FetchDescriptor<Seat>(
                    predicate: #Predicate { $0.hall.name == "red" }, sortBy: [SortDescriptor(\.number)])
                descriptor.includeDeleted = includeDeleted
                return try await context.fetch(descriptor).map(\.number)
            }
            let second = try await context.model(Seat.self, key: hall.persistentModelID, 2)
            context.delete(second)
            #expect(try await numbers(context) == [1, 3])
            try await context.save()
            #expect(try await numbers(ModelContext(store.container)) == [1, 3])
            #expect(try await numbers(ModelContext(store.container), includeDeleted: true) == [1, 2, 3])
            second.deletedAt = nil
            try await context.save()
            #expect(try await numbers(context) == [1, 2, 3])
            // What has a date goes with its hall, in memory or not, and gets that date.
            let other = ModelContext(store.container)
            other.delete(try await other.fetch(FetchDescriptor<Hall>(predicate: #Predicate { $0.name == "red" }))[0])
            try await other.save()
            #expect(
                try await store.database.texts(
                    "SELECT count(*)::text FROM seat JOIN hall ON hall.pk = seat.hall WHERE seat.deleted_at = hall.deleted_at"
                ) == ["3"])
            try other.delete(model: Seat.self)
            #expect(try await other.fetchCount(FetchDescriptor<Seat>()) == 0)
            try await other.save()
            #expect(try await store.database.texts("SELECT count(deleted_at)::text FROM seat") == ["4"])
        }
    }

    @Test func `lines of one store and measurements of another are saved together`() async throws {
        let (one, two) = (
            Schema(Purchase.self, Article.self, Line.self, Parted.Ticket.self, Parted.Seal.self),
            Schema(Measurement.self)
        )
        try await withTestDatabase("lines", template: .tables(of: one)) { lines in
            try await withTestDatabase("measured", template: .tables(of: two)) { measured in
                let container = try await ModelContainer(
                    for: Parted.schema,
                    configurations: [
                        ModelConfiguration("lines", schema: one, url: try #require(lines.foundationURL)),
                        ModelConfiguration("measured", schema: two, url: try #require(measured.foundationURL)),
                    ], logger: Logger(label: "test"))
                let context = ModelContext(container)
                let (purchase, sensor) = (Purchase(1), UUID())
                let line = Line(purchase, Article("tea"))
                context.insert(line)
                let measurement = Measurement(sensor, "a", 1, value: 5)
                context.insert(measurement)
                try await context.save()
                #expect(line.persistentModelID.storeIdentifier != measurement.persistentModelID.storeIdentifier)
                let reader = ModelContext(container)
                #expect(
                    try await reader.existingModel(Line.self, key: purchase.persistentModelID, "tea")?.quantity == 1)
                #expect(try await reader.existingModel(Measurement.self, key: sensor, "a", 1)?.value == 5)
                line.quantity = 2
                context.delete(measurement)
                try await context.save()
                #expect(try await lines.texts("SELECT quantity::text FROM line") == ["2"])
                #expect(try await measured.texts("SELECT count(*)::text FROM measurement") == ["0"])
                await container.close()
            }
        }
    }

    /// Between the numbers that two words hold: the table of the process has such keys.
    @Test func `numbers of twelve digits and more are keys, in memory and in SQL`() async throws {
        try await withModelStore(of: Referred.schema) { store in
            let numbers = [
                1, 68_719_476_735, 68_719_476_736, 123_456_789_012, 1_099_511_627_775, 1_099_511_627_776,
                1_236_950_581_248,
            ]
            try await store.database.execute("INSERT INTO article (code) VALUES ('a')")
            for number in numbers {
                try await store.database.execute(
                    "INSERT INTO purchase (pk, number) OVERRIDING SYSTEM VALUE VALUES (\(number), 1)",
                    "INSERT INTO line (purchase, article, quantity) VALUES (\(number), 'a', 1)",
                    "INSERT INTO refund (purchase, number, article_code) VALUES (\(number), \(number), 'a')")
            }
            let context = ModelContext(store.container)
            let refunds = try await context.fetch(FetchDescriptor<Referred.Refund>(sortBy: [SortDescriptor(\.number)]))
            #expect(refunds.map(\.number) == numbers)
            for refund in refunds {
                #expect(refund.line?.purchase === refund.purchase)
                let found = try await ModelContext(store.container).existingModel(
                    Referred.Refund.self, key: refund.purchase.persistentModelID, refund.number)
                #expect(found?.persistentModelID == refund.persistentModelID)
                let identifier = refund.persistentModelID
                let again = try await context.fetch(
                    Referred.Refund.self,
                    sql:
                        "SELECT \(\Referred.Refund.persistentModelID) FROM \(Referred.Refund.self) WHERE \(\Referred.Refund.persistentModelID) = \(identifier)"
                )
                #expect(again.map(\.number) == [refund.number])
            }
        }
    }

    @Test func `a part that turns out to be another row is refused, and nothing is saved`() async throws {
        try await withModelStore(of: Schema(Hall.self, Seat.self)) { store in
            let context = ModelContext(store.container)
            context.insert(Hall("red"))
            try await context.save()
            let other = ModelContext(store.container)
            let seat = Seat(Hall("red"), 1)
            other.insert(seat)
            let refused = await #expect(throws: SwiftDataError.self) { try await other.save() }
            #expect(refused?.message.contains("Seat.hall") == true, "\(String(describing: refused))")
            #expect(try await store.database.texts("SELECT count(*)::text FROM seat") == ["0"])
            other.rollback()
            let hall = Hall("red")
            other.insert(hall)
            try await other.save()
            other.insert(Seat(hall, 1))
            try await other.save()
            #expect(
                try await store.database.texts("SELECT hall.name FROM seat JOIN hall ON hall.pk = seat.hall") == ["red"]
            )
        }
    }

    @Test(.timeLimit(.minutes(2))) func `two writers of one purchase's lines, and deletions in both orders, end`()
        async throws
    {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            let purchase = Purchase(1)
            for number in 0..<20 { context.insert(Line(purchase, Article("a\(number)"))) }
            try await context.save()
            let container = store.container
            let identifier = purchase.persistentModelID
            // Each changes all lines, one forwards and one backwards.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...2 {
                    group.addTask {
                        for _ in 0..<10 {
                            let context = ModelContext(container)
                            context.conflictPolicy = .overwrite
                            let lines = try await context.fetch(
                                FetchDescriptor<Line>(sortBy: [SortDescriptor(\.article.code)]))
                            for line in writer == 1 ? lines : lines.reversed() { line.quantity += writer }
                            try await context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            // Each deletes lines that the other one deletes, with what others insert again meanwhile.
            let deleted = try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 1...2 {
                    group.addTask {
                        var count = 0
                        for round in 0..<10 {
                            let context = ModelContext(container)
                            let lines = try await context.fetch(
                                FetchDescriptor<Line>(sortBy: [SortDescriptor(\.article.code)]))
                            let chosen = (writer == 1 ? lines : lines.reversed()).dropFirst(round % 2).prefix(6)
                            for line in chosen { context.delete(line) }
                            try await context.save()
                            count += chosen.count
                            let again = ModelContext(container)
                            let purchase: Purchase = try #require(try await again.existingModel(for: identifier))
                            for article in try await again.fetch(FetchDescriptor<Article>()).shuffled().prefix(6) {
                                again.insert(Line(purchase, article))
                            }
                            try await again.save()
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(deleted > 0)
            #expect(
                try await store.database.texts(
                    "SELECT (count(*) = count(DISTINCT (purchase, article)))::text FROM line") == ["true"])
        }
    }
}

/// A hall that is found by its name, and seats that have it in their key; both are deleted by a date.
enum Seated {
    @Model final class Hall {
        @Attribute(.unique) var name: String
        @Attribute(.deletionDate) var deletedAt: Date?
        @Relationship(deleteRule: .cascade, inverse: \Seat.hall) var seats: [Seat] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Seat {
        #PrimaryKey<Seat>([\.hall, \.number])
        var hall: Hall
        var number: Int
        @Attribute(.deletionDate) var deletedAt: Date?
        init(_ hall: Hall, _ number: Int) {
            self.hall = hall
            self.number = number
        }
    }
}
