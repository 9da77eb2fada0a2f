import StrataClient
import StrataModels

/// A value of a type of which nothing is known, and its stored form.
enum SampleValue<V> {
    /// Some value; `nil` for a type that has to be asked for one in a way of its own.
    static var any: V? {
        if let type = V.self as? any Decodable.Type, let value = try? type.init(from: SampleDecoder(trueFlag: 0)) as? V
        {
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
        for form in [ScalarForm<V>.self, RawForm<V>.self, DocumentForm<V>.self] as [Any.Type] {
            if let form = form as? any StoredForm.Type, let original = form.original(value) { return original }
        }
        return nil
    }
}

/// A coding that fits a type, as the choice among `_storage(of:)` is.
private protocol StoredForm {
    static func original(_ value: Any) -> OriginalValue?
}

private enum ScalarForm<V> {}
extension ScalarForm: StoredForm where V: PostgresCodable {
    static func original(_ value: Any) -> OriginalValue? {
        (value as? V).map { OriginalAttribute<ScalarCoding<V>>(AttributeStorage($0)) }
    }
}

private enum RawForm<V> {}
extension RawForm: StoredForm where V: RawRepresentable, V.RawValue: PostgresCodable {
    static func original(_ value: Any) -> OriginalValue? {
        (value as? V).map { OriginalAttribute<RawValueCoding<V>>(AttributeStorage($0)) }
    }
}

private enum DocumentForm<V> {}
extension DocumentForm: StoredForm where V: Codable {
    static func original(_ value: Any) -> OriginalValue? {
        (value as? V).map { OriginalAttribute<JSONCoding<V>>(AttributeStorage($0)) }
    }
}
