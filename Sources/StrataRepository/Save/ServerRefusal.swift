package import StrataClient
package import StrataModels

/// A rule of the model that a statement of ours found broken.
///
/// Plain SQL cannot raise an error of its own making, but a conversion of a text that is no number fails, and the server's
/// message then has the text: which rule, of which relationship, for which object.
package struct ServerRefusal {
    enum Rule: String {
        /// `.deny`, where no foreign key stands for it.
        case deny
        /// The number of objects of a to-many relationship.
        case count
        /// An object changes its class, and others are related to it by a relationship that the new class does not have.
        case leave
        /// An object would go by a rule, and others have moved it away from what it would go with.
        case moved

        /// The class of the object that it is about.
        func subject(of relationship: RelationshipMapping) -> EntityMapping {
            self == .moved ? relationship.destination : relationship.owner
        }

        /// The text to convert, in SQL.
        /// - Parameters:
        ///   - key: an expression for the object's key.
        ///   - number: an expression for a number that belongs to it.
        func text(_ relationship: RelationshipMapping, key: String, number: String = "0") -> String {
            // A text may hold anything: its bytes are written in digits.
            let shown = subject(of: relationship).keyKind == .text ? "encode(convert_to(\(key), 'UTF8'), 'hex')" : key
            return
                "'\(ServerRefusal.mark)\(rawValue):\(relationship.owner.index):\(relationship.property.slot):' || \(shown) || ':' || \(number)"
        }
    }

    static let deny = Rule.deny
    static let count = Rule.count
    static let moved = Rule.moved
    private static let mark = "strata:"

    private let rule: Rule
    private let relationship: RelationshipMapping
    private let key: RowKey
    private let number: Int
    private let underlying: PostgresError

    /// `nil` for any other error.
    package init?(_ error: PostgresError, mapping: StoreMapping) {
        guard error.sqlState == "22P02", let message = error.serverMessage,
            let start = message.firstRange(of: Self.mark)?.upperBound
        else { return nil }
        let parts = message[start...].prefix { $0 == ":" || $0 == "-" || $0.isASCII && ($0.isNumber || $0.isLetter) }
            .split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 5, let rule = Rule(rawValue: String(parts[0])), let entity = Int(parts[1]),
            let slot = Int(parts[2]), let number = Int(parts[4]),
            mapping.entities.indices.contains(entity), mapping.entities[entity].relationships.indices.contains(slot),
            let relationship = mapping.entities[entity].relationships[slot],
            let key = Self.key(parts[3], rule.subject(of: relationship).keyKind)
        else { return nil }
        self.rule = rule
        self.relationship = relationship
        self.key = key
        self.number = number
        underlying = error
    }

    /// A key as ``Rule/text(_:key:number:)`` has written it.
    private static func key(_ text: Substring, _ kind: RowKey.Kind) -> RowKey? {
        guard kind == .text else { return RowKey(text, of: kind) }
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
        }
        return RowKey(text: String(decoding: bytes, as: UTF8.self))
    }

    /// - Parameter store: the store's identifier, to name the object.
    package func error(store: String?) -> SwiftDataError {
        let entity = rule.subject(of: relationship)
        let identity = EntityIdentity(store: store, entityName: entity.name)
        let identifiers = store == nil ? [] : [PersistentIdentifier(identity: identity, key: key)]
        switch rule {
        case .deny:
            return SwiftDataError(
                .deleteDenied,
                "\(relationship.owner.name) cannot be deleted: \(relationship.property.qualifiedName) has an object that stays, "
                    + "and its delete rule is deny. Delete that too, or take it out of the relationship.",
                identifiers: identifiers, underlying: underlying)
        case .count:
            return SaveError.wrongCount(relationship.property, identifiers, count: number)
        case .moved:
            return SwiftDataError(
                .conflict,
                "\(entity.name) would be deleted by \(relationship.property.qualifiedName), and somebody has moved it away from there "
                    + "since it was read. Nothing was saved; refresh it and save again, or save with the policy overwrite, "
                    + "which deletes it.",
                identifiers: identifiers, underlying: underlying)
        case .leave:
            return SwiftDataError(
                .modelValidationFailure,
                "The object cannot change its class: the new one has no place for \(relationship.property.qualifiedName), by which "
                    + "\(number) \(number == 1 ? "object is" : "objects are") related to it. Take them out of the relationship first.",
                underlying: underlying)
        }
    }
}
