public import Foundation

/// The key of a row, of any kind that a class can have: two words, without allocation or indirection (decision 0037).
///
/// It says itself of which kind it is. The first word of a number is a marker that no UUID of any version begins with; so numbers are
/// compared and hashed by their second word, as they would be alone, and nothing that holds keys has to know their kind. Only SQL does,
/// which asks the mapping (`EntityMapping.keyKind`). Texts have the same marker, but for its last bits: up to nine bytes stand in the
/// words, and longer ones in the process's table of them (``KeyTexts``, decision 0047), but for those of two numbers.
///
/// Keys are ordered as the server orders them: texts by their bytes, as it does with the collation that Strata gives its columns.
@usableFromInline @frozen
package struct RowKey: Hashable, Comparable, Sendable {
    /// What the keys of a hierarchy are.
    @frozen @usableFromInline package enum Kind: Hashable, Sendable {
        /// `bigint`
        case integer
        /// `uuid`
        case uuid
        /// `text`, or `varchar(n)`
        case text
        /// `timestamptz`: a part of a key of several columns, and no key by itself.
        case date

        /// The type of columns that hold such keys.
        @usableFromInline package var type: PostgresType {
            switch self {
            case .integer: .int8
            case .uuid: .uuid
            case .text: .text
            case .date: .timestamptz
            }
        }
    }

    /// The first eight bytes of a UUID; ``marker`` for a number. For a text the marker with ``shortText`` and the ninth byte, or with
    /// ``longText``.
    @usableFromInline let first: UInt64
    /// The number; of a UUID the last eight bytes, less 2^63, so that both are compared as signed numbers. Of a short text the first eight
    /// bytes, ``mixed(_:)``: codes differ in few of them, and tables look at few bits; of a long one its number in the table.
    @usableFromInline let second: Int64

    /// "STRATA", and the version 0, which no UUID has.
    @inlinable static var marker: UInt64 { 0x5354_5241_5441_0000 }
    /// The bits of a first word that tell what is marked.
    @inlinable static var markedBits: UInt64 { 0xFFF }
    /// A text of nine bytes at most. No text has the byte 0 (PostgreSQL manual, 8.3), so it ends where zeros begin.
    @inlinable static var shortText: UInt64 { 0x100 }
    /// A text of the process's table.
    @inlinable static var longText: UInt64 { 0x200 }
    /// The bits that no first word has but that of a text.
    @inlinable static var textBits: UInt64 { 0x700 }
    /// A date: microseconds since 2000.
    @inlinable static var date: UInt64 { 0x800 }

    @inlinable
    init(first: UInt64, second: Int64) {
        self.first = first
        self.second = second
    }

    @inlinable
    package init(_ number: Int64) { self.init(first: Self.marker, second: number) }

    /// - Returns: `nil` for a UUID that begins like a number: it is of no version.
    @inlinable
    package init?(_ uuid: UUID) {
        let key = withUnsafeBytes(of: uuid.uuid) { Self(bytesOfUUID: $0) }
        guard !key.isMarked else { return nil }
        self = key
    }

    /// - Returns: `nil` for a text with the character 0, which the server cannot store.
    package init?(text: String) {
        var text = text
        let key: RowKey? = text.withUTF8 { bytes in
            bytes.contains(0) ? nil : RowKey(bytesOfText: UnsafeRawBufferPointer(bytes))
        }
        guard let key else { return nil }
        self = key
    }

    /// A text, as the server sends it: in UTF-8.
    @usableFromInline
    init(bytesOfText bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= Self.mostInline else {
            if let pair = RowKey(numberPair: bytes) {
                self = pair
                return
            }
            self.init(first: Self.marker | Self.longText, second: KeyTexts.shared.number(of: bytes))
            return
        }
        var word: UInt64 = 0
        for place in 0..<min(bytes.count, 8) { word |= UInt64(bytes[place]) << UInt64(8 * place) }
        let ninth = bytes.count == Self.mostInline ? UInt64(bytes[8]) : 0
        self.init(first: Self.marker | Self.shortText | ninth, second: Int64(bitPattern: Self.mixed(word)))
    }

    /// The word with each bit depending on all: another one for another word.
    static func mixed(_ word: UInt64) -> UInt64 {
        let folded = (word ^ word >> 32) &* 0xBF58_476D_1CE4_E5B9
        return folded ^ folded >> 32
    }

    /// What ``mixed(_:)`` was made of.
    static func unmixed(_ word: UInt64) -> UInt64 {
        // The product of both factors is 1.
        let folded = (word ^ word >> 32) &* 0x96DE_1B17_3F11_9089
        return folded ^ folded >> 32
    }

    /// A text that a stranger has sent. What is kept for it stays for ever: so there has to be a class with such keys, and the text no longer
    /// than what every index holds (PostgreSQL manual, 67.4).
    package init?(foreign text: String) {
        guard text.utf8.count <= Self.mostInline || KeyTexts.shared.isUsed && text.utf8.count <= 2_704 else {
            return nil
        }
        self.init(text: text)
    }

    /// Says that there is a class whose keys are texts.
    package static func expectTexts() { KeyTexts.shared.use() }

    /// How many bytes of a text have room in the two words.
    private static let mostInline = 9

    @inlinable
    init(bytesOfUUID bytes: UnsafeRawBufferPointer) {
        first = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        let last = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        second = Int64(bitPattern: last ^ 1 << 63)
    }

    @inlinable package var isInteger: Bool { first == Self.marker }

    /// - Returns: `nil` for a date that the server does not have.
    package init?(_ date: Date) {
        guard let microseconds = try? date.postgresMicroseconds else { return nil }
        self.init(PostgresTimestamp(microseconds: microseconds))
    }

    init(_ moment: PostgresTimestamp) { self.init(first: Self.marker | Self.date, second: moment.microseconds) }

    /// Whether it is no UUID.
    @inlinable var isMarked: Bool { first & ~Self.markedBits == Self.marker }

    @inlinable package var isText: Bool { isMarked && first & Self.textBits != 0 }

    package var kind: Kind { isInteger ? .integer : isText ? .text : isMarked ? .date : .uuid }

    /// The number; `nil` for another key.
    @inlinable package var integer: Int64? { isInteger ? second : nil }

    /// The UUID; `nil` for another key.
    @usableFromInline package var uuid: UUID? {
        guard !isMarked else { return nil }
        let words = (first.bigEndian, (UInt64(bitPattern: second) ^ 1 << 63).bigEndian)
        return UUID(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// The date; `nil` for another key.
    package var date: Date? { moment.map { Date(postgresMicroseconds: $0.microseconds) } }

    /// The date with all of its microseconds; `nil` for another key.
    @usableFromInline package var moment: PostgresTimestamp? {
        first == Self.marker | Self.date ? PostgresTimestamp(microseconds: second) : nil
    }

    /// The text; `nil` for another key.
    @usableFromInline package var text: String? {
        isText ? String(decoding: bytesOfText, as: UTF8.self) : nil
    }

    private var bytesOfText: [UInt8] {
        if first & Self.markedBits == Self.longText { return KeyTexts.shared.bytes(of: second) }
        if isNumberPair { return Array(textOfNumberPair.utf8) }
        var bytes = withUnsafeBytes(of: Self.unmixed(UInt64(bitPattern: second)).littleEndian) { Array($0) }
        bytes.append(UInt8(truncatingIfNeeded: first))
        return Array(bytes.prefix { $0 != 0 })
    }

    /// Whether it is the key of a row: not that of no row (0), nor of an object that was never inserted (negative).
    @inlinable package var isFinal: Bool { !isInteger || second > 0 }

    /// Whether it is what a property holds that nobody has given a value: 0, the empty text, the UUID of zeros.
    package var isEmpty: Bool {
        self == 0 || self == RowKey(text: "")
            || self == RowKey(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    }

    /// The key right behind this one (`1`), or right before it (`-1`). Between two texts there is always another: this one, for a text.
    package func moved(by step: Int64) -> RowKey {
        if isText { return self }
        guard !isInteger else { return RowKey(second &+ step) }
        let next = second &+ step
        let carries = step > 0 ? next < second : next > second
        let key = RowKey(first: carries ? first &+ UInt64(bitPattern: step) : first, second: next)
        return key.isMarked ? self : key
    }

    /// The key as one word, to be spread in a table: a number is itself.
    @inlinable @inline(__always)
    package var word: Int64 { second ^ Int64(bitPattern: first ^ Self.marker) }

    @inlinable @inline(__always)
    package static func == (one: RowKey, other: RowKey) -> Bool {
        one.second == other.second && one.first == other.first
    }

    @inlinable
    package static func < (one: RowKey, other: RowKey) -> Bool {
        if one.isText, other.isText { return isBefore(one, other) }
        return one.first == other.first ? one.second < other.second : one.first < other.first
    }

    @usableFromInline
    static func isBefore(_ one: RowKey, _ other: RowKey) -> Bool {
        one.bytesOfText.lexicographicallyPrecedes(other.bytesOfText)
    }

    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(word) }

    // What dictionaries and sets call: a number costs what it costs alone.
    @inlinable
    package func _rawHashValue(seed: Int) -> Int { word._rawHashValue(seed: seed) }
}

extension RowKey: ExpressibleByIntegerLiteral {
    @inlinable
    package init(integerLiteral number: Int64) { self.init(number) }
}

extension RowKey: CustomStringConvertible {
    /// Digits, a UUID in small letters, the text, or the date in UTC: what the server writes.
    @usableFromInline package var description: String {
        switch kind {
        case .integer: "\(second)"
        case .uuid: uuid?.uuidString.lowercased() ?? ""
        case .text: text ?? ""
        case .date: moment?.description ?? ""
        }
    }

    /// A number, or a UUID in any letters. Any text may be the key of a class that has texts for keys.
    package init?(numberOrUUID text: some StringProtocol) {
        if let number = Int64(text) {
            self.init(number)
        } else if let uuid = UUID(uuidString: String(text)) {
            self.init(uuid)
        } else {
            return nil
        }
    }

    /// Reads what ``description`` writes of a key of this kind, and a UUID in any letters.
    package init?(_ text: some StringProtocol, of kind: Kind) {
        switch kind {
        case .integer:
            guard let number = Int64(text) else { return nil }
            self.init(number)
        case .uuid:
            guard let uuid = UUID(uuidString: String(text)) else { return nil }
            self.init(uuid)
        case .text: self.init(text: String(text))
        case .date:
            guard let moment = PostgresTimestamp(String(text)) else { return nil }
            self.init(moment)
        }
    }
}

// MARK: - As PostgreSQL has it

extension RowKey {
    /// Reads the binary form of a key of this kind.
    @inlinable @inline(__always)
    package init(postgresBytes bytes: UnsafeRawBufferPointer, _ kind: Kind) {
        switch kind {
        case .integer, .uuid: self.init(bytesOfValue: bytes)
        case .text: self.init(bytesOfText: bytes)
        case .date: self.init(bytesOfDate: bytes)
        }
    }

    /// Reads the binary form of a date. 0 for anything else.
    @usableFromInline
    init(bytesOfDate bytes: UnsafeRawBufferPointer) {
        if let moment = try? PostgresTimestamp(postgresBytes: bytes) { self.init(moment) } else { self = 0 }
    }

    /// Reads the binary form of a number or a UUID: its length says which. A key of another program's table may be an `integer` or a
    /// `smallint`. 0 for anything else.
    @inlinable @inline(__always)
    package init(bytesOfValue bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 8: self.init(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case 16:
            self.init(bytesOfUUID: bytes)
            // What would be taken for a number is none.
            if isMarked { self = 0 }
        case 4: self.init(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case 2: self.init(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))))
        default: self = 0
        }
    }

    /// Reads keys of a one-dimensional array; an element that is `NULL` throws.
    package static func list(_ bytes: UnsafeRawBufferPointer, of kind: Kind) throws(PostgresError) -> [RowKey] {
        switch kind {
        case .integer: return try [Int64](postgresBytes: bytes).map { RowKey($0) }
        case .uuid: return try [UUID](postgresBytes: bytes).map { RowKey($0) ?? 0 }
        case .text: return try [String](postgresBytes: bytes).map { RowKey(text: $0) ?? 0 }
        case .date: return try [PostgresTimestamp](postgresBytes: bytes).map { RowKey($0) }
        }
    }

    /// The binary form.
    package var postgresBytes: [UInt8] {
        if isText { return bytesOfText }
        let last = isMarked ? UInt64(bitPattern: second) : UInt64(bitPattern: second) ^ 1 << 63
        var bytes: [UInt8] = []
        if !isMarked { withUnsafeBytes(of: first.bigEndian) { bytes += $0 } }
        withUnsafeBytes(of: last.bigEndian) { bytes += $0 }
        return bytes
    }
}

