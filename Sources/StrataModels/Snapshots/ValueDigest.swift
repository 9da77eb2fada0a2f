/// FNV-1a with 64 bits: the same in every process, for telling values apart. Nothing is proven by it.
package struct ValueDigest {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { add(byte) }
    }

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { add($0) }
    }

    /// With its length, so that it ends where it ends.
    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
    }

    /// With its length; what is not there is told from what is empty.
    mutating func add(_ bytes: [UInt8]?) {
        guard let bytes else { return add(UInt8(0)) }
        add(UInt8(1))
        add(UInt64(bytes.count))
        bytes.withUnsafeBytes { add($0) }
    }
}
