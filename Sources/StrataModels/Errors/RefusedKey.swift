/// A key of a patch that was refused: where it stands, and why.
public struct RefusedKey: Sendable, Hashable, CustomStringConvertible {
    /// Why a key was refused.
    public enum Reason: String, Sendable, Hashable {
        /// The class has no such property.
        case unknown = "no such property"
        /// The patch may not write it.
        case notAllowed = "not allowed"
        /// The patch would make a new object.
        case newObject = "would make a new object"
        /// The patch names an object that is not at the relationship, which the patch may not write.
        case otherObject = "an object that is not there"
    }

    /// The place in the body, such as `bucketList[2].title`.
    public let path: String
    /// The class whose property it would be.
    public let entityName: String
    /// The key: the name of a property, `class`, `persistentModelID`, or whatever the client sent.
    public let key: String
    /// Why it was refused.
    public let reason: Reason

    package init(_ key: String, of entityName: String, at path: String, _ reason: Reason) {
        self.path = path
        self.entityName = entityName
        self.key = key
        self.reason = reason
    }

    /// `Trip.title at bucketList[0].trip.title (not allowed)`. A key that is no property is shortened, and shown as a literal.
    public var description: String {
        let place = path == key ? "" : " at \(Self.shown(path))"
        return "\(entityName).\(Self.shown(key))\(place) (\(reason.rawValue))"
    }

    /// What a client sent must not end a line of a log, nor fill it.
    private static func shown(_ text: String) -> String {
        let isPlain = text.utf8.count <= 100 && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        return isPlain ? text : String(text.prefix(60)).debugDescription
    }
}

extension SwiftDataError {
    /// What a patch that names such keys throws.
    package static func refused(_ keys: [RefusedKey]) -> SwiftDataError {
        let shown = keys.prefix(10).map(\.description).joined(separator: ", ")
        let others = keys.count > 10 ? " and \(keys.count - 10) others" : ""
        var error = SwiftDataError(
            .refusedPatch,
            "A patch names what it may not write: \(shown)\(others). Nothing was changed. Allow it in the call, leave it out of "
                + "the body, or pass otherKeys: .ignored.")
        error.refusedKeys = keys
        return error
    }
}
