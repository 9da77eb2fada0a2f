/// One property of one object that this context changed, and somebody else too: what it was, and both new values.
///
/// ```swift
/// } catch let error as SwiftDataError where error == .conflict {
///     for conflict in error.conflicts {
///         if let budget = conflict.values(of: \Trip.budget) {
///             print(budget.before, budget.mine, budget.theirs)
///         }
///     }
/// }
/// ```
/// Values are kept in their stored form, so a conflict is `Sendable` whatever the property's type. No value is part of
/// ``description``. Encoded, as the answer to a client, it has the keys `persistentModelID`, `property`, `before`, `mine` and
/// `theirs`; `.hidden` attributes are encoded without their values.
public struct PropertyConflict: Sendable, Hashable {
    /// The object.
    public let persistentModelID: PersistentIdentifier
    private let property: any ModelProperty
    private let versions: ConflictingValues<Version>

    /// A value: of an attribute, or of a to-one relationship.
    package enum Version: Sendable, Hashable {
        case attribute(SnapshotContent.Cell)
        case target(PersistentIdentifier?)
    }

    package init(
        _ property: any ModelProperty, of identifier: PersistentIdentifier, _ versions: ConflictingValues<Version>
    ) {
        persistentModelID = identifier
        self.property = property
        self.versions = versions
    }

    /// The class of the object.
    public var entityName: String { persistentModelID.entityName }
    /// The name of the property in Swift.
    public var propertyName: String { property.name }
    /// `Trip.title`, for messages.
    package var qualifiedName: String { property.qualifiedName }
    /// The key path of the property, as the class of the object has it.
    public var keyPath: AnyKeyPath { property.keyPath }

    /// The values of an attribute; `nil` when the conflict is about another property, or a value cannot be read.
    public func values<Model: PersistentModel, Value>(
        of keyPath: KeyPath<Model, Value>
    ) -> ConflictingValues<Value>? {
        guard isAbout(keyPath, of: Model._$descriptor), let attribute = property as? AnyAttributeProperty else {
            return nil
        }
        return versions.map { version in
            guard case .attribute(let cell) = version else { return nil }
            return attribute.snapshotValue(cell) as? Value
        }
    }

    /// The identifiers of the objects at a to-one relationship, `nil` for none; `nil` when the conflict is about another
    /// property.
    public func identifiers<Model: PersistentModel>(
        of keyPath: PartialKeyPath<Model>
    ) -> ConflictingValues<PersistentIdentifier?>? {
        guard isAbout(keyPath, of: Model._$descriptor) else { return nil }
        return versions.map { version in
            guard case .target(let identifier) = version else { return nil }
            return .some(identifier)
        }
    }

    /// Whether the conflict is about this property.
    private func isAbout(_ keyPath: AnyKeyPath, of model: ModelDescriptor) -> Bool {
        guard let asked = model.property(for: keyPath), asked.slot == property.slot else { return false }
        // Slots of subclasses begin with those of their superclass; the same class declares the same property.
        return asked.name == property.name && asked.declaringEntity == property.declaringEntity
    }

    /// Conflicts are equal when object, property and values are.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.persistentModelID == rhs.persistentModelID && lhs.property === rhs.property && lhs.versions == rhs.versions
    }

    /// Hashes object and property.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(persistentModelID)
        hasher.combine(property.slot)
    }
}

/// A property's three values in a conflict.
public struct ConflictingValues<Value> {
    /// What this context had read.
    public let before: Value
    /// What this context was to save.
    public let mine: Value
    /// What the database has: somebody else saved it meanwhile.
    public let theirs: Value

    package init(before: Value, mine: Value, theirs: Value) {
        self.before = before
        self.mine = mine
        self.theirs = theirs
    }

    func map<Other>(_ transform: (Value) -> Other?) -> ConflictingValues<Other>? {
        guard let before = transform(before), let mine = transform(mine), let theirs = transform(theirs) else {
            return nil
        }
        return ConflictingValues<Other>(before: before, mine: mine, theirs: theirs)
    }
}

extension ConflictingValues: Sendable where Value: Sendable {}
extension ConflictingValues: Equatable where Value: Equatable {}
extension ConflictingValues: Hashable where Value: Hashable {}

extension PropertyConflict: CustomStringConvertible, CustomDebugStringConvertible {
    /// Object and property. Holds no values, so it may be logged.
    public var description: String { "conflict at \(property.qualifiedName) of \(persistentModelID)" }

    /// The description with the values of both sides, unless the attribute is `.hidden`: not for public logs.
    public var debugDescription: String { "conflict: \(sentence)" }

    /// `strata:…/Trip/7: Trip.title is Riga in the database, Rīga here.`
    var sentence: String {
        guard !isHidden else { return "\(persistentModelID): \(property.qualifiedName) is another in the database." }
        return "\(persistentModelID): \(property.qualifiedName) is \(text(versions.theirs)) in the database, "
            + "\(text(versions.mine)) here."
    }

    private func text(_ version: Version) -> String {
        switch version {
        case .target(let identifier): return identifier?.description ?? "nil"
        case .attribute(let cell):
            guard cell.bytes != nil, let value = (property as? AnyAttributeProperty)?.snapshotValue(cell) else {
                return "nil"
            }
            return String(String(describing: (value as? any WrappingOptional)?.wrapped ?? value).prefix(200))
        }
    }

    private var isHidden: Bool { (property as? AnyAttributeProperty)?.isHidden ?? false }
}

extension PropertyConflict: Encodable {
    /// Writes object, property and, unless the attribute is `.hidden`, the three values in the form that a snapshot has.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SnapshotKey.self)
        try container.encode(persistentModelID, forKey: .identifier)
        try container.encode(propertyName, forKey: SnapshotKey(stringValue: "property"))
        guard !isHidden else { return }
        try encode(versions.before, "before", to: &container)
        try encode(versions.mine, "mine", to: &container)
        try encode(versions.theirs, "theirs", to: &container)
    }

    private func encode(
        _ version: Version, _ name: String, to container: inout KeyedEncodingContainer<SnapshotKey>
    ) throws {
        let key = SnapshotKey(stringValue: name)
        switch version {
        case .attribute(let cell): try (property as? AnyAttributeProperty)?.encode(cell, to: &container, key)
        case .target(let identifier): try container.encode(identifier, forKey: key)
        }
    }
}
