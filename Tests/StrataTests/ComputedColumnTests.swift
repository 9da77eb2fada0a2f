import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

private enum Billing {
    @Model class Line {
        #Generated<Line, Int>(\.total) { $0.price * $0.count }
        #Generated<Line, String>(\.title) { ($0.nick ?? "none") + ": " + $0.code }
        #Generated<Line, Bool>(\.isLarge) { $0.price * $0.count > 100 && $0.nick != nil }
        #Generated<Line, String?>(\.alias) { $0.nick }
        #Generated<Line, String>(\.folded) { $0.code + "/" }
        #Generated<Line, String>(\.kind) { $0.price > 10 ? "dear" : "cheap" }
        #Index<Line>([\.total])
        #Index<Line>([\.code]) { $0.isLarge }
        #Check<Line>("bounded") { $0.total < 1_000_000 }
        var code: String
        var price: Int
        var count: Int
        var nick: String?
        @Attribute(.generated) var total: Int
        @Attribute(.generated) var title: String
        @Attribute(.generated) var isLarge: Bool
        @Attribute(.generated, column: "shown_as") var alias: String?
        @Attribute(.generated) var folded: String
        @Attribute(.generated) var kind: String

        init(_ code: String, _ price: Int, _ count: Int, nick: String? = nil) {
            (self.code, self.price, self.count, self.nick) = (code, price, count, nick)
        }
    }

    @Model final class Fine: Line {
        #Generated<Fine, Int>(\.doubled) { $0.points * 2 }
        var points = 3
        @Attribute(.generated) var doubled: Int
    }

    @Model final class Order {
        var line: Line?
        init(_ line: Line?) { self.line = line }
    }

    @Model(inheritance: .singleTable) class Shape {
        var name = ""
        var mass = 1
        init() {}
    }

    @Model final class Square: Shape {
        #Generated<Square, Int>(\.area) { $0.side * $0.side }
        #Generated<Square, String>(\.title) { $0.name + "!" }
        #Generated<Square, Int>(\.weight) { $0.mass * 1000 }
        var side = 2
        @Attribute(.generated) var area: Int
        @Attribute(.generated) var title: String
        @Attribute(.generated) var weight: Int
    }

    /// Only a column that is computed from has the value that is unique.
    @Model final class Slot {
        #Unique<Slot>([\.position])
        #Generated<Slot, Int>(\.rank) { $0.position * 10 }
        var position: Int
        @Attribute(.generated) var rank: Int
        init(_ position: Int) { self.position = position }
    }

    @Model final class Seat {
        #Unique<Seat>([\.hall, \.position])
        #Generated<Seat, Int>(\.rank) { $0.position * 10 }
        #Generated<Seat, String>(\.sign) { $0.code + "." }
        @Attribute(.unique) var code: String
        var hall: String
        var position: Int
        @Attribute(.generated) var rank: Int
        @Attribute(.generated) var sign: String
        init(_ code: String, _ hall: String, _ position: Int) {
            (self.code, self.hall, self.position) = (code, hall, position)
        }
    }
}

extension Billing {
    /// NULL is no place in the order, and nothing is computed of it.
    @Model final class Place {
        #Unique<Place>([\.number])
        #Unique<Place>([\.floor])
        #Generated<Place, Int?>(\.next) { $0.number.flatMap { $0 * 10 + 1 } }
        #Generated<Place, Int>(\.level) { ($0.floor ?? 0) * 10 }
        var number: Int?
        var floor: Int?
        @Attribute(.generated) var next: Int?
        @Attribute(.generated) var level: Int
        init(_ number: Int) { (self.number, floor) = (number, number) }
    }
}

/// Classes of an older program, which knows nothing of the columns.
private enum Older {
    @Model final class Slot {
        #Unique<Slot>([\.position])
        var position: Int
        init(_ position: Int) { self.position = position }
    }
}

private enum First {
    @Model final class Line {
        #Generated<Line, Int>(\.total) { $0.price * $0.count }
        var price = 2
        var count = 3
        @Attribute(.generated) var total: Int
        init() {}
    }
}

private enum Second {
    @Model final class Line {
        #Generated<Line, Int>(\.total) { $0.price * $0.count + 1 }
        var price = 2
        var count = 3
        @Attribute(.generated) var total: Int
        init() {}
    }
}

private typealias Line = Billing.Line
private typealias Fine = Billing.Fine

