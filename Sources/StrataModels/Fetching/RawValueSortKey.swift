/// An enumeration in the order of its column: that of the raw values.
package struct RawValueSortKey<RawValue>: SortKey {
    private let rawValue: RawValue

    init(_ rawValue: RawValue) { self.rawValue = rawValue }

    package static var storedType: Any.Type { RawValue.self }
    package var stored: Any { rawValue }
}

extension RawValueSortKey: Equatable where RawValue: Equatable {}
extension RawValueSortKey: Sendable where RawValue: Sendable {}

extension RawValueSortKey: Comparable where RawValue: Comparable {
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension RawRepresentable {
    /// The raw value, for a sort descriptor.
    var rawValueSortKey: RawValueSortKey<RawValue> { RawValueSortKey(rawValue) }
}

extension Optional where Wrapped: RawRepresentable {
    /// The raw value, for a sort descriptor.
    var rawValueSortKey: RawValueSortKey<Wrapped.RawValue>? { map { RawValueSortKey($0.rawValue) } }
}
