/// A sample of a type that neither decodes one nor lists its cases.
enum SampleValue<V> {
    /// The first case of an enum with raw values.
    static var firstCase: V? {
        guard V.self is any RawRepresentable.Type, MemoryLayout<V>.size == 1 else { return nil }
        // An enum without payloads whose cases cannot be listed: its first case is the byte 0, and so is a value of any
        // other type of one byte.
        return unsafeBitCast(UInt8(0), to: V.self)
    }
}