private enum Wrong {
    @Model class Base {
        var width = 1
        init() {}
    }
    @Model final class Computed: Base {
        #Generated<Computed, Int>(\.elsewhere) { $0.width * 2 }
        #Generated<Computed, Double>(\.fraction) { $0.height * 0.5 }
        #Generated<Computed, Bool>(\.hasBase) { $0.base != nil }
        #Generated<Computed, Bool>(\.hasPhoto) { $0.photo != nil }
        #Generated<Computed, UInt8>(\.byte) { $0.a - $0.b + $0.c }
        #Generated<Computed, Bool>(\.isOver) { $0.a + $0.b > 200 }
        #Generated<Computed, Decimal>(\.square) { $0.rate * $0.rate }
        #Generated<Computed, Decimal>(\.cut) { $0.fine * 2 }
        #Generated<Computed, Int>(\.always) { _ in 7 }
        #Generated<Computed, String>(\.lower) { $0.word.lowercased() }
        #Generated<Computed, Bool>(\.isOne) { $0.word.caseInsensitiveCompare("one") == .orderedSame }
        #Generated<Computed, Bool>(\.isPast) { $0.day < Date.now }
        #Generated<Computed, String>(\.town) { $0.address.town }
        // The column is called as one of the superclass's table.
        @Attribute(column: "width") var height = 1.0
        var base: Base?
        @Attribute(.externalStorage) var photo: Data?
        var a: UInt8 = 1
        var b: UInt8 = 2
        var c: UInt8 = 6
        var rate: Decimal = 1
        @Attribute(.precision(8, scale: 4)) var fine: Decimal = 1
        var address = Address()
        var day = Date.distantPast
        var word = ""
        @Attribute(.generated) var elsewhere: Int
        @Attribute(.generated) var fraction: Double
        @Attribute(.generated) var hasBase: Bool
        @Attribute(.generated) var hasPhoto: Bool
        @Attribute(.generated) var byte: UInt8
        @Attribute(.generated) var isOver: Bool
        @Attribute(.generated) var square: Decimal
        @Attribute(.generated, .precision(8, scale: 2)) var cut: Decimal
        @Attribute(.generated) var always: Int
        @Attribute(.generated) var isPast: Bool
        @Attribute(.generated) var lower: String
        @Attribute(.generated) var isOne: Bool
        @Attribute(.generated) var town: String
        @Attribute(.generated) var unsaid: Int?
    }
    struct Address: Codable, Hashable { var town = "" }
}

/// Properties that memory computes, with a column for queries.
@Suite struct ComputedColumnTests {
    private static let schema = Schema([Line.self, Fine.self, Billing.Order.self])

