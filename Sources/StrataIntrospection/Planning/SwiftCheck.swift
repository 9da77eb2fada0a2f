/// The condition of a check of the database, as `#Check` says it: comparisons of whole and decimal numbers, joined by AND and OR.
struct SwiftCheck {
    /// A property that a check can ask for.
    struct Operand {
        let name: String
        /// Without `?`.
        let type: String
        let isOptional: Bool
    }

    /// `$0.unitPrice >= 0`.
    let condition: String

    /// - Parameters:
    ///   - printed: as PostgreSQL prints it: `((unit_price >= (0)::numeric) AND (units > 0))`.
    ///   - property: that of a column; `nil` where there is none.
    /// - Returns: `nil` for anything that Swift would not say exactly so.
    init?(_ printed: String, property: @escaping (String) -> Operand?) {
        guard let tokens = Token.all(of: printed) else { return nil }
        var reader = CheckReader(tokens: tokens, property: property)
        guard let condition = reader.whole(), reader.isAtEnd else { return nil }
        self.condition = condition
    }
}

/// A piece of SQL as the server prints it.
private enum Token: Equatable {
    /// A keyword, the name of a type, or a column that needs no quotes.
    case word(String)
    /// A column in quotes.
    case name(String)
    /// A constant in quotes.
    case text(String)
    case number(String)
    case symbol(String)

    /// - Returns: `nil` for SQL with something else.
    static func all(of sql: String) -> [Token]? {
        var (tokens, rest): ([Token], Substring) = ([], Substring(sql))
        while let first = rest.first {
            if first == " " {
                rest.removeFirst()
            } else if first == "\"" || first == "'" {
                guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
                let text = String(rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
                // A quote that is written twice is within the name.
                guard rest.first != first else { return nil }
                tokens.append(first == "'" ? .text(text) : .name(text))
            } else if first.isASCII, first.isLetter || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
                tokens.append(.word(String(word)))
                rest = rest.dropFirst(word.count)
            } else if first.isASCII, first.isNumber {
                let number = rest.prefix { $0.isNumber || $0 == "." }
                tokens.append(.number(String(number)))
                rest = rest.dropFirst(number.count)
            } else if let symbol = ["::", ">=", "<=", "<>", ">", "<", "=", "(", ")"].first(where: rest.hasPrefix) {
                tokens.append(.symbol(symbol))
                rest = rest.dropFirst(symbol.count)
            } else {
                return nil
            }
        }
        return tokens
    }
}

/// Reads what the server prints, in which parentheses stand around each condition.
private struct CheckReader {
    private enum Value {
        case property(SwiftCheck.Operand)
        case number(Int)
    }

    private static let operators = [">=": ">=", "<=": "<=", ">": ">", "<": "<", "=": "==", "<>": "!="]
    private static let turned = [">=": "<=", "<=": ">=", ">": "<", "<": ">", "==": "==", "!=": "!="]
    private static let numberTypes: Set = ["integer", "bigint", "smallint", "numeric"]
    /// What a property's type holds of the numbers that conditions compare it with.
    private static let greatest = [
        "Int16": Int(Int16.max), "Int32": Int(Int32.max), "Int": .max, "Int64": .max, "Decimal": .max,
    ]

    private let tokens: [Token]
    private let property: (String) -> SwiftCheck.Operand?
    private var place = 0

    init(tokens: [Token], property: @escaping (String) -> SwiftCheck.Operand?) {
        (self.tokens, self.property) = (tokens, property)
    }

    var isAtEnd: Bool { place == tokens.count }

    /// The condition that a check is, without the parentheses around it.
    mutating func whole() -> String? {
        if take("("), let inner = condition(), take(")"), isAtEnd { return inner }
        place = 0
        return condition()
    }

    private mutating func condition() -> String? {
        guard let first = term() else { return nil }
        var (terms, junction) = ([first], String?.none)
        while case .word(let word)? = next, word == "AND" || word == "OR" {
            guard junction == nil || junction == word else { return nil }
            junction = word
            place += 1
            guard let term = term() else { return nil }
            terms.append(term)
        }
        return terms.joined(separator: junction == "OR" ? " || " : " && ")
    }

    private mutating func term() -> String? {
        let start = place
        if take("("), let inner = condition(), take(")") {
            return inner.contains(" && ") || inner.contains(" || ") ? "(\(inner))" : inner
        }
        place = start
        return comparison()
    }

    /// The server lets pass what is NULL, and Swift takes a comparison with `nil` for false.
    private mutating func comparison() -> String? {
        guard let left = value(), case .symbol(let symbol)? = next, let sign = Self.operators[symbol] else {
            return nil
        }
        place += 1
        guard let right = value() else { return nil }
        switch (left, right) {
        case (.property(let one), .number(let number)): return compare(one, sign, number)
        case (.number(let number), .property(let one)): return Self.turned[sign].flatMap { compare(one, $0, number) }
        case (.property(let one), .property(let other)):
            guard !one.isOptional, !other.isOptional, one.type == other.type else { return nil }
            return "$0.\(one.name) \(sign) $0.\(other.name)"
        case (.number, .number): return nil
        }
    }

    private func compare(_ one: SwiftCheck.Operand, _ sign: String, _ number: Int) -> String? {
        guard let greatest = Self.greatest[one.type], number.magnitude <= greatest.magnitude else { return nil }
        return one.isOptional
            ? "($0.\(one.name).flatMap { $0 \(sign) \(number) } ?? true)" : "$0.\(one.name) \(sign) \(number)"
    }

    private mutating func value() -> Value? {
        switch next {
        case .word(let name)?, .name(let name)?:
            guard let operand = property(name), Self.greatest[operand.type] != nil else { return nil }
            place += 1
            // A column of another type is compared as something else.
            return next == .symbol("::") ? nil : .property(operand)
        default: return number().map { .number($0) }
        }
    }

    /// `0`, `'-5'::integer`, `(0)::numeric`.
    private mutating func number() -> Int? {
        let number: Int?
        switch next {
        case .number(let digits)?:
            place += 1
            number = Int(digits)
        case .text(let digits)?:
            place += 1
            number = next == .symbol("::") ? Int(digits) : nil
        case .symbol("(")?:
            place += 1
            number = self.number()
            guard take(")") else { return nil }
        default: return nil
        }
        while take("::") {
            guard case .word(let type)? = next, Self.numberTypes.contains(type) else { return nil }
            place += 1
        }
        return number
    }

    private var next: Token? { place < tokens.count ? tokens[place] : nil }

    private mutating func take(_ symbol: String) -> Bool {
        guard next == .symbol(symbol) else { return false }
        place += 1
        return true
    }
}
