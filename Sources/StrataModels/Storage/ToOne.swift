public import StrataClient

/// The stored end of a to-one relationship.
public struct ToOne<Destination: PersistentModel> {
    @usableFromInline package var held: HeldReference
    @inlinable
    package init(_ reference: Reference) { held = HeldReference(reference) }
}

/// The stored end of a to-one relationship that is not optional.
public struct RequiredToOne<Destination: PersistentModel> {
    @usableFromInline package var held: HeldReference
    @inlinable
    package init(_ reference: Reference) { held = HeldReference(reference) }
}

/// Where a to-one relationship points.
@usableFromInline
package enum Reference {
    /// Not fetched, or kept by the other side's foreign key.
    case unloaded
    case none
    /// The key of a row. The object, if it is in memory, is found through the identity map: this side does not keep it
    /// alive.
    case key(RowKey)
    /// An object, kept alive by this side.
    case object(any PersistentModel)

    package var isLoaded: Bool {
        if case .unloaded = self { return false }
        return true
    }

    /// The object this side keeps alive, if it does.
    package var object: (any PersistentModel)? {
        if case .object(let object) = self { return object }
        return nil
    }

    /// The key of the row pointed at; 0 for an object that has none yet, `nil` for nothing.
    package var key: RowKey? {
        switch self {
        case .unloaded, .none: nil
        case .key(let key): key
        case .object(let object): object._$state.key
        }
    }

    package func points(to model: any PersistentModel) -> Bool {
        switch self {
        case .unloaded, .none: false
        case .key(let key): key == model._$state.key
        case .object(let object): object === model
        }
    }
}
