import Foundation
import StrataClient

/// The value of an attribute that no class stands behind.
struct DescribedValue: Sendable {
    let type: Any.Type
    let typeName: String
    let isOptional: Bool
    let defaultValue: (any Sendable)?

    /// The type of this name; `Any` for one that only the program knows that wrote the name.
    static func type(named name: String) -> Any.Type { types[name] ?? Any.self }

    private static let types: [String: any Any.Type] = {
        var types: [String: any Any.Type] = [:]
        func add<Value>(_: Value.Type) {
            for type in [Value.self, Value?.self, [Value].self, [Value]?.self] as [any Any.Type] {
                types[_typeName(type, qualified: false)] = type
            }
        }
        add(String.self)
        add(Bool.self)
        add(Int.self)
        add(Int8.self)
        add(Int16.self)
        add(Int32.self)
        add(Int64.self)
        add(UInt.self)
        add(UInt8.self)
        add(UInt16.self)
        add(UInt32.self)
        add(UInt64.self)
        add(Double.self)
        add(Float.self)
        add(Decimal.self)
        add(Date.self)
        add(CalendarDate.self)
        add(TimeOfDay.self)
        add(CalendarInterval.self)
        add(UUID.self)
        add(URL.self)
        add(Data.self)
        return types
    }()
}
