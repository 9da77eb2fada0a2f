import StrataClient

/// The form of an identifier that is one component of a URL's path.
///
/// ```swift
/// let path = "/trips/\(trip.persistentModelID.urlPathComponent)"
/// let id = try PersistentIdentifier(urlPathComponent: request.parameters["trip"], of: Trip.self)
/// let trip: Trip? = try await context.existingModel(for: id)
/// ```
extension PersistentIdentifier {
    /// Class, key and store as one component of a URL's path, such as `Trip.17.6f9619ff-8b86-d011-b42d-00cf4fc964ff`.
    ///
    /// The same in every process, as long as the database lives, restored dumps included. Made of letters and digits of ASCII and
    /// `-._~`, which no URL escapes. It says nothing but where the row is: neither address nor name of the database. An object
    /// that was never inserted has a component that ``init(urlPathComponent:)`` refuses.
    public var urlPathComponent: String {
        "\(EscapedText.escaped(entityName)).\(key.identifierText).\(EscapedText.escaped(storeIdentifier ?? ""))"
    }

    /// The identifier that ``urlPathComponent`` has written.
    ///
    /// Nothing is sent: whether the object exists, a fetch says.
    /// - Throws: ``SwiftDataError`` with the code `invalidIdentifier` for anything else than such a component. The text is in
    ///   its `debugDescription` only.
    public init(urlPathComponent text: String) throws {
        guard let identifier = Self.read(text) else { throw Self.garbage(text, "an identifier") }
        self = identifier
    }

    /// The identifier of a `Model`, or of an object of one of its subclasses, that ``urlPathComponent`` has written.
    ///
    /// For what a client sent: `/trips/Account.3.…` does not reach an account. A subclass is known once a container with it was
    /// made.
    /// - Throws: ``SwiftDataError`` with the code `invalidIdentifier`, also for an identifier of another class.
    public init<Model: PersistentModel>(urlPathComponent text: String, of _: Model.Type) throws {
        let descriptor = Model._$descriptor
        let parts = descriptor.keyParts.map(\.kind)
        guard let identifier = Self.read(text, as: { descriptor.descendant(named: $0)?.keyKind }),
            parts.isEmpty || identifier.key.parts(parts) != nil
        else {
            throw Self.garbage(text, "the identifier of a \(Model._$descriptor.entityName)")
        }
        self = identifier
    }

    /// What is longer is none of ours: names of classes and stores are short, and keys are of 2,704 bytes at most (`RowKey.init(foreign:)`).
    private static let (longestNames, longestComponent) = (2_000, 10_000)

    /// - Parameter keyKind: what the keys of a class are; `nil` for a class that is not asked for.
    private static func read(_ text: String, as keyKind: ((String) -> RowKey.Kind?)? = nil) -> PersistentIdentifier? {
        guard text.utf8.count <= longestComponent else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count + parts[2].utf8.count < longestNames,
            let entity = EscapedText.unescaped(parts[0]), let store = EscapedText.unescaped(parts[2]),
            !entity.isEmpty, !store.isEmpty
        else { return nil }
        // A key of text may be kept for ever: it is made when all else is known to be right.
        if let keyKind, (keyKind(entity) == .text) != parts[1].hasPrefix("_") { return nil }
        guard let key = RowKey(identifierText: parts[1]), key.isFinal, keyKind == nil || keyKind?(entity) == key.kind
        else { return nil }
        let identifier = PersistentIdentifier(identity: EntityIdentity(store: store, entityName: entity), key: key)
        // One object, one text: neither `+17` nor `017` nor escapes of what needs none.
        return identifier.urlPathComponent.utf8.elementsEqual(text.utf8) ? identifier : nil
    }

    private static func garbage(_ text: String, _ expected: String) -> SwiftDataError {
        SwiftDataError(
            .invalidIdentifier,
            "A component of a path is not \(expected) (Entity.key.store). Answer the request as one for something that does "
                + "not exist.", details: "It is \(String(text.prefix(200)).debugDescription).")
    }
}
