/// The parameters of one statement, encoded, in one buffer.
public struct PostgresParameters: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var type: UInt32
        @usableFromInline var offset: Int
        /// -1 for NULL.
        @usableFromInline var length: Int
        /// Whether the server is to read a text, as it writes the type; otherwise it is the binary form.
        var isText = false

        @usableFromInline
        init(type: UInt32, offset: Int, length: Int) {
            self.type = type
            self.offset = offset
            self.length = length
        }
    }

    /// What the protocol's 16-bit count can say.
    package static let maximumCount = 65_535

    @usableFromInline var buffer = PostgresBuffer()
    @usableFromInline var entries: [Entry] = []

    package init() {}

    /// One parameter for each value, in order.
    package init<each Value: PostgresCodable>(_ values: repeat each Value) throws(PostgresError) {
        for value in repeat each values { try append(value) }
    }

    package var count: Int { entries.count }

    /// The bytes of all values together.
    var byteCount: Int { buffer.count }

    /// Whether both hold the same values of the same types.
    package func isSame(as other: PostgresParameters) -> Bool {
        entries.elementsEqual(other.entries) {
            $0.type == $1.type && $0.length == $1.length && $0.isText == $1.isText
        }
            && buffer.bytes == other.buffer.bytes
    }

    /// Appends a value.
    @inlinable
    package mutating func append<Value: PostgresCodable>(_ value: Value) throws(PostgresError) {
        let start = buffer.count
        do {
            try value.encode(into: &buffer)
        } catch {
            buffer.truncate(to: start)
            throw error
        }
        entries.append(Entry(type: Value.postgresType.oid, offset: start, length: buffer.count &- start))
    }

    /// Appends a value or NULL.
    @inlinable
    package mutating func append<Value: PostgresCodable>(_ value: Value?) throws(PostgresError) {
        if let value { try append(value) } else { appendNull(Value.postgresType) }
    }

    @usableFromInline
    package mutating func appendNull(_ type: PostgresType) {
        entries.append(Entry(type: type.oid, offset: buffer.count, length: -1))
    }

    /// Appends a value as the server writes it, which it reads once, whatever the statement does with it. There must be no zero in the text.
    package mutating func append(text: String, type: PostgresType) {
        let start = buffer.count
        buffer.append(Array(text.utf8))
        let length = buffer.count - start
        // libpq looks for the end of a text.
        buffer.appendByte(0)
        var entry = Entry(type: type.oid, offset: start, length: length)
        entry.isText = true
        entries.append(entry)
    }

    package mutating func append(_ array: PostgresArray) throws(PostgresError) {
        let start = buffer.count
        do {
            try array.encode(into: &buffer)
        } catch {
            buffer.truncate(to: start)
            throw error
        }
        entries.append(Entry(type: array.elementType.arrayOID, offset: start, length: buffer.count - start))
    }

    /// Appends the element of an array that has one, as a value of its own.
    package mutating func append(onlyElementOf array: PostgresArray) {
        // The caller has counted; reading an element that is not there would read beyond the buffer.
        precondition(array.count == 1, "an array of one element is asked for")
        array.withFirstElement { bytes in
            if let bytes { append(raw: bytes, type: array.elementType) } else { appendNull(array.elementType) }
        }
    }

    /// Appends a value that is already in binary form.
    package mutating func append(raw bytes: UnsafeRawBufferPointer, type: PostgresType) {
        let start = buffer.count
        buffer.append(bytes)
        entries.append(Entry(type: type.oid, offset: start, length: bytes.count))
    }

    /// The bytes of one parameter, copied; `nil` for NULL. For values that are written down instead of sent.
    package func bytes(at index: Int) -> [UInt8]? {
        let entry = entries[index]
        guard entry.length >= 0 else { return nil }
        return buffer.withUnsafeBytes { Array($0[entry.offset..<entry.offset + entry.length]) }
    }

    /// Calls `body` with the arrays that libpq wants: values, lengths, formats and the count.
    func withArrays<Result>(
        _ body: (
            UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?,
            Int32
        ) -> Result
    ) -> Result {
        let count = entries.count
        guard count > 0 else { return body(nil, nil, nil, 0) }
        return buffer.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: count * 2) { numbers in
                    for (index, entry) in entries.enumerated() {
                        // The buffer always has an address, so an empty value is not taken for NULL.
                        values[index] =
                            entry.length < 0
                            ? nil : bytes.baseAddress.map { ($0 + entry.offset).assumingMemoryBound(to: CChar.self) }
                        numbers[index] = Int32(clamping: max(entry.length, 0))
                        numbers[count + index] = entry.isText ? 0 : 1
                    }
                    return body(
                        values.baseAddress, numbers.baseAddress, numbers.baseAddress.map { $0 + count }, Int32(count))
                }
            }
        }
    }

    /// Throws when the server could not take the parameters.
    func validate() throws(PostgresError) {
        guard entries.count <= Self.maximumCount else {
            throw PostgresError(
                .encoding,
                "The statement has \(entries.count) parameters; PostgreSQL takes at most \(Self.maximumCount). "
                    + "Pass many values as one array parameter.")
        }
        // The server refuses messages of 1 GB and ends the connection; say so before sending anything.
        guard buffer.count < 0x3FFF_0000 else { throw .tooLong(buffer.count) }
    }
}
