import StrataClient
import StrataModels

/// A value of a type of which nothing is known, and its stored form.
enum SampleValue<V> {
    /// Some value; `nil` for a type that has to be asked for one in a way of its own.
    static var any: V? {
        if let type = V.self as? any Decodable.Type, let value = SampleDecoder(trueFlag: 0).value(of: type) as? V {
            return value
        }
        return firstCase
    }

    /// The first case of an enum with raw values.
    static var firstCase: V? {
        guard V.self is any RawRepresentable.Type, MemoryLayout<V>.size == 1 else { return nil }
        // An enum without payloads whose cases cannot be listed: its first case is the byte 0, and so is a value of any
        // other type of one byte.
        return unsafeBitCast(UInt8(0), to: V.self)
    }

    /// The value as a property of this type has it before a change; a guess at the property's coding, to be checked.
    static func stored(_ value: V) -> OriginalValue? {
        func original<C: AttributeCoding>(_: C.Type) -> OriginalValue? {
            (value as? C.Value).map { OriginalAttribute<C>(AttributeStorage($0)) }
        }
        for coding in FittingCoding<V>.all {
            if let original = original(coding) { return original }
        }
        return nil
    }
}
