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
        "\(Self.escaped(entityName)).\(key).\(Self.escaped(storeIdentifier ?? ""))"
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
        guard let identifier = Self.read(text),
            Model._$descriptor.descendant(named: identifier.entityName)?.keyKind == identifier.key.kind
        else {
            throw Self.garbage(text, "the identifier of a \(Model._$descriptor.entityName)")
        }
        self = identifier
    }

    /// What is longer is none of ours: names of classes and stores are short.
    private static let longestComponent = 2_000

    private static func read(_ text: String) -> PersistentIdentifier? {
        guard text.utf8.count <= longestComponent else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let entity = unescaped(parts[0]), let key = RowKey(parts[1]), key.isFinal,
            let store = unescaped(parts[2]), !entity.isEmpty, !store.isEmpty
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

    /// Bytes that are neither letters, digits, `-` nor `_` as `~` and two hexadecimal digits.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            if isPlain(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "~" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return escaped
    }

    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "~") {
                guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else {
                    return nil
                }
                rest = rest.dropFirst(2)
                bytes.append(value)
            } else {
                guard isPlain(byte) else { return nil }
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
