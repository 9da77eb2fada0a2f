/// A one-dimensional array parameter, built element by element in one buffer: for `unnest($1::bigint[], …)`.
public struct PostgresArray: Sendable {
    @usableFromInline package let elementType: PostgresType
    @usableFromInline package internal(set) var count = 0
    /// Length words and elements; the header is written when the array is sent.
    @usableFromInline var buffer: PostgresBuffer
    private var hasNull = false

    @usableFromInline
    package init(elementType: PostgresType, reservingCapacity capacity: Int = 0) {
        self.elementType = elementType
        buffer = PostgresBuffer(capacity: capacity * 12)
    }

    /// Appends an element; its type must be the array's.
    @inlinable
    package mutating func append<Value: PostgresCodable>(_ value: Value) throws(PostgresError) {
        guard Value.postgresType.oid == elementType.oid else { throw wrongElement(Value.postgresType) }
        try buffer.appendCounted(value)
        didAppend()
    }

    /// Appends an element or NULL.
    @inlinable
    package mutating func append<Value: PostgresCodable>(_ value: Value?) throws(PostgresError) {
        if let value { try append(value) } else { appendNull() }
    }

    @usableFromInline
    package mutating func appendNull() {
        buffer.appendInteger(Int32(-1))
        hasNull = true
        count += 1
    }

    /// Appends an element in the binary form in which the server sent it, `nil` for NULL.
    package mutating func append(binary bytes: [UInt8]?) {
        guard let bytes else { return appendNull() }
        buffer.appendInteger(Int32(bytes.count))
        bytes.withUnsafeBytes { buffer.append($0) }
        didAppend()
    }

    /// Appends the next element of another array of the same type.
    package mutating func append(nextOf elements: inout PostgresArrayElements) {
        if elements.isNextNull { hasNull = true }
        elements.moveNext(to: &buffer)
        count += 1
    }

    /// How many bytes the elements take.
    @inlinable
    package var byteCount: Int { buffer.count }

    @inlinable
    mutating func didAppend() {
        count &+= 1
    }

    @usableFromInline
    func wrongElement(_ type: PostgresType) -> PostgresError {
        PostgresError(.encoding, "An element of type \(type) cannot go into an array of \(elementType).")
    }

    /// Appends the array's binary form. Throws when there are more elements than the server counts.
    func encode(into target: inout PostgresBuffer) throws(PostgresError) {
        guard elementType.arrayOID != 0 else {
            throw PostgresError(.encoding, "There is no array type for elements of type \(elementType).")
        }
        guard let length = Int32(exactly: count) else {
            throw PostgresError(.encoding, "An array of \(count) elements is longer than PostgreSQL takes.")
        }
        // An empty array has no dimension at all.
        target.appendInteger(Int32(count == 0 ? 0 : 1))
        target.appendInteger(Int32(hasNull ? 1 : 0))
        target.appendInteger(elementType.oid)
        guard count > 0 else { return }
        target.appendInteger(length)
        target.appendInteger(Int32(1))
        buffer.withUnsafeBytes { target.append($0) }
    }

    /// Calls `body` with the binary form of the first element, `nil` for NULL.
    func withFirstElement(_ body: (UnsafeRawBufferPointer?) -> Void) {
        buffer.withUnsafeBytes { bytes in
            let length = Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))
            body(length < 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[4..<4 + Int(length)]))
        }
    }

    /// Hashes the elements.
    package func hashElements(into hasher: inout Hasher) {
        buffer.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The binary form of the first element, `nil` for NULL.
    package var firstElement: [UInt8]? {
        var bytes: [UInt8]?
        withFirstElement { bytes = $0.map { Array($0) } }
        return bytes
    }

    /// Reads a one-dimensional array; an element that is NULL is `nil`.
    package static func decode<Value: PostgresCodable>(
        _ bytes: UnsafeRawBufferPointer, as type: Value.Type
    ) throws(PostgresError) -> [Value?] {
        var reader = PostgresReader(bytes)
        let dimensions = try reader.readInt32()
        _ = try reader.readInt32()
        let elementType = UInt32(bitPattern: try reader.readInt32())
        if dimensions == 0 { return [] }
        guard dimensions == 1 else {
            throw PostgresError(
                .decoding, "The column holds an array of \(dimensions) dimensions; only one is supported.")
        }
        guard Value.canDecode(elementType) else {
            throw PostgresError(
                .decoding,
                "The column holds an array of \(PostgresType.named(elementType)), not of \(Value.postgresType).")
        }
        let length = Int(try reader.readInt32())
        _ = try reader.readInt32()
        // Each element takes at least its length word, so a false length cannot make us reserve more than was sent.
        guard length >= 0, length <= reader.remaining / 4 else {
            throw PostgresError(.decoding, "The server sent an array whose length does not fit its bytes.")
        }
        var result: [Value?] = []
        result.reserveCapacity(length)
        for _ in 0..<length {
            if let element = try reader.readCounted() {
                result.append(try Value(postgresBytes: element))
            } else {
                result.append(nil)
            }
        }
        return result
    }
}

extension Array: PostgresCodable where Element: PostgresCodable {
    /// The array of the element's type.
    public static var postgresType: PostgresType { Element.postgresType.array }

    /// An array of the element's type, or of one that can be read as it, for example `varchar[]`.
    public static func canDecode(_ type: UInt32) -> Bool {
        // The elements' own type stands in the value and is checked there.
        type == postgresType.oid || PostgresType.named(type).hasSuffix("[]") || type >= 16384
    }

    /// A one-dimensional array without NULL.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        var array = PostgresArray(elementType: Element.postgresType, reservingCapacity: count)
        for element in self { try array.append(element) }
        try array.encode(into: &buffer)
    }

    /// Reads a one-dimensional array; throws when an element is NULL.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        let elements = try PostgresArray.decode(postgresBytes, as: Element.self)
        self.init()
        reserveCapacity(elements.count)
        for element in elements {
            guard let element else {
                throw PostgresError(.decoding, "An element of the array is NULL.")
            }
            append(element)
        }
    }
}