    @Test func `memory computes it, and no statement reads or writes it`() async throws {
        try await withModelStore(of: Self.schema, "computed") { store in
            let context = ModelContext(store.container)
            let line = Line("A", 2, 3)
            #expect(line.total == 6 && line.title == "none: A" && !line.isLarge && line.alias == nil)
            context.insert(line)
            context.insert(Fine("B", 20, 30, nick: "bee"))
            try await context.save()
            line.count = 60
            #expect(line.total == 120)
            try await context.save()
            let other = ModelContext(store.container)
            let lines = try await other.fetch(FetchDescriptor<Line>(sortBy: [SortDescriptor(\.total, order: .reverse)]))
            store.recorder.reset()
            #expect(lines.map(\.total) == [600, 120] && lines.map(\.kind) == ["dear", "cheap"])
            #expect((lines[0] as? Fine)?.doubled == 6)
            #expect(store.recorder.statements == [])
            let select = try #require(
                try await statements(store) { try await other.fetch(FetchDescriptor<Billing.Line>()) }.first)
            #expect(!select.contains("total") && !select.contains("title") && !select.contains("doubled"), "\(select)")
            // What is fetched in part has what it is computed from.
            var part = FetchDescriptor<Line>(predicate: #Predicate { $0.total == 120 })
            part.propertiesToFetch = [\.total]
            let fresh = ModelContext(store.container)
            fresh.lazyLoading = .forbidden
            #expect(try await fresh.fetch(part).map(\.total) == [120])
            #expect(try await fresh.fetch(part, selecting: .value(\.title), .value(\.total)).map(\.0) == ["none: A"])
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(' ', code, total, title, is_large, shown_as, folded, kind) FROM line ORDER BY code"
                )
                    == ["A 120 none: A f A/ cheap", "B 600 bee: B t bee B/ dear"])
            #expect(try await store.database.texts("SELECT doubled::text FROM fine") == ["6"])
            withExtendedLifetime((other, fresh)) {}
        }
    }

    private func statements<R>(_ store: ModelStore, _ body: () async throws -> R) async throws -> [String] {
        store.recorder.reset()
        _ = try await body()
        return store.recorder.statements
    }

    @Test func `the table says what it is computed by, and indexes and checks know it`() async throws {
        let tables = DatabaseDefinition(StoreMapping(Self.schema)).tables
        let line = try #require(tables.first { $0.name == "line" })
        let clauses = line.columns.filter(\.isGenerated).map(\.clause)
        #expect(clauses[0] == #""total" bigint GENERATED ALWAYS AS ("price" * "count") STORED"#, "\(clauses[0])")
        #expect(clauses[1].hasPrefix(#""title" text COLLATE "C" GENERATED ALWAYS AS ("#), "\(clauses[1])")
        #expect(clauses.count == 6)
        #expect(line.indexes.contains { $0.columns == ["total"] })
        #expect(line.indexes.first { $0.columns == ["code"] }?.predicate?.columns == ["is_large"])
        // A check is about what is written: the columns that it is computed from.
        guard case .expression(let rule)? = line.checks.first(where: { $0.name.contains("bounded") })?.condition else {
            Issue.record("no check")
            return
        }
        #expect(Set(rule.columns) == ["price", "count"])
    }

    /// The columns, what memory computes, and queries over rows and unsaved changes say the same.
    @Test func `memory and the database compute the same`() async throws {
        var random = SeededGenerator(57)
        let codes = ["", "a", "É", "ÄÖ", "Straße", "ǅ", "x'y", "\"", "И", "a\u{301}"]
        try await withModelStore(of: Self.schema, "computed") { store in
            let context = ModelContext(store.container)
            func line() -> Line {
                let (code, nick) = (codes.randomElement(using: &random) ?? "", codes.randomElement(using: &random))
                let (price, count) = (
                    Int.random(in: -50...50, using: &random), Int.random(in: -20...20, using: &random)
                )
                let isNamed = Bool.random(using: &random)
                return Bool.random(using: &random)
                    ? Line(code, price, count, nick: isNamed ? nick : nil)
                    : Fine(code, price, count, nick: isNamed ? nick : nil)
            }
            for _ in 0..<60 { context.insert(line()) }
            try await context.save()
            let lines = try await context.fetch(FetchDescriptor<Line>())
            func expected(_ lines: [Line]) -> [String] {
                lines.map {
                    [
                        $0.code, "\($0.total)", $0.title, $0.isLarge ? "t" : "f", $0.alias ?? "-", $0.folded, $0.kind,
                    ].joined(separator: "|")
                }.sorted()
            }
            let sql =
                "SELECT concat_ws('|', code, total, title, is_large, coalesce(shown_as, '-'), folded, kind) FROM line"
            #expect(try await store.database.texts(sql).sorted() == expected(lines))

            // Unsaved: new objects, changed ones, and an update by predicate.
            for line in lines.prefix(20) {
                line.price = Int.random(in: -50...50, using: &random)
                line.nick = Bool.random(using: &random) ? "new" : nil
            }
            for _ in 0..<10 { context.insert(line()) }
            let all = try await context.fetch(FetchDescriptor<Line>())
            for limit in [-300, 0, 100, 500] {
                let found = try await context.fetch(FetchDescriptor<Line>(predicate: #Predicate { $0.total > limit }))
                #expect(
                    Set(found.map(\.persistentModelID)) == Set(all.filter { $0.total > limit }.map(\.persistentModelID))
                )
            }
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Line>(predicate: #Predicate { $0.isLarge && $0.kind == "dear" }))
                    == all.count { $0.isLarge && $0.kind == "dear" })
            let titles = try await context.fetch(FetchDescriptor<Line>(sortBy: [SortDescriptor(\.title)])).map(\.title)
            #expect(titles == all.map(\.title).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
            try context.update(model: Line.self, where: #Predicate { $0.total < 0 }, .set(\.count, to: 1))
            let negative = try await context.fetchCount(FetchDescriptor<Line>(predicate: #Predicate { $0.total < -50 }))
            #expect(negative == 0)
            try await context.save()
            let saved = try await ModelContext(store.container).fetch(
                FetchDescriptor<Line>(), selecting: .value(\.code), .value(\.total))
            #expect(saved.map { "\($0.0) \($0.1)" }.sorted() == all.map { "\($0.code) \($0.total)" }.sorted())
        }
    }

    @Test func `whoever would write it is refused, a snapshot shows it, and the history has what it is computed from`()
        async throws
    {
        try await withModelStore(of: Self.schema, "computed") { store in
            let context = ModelContext(store.container)
            let line = Line("A", 2, 3)
            context.insert(line)
            try await context.save()
            let rows = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Line.self, \.code, \.price, \.count, \.total, rows: [("b", 1, 1, 1)])
            }
            #expect(
                rows?.message
                    == "Line.total is computed by the database: rows inserted into Line have no value of it. Leave it out."
            )
            try await context.insert(into: Line.self, \.code, \.price, \.count, rows: [("b", 5, 5)])
            #expect(
                try await context.fetchCount(FetchDescriptor<Line>(predicate: #Predicate { $0.total == 25 })) == 1)
            let json = String(decoding: try JSONEncoder().encode(line.snapshot()), as: UTF8.self)
            #expect(json.contains(#""total":6"#), "\(json)")
            let patch = try JSONDecoder().decode(ModelPatch<Line>.self, from: Data(#"{"count": 4, "total": 99}"#.utf8))
            try await context.apply(patch, to: line, allowing: .everything)
            #expect(line.total == 8)
            try await context.save()
            let transactions = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            let names = transactions.flatMap(\.changes).flatMap { change -> [String] in
                if case .update(let update) = change { "\(update)".contains("total") ? ["total"] : [] } else { [] }
            }
            #expect(names == [])
            // What no number holds is no value in memory, and an error of the save that it is in; not of one before or after.
            line.price = .max
            #expect(line.total == 0)
            line.price = 1
            try await context.save()
            let other = Line("C", .max, 2)
            context.insert(other)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.hasPrefix("Line.total cannot be computed of what the object has") == true)
            #expect(error?.message.hasSuffix("Change Line.price or Line.count.") == true)
            #expect(error?.identifiers == [other.persistentModelID])
            context.delete(other)
            line.count = .max
            line.price = 3
            let changed = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(changed?.message.hasPrefix("Line.total cannot be computed of what the object has") == true)
            #expect(changed?.identifiers == [line.persistentModelID])
            context.rollback()
            #expect(line.total == 4)
        }
    }

    @Test func `undo, rollback and another class leave it right`() async throws {
        try await withModelStore(Billing.Shape.self, Billing.Square.self) { store in
            let context = ModelContext(store.container)
            let undo = ModelUndoManager()
            context.undoManager = undo
            let square = Billing.Square()
            square.name = "a"
            context.insert(square)
            try await context.save()
            undo.removeAllActions()
            square.side = 5
            #expect(square.area == 25 && square.title == "a!")
            undo.undo()
            #expect(square.area == 4)
            square.side = 6
            context.rollback()
            #expect(square.area == 4)
            let shape = Billing.Shape()
            shape.name = "b"
            // Of a row of another class nothing is computed.
            shape.mass = .max
            context.insert(shape)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT coalesce(weight, -1)::text FROM shape ORDER BY name") == [
                    "1000", "-1",
                ])
            shape.mass = 2
            try await context.save()
            let other = try await context.convert(shape, to: Billing.Square.self) { $0.side = 3 }
            #expect(other.area == 9 && other.title == "b!")
            let squares = FetchDescriptor<Billing.Square>(
                predicate: #Predicate { $0.area > 0 }, sortBy: [SortDescriptor(\.title)])
            #expect(try await ModelContext(store.container).fetch(squares).map(\.area) == [4, 9])
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(' ', name, area, title) FROM shape ORDER BY name") == ["a 4 a!", "b 9 b!"])
            let plain = try await context.convert(other, to: Billing.Shape.self)
            #expect(plain.name == "b")
            #expect(try await ModelContext(store.container).fetchCount(squares) == 1)
        }
    }

    @Test func `unique values are exchanged by a column of which nothing is computed`() async throws {
        try await withModelStore(Billing.Slot.self, Billing.Seat.self) { store in
            let context = ModelContext(store.container)
            let seats = [Billing.Seat("x", "a", 1), Billing.Seat("y", "b", 2)]
            let slots = [Billing.Slot(1), Billing.Slot(2)]
            for seat in seats { context.insert(seat) }
            for slot in slots { context.insert(slot) }
            try await context.save()
            swap(&seats[0].position, &seats[1].position)
            swap(&seats[0].hall, &seats[1].hall)
            try await context.save()
            #expect(seats.map(\.rank) == [20, 10])
            // Of any text something can be computed, so it may be another one in between.
            swap(&seats[0].code, &seats[1].code)
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(' ', code, position, rank, sign) FROM seat ORDER BY code")
                    == ["x 1 10 x.", "y 2 20 y."])
            // There is no value of an Int that nobody has and of which ten times as much is one.
            swap(&slots[0].position, &slots[1].position)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            context.rollback()
            // One that takes the value of a deleted one comes behind it.
            context.delete(slots[0])
            context.insert(Billing.Slot(1))
            try await context.save()
            #expect(try await store.database.texts("SELECT rank::text FROM slot ORDER BY rank") == ["10", "20"])
        }
    }

    @Test func `NULL stands in between where nothing is computed of it`() async throws {
        try await withModelStore(Billing.Place.self) { store in
            let context = ModelContext(store.container)
            let places = [Billing.Place(1), Billing.Place(2)]
            for place in places { context.insert(place) }
            try await context.save()
            store.recorder.reset()
            swap(&places[0].number, &places[1].number)
            try await context.save()
            #expect(places.map(\.next) == [21, 11])
            #expect(
                try await store.database.texts("SELECT concat_ws(' ', number, next, level) FROM place ORDER BY pk") == [
                    "2 21 10", "1 11 20",
                ])
            // Of NULL something else is computed, so no value in between is known to be harmless.
            swap(&places[0].floor, &places[1].floor)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
        }
    }

    @Test func `an older program exchanges values by numbers of which nothing can be computed, and hears of it`()
        async throws
    {
        try await withModelStore(Billing.Slot.self) { store in
            let context = ModelContext(store.container)
            for position in [1, 2] { context.insert(Billing.Slot(position)) }
            try await context.save()
            let container = try await store.reopened(Schema([Older.Slot.self]))
            defer { container.close() }
            let older = ModelContext(container)
            let slots = try await older.fetch(FetchDescriptor<Older.Slot>(sortBy: [SortDescriptor(\.position)]))
            swap(&slots[0].position, &slots[1].position)
            let error = await #expect(throws: SwiftDataError.self) { try await older.save() }
            #expect(error?.code == .invalidValue, "\(error as Any)")
            older.rollback()
            // One after the other there is no value in between.
            slots[0].position = 3
            try await older.save()
            slots[1].position = 1
            try await older.save()
            #expect(
                try await store.database.texts("SELECT position || ' ' || rank FROM slot ORDER BY 1") == [
                    "1 10", "3 30",
                ])
        }
    }

    @Test func `an upsert of some values computes the rest, and writes none that is computed`() async throws {
        try await withModelStore(Billing.Seat.self) { store in
            let context = ModelContext(store.container)
            context.insert(Billing.Seat("x", "a", 1))
            try await context.save()
            let other = ModelContext(store.container)
            other.uniquePolicy = .upsert(updating: \Billing.Seat.position)
            let seat = Billing.Seat("x", "b", 7)
            other.insert(seat)
            try await other.save()
            #expect(seat.rank == 70)
            #expect(
                try await store.database.texts("SELECT concat_ws(' ', code, hall, position, rank) FROM seat") == [
                    "x a 7 70"
                ])
            let third = ModelContext(store.container)
            third.uniquePolicy = .upsert(updating: \Billing.Seat.rank)
            third.insert(Billing.Seat("x", "c", 9))
            let error = await #expect(throws: SwiftDataError.self) { try await third.save() }
            #expect(
                error?.code == .unsupportedKeyPath && error?.message.contains("Seat.rank") == true, "\(error as Any)")
        }
    }

    @Test func `an update by predicate of which nothing can be computed is refused whole`() async throws {
        try await withModelStore(Billing.Slot.self) { store in
            let context = ModelContext(store.container)
            for position in [1, 2] { context.insert(Billing.Slot(position)) }
            try await context.save()
            try context.update(
                model: Billing.Slot.self, where: #Predicate { $0.position == 2 }, .set(\.position, to: .max))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue, "\(error as Any)")
            #expect(try await store.database.texts("SELECT rank::text FROM slot ORDER BY rank") == ["10", "20"])
        }
    }

    @Test func `a table whose column is computed by something else is not opened`() async throws {
        try await withModelStore(of: Schema([First.Line.self])) { store in
            let url = try #require(store.database.foundationURL)
            func open(_ type: any PersistentModel.Type) async throws {
                _ = try await ModelContainer(for: Schema([type]), configurations: [ModelConfiguration(url: url)])
            }
            try await open(First.Line.self)
            let error = await #expect(throws: SwiftDataError.self) { try await open(Second.Line.self) }
            #expect(error?.code == .storeDoesNotFit)
            #expect(
                error?.message.contains(
                    "column line.total is computed by another expression than the property Line.total needs") == true,
                "\(String(describing: error))")
            // One that somebody has made by hand says nothing: `drift` compares it.
            try await store.database.execute("COMMENT ON COLUMN line.total IS NULL")
            try await open(First.Line.self)
            try await store.database.execute("ALTER TABLE line ALTER COLUMN total DROP EXPRESSION")
            let plain = await #expect(throws: SwiftDataError.self) { try await open(First.Line.self) }
            #expect(
                plain?.message.contains("GENERATED ALWAYS AS (…) STORED, which a migration makes of #Generated") == true
            )
        }
    }

    @Test func `it is sorted by through a relationship, and in a table that classes share`() async throws {
        try await withModelStore(of: Self.schema, "computed") { store in
            let context = ModelContext(store.container)
            for price in [3, 1, 2] { context.insert(Billing.Order(Line("\(price)", price, 1))) }
            context.insert(Billing.Order(nil))
            try await context.save()
            let orders = try await context.fetch(
                FetchDescriptor<Billing.Order>(sortBy: [SortDescriptor(\.line?.total, order: .reverse)]))
            #expect(orders.map { $0.line?.total } == [3, 2, 1, nil])
        }
        try await withModelStore(Billing.Shape.self, Billing.Square.self) { store in
            let context = ModelContext(store.container)
            context.insert(Billing.Shape())
            context.insert(Billing.Square())
            try await context.save()
            let squares = FetchDescriptor<Billing.Square>(predicate: #Predicate { $0.area == 4 })
            #expect(try await ModelContext(store.container).fetch(squares).map(\.side) == [2])
        }
    }

    @Test func `what no column can be computed by is refused by class and property`() async throws {
        let error = await #expect(throws: (any Error).self) {
            try await ModelContainer(
                for: Schema([Wrong.Base.self, Wrong.Computed.self]),
                configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        }
        let text = String(describing: error)
        for part in [
            "Computed.elsewhere: what #Generated computes it by cannot stand in a table: it names a property of Base, which lies in another table, base",
            "Computed.hasBase: what #Generated computes it by names Computed.base, which is a relationship",
            "Computed.hasPhoto: what #Generated computes it by names Computed.photo, which is kept outside of the row (.externalStorage)",
            "Computed.byte: what #Generated computes it by cannot stand in a table: it has arithmetic with Computed.a in UInt8, which the database does in a larger type",
            "Computed.isOver: what #Generated computes it by cannot stand in a table: it has arithmetic with Computed.a in UInt8",
            "Computed.square: what #Generated computes it by cannot stand in a table: it has arithmetic with Computed.rate in Decimal that may have more than 38 digits",
            "Computed.cut: what #Generated computes it by cannot stand in a table: it may have more digits than .precision(8, scale: 2) of the property",
            "Computed.lower: what #Generated computes it by cannot stand in a table: it takes upper and lower case for the same, or makes one of the other",
            "Computed.isOne: what #Generated computes it by cannot stand in a table: it takes upper and lower case for the same",
            "Computed.isPast: what #Generated computes it by says something else each time it is made, as Date.now does",
            "Computed.always: what #Generated computes it by names no property of the class",
            "Computed.town: what #Generated computes it by cannot stand in a table: it looks into a value that is stored as JSON",
            "Computed.fraction: what #Generated computes it by cannot stand in a table: it has something that is written as a subquery",
            "Computed.unsaid: it is marked .generated, and nothing says what its column is computed by",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
    }
}
