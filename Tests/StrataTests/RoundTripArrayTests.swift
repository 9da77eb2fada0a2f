import Foundation
import Strata
import Testing

/// One array property of each element type.
@Model private final class Rack {
    enum Tag: String, Codable {
        case plain
        case comma = "a,b"
        case brace = "{x}"
        case quote = "\""
        case null = "NULL"
        case empty = ""
    }
    enum Step: Int, Codable {
        case down = -1
        case up = 1
    }
    struct Slot: Codable, Hashable {
        var label = ""
        var at: Date?
    }

    var name: String
    var strings: [String] = []
    var bools: [Bool] = []
    var ints: [Int] = []
    var int8s: [Int8] = []
    var int16s: [Int16] = []
    var int32s: [Int32] = []
    var uint16s: [UInt16] = []
    var uint32s: [UInt32] = []
    var uint64s: [UInt64] = []
    var floats: [Float] = []
    var doubles: [Double] = []
    var decimals: [Decimal] = []
    var dates: [Date] = []
    var datas: [Data] = []
    var uuids: [UUID] = []
    var urls: [URL] = []
    var tags: [Tag] = []
    var steps: [Step] = []
    var slots: [Slot] = []
    var maybeStrings: [String]?
    var maybeTags: [Tag]?
    var maybeDates: [Date]?
    var maybeSlots: [Slot]?

    init(name: String) { self.name = name }

    func fillWithLimits() throws {
        strings = [
            "", " ", "NULL", "null", "a,b", "{", "}", "{}", "\"", "\\", "\\\"", "'", "$1", "\n", "\t", "\r\n",
            "e\u{301}",
            "\u{1F468}\u{200D}\u{1F469}", "\u{FFFF}", "\u{FEFF}x", "--", "/*", "%s", "\u{1}", " lead", "trail ",
        ]
        bools = [true, false]
        ints = [.min, 0, .max]
        int8s = [.min, .max]
        int16s = [.min, .max]
        int32s = [.min, .max]
        uint16s = [0, .max]
        uint32s = [0, .max]
        uint64s = [0, .max, 1 << 63]
        floats = [.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, .infinity, -0.1, 1e-10]
        doubles = [.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, .infinity, -0.1, 1e22, 0.1 + 0.2]
        decimals = try ["0", "-0.5", "12345678901234567890123456789012345678", "1e-100", "1e100", "-1e27"].map {
            try #require(Decimal(string: $0))
        }
        dates = [
            Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.000001),
            Date(timeIntervalSinceReferenceDate: 0.5),
            Date(timeIntervalSinceReferenceDate: -211_845_110_400), Date(timeIntervalSince1970: 253_402_300_800),
            Date(timeIntervalSince1970: -62_167_219_201), .distantPast, .distantFuture,
            Date(timeIntervalSince1970: 9_224_318_015_999),
        ]
        datas = [Data(), Data([0]), Data((0...255).map { UInt8($0) }), Data("\\x".utf8)]
        uuids = [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
        urls = try ["https://example.com/?a=1,2&b={x}", "mailto:a@b.c", "file:///tmp/a%20b"].map {
            try #require(URL(string: $0))
        }
        tags = [.plain, .comma, .brace, .quote, .null, .empty]
        steps = [.down, .up, .down]
        slots = [Slot(label: "\"{,}\""), Slot(at: Date(timeIntervalSince1970: 1.5))]
        maybeStrings = []
        maybeTags = [.null]
        maybeDates = [.distantPast]
        maybeSlots = []
    }

    func expectEqual(_ other: Rack, _ location: SourceLocation = #_sourceLocation) {
        #expect(strings.map { Array($0.utf8) } == other.strings.map { Array($0.utf8) }, sourceLocation: location)
        #expect(bools == other.bools, sourceLocation: location)
        #expect(ints == other.ints, sourceLocation: location)
        #expect(int8s == other.int8s, sourceLocation: location)
        #expect(int16s == other.int16s, sourceLocation: location)
        #expect(int32s == other.int32s, sourceLocation: location)
        #expect(uint16s == other.uint16s, sourceLocation: location)
        #expect(uint32s == other.uint32s, sourceLocation: location)
        #expect(uint64s == other.uint64s, sourceLocation: location)
        #expect(floats == other.floats, sourceLocation: location)
        #expect(doubles == other.doubles, sourceLocation: location)
        #expect(decimals == other.decimals, sourceLocation: location)
        #expect(dates.count == other.dates.count, sourceLocation: location)
        #expect(
            zip(dates, other.dates).allSatisfy { abs($0.timeIntervalSince($1)) < 1e-6 }, "\(dates) \(other.dates)",
            sourceLocation: location)
        #expect(datas == other.datas, sourceLocation: location)
        #expect(uuids == other.uuids, sourceLocation: location)
        #expect(urls == other.urls, sourceLocation: location)
        #expect(tags == other.tags, sourceLocation: location)
        #expect(steps == other.steps, sourceLocation: location)
        #expect(slots == other.slots, sourceLocation: location)
        #expect(maybeStrings == other.maybeStrings, sourceLocation: location)
        #expect(maybeTags == other.maybeTags, sourceLocation: location)
        #expect(maybeDates == other.maybeDates, sourceLocation: location)
        #expect(maybeSlots == other.maybeSlots, sourceLocation: location)
    }

    func clear() {
        strings = []
        bools = []
        ints = []
        int8s = []
        int16s = []
        int32s = []
        uint16s = []
        uint32s = []
        uint64s = []
        floats = []
        doubles = []
        decimals = []
        dates = []
        datas = []
        uuids = []
        urls = []
        tags = []
        steps = []
        slots = []
        maybeStrings = nil
        maybeTags = nil
        maybeDates = nil
        maybeSlots = nil
    }
}

