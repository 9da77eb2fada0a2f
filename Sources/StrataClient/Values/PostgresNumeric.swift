/// The binary form of `numeric`: base-10000 digits, the weight of the first, the sign, and the digits shown after the point.
struct PostgresNumeric: Equatable {
    enum Sign: UInt16 {
        case positive = 0x0000
        case negative = 0x4000
        case notANumber = 0xC000
        case positiveInfinity = 0xD000
        case negativeInfinity = 0xF000
    }

    var sign = Sign.positive
    /// Power of 10000 of the first digit.
    var weight = 0
    var displayScale = 0
    var digits: [UInt16] = []

    init(sign: Sign) {
        self.sign = sign
    }

    /// ±`digits`·10^`exponent`, where `decimalDigits` are values from 0 to 9, most significant first.
    init(isNegative: Bool, decimalDigits: some Collection<UInt8>, exponent: Int) {
        var decimal = Array(decimalDigits.drop { $0 == 0 })
        guard !decimal.isEmpty else { return }
        sign = isNegative ? .negative : .positive
        displayScale = max(0, -exponent)
        // Groups of four must be aligned at the decimal point.
        let padding = ((exponent % 4) + 4) % 4
        decimal.append(contentsOf: repeatElement(0, count: padding))
        let lastWeight = (exponent - padding) / 4
        let lead = (4 - decimal.count % 4) % 4
        decimal.insert(contentsOf: repeatElement(0, count: lead), at: 0)
        for start in stride(from: 0, to: decimal.count, by: 4) {
            let group = decimal[start..<start + 4].reduce(UInt16(0)) { $0 * 10 + UInt16($1) }
            digits.append(group)
        }
        weight = lastWeight + digits.count - 1
        while digits.last == 0 { digits.removeLast() }
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
        func word(_ index: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        }
        guard bytes.count >= 8, bytes.count == 8 + Int(word(0)) * 2 else {
            throw .wrongLength("numeric", expected: "8 and 2 for each digit", got: bytes.count)
        }
        guard let sign = Sign(rawValue: word(2)) else {
            throw PostgresError(.decoding, "The server sent a numeric with an unknown sign.")
        }
        self.sign = sign
        weight = Int(Int16(bitPattern: word(1)))
        displayScale = Int(word(3))
        digits = (0..<Int(word(0))).map { word(4 + $0) }
        guard digits.allSatisfy({ $0 < 10_000 }) else {
            throw PostgresError(.decoding, "The server sent a numeric with a digit above 9999.")
        }
    }

    func encode(into buffer: inout PostgresBuffer) {
        buffer.appendInteger(UInt16(digits.count))
        buffer.appendInteger(Int16(weight))
        buffer.appendInteger(sign.rawValue)
        buffer.appendInteger(UInt16(displayScale))
        for digit in digits { buffer.appendInteger(digit) }
    }

    /// The exponent of ten of the last digit group.
    var exponent: Int { (weight - digits.count + 1) * 4 }
}

extension UInt64: PostgresCodable {
    /// `numeric`, declared as `numeric(20)`: no integer type holds every value.
    @inlinable public static var postgresType: PostgresType { .numeric }

    /// The decimal digits.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        var decimal: [UInt8] = []
        var rest = self
        while rest > 0 {
            decimal.append(UInt8(rest % 10))
            rest /= 10
        }
        PostgresNumeric(isNegative: false, decimalDigits: decimal.reversed(), exponent: 0).encode(into: &buffer)
    }

    /// Reads a `numeric` and checks that it is a whole number in range.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        let numeric = try PostgresNumeric(postgresBytes)
        guard numeric.sign == .positive || numeric.digits.isEmpty, numeric.digits.isEmpty || numeric.exponent >= 0,
            numeric.weight <= 5, numeric.sign.rawValue < 0xC000
        else { throw .outOfRange(decoding: "UInt64") }
        var value: UInt64 = 0
        for index in 0..<(numeric.digits.isEmpty ? 0 : numeric.weight + 1) {
            let digit = index < numeric.digits.count ? UInt64(numeric.digits[index]) : 0
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10_000)
            let (sum, overflow) = product.addingReportingOverflow(digit)
            guard !tooLarge, !overflow else { throw .outOfRange(decoding: "UInt64") }
            value = sum
        }
        self = value
    }
}
