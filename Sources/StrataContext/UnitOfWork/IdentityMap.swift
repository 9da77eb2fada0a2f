import StrataModels
import StrataRepository

/// The objects of a context, by store and key, and where their classes belong.
///
/// Objects are not kept alive by it, but for a few that somebody is likely to ask for next.
struct IdentityMap {
    let sessions: [StoreSession]
    /// Where the classes belong that were asked for first: objects of few classes come in large numbers.
    private var classPlaces: [(session: StoreSession, entity: EntityMapping)] = []
    /// The classes of which new objects have come, and where they belong.
    private var insertable: [(type: ObjectIdentifier, place: ClassPlace)] = []
    private static let classPlacesKept = 8
    /// Objects that are kept in memory until as many others have taken their place.
    private var kept: [[any PersistentModel]] = []

    init(_ sessions: [StoreSession]) {
        self.sessions = sessions
    }

    /// The store and entity of a class; `nil` for one that no store has.
    mutating func place(of descriptor: ModelDescriptor) -> (session: StoreSession, entity: EntityMapping)? {
        // By index: a place in the loop's variable is retained for each that is looked at.
        for index in classPlaces.indices where classPlaces[index].entity.descriptor === descriptor {
            return classPlaces[index]
        }
        for session in sessions {
            guard let entity = session.store.mapping.entity(for: descriptor) else { continue }
            if classPlaces.count < Self.classPlacesKept { classPlaces.append((session, entity)) }
            return (session, entity)
        }
        return nil
    }

    /// Where new objects of a class belong, if it was found before (``keep(_:)``).
    func insertablePlace(of type: any PersistentModel.Type) -> ClassPlace? {
        let type = ObjectIdentifier(type)
        // By index, as above.
        for index in insertable.indices where insertable[index].type == type { return insertable[index].place }
        return nil
    }

    /// Keeps in mind where new objects of a class belong.
    mutating func keep(_ place: ClassPlace) {
        guard insertable.count < Self.classPlacesKept else { return }
        insertable.append((ObjectIdentifier(place.descriptor.type), place))
    }

    /// The store and entity of an identifier; `nil` for one of another container.
    func place(of identifier: PersistentIdentifier) -> (session: StoreSession, entity: EntityMapping)? {
        for session in sessions where session.store.identifier == identifier.storeIdentifier {
            if let entity = session.store.mapping.entity(named: identifier.entityName) { return (session, entity) }
        }
        return nil
    }

    /// The object with this identifier, if it is in memory.
    func object(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
        guard let (session, entity) = place(of: identifier) else { return nil }
        return session.state(key: identifier.key, root: entity.root)?.model
    }

    /// Keeps objects alive until a few other loads have kept theirs.
    mutating func keepForNow(_ models: [any PersistentModel]) {
        if kept.count == 4 { kept.removeFirst() }
        kept.append(models)
    }
}
