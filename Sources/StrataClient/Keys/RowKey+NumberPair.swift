/// Two numbers, which most keys of several columns are, stand in the two words: nothing is kept for them.
///
/// They are a text like any other, `[1099511627777, 42]`, and this is another form of it: which of them a text has, its bytes alone say. 74 bits
/// are free, 37 for each number: those below 2^36, and as many from 2^40 on, where the keys begin that Strata gives (decision 0002).
extension RowKey {
    /// Behind it stand the first ten bits of the first number.
    static var numberPair: UInt64 { 0x400 }

    private static let (width, half, given) = (UInt64(37), UInt64(1) << 36, UInt64(1) << 40)

    /// `nil` for a text of another form, or with other numbers.
    init?(numberPair bytes: UnsafeRawBufferPointer) {
        guard bytes.count < 32, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return nil }
        let inside = bytes[1..<bytes.count - 1]
        guard let comma = inside.firstIndex(of: UInt8(ascii: ",")),
            inside[comma...].dropFirst().first == UInt8(ascii: " "),
            let one = Self.code(inside[..<comma]), let other = Self.code(inside[(comma + 2)...])
        else { return nil }
        self.init(
            first: Self.marker | Self.numberPair | one >> 27,
            second: Int64(bitPattern: Self.mixed(one << Self.width | other)))
    }

    var isNumberPair: Bool { first & ~0x3FF == Self.marker | Self.numberPair }

    /// The text of a pair.
    var textOfNumberPair: String {
        let word = Self.unmixed(UInt64(bitPattern: second))
        let one = (first & 0x3FF) << 27 | word >> Self.width
        return "[\(Self.number(one)), \(Self.number(word & (1 << Self.width - 1)))]"
    }

    /// A number in 37 bits, from its only form.
    private static func code(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        guard (1...13).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
            return nil
        }
        var number: UInt64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        if number < half { return number }
        return (given..<given + half).contains(number) ? number - given + half : nil
    }

    private static func number(_ code: UInt64) -> UInt64 { code < half ? code : code - half + given }
}
