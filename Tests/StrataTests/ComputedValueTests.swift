import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private final class Measure {
    enum Level: String, Codable, CaseIterable { case low, high }

    #Generated<Measure, Int>(\.product) { $0.a * $0.b - 7 }
    #Generated<Measure, Int>(\.rest) { $0.a % 7 + $0.a / 3 }
    #Generated<Measure, Int32>(\.small) { $0.c * 2 }
    #Generated<Measure, Int16>(\.tiny) { $0.d - 1 }
    #Generated<Measure, Int64>(\.wide) { -$0.w }
    #Generated<Measure, UInt8>(\.byte) { $0.a > 0 ? $0.u : $0.v }
    #Generated<Measure, UInt64>(\.large) { $0.x }
    #Generated<Measure, Int8>(\.least) { $0.y ?? -128 }
    #Generated<Measure, Decimal>(\.amount) { $0.price * $0.rate + 1 }
    #Generated<Measure, Decimal?>(\.twice) { $0.discount.flatMap { $0 * 2 } }
    #Generated<Measure, Decimal>(\.either) { $0.discount ?? $0.price }
    #Generated<Measure, Double>(\.ratio) { $0.a > 0 ? $0.f : 0.5 }
    #Generated<Measure, Date?>(\.until) { $0.at }
    #Generated<Measure, Bool>(\.isLate) { ($0.at ?? $0.due) > $0.due }
    #Generated<Measure, Level>(\.shown) { $0.nick == nil ? $0.level : Level.high }
    #Generated<Measure, Bool>(\.hasX) { $0.nick.flatMap { $0.contains("x") } ?? false }
    #Generated<Measure, Bool?>(\.mayHaveX) { $0.nick.flatMap { $0.contains("x") } }
    #Generated<Measure, Bool>(\.isTagged) { $0.tags.contains("x") || $0.tags.isEmpty }
    #Generated<Measure, UUID>(\.same) { $0.uuid }
    #Index<Measure>([\.amount])
    @Attribute(.unique) var number: Int
    var a = 1
    var b = 1
    var c: Int32 = 1
    var d: Int16 = 1
    var w: Int64 = 1
    var u: UInt8 = 0
    var v: UInt8 = 255
    var x: UInt64 = 0
    var y: Int8?
    @Attribute(.precision(20, scale: 6)) var price: Decimal = 0
    @Attribute(.precision(12, scale: 5)) var rate: Decimal = 0
    @Attribute(.precision(12, scale: 2)) var discount: Decimal?
    var f = 0.0
    var at: Date?
    var due: Date
    var level: Level
    var nick: String?
    var tags: [String] = []
    var uuid = UUID()
    @Attribute(.generated) var product: Int
    @Attribute(.generated) var rest: Int
    @Attribute(.generated) var small: Int32
    @Attribute(.generated) var tiny: Int16
    @Attribute(.generated) var wide: Int64
    @Attribute(.generated) var byte: UInt8
    @Attribute(.generated) var large: UInt64
    @Attribute(.generated) var least: Int8
    @Attribute(.generated) var amount: Decimal
    @Attribute(.generated) var twice: Decimal?
    @Attribute(.generated) var either: Decimal
    @Attribute(.generated) var ratio: Double
    @Attribute(.generated) var until: Date?
    @Attribute(.generated) var isLate: Bool
    @Attribute(.generated) var shown: Level
    @Attribute(.generated) var hasX: Bool
    @Attribute(.generated) var mayHaveX: Bool?
    @Attribute(.generated) var isTagged: Bool
    @Attribute(.generated) var same: UUID

    init(_ number: Int, _ random: inout SeededGenerator) {
        self.number = number
        due = Date(timeIntervalSince1970: 1_000_000)
        level = .low
        change(&random)
    }

    func change(_ random: inout SeededGenerator) {
        func one<Value>(of values: Value...) -> Value { values.randomElement(using: &random) ?? values[0] }
        a = one(of: -1_000_000, -8, -1, 0, 1, 7, 999_999)
        b = one(of: -3, 0, 5, 1 << 40)
        c = one(of: .max / 2, .min / 2, 0, 3)
        d = one(of: .max, .min + 1, 0)
        w = one(of: .max, .min + 1, 0, -5)
        u = one(of: 0, 7, 255)
        v = one(of: 0, 128, 255)
        x = one(of: 0, .max, 1 << 63)
        y = one(of: nil, -128, 0, 127)
        price = one(of: 0, Decimal(string: "12345678901234.123456") ?? 0, Decimal(string: "-0.000001") ?? 0, 3)
        rate = one(of: 0, Decimal(string: "1234567.12345") ?? 0, Decimal(string: "-1.5") ?? 0)
        discount = one(of: nil, 0, Decimal(string: "-1234567890.12") ?? 0, Decimal(string: "0.01") ?? 0)
        f = one(of: 0, -0.0, 1.5, .infinity, -.infinity, .leastNonzeroMagnitude)
        at = one(of: nil, due, due + 1, due - 1)
        level = one(of: .low, .high)
        nick = one(of: nil, "", "x", "axb", "é")
        tags = one(of: [], ["x"], ["a", "x"], ["a"])
        uuid = UUID()
    }

    /// What memory says, as it is compared with what the columns have.
    var numbers: String { "\((product, rest, small, tiny, wide, byte, large, least))" }
    var others: String { "\((amount, twice, either, ratio, until, isLate, shown))" }
    var truths: String { "\((hasX, mayHaveX, isTagged, same))" }
}

