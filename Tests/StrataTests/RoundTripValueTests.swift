import Foundation
import Strata
import Testing

/// One property of each type with a column of its own, and optional ones.
@Model private final class Specimen {
    enum Color: String, Codable, CaseIterable { case red, green, blue }
    enum Level: Int16, Codable {
        case low = -1
        case middle = 7
        case high = 300
    }
    struct Size: Codable, Hashable {
        var width = 0.0
        var height = 0.0
        var note: String?
    }
    enum Shape: Codable, Hashable {
        case circle(radius: Double)
        case polygon([Size])
        case none
    }
    /// Text stored backwards, to see that the transformer is asked.
    enum Backwards: AttributeTransformer {
        static func transformed(_ value: String) throws -> Data {
            if value == "refuse" { throw CocoaError(.coderInvalidValue) }
            return Data(value.utf8.reversed())
        }
        static func restored(_ data: Data) throws -> String { String(decoding: data.reversed(), as: UTF8.self) }
    }

    var name: String
    var text = ""
    var flag = false
    var number = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double = 0.0
    var decimal: Decimal = 0
    var date = Date(timeIntervalSince1970: 0)
    var data = Data()
    var uuid = UUID()
    var url = URL(fileURLWithPath: "/")
    var color = Color.red
    var level = Level.low
    var size = Size()
    var shape = Shape.none
    @Attribute(.codable) var colors: [Color: Int] = [:]
    @Attribute(.transformable(by: Backwards.self)) var secret: String = ""
    @Attribute(.externalStorage) var blob: Data?
    @Attribute(.ephemeral) var scratch: Int = 7

    var maybeText: String?
    var maybeFlag: Bool?
    var maybeNumber: Int?
    var maybeUInt64: UInt64?
    var maybeDouble: Double?
    var maybeFloat: Float?
    var maybeDecimal: Decimal?
    var maybeDate: Date?
    var maybeData: Data?
    var maybeUUID: UUID?
    var maybeURL: URL?
    var maybeColor: Color?
    var maybeSize: Size?
    var maybeShape: Shape?
    @Attribute(.transformable(by: Backwards.self)) var maybeSecret: String?

    init(name: String) { self.name = name }

    func fillWithLimits() throws {
        text = "'; DROP TABLE specimen; -- \" \\ \u{1F9EA} e\u{301}\n\t"
        flag = true
        (number, int8, int16, int32, int64) = (.min, .min, .min, .min, .min)
        (uint8, uint16, uint32, uint64) = (.max, .max, .max, .max)
        float = .leastNonzeroMagnitude
        double = -.greatestFiniteMagnitude
        decimal = try #require(Decimal(string: "-12345678901234567890123456789012345678"))
        date = Date(timeIntervalSinceReferenceDate: 123_456_789.123456)
        data = Data((0...255).map { UInt8($0) })
        url = try #require(URL(string: "https://example.com/a%20b?q=%22x%22#f"))
        color = .blue
        level = .high
        size = Size(width: 0.1, height: -1e300, note: "\"quoted\" \u{1F600}")
        shape = .polygon([Size(width: 1, height: 2), Size(note: "")])
        colors = [.red: 1, .green: .max]
        secret = "abc\u{0}def"
        blob = Data(repeating: 0xAB, count: 70_000)
        maybeText = ""
        maybeFlag = false
        maybeNumber = .max
        maybeUInt64 = 1 << 63
        maybeDouble = .infinity
        maybeFloat = -.infinity
        maybeDecimal = Decimal(string: "0.00000000000000000000000000000000000001")
        maybeDate = .distantPast
        maybeData = Data()
        maybeUUID = UUID()
        maybeURL = URL(string: "mailto:a@b.c")
        maybeColor = .green
        maybeSize = Size(note: nil)
        maybeShape = .circle(radius: 2.5)
        maybeSecret = ""
    }

