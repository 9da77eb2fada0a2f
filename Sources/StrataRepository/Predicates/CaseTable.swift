import StrataModels

/// Letters and what they become, for `translate`: one scalar for one.
struct CaseTable {
    /// Named as PostgreSQL's functions.
    enum Mapping: String {
        case lower, upper

        func callAsFunction(_ string: String) -> String {
            switch self {
            case .lower: SimpleCaseMapping.lowercase(string)
            case .upper: SimpleCaseMapping.uppercase(string)
            }
        }
    }

    let from: String
    let to: String

    /// Every letter that changes.
    ///
    /// `translate` looks a character up from the front. So the letters of the common scripts come first, also those
    /// that stay as they are: most lookups then end early.
    static func all(_ mapping: Mapping) -> CaseTable {
        switch mapping {
        case .lower: lower
        case .upper: upper
        }
    }

    private static let lower = CaseTable(SimpleCaseMapping.lowercase)
    private static let upper = CaseTable(SimpleCaseMapping.uppercase)

    /// Space to `~`, Cyrillic, Greek, Latin with accents.
    private static let common: [ClosedRange<UInt32>] = [0x20...0x7E, 0x410...0x44F, 0x391...0x3C9, 0xC0...0xFF]

    private init(_ map: (Unicode.Scalar) -> Unicode.Scalar) {
        let first = Self.common.joined().compactMap(Unicode.Scalar.init)
        let known = Set(first)
        let others = (0..<0x1_FFFF).compactMap(Unicode.Scalar.init).filter { map($0) != $0 && !known.contains($0) }
        self.init(pairs: (first + others).map { ($0, map($0)) })
    }

    private init(pairs: [(Unicode.Scalar, Unicode.Scalar)]) {
        from = String(String.UnicodeScalarView(pairs.map(\.0)))
        to = String(String.UnicodeScalarView(pairs.map(\.1)))
    }

    /// The letters that change into one of a text's.
    static func leading(to text: String, _ mapping: Mapping) -> CaseTable {
        let sources =
            switch mapping {
            case .lower: lowerSources
            case .upper: upperSources
            }
        var seen = Set<Unicode.Scalar>()
        return CaseTable(
            pairs: text.unicodeScalars.filter { seen.insert($0).inserted }.flatMap { target in
                (sources[target] ?? []).map { ($0, target) }
            })
    }

    /// The letters that change into one in lower case.
    static func sources(ofLower letter: Unicode.Scalar) -> [Unicode.Scalar] { lowerSources[letter] ?? [] }

    private static let lowerSources = lower.sources
    private static let upperSources = upper.sources

    /// By letter, those that change into it.
    private var sources: [Unicode.Scalar: [Unicode.Scalar]] {
        var sources: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for (source, target) in zip(from.unicodeScalars, to.unicodeScalars) where source != target {
            sources[target, default: []].append(source)
        }
        return sources
    }
}
