public import Foundation

extension Decimal: PostgresCodable {
    /// `numeric`.
    @inlinable public static var postgresType: PostgresType { .numeric }

    /// Every `Decimal` is stored exactly. `Decimal.nan` becomes `NaN`, which `numeric` can hold.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        guard !isNaN else {
            PostgresNumeric(sign: .notANumber).encode(into: &buffer)
            return
        }
        // The significand has the exponent 0, so that its description is nothing but digits.
        let digits = significand.description.utf8.filter { $0 >= 0x30 && $0 <= 0x39 }.map { $0 - 0x30 }
        PostgresNumeric(isNegative: isSignMinus, decimalDigits: digits, exponent: exponent).encode(into: &buffer)
    }

    /// Reads a `numeric`. Throws when it has more digits than `Decimal` (38) or is infinite; `NaN` is `Decimal.nan`.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        let numeric = try PostgresNumeric(postgresBytes)
        switch numeric.sign {
        case .notANumber:
            self = .nan
            return
        case .positiveInfinity, .negativeInfinity:
            throw PostgresError(.decoding, "The column holds an infinite numeric; Decimal has no infinity.")
        case .positive, .negative:
            break
        }
        var digits: [UInt8] = []
        for group in numeric.digits {
            digits += [UInt8(group / 1000), UInt8(group / 100 % 10), UInt8(group / 10 % 10), UInt8(group % 10)]
        }
        var exponent = numeric.exponent
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        let significant = digits.drop { $0 == 0 }
        guard !significant.isEmpty else {
            self = 0
            return
        }
        while exponent > 127, digits.count - digits.prefix(while: { $0 == 0 }).count < 38 {
            digits.append(0)
            exponent -= 1
        }
        guard significant.count <= 38, (-128...127).contains(exponent) else {
            throw PostgresError(.decoding, "The column holds a numeric with more digits than Decimal has (38).")
        }
        var value = Decimal(0)
        // Groups of at most 18 digits fit in a UInt64.
        var rest = digits.drop { $0 == 0 }
        while !rest.isEmpty {
            let group = rest.prefix(18)
            rest = rest.dropFirst(18)
            let number = group.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
            value = value * Decimal(sign: .plus, exponent: group.count, significand: 1) + Decimal(number)
        }
        self.init(sign: numeric.sign == .negative ? .minus : .plus, exponent: exponent, significand: value)
    }
}