    func expectEqual(_ other: Specimen, _ location: SourceLocation = #_sourceLocation) {
        #expect(text == other.text, sourceLocation: location)
        #expect(Array(text.unicodeScalars) == Array(other.text.unicodeScalars), sourceLocation: location)
        #expect(flag == other.flag, sourceLocation: location)
        #expect(number == other.number, sourceLocation: location)
        #expect(int8 == other.int8, sourceLocation: location)
        #expect(int16 == other.int16, sourceLocation: location)
        #expect(int32 == other.int32, sourceLocation: location)
        #expect(int64 == other.int64, sourceLocation: location)
        #expect(uint8 == other.uint8, sourceLocation: location)
        #expect(uint16 == other.uint16, sourceLocation: location)
        #expect(uint32 == other.uint32, sourceLocation: location)
        #expect(uint64 == other.uint64, sourceLocation: location)
        #expect(float == other.float || float.isNaN && other.float.isNaN, sourceLocation: location)
        #expect(double == other.double || double.isNaN && other.double.isNaN, sourceLocation: location)
        #expect(decimal == other.decimal || decimal.isNaN && other.decimal.isNaN, sourceLocation: location)
        #expect(abs(date.timeIntervalSince(other.date)) < 1e-6, sourceLocation: location)
        #expect(data == other.data, sourceLocation: location)
        #expect(uuid == other.uuid, sourceLocation: location)
        #expect(url == other.url, sourceLocation: location)
        #expect(color == other.color, sourceLocation: location)
        #expect(level == other.level, sourceLocation: location)
        #expect(size == other.size, sourceLocation: location)
        #expect(shape == other.shape, sourceLocation: location)
        #expect(colors == other.colors, sourceLocation: location)
        #expect(secret == other.secret, sourceLocation: location)
        #expect(blob == other.blob, sourceLocation: location)
        #expect(maybeText == other.maybeText, sourceLocation: location)
        #expect(maybeFlag == other.maybeFlag, sourceLocation: location)
        #expect(maybeNumber == other.maybeNumber, sourceLocation: location)
        #expect(maybeUInt64 == other.maybeUInt64, sourceLocation: location)
        #expect(maybeDouble == other.maybeDouble, sourceLocation: location)
        #expect(maybeFloat == other.maybeFloat, sourceLocation: location)
        #expect(maybeDecimal == other.maybeDecimal, sourceLocation: location)
        #expect(maybeDate == other.maybeDate, sourceLocation: location)
        #expect(maybeData == other.maybeData, sourceLocation: location)
        #expect(maybeUUID == other.maybeUUID, sourceLocation: location)
        #expect(maybeURL == other.maybeURL, sourceLocation: location)
        #expect(maybeColor == other.maybeColor, sourceLocation: location)
        #expect(maybeSize == other.maybeSize, sourceLocation: location)
        #expect(maybeShape == other.maybeShape, sourceLocation: location)
        #expect(maybeSecret == other.maybeSecret, sourceLocation: location)
    }
}