/// What memory computes and what the server computes, for all kinds of values.
@Suite struct ComputedValueTests {
    /// The columns, as they are projected.
    private func expectSame(_ context: ModelContext, _ objects: [Measure], _ title: String) async throws {
        let all = FetchDescriptor<Measure>(sortBy: [SortDescriptor(\.number)])
        let objects = objects.sorted { $0.number < $1.number }
        let numbers = try await context.fetch(
            all, selecting: .value(\.product), .value(\.rest), .value(\.small), .value(\.tiny), .value(\.wide),
            .value(\.byte), .value(\.large), .value(\.least))
        #expect(numbers.map { "\($0)" } == objects.map(\.numbers), "\(title)")
        let others = try await context.fetch(
            all, selecting: .value(\.amount), .value(\.twice), .value(\.either), .value(\.ratio), .value(\.until),
            .value(\.isLate), .value(\.shown))
        #expect(others.map { "\($0)" } == objects.map(\.others), "\(title)")
        let rest = try await context.fetch(
            all, selecting: .value(\.hasX), .value(\.mayHaveX), .value(\.isTagged), .value(\.same))
        #expect(rest.map { "\($0)" } == objects.map(\.truths), "\(title)")
    }

    /// Conditions and orders of the columns, or of what stands for them over unsaved changes.
    private func expectFound(_ context: ModelContext, _ objects: [Measure], _ title: String) async throws {
        func expect(_ predicate: Predicate<Measure>) async throws {
            let found = try await context.fetch(FetchDescriptor<Measure>(predicate: predicate))
            let expected = try objects.filter { try predicate.evaluate($0) }
            #expect(
                found.map(\.number).sorted() == expected.map(\.number).sorted(), "\(title): \(predicate)")
        }
        try await expect(#Predicate { $0.product > 0 })
        try await expect(#Predicate { $0.rest == 0 || $0.small < 0 })
        try await expect(#Predicate { $0.tiny < 0 && $0.wide != 5 })
        try await expect(#Predicate { $0.byte == 255 || $0.least == -128 })
        try await expect(#Predicate { $0.large > 1 })
        try await expect(#Predicate { $0.amount > 1 })
        try await expect(#Predicate { $0.twice == nil || $0.either < 0 })
        try await expect(#Predicate { $0.ratio > 1 })
        try await expect(#Predicate { $0.until == nil })
        try await expect(#Predicate { !$0.isLate && !$0.hasX })
        try await expect(#Predicate { $0.mayHaveX == true || $0.isTagged })
        if let amount = objects.first(where: { $0.amount != 1 })?.amount {
            try await expect(#Predicate { $0.amount == amount })
        }
        let high = Measure.Level.high
        try await expect(#Predicate { $0.shown == high })
        let sorted = try await context.fetch(
            FetchDescriptor<Measure>(sortBy: [SortDescriptor(\.amount), SortDescriptor(\.number)]))
        #expect(
            sorted.map(\.number)
                == objects.sorted { ($0.amount, $0.number) < ($1.amount, $1.number) }.map(\.number), "\(title)")
    }

    @Test func `memory, columns and queries over unsaved changes are the same`() async throws {
        var random = SeededGenerator(5757)
        try await withModelStore(Measure.self) { store in
            let context = ModelContext(store.container)
            var objects = (0..<40).map { Measure($0, &random) }
            for object in objects { context.insert(object) }
            try await expectFound(context, objects, "new")
            try await context.save()
            try await expectSame(ModelContext(store.container), objects, "saved")
            try await expectFound(context, objects, "saved")
            for object in objects.prefix(15) { object.change(&random) }
            for number in 40..<50 {
                let object = Measure(number, &random)
                context.insert(object)
                objects.append(object)
            }
            context.delete(objects.remove(at: 20))
            try await expectFound(context, objects, "unsaved")
            try await context.save()
            try await expectSame(ModelContext(store.container), objects, "changed")
            try await expectFound(context, objects, "changed")
            // A row that is taken over has what is computed of what it gets.
            let later = ModelContext(store.container)
            for number in [0, 1, 45] { later.insert(Measure(number, &random)) }
            try await later.save()
            let reader = ModelContext(store.container)
            let rows = try await reader.fetch(FetchDescriptor<Measure>())
            #expect(rows.count == objects.count)
            try await expectSame(ModelContext(store.container), rows, "taken over")
            withExtendedLifetime((later, reader)) {}
        }
    }
}
