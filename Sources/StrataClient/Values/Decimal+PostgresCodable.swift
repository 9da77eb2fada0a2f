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

    /// Reads a `numeric`, exactly. Throws when `Decimal` cannot hold it: 38 digits always fit, 39 as long as they are below
    /// 2^128, the last of them between 10^-128 and 10^127; infinity does not. `NaN` is `Decimal.nan`.
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
        guard let number = numeric.significand else {
            throw PostgresError(
                .decoding, "The column holds a numeric with more digits than Decimal has (39, below 2^128).")
        }
        guard number.value > 0 else {
            self = 0
            return
        }
        // A Decimal has 128 bits for its digits; 2^64 and each half are exact, and so are their product and sum.
        let (high, low) = (UInt64(number.value >> 64), UInt64(truncatingIfNeeded: number.value))
        let value = high == 0 ? Decimal(low) : Decimal(high) * Self.halfRange + Decimal(low)
        self.init(sign: numeric.sign == .negative ? .minus : .plus, exponent: number.exponent, significand: value)
    }

    /// 2^64.
    private static let halfRange = Decimal(UInt64.max) + 1
}

extension PostgresNumeric {
    /// The digits as one number and its exponent of ten, from -128 to 127; `nil` where they do not fit in 128 bits.
    fileprivate var significand: (value: UInt128, exponent: Int)? {
        var value: UInt128 = 0
        var exponent = exponent
        // Zeros count only when a digit follows: those at the end are part of the exponent.
        var zeros = 0
        for group in digits {
            var unit: UInt16 = 1000
            while unit > 0 {
                let digit = group / unit % 10
                unit /= 10
                guard digit > 0 else {
                    zeros += 1
                    continue
                }
                for place in 0...zeros {
                    let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
                    let (sum, overflows) = product.addingReportingOverflow(place == zeros ? UInt128(digit) : 0)
                    guard !isTooLarge, !overflows else { return nil }
                    value = sum
                }
                zeros = 0
            }
        }
        guard value > 0 else { return (0, 0) }
        exponent += zeros
        while exponent > 127 {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { return nil }
            value = product
            exponent -= 1
        }
        return exponent >= -128 ? (value, exponent) : nil
    }
}
