import Foundation

/// Values that make trouble, drawn by a generator with a seed, with a note of what was drawn.
struct PredicateSamples {
    private var state: UInt64
    /// What was drawn since the log was emptied, for the message of a failed test.
    var log: [String] = []

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// 0 ..< bound. SplitMix64.
    mutating func number(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }

    mutating func one<T>(of values: [T]) -> T {
        let value = values[number(below: values.count)]
        log.append("\(value)".debugDescription)
        return value
    }

    mutating func some<T>(of values: [T], upTo count: Int) -> [T] {
        (0..<number(below: count + 1)).map { _ in one(of: values) }
    }

    mutating func chance(_ part: Int) -> Bool { number(below: part) == 0 }

    mutating func maybe<T>(_ value: T) -> T? {
        guard chance(3) else { return value }
        log.append("nil")
        return nil
    }

    static let strings = [
        "", "a", "A", "b", "Paris", "PARIS", "paris", "Pâris", "Pa\u{302}ris", "é", "e\u{301}", "É", "100%", "_x", "x",
        "%",
        "it's", #"back\slash"#, #""q""#, "👍🏽", "👍", "👨‍👩‍👧", "ß", "SS", "İ", "ı", "i", "I", "\u{2126}", "ω", "Ω", "ς", "Σ",
        "σ",
        "\u{212B}ngström", "ångström", "K", "k", "ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς", "привет", "ПРИВЕТ", "й", "И", " ", "\n",
        "zebra", "Zoë",
        "ﬁ", "ᾳ", "ŉ", "ǅ", "\u{345}", "\u{301}", "가", "\u{1100}\u{1161}", "\u{1D15E}", "\u{10400}", "\u{10FFFF}",
    ]
    static let integers = [0, 1, -1, 2, 3, 5, 7, 10, 100, -100, .max, .min]
    static let smallIntegers = [0, 1, -1, 2, 3, 5, 7, 10, 100]
    static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.1, 2.5, 1e300, -1e300, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 100,
        1e308, -1e308, .greatestFiniteMagnitude, 1e-308, -1e-160, 0x1p-1060,
    ]
    static let floats: [Float] = [0, -0.0, 1, 0.1, -2.5, .nan, .infinity, 16_777_216, 3e38, 1e-38, 0x1p-148]
    static let decimals: [Decimal] = [
        0, 1, -1, 3, Decimal(sign: .plus, exponent: -2, significand: 199), 1_000_000, .nan,
    ]
    static let dates: [Date] = [
        Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 0.25),
        Date(timeIntervalSinceReferenceDate: 800_000_000.5), Date(timeIntervalSinceReferenceDate: -1e9),
        .distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: -6e10),
    ]
    /// In a document a date keeps more than microseconds.
    static let documentDates: [Date] =
        dates + [Date(timeIntervalSince1970: 1_700_000_000.0078125), Date(timeIntervalSince1970: -1_000_000.0078125)]
    static let codes = (0..<6).map { UUID(uuid: (UInt8($0 * 40), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8($0))) }
    static let links = ["https://a.test/", "https://b.test/x?y=1"].compactMap { URL(string: $0) }
    static let datas = [Data(), Data([0]), Data([1, 2, 3])]
    static let levels: [Level] = [.low, .high]

    mutating func string() -> String { one(of: Self.strings) }
    mutating func integer() -> Int { one(of: Self.integers) }
    mutating func small() -> Int { one(of: Self.smallIntegers) }
    mutating func double() -> Double { one(of: Self.doubles) }
    mutating func date() -> Date { one(of: Self.dates) }
    mutating func weather() -> Weather { one(of: Weather.allCases) }
    mutating func flag() -> Bool { one(of: [true, false]) }
    mutating func address() -> Address {
        Address(
            city: string(), number: small(), isHome: flag(), zip: maybe(string()),
            geo: .init(latitude: Double(small()), longitude: 0.5),
            since: flag() ? Date(timeIntervalSince1970: Double(small())) : one(of: Self.documentDates))
    }
}