@Suite struct RoundTripArrayTests {
    @Test func `arrays of every element type come back from an insert and from an update`() async throws {
        try await withModelStore(Rack.self) { store in
            let context = ModelContext(store.container)
            let inserted = Rack(name: "inserted")
            try inserted.fillWithLimits()
            let updated = Rack(name: "updated")
            context.insert(inserted)
            context.insert(updated)
            try await context.save()
            let writer = ModelContext(store.container)
            let all = try await writer.fetch(FetchDescriptor<Rack>(sortBy: [SortDescriptor(\.name)]))
            try #require(all.count == 2)
            all[0].expectEqual(inserted)
            all[1].expectEqual(updated)
            try all[1].fillWithLimits()
            // The old values of the filled one are compared in SQL.
            all[0].clear()
            try await writer.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Rack>(sortBy: [SortDescriptor(\.name)]))
            try #require(read.count == 2)
            read[0].expectEqual(updated)
            read[1].expectEqual(all[1])
        }
    }

    @Test func `rows with arrays of different lengths are saved together`() async throws {
        try await withModelStore(Rack.self) { store in
            let context = ModelContext(store.container)
            for length in 0..<20 {
                let rack = Rack(name: "\(length)")
                rack.ints = Array(0..<length)
                rack.strings = (0..<length).map { "\($0)" }
                context.insert(rack)
            }
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            let racks = try await ModelContext(store.container).fetch(FetchDescriptor<Rack>())
            #expect(Set(racks.map(\.ints.count)) == Set(0..<20))
            #expect(racks.allSatisfy { $0.strings.map { Int($0) } == $0.ints })
        }
    }

    @Test func `a changed array is a conflict when somebody else changed it`() async throws {
        try await withModelStore(Rack.self) { store in
            let context = ModelContext(store.container)
            let rack = Rack(name: "a")
            rack.strings = ["x"]
            rack.dates = [.distantFuture]
            context.insert(rack)
            try await context.save()
            let other = ModelContext(store.container)
            let theirs = try #require(try await other.fetch(FetchDescriptor<Rack>()).first)
            theirs.dates = []
            try await other.save()
            rack.strings = ["x", "y"]
            try await context.save()
            rack.dates = [Date(timeIntervalSince1970: 0)]
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .conflict)
            #expect(error?.message.contains("Rack.dates") == true)
        }
    }

    @Test func `a predicate looks into arrays`() async throws {
        try await withModelStore(Rack.self) { store in
            let context = ModelContext(store.container)
            let rack = Rack(name: "a")
            try rack.fillWithLimits()
            context.insert(rack)
            context.insert(Rack(name: "b"))
            try await context.save()
            func names(_ predicate: Predicate<Rack>) async throws -> [String] {
                try await ModelContext(store.container).fetch(FetchDescriptor(predicate: predicate)).map(\.name)
            }
            let (uint64, uuid, date) = (rack.uint64s[1], rack.uuids[0], rack.dates[0])
            for text in rack.strings {
                #expect(try await names(#Predicate { $0.strings.contains(text) }) == ["a"], "\(text.debugDescription)")
            }
            #expect(try await names(#Predicate { $0.uint64s.contains(uint64) }) == ["a"])
            #expect(try await names(#Predicate { $0.uuids.contains(uuid) }) == ["a"])
            #expect(try await names(#Predicate { $0.dates.contains(date) }) == ["a"])
            #expect(try await names(#Predicate { $0.strings.isEmpty }) == ["b"])
            #expect(try await names(#Predicate { $0.maybeStrings == nil }) == ["b"])
        }
    }
}
