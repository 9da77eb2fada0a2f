// `1-<store>/<generation>/<base>[/<ceiling>/<number>][@<generation>.<transaction>.<number>]`, stores separated by commas, in order.
// A snapshot is its end and, after dots, the transactions below it that ran; the beginning is `s<floor>`.

extension DefaultHistoryToken: CustomStringConvertible {
    /// The token as one string, the encoded form.
    public var description: String {
        "1-" + positions.sorted { $0.key < $1.key }.map { "\($0.key)/\($0.value.text)" }.joined(separator: ",")
    }

    /// Reads what ``description`` writes; `nil` for anything else.
    public init?(_ description: String) {
        guard description.hasPrefix("1-") else { return nil }
        let text = description.dropFirst(2)
        var positions: [String: HistoryPosition] = [:]
        var last = ""
        for part in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
            guard let slash = part.firstIndex(of: "/"), let position = HistoryPosition(text: part[slash...].dropFirst())
            else { return nil }
            let store = String(part[..<slash])
            // In order and each once, so that one token has one form.
            guard last < store else { return nil }
            last = store
            positions[store] = position
        }
        self.init(positions)
    }
}

extension DefaultHistoryToken: Codable {
    /// Reads the string that ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for any other string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let token = DefaultHistoryToken(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text)\" is not a history token. Begin with currentHistoryToken() and fetch anew."
            )
        }
        self = token
    }

    /// Writes ``description``, one string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension HistoryPosition {
    var text: String {
        var text = "\(generation)/\(base?.text ?? "s\(floor)")"
        if let page { text += "/\(page.ceiling.text)/\(page.upto)" }
        if let mark { text += "@\(mark.generation).\(mark.transaction).\(mark.number)" }
        return text
    }

    init?(text: Substring) {
        let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 4, let generation = number(parts[0]) else { return nil }
        var base: HistorySnapshot?
        var floor: Int64 = 0
        if parts[1].hasPrefix("s") {
            guard let known = number(parts[1].dropFirst()) else { return nil }
            floor = known
        } else {
            guard let known = HistorySnapshot(text: parts[1]) else { return nil }
            base = known
        }
        var page: Page?
        if parts.count == 4 {
            guard let ceiling = HistorySnapshot(text: parts[2]), let upto = number(parts[3]) else { return nil }
            page = Page(ceiling: ceiling, upto: upto)
        }
        var mark: Mark?
        if halves.count == 2 {
            let numbers = halves[1].split(separator: ".", omittingEmptySubsequences: false)
            guard numbers.count == 3, let generation = number(numbers[0]), let transaction = number(numbers[1]),
                let last = number(numbers[2])
            else { return nil }
            mark = Mark(generation: generation, transaction: transaction, number: last)
        }
        self.init(generation: generation, base: base, floor: floor, page: page, mark: mark)
    }
}

extension HistorySnapshot {
    fileprivate var text: String { ([end] + running).map(String.init).joined(separator: ".") }

    fileprivate init?(text: Substring) {
        var numbers: [Int64] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard let known = number(part) else { return nil }
            // The end first, then those below it in ascending order.
            if let end = numbers.first, known >= end { return nil }
            if numbers.count > 1, known <= numbers[numbers.count - 1] { return nil }
            numbers.append(known)
        }
        guard let end = numbers.first else { return nil }
        self.init(end: end, running: numbers.dropFirst())
    }
}

/// Decimal digits without sign, blanks or leading zeros.
private func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), text == "0" || text.first != "0" else {
        return nil
    }
    return Int64(text)
}
