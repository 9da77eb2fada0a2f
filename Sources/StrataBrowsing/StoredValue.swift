/// A value as the database writes it, or the beginning of a long one.
public struct StoredValue: Sendable, Equatable {
    /// The text; `nil` for NULL.
    public let text: String?
    /// How many bytes the value has; of binary data those of the data, not of the digits that stand for them.
    public let size: Int
    /// Whether `text` is the beginning only.
    public let isCut: Bool

    /// NULL.
    public static let null = StoredValue(text: nil, size: 0, isCut: false)
}

/// An object as it lies in the tables.
public struct StoredObject: Sendable, Equatable {
    /// The key.
    public let key: StoredKey
    /// The object's class, which may be a subclass of the one that was asked for.
    public let className: String
    /// The values by the names of properties.
    public let values: [String: StoredValue]

    /// The value of a property; NULL for one that was not read.
    public func value(of property: StoredProperty) -> StoredValue { values[property.name] ?? .null }
}

/// Some objects in the order of their keys, or of a list.
public struct ObjectPage: Sendable, Equatable {
    /// The objects.
    public let objects: [StoredObject]
    /// What to give as `after` for the next page; `nil` on the last.
    public let next: PagePosition?
}

/// Where a page ends: behind an object.
public struct PagePosition: Sendable, Equatable {
    /// The object's key.
    public let key: StoredKey
    /// Its place in an ordered list.
    public let position: Int64?

    /// Behind an object; `position` is its place in an ordered list.
    public init(key: StoredKey, position: Int64? = nil) {
        self.key = key
        self.position = position
    }
}
