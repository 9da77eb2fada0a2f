/// From a property to the key paths by which a sort descriptor may sort it.
package enum SortKeyPath {
    /// The property itself, then those of comparable values of it that `SortDescriptor`'s initialisers for `Bool`,
    /// enumerations, text without case and accents, and their optionals sort by. All sort by the property's column: `nil`
    /// first, `false` before `true`, enumerations by raw value.
    ///
    /// A descriptor sorts by `property` exactly if its `keyPath` is among these:
    ///
    /// ```swift
    /// SortKeyPath.all(of: \Trip.isOpen).contains(SortDescriptor(\Trip.isOpen).keyPath!)   // true
    /// ```
    package static func all(of property: AnyKeyPath) -> [AnyKeyPath] {
        [property] + steps(from: type(of: property).valueType).compactMap { property.appending(path: $0) }
    }

    private static func steps(from type: Any.Type) -> [AnyKeyPath] {
        switch type {
        case is Bool.Type: [\Bool.sortKey]
        case is Bool?.Type: [\Bool?.sortKey]
        case is String.Type: [\String.localizedStandardSortKey]
        case is String?.Type: [\String?.localizedStandardSortKey]
        case let type as any RawRepresentable.Type: rawValues(of: type)
        case let type as any OptionalRawRepresentable.Type: [type.rawValueSortStep]
        default: []
        }
    }

    private static func rawValues<Value: RawRepresentable>(of type: Value.Type) -> [AnyKeyPath] {
        [\Value.rawValueSortKey, \Value.rawValue]
    }
}

/// An optional whose wrapped type is known to have a raw value only when the program runs.
private protocol OptionalRawRepresentable {
    static var rawValueSortStep: AnyKeyPath { get }
}

extension Optional: OptionalRawRepresentable where Wrapped: RawRepresentable {
    fileprivate static var rawValueSortStep: AnyKeyPath { \Self.rawValueSortKey }
}