extension PostgresRow {
    /// The number or UUID in a column; 0 for NULL.
    @inlinable @inline(__always)
    package func referredKey(_ column: Int) -> RowKey {
        guard let bytes = bytes(column) else { return 0 }
        return RowKey(bytesOfValue: bytes)
    }

    /// The key in a column; 0 for NULL. The column's type was compared before.
    @inlinable @inline(__always)
    package func key(_ column: Int, _ kind: RowKey.Kind) -> RowKey {
        guard let bytes = bytes(column) else { return 0 }
        return RowKey(postgresBytes: bytes, kind)
    }
}

extension PostgresArray {
    /// Appends a key; its kind must be that of the array's elements.
    @inlinable
    package mutating func append(_ key: RowKey) throws(PostgresError) {
        if let number = key.integer {
            try append(number)
        } else if key.isText {
            try append(key.text)
        } else if let moment = key.moment {
            try append(moment)
        } else {
            try append(key.uuid)
        }
    }

    /// The keys as an array of their kind.
    @inlinable
    package init(_ keys: some Collection<RowKey>, of kind: RowKey.Kind) throws(PostgresError) {
        self.init(elementType: kind.type, reservingCapacity: keys.count)
        for key in keys { try append(key) }
    }
}

extension PostgresCopyRow {
    /// Appends a key.
    @inlinable
    package mutating func append(_ key: RowKey) throws(PostgresError) {
        if let number = key.integer {
            try append(number)
        } else if key.isText {
            try append(key.text)
        } else if let moment = key.moment {
            try append(moment)
        } else {
            try append(key.uuid)
        }
    }
}

extension PostgresParameters {
    /// Appends a key as a value of its kind.
    package mutating func append(_ key: RowKey) throws(PostgresError) {
        if let number = key.integer {
            try append(number)
        } else if key.isText {
            try append(key.text)
        } else if let moment = key.moment {
            try append(moment)
        } else {
            try append(key.uuid)
        }
    }
}
