public import Foundation

// Foundation's descriptors need a Comparable value, and hold nothing but its key path. So these sort by a key path that
// goes one step further, from the property to a comparable value of it; `SortKeyPath` leads back to the property.

extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by a Boolean property: `false` first.
    public init(_ keyPath: any KeyPath<Compared, Bool> & Sendable, order: SortOrder = .forward) {
        self.init(sendable(keyPath.appending(path: \.sortKey)), order: order)
    }

    /// Sorts by an optional Boolean property: `nil`, `false`, `true`.
    public init(_ keyPath: any KeyPath<Compared, Bool?> & Sendable, order: SortOrder = .forward) {
        self.init(sendable(keyPath.appending(path: \.sortKey)), order: order)
    }

    /// Sorts by the raw value of an enumeration.
    ///
    /// ```swift
    /// SortDescriptor(\Trip.kind)
    /// ```
    public init<Value>(_ keyPath: any KeyPath<Compared, Value> & Sendable, order: SortOrder = .forward)
    where Value: RawRepresentable, Value.RawValue: Comparable {
        self.init(sendable(keyPath.appending(path: \.rawValueSortKey)), order: order)
    }

    /// Sorts by the raw value of an optional enumeration: `nil` first.
    public init<Value>(_ keyPath: any KeyPath<Compared, Value?> & Sendable, order: SortOrder = .forward)
    where Value: RawRepresentable, Value.RawValue: Comparable {
        self.init(sendable(keyPath.appending(path: \.rawValueSortKey)), order: order)
    }

    /// Sorts by the raw value of an enumeration that is comparable itself, since that is what is stored.
    public init<Value>(_ keyPath: any KeyPath<Compared, Value> & Sendable, order: SortOrder = .forward)
    where Value: RawRepresentable & Comparable, Value.RawValue: Comparable {
        self.init(sendable(keyPath.appending(path: \.rawValueSortKey)), order: order)
    }

    /// Sorts by the raw value of an optional enumeration that is comparable itself: `nil` first.
    public init<Value>(_ keyPath: any KeyPath<Compared, Value?> & Sendable, order: SortOrder = .forward)
    where Value: RawRepresentable & Comparable, Value.RawValue: Comparable {
        self.init(sendable(keyPath.appending(path: \.rawValueSortKey)), order: order)
    }
}
