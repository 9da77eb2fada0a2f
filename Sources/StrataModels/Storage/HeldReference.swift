/// A ``Reference`` as an object stores it: what it keeps alive is freed without overflowing the stack (``ReleaseRelay``).
@usableFromInline
package enum HeldReference {
    case plain(Reference)
    case relayed(ReleaseRelay)

    @inlinable
    package init(_ reference: Reference) {
        if case .object(let object) = reference { self = .holding(object) } else { self = .plain(reference) }
    }

    @usableFromInline
    static func holding(_ object: any PersistentModel) -> HeldReference {
        ReleaseRelay.stands(before: object) ? .relayed(ReleaseRelay(.object(object))) : .plain(.object(object))
    }

    /// The object that is kept alive, if one is.
    package var object: (any PersistentModel)? {
        switch self {
        case .plain(.object(let object)): return object
        case .plain: return nil
        case .relayed(let relay):
            guard case .object(let object)? = relay.content else { return nil }
            return object
        }
    }

    @usableFromInline package var reference: Reference {
        switch self {
        case .plain(let reference): return reference
        case .relayed(let relay):
            guard case .object(let object)? = relay.content else { return .none }
            return .object(object)
        }
    }
}