@Suite struct RoundTripValueTests {
    @Test func `a value of every type comes back from an insert and from an update`() async throws {
        try await withModelStore(Specimen.self) { store in
            let context = ModelContext(store.container)
            let inserted = Specimen(name: "inserted")
            try inserted.fillWithLimits()
            inserted.scratch = 99
            let updated = Specimen(name: "updated")
            context.insert(inserted)
            context.insert(updated)
            try await context.save()

            let writer = ModelContext(store.container)
            let all = try await writer.fetch(FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.name)]))
            try #require(all.count == 2)
            all[0].expectEqual(inserted)
            all[1].expectEqual(updated)
            #expect(all[0].scratch == 7)
            try all[1].fillWithLimits()
            try await writer.save()

            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.name)]))
            read[1].expectEqual(all[1])
            try reader.throwUnreportedErrors()
        }
    }

    @Test func `the old value of every type is recognised, so that unchanged rows are no conflict`() async throws {
        try await withModelStore(Specimen.self) { store in
            let context = ModelContext(store.container)
            let specimen = Specimen(name: "a")
            try specimen.fillWithLimits()
            context.insert(specimen)
            try await context.save()
            // Everything back to the defaults: each old value is compared in SQL with what the row holds.
            let plain = Specimen(name: "b")
            specimen.text = plain.text
            specimen.flag = plain.flag
            specimen.number = 1
            specimen.int8 = 1
            specimen.int16 = 1
            specimen.int32 = 1
            specimen.int64 = 1
            specimen.uint8 = 1
            specimen.uint16 = 1
            specimen.uint32 = 1
            specimen.uint64 = 1
            specimen.float = .nan
            specimen.double = .nan
            specimen.decimal = .nan
            specimen.date = .distantFuture
            specimen.data = Data()
            specimen.uuid = plain.uuid
            specimen.url = plain.url
            specimen.color = plain.color
            specimen.level = plain.level
            specimen.size = plain.size
            specimen.shape = plain.shape
            specimen.colors = [:]
            specimen.secret = ""
            specimen.blob = nil
            specimen.maybeText = nil
            specimen.maybeFlag = nil
            specimen.maybeNumber = nil
            specimen.maybeUInt64 = nil
            specimen.maybeDouble = nil
            specimen.maybeFloat = nil
            specimen.maybeDecimal = nil
            specimen.maybeDate = nil
            specimen.maybeData = nil
            specimen.maybeUUID = nil
            specimen.maybeURL = nil
            specimen.maybeColor = nil
            specimen.maybeSize = nil
            specimen.maybeShape = nil
            specimen.maybeSecret = nil
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try #require(try await reader.fetch(FetchDescriptor<Specimen>()).first)
            read.expectEqual(specimen)
            // And once more, with NaN, infinity and NULL as the old values.
            specimen.float = 1
            specimen.double = 1
            specimen.decimal = 1
            specimen.date = Date(timeIntervalSince1970: 1)
            specimen.maybeText = "x"
            specimen.maybeDecimal = 2
            try await context.save()
            try await reader.refresh([read])
            read.expectEqual(specimen)
        }
    }

    @Test func `a value that somebody else changed is a conflict, whatever its type`() async throws {
        try await withModelStore(Specimen.self) { store in
            let context = ModelContext(store.container)
            let specimen = Specimen(name: "a")
            try specimen.fillWithLimits()
            context.insert(specimen)
            try await context.save()
            let edits: [(String, (Specimen, Bool) throws -> Void)] = [
                ("text", { $0.text = $1 ? "mine" : "theirs" }),
                ("uint64", { $0.uint64 = $1 ? 1 : 2 }),
                ("decimal", { $0.decimal = $1 ? 1 : 2 }),
                ("date", { $0.date = Date(timeIntervalSince1970: $1 ? 1 : 2) }),
                ("data", { $0.data = Data([$1 ? 1 : 2]) }),
                ("uuid", { specimen, _ in specimen.uuid = UUID() }),
                ("url", { $0.url = URL(fileURLWithPath: $1 ? "/a" : "/b") }),
                ("level", { $0.level = $1 ? .low : .middle }),
                ("maybeColor", { $0.maybeColor = $1 ? .red : .blue }),
                ("maybeFloat", { $0.maybeFloat = $1 ? 0.1 : 0.2 }),
            ]
            for (name, edit) in edits {
                let other = ModelContext(store.container)
                let theirs = try #require(try await other.fetch(FetchDescriptor<Specimen>()).first)
                let mineContext = ModelContext(store.container)
                let mine = try #require(try await mineContext.fetch(FetchDescriptor<Specimen>()).first)
                // A first edit so that both edits below change something.
                try edit(theirs, true)
                try await other.save()
                try edit(theirs, false)
                try await other.save()
                try edit(mine, true)
                let error = await #expect(throws: SwiftDataError.self, "\(name)") { try await mineContext.save() }
                #expect(error?.code == .conflict, "\(name): \(String(describing: error))")
                #expect(error?.message.contains("Specimen.\(name)") == true)
                #expect(error?.identifiers == [mine.persistentModelID])
            }
        }
    }

    @Test func `a predicate finds values by equality`() async throws {
        try await withModelStore(Specimen.self) { store in
            let context = ModelContext(store.container)
            let specimen = Specimen(name: "a")
            try specimen.fillWithLimits()
            context.insert(specimen)
            context.insert(Specimen(name: "b"))
            try await context.save()
            func names(_ predicate: Predicate<Specimen>) async throws -> [String] {
                try await ModelContext(store.container).fetch(FetchDescriptor(predicate: predicate)).map(\.name)
            }
            let (text, number, uint64, float, double) = (
                specimen.text, specimen.number, specimen.uint64, specimen.float, specimen.double
            )
            let (decimal, date, data, uuid, url) = (
                specimen.decimal, specimen.date, specimen.data, specimen.uuid, specimen.url
            )
            let (int8, uint16, uint32) = (specimen.int8, specimen.uint16, specimen.uint32)
            let (maybeDecimal, maybeUUID, maybeURL, maybeDate) = (
                specimen.maybeDecimal, specimen.maybeUUID, specimen.maybeURL, specimen.maybeDate
            )
            #expect(try await names(#Predicate { $0.text == text }) == ["a"])
            #expect(try await names(#Predicate { $0.number == number }) == ["a"])
            #expect(
                try await names(#Predicate { $0.int8 == int8 && $0.uint16 == uint16 && $0.uint32 == uint32 }) == ["a"])
            #expect(try await names(#Predicate { $0.uint64 == uint64 }) == ["a"])
            #expect(try await names(#Predicate { $0.float == float }) == ["a"])
            #expect(try await names(#Predicate { $0.double == double }) == ["a"])
            #expect(try await names(#Predicate { $0.decimal == decimal }) == ["a"])
            #expect(try await names(#Predicate { $0.date == date }) == ["a"])
            #expect(try await names(#Predicate { $0.data == data }) == ["a"])
            #expect(try await names(#Predicate { $0.uuid == uuid }) == ["a"])
            #expect(try await names(#Predicate { $0.url == url }) == ["a"])
            #expect(try await names(#Predicate { $0.maybeDecimal == maybeDecimal }) == ["a"])
            #expect(try await names(#Predicate { $0.maybeUUID == maybeUUID }) == ["a"])
            #expect(try await names(#Predicate { $0.maybeURL == maybeURL }) == ["a"])
            #expect(try await names(#Predicate { $0.maybeDate == maybeDate }) == ["a"])
            #expect(try await names(#Predicate { $0.maybeText == nil }) == ["b"])
        }
    }

    @Test(arguments: [
        Date(timeIntervalSinceReferenceDate: -211_845_110_400), .distantPast, .distantFuture,
        Date(timeIntervalSince1970: -62_135_596_800), Date(timeIntervalSince1970: 253_402_300_799),
        Date(timeIntervalSinceReferenceDate: 9_223_339_708_799),
    ])
    func `a date at the limits comes back`(date: Date) async throws {
        try await withModelStore(Specimen.self) { store in
            let context = ModelContext(store.container)
            let specimen = Specimen(name: "a")
            specimen.date = date
            context.insert(specimen)
            try await context.save()
            let found = try await ModelContext(store.container).fetch(
                FetchDescriptor<Specimen>(predicate: #Predicate { $0.date == date }))
            #expect(found.map(\.date) == [date])
        }
    }
}
