public import Foundation

/// The key of a row, of any kind that a class can have: two words, without allocation or indirection (decision 0037).
///
/// It says itself of which kind it is. The first word of a number is a marker that no UUID of any version begins with; so numbers are
/// compared and hashed by their second word, as they would be alone, and nothing that holds keys has to know their kind. Only SQL does,
/// which asks the mapping (`EntityMapping.keyKind`).
///
/// Keys are ordered as the server orders them.
@usableFromInline @frozen
package struct RowKey: Hashable, Comparable, Sendable {
    /// What the keys of a hierarchy are.
    @frozen @usableFromInline package enum Kind: Hashable, Sendable {
        /// `bigint`
        case integer
        /// `uuid`
        case uuid

        /// The type of columns that hold such keys.
        @usableFromInline package var type: PostgresType {
            switch self {
            case .integer: .int8
            case .uuid: .uuid
            }
        }
    }

    /// The first eight bytes of a UUID; ``marker`` for a number.
    @usableFromInline let first: UInt64
    /// The number; of a UUID the last eight bytes, less 2^63, so that both are compared as signed numbers.
    @usableFromInline let second: Int64

    /// "STRATA", and the version 0, which no UUID has.
    @inlinable static var marker: UInt64 { 0x5354_5241_5441_0000 }

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
        guard !key.isInteger else { return nil }
        self = key
    }

    @inlinable
    init(bytesOfUUID bytes: UnsafeRawBufferPointer) {
        first = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        let last = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        second = Int64(bitPattern: last ^ 1 << 63)
    }

    @inlinable package var isInteger: Bool { first == Self.marker }

    package var kind: Kind { isInteger ? .integer : .uuid }

    /// The number; `nil` for a UUID.
    @inlinable package var integer: Int64? { isInteger ? second : nil }

    /// The UUID; `nil` for a number.
    @usableFromInline package var uuid: UUID? {
        guard !isInteger else { return nil }
        let words = (first.bigEndian, (UInt64(bitPattern: second) ^ 1 << 63).bigEndian)
        return UUID(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// Whether it is the key of a row: not that of no row (0), nor of an object that was never inserted (negative).
    @inlinable package var isFinal: Bool { !isInteger || second > 0 }

    /// The key right behind this one (`1`), or right before it (`-1`).
    package func moved(by step: Int64) -> RowKey {
        guard !isInteger else { return RowKey(second &+ step) }
        let next = second &+ step
        let carries = step > 0 ? next < second : next > second
        let key = RowKey(first: carries ? first &+ UInt64(bitPattern: step) : first, second: next)
        return key.isInteger ? self : key
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
        one.first == other.first ? one.second < other.second : one.first < other.first
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
    /// Digits, or a UUID in small letters.
    @usableFromInline package var description: String { uuid.map { $0.uuidString.lowercased() } ?? "\(second)" }

    /// Reads what ``description`` writes, and a UUID in any letters.
    package init?(_ text: some StringProtocol) {
        if let number = Int64(text) {
            self.init(number)
        } else if let uuid = UUID(uuidString: String(text)) {
            self.init(uuid)
        } else {
            return nil
        }
    }

    /// A key of this kind, as text has it.
    package init?(_ text: some StringProtocol, of kind: Kind) {
        self.init(text)
        guard self.kind == kind else { return nil }
    }
}

// MARK: - As PostgreSQL has it

extension RowKey {
    /// Reads the binary form: its length says which kind it is of. A key of another program's table may be an `integer` or a `smallint`. 0
    /// for anything else.
    @inlinable @inline(__always)
    package init(postgresBytes bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 8: self.init(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case 16:
            self.init(bytesOfUUID: bytes)
            // What would be taken for a number is none.
            if isInteger { self = 0 }
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
        }
    }

    /// The binary form.
    package var postgresBytes: [UInt8] {
        let last = isInteger ? UInt64(bitPattern: second) : UInt64(bitPattern: second) ^ 1 << 63
        var bytes: [UInt8] = []
        if !isInteger { withUnsafeBytes(of: first.bigEndian) { bytes += $0 } }
        withUnsafeBytes(of: last.bigEndian) { bytes += $0 }
        return bytes
    }
}

extension PostgresRow {
    /// The key in a column, whatever its kind; 0 for NULL. The column's type was compared before.
    @inlinable @inline(__always)
    package func key(_ column: Int) -> RowKey {
        guard let bytes = bytes(column) else { return 0 }
        return RowKey(postgresBytes: bytes)
    }
}

extension PostgresArray {
    /// Appends a key; its kind must be that of the array's elements.
    @inlinable
    package mutating func append(_ key: RowKey) throws(PostgresError) {
        if let number = key.integer { try append(number) } else { try append(key.uuid) }
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
        if let number = key.integer { try append(number) } else { try append(key.uuid) }
    }
}

extension PostgresParameters {
    /// Appends a key as a value of its kind.
    package mutating func append(_ key: RowKey) throws(PostgresError) {
        if let number = key.integer { try append(number) } else { try append(key.uuid) }
    }
}
