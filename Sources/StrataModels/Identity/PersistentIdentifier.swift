package import StrataClient

/// Names one object for ever: the store it lives in, its class and its key.
///
/// Equal in every context and process, stable from `insert` on. It crosses isolation and is `Codable`: its encoded form
/// is one string (``description``), fit for URLs, queues and JSON.
///
/// ```swift
/// let id = trip.persistentModelID
/// let same = try await otherContext.existingModel(for: id)
/// ```
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Sendable {
    package let identity: EntityIdentity
    /// The row's key; negative for an object that was never inserted.
    package let key: RowKey

    package init(identity: EntityIdentity, key: RowKey) {
        self.identity = identity
        self.key = key
    }

    /// The identifier itself: it has no shorter form.
    public var id: PersistentIdentifier { self }
    /// The concrete class of the object, also when it was fetched by a superclass.
    public var entityName: String { identity.entityName }
    /// The store: which database and which PostgreSQL schema in it. `nil` for an object that was never inserted.
    public var storeIdentifier: String? { identity.store }
    /// Whether the object was never inserted into a context. Strata gives final identifiers at `insert`.
    public var isTemporary: Bool { identity.store == nil }

    /// Identifiers are equal when store, entity and key are.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.key == rhs.key && lhs.identity == rhs.identity
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }

    /// Orders by entity, then by key (the order of insertion within one process), then by store.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.entityName, lhs.key, lhs.storeIdentifier ?? "") < (rhs.entityName, rhs.key, rhs.storeIdentifier ?? "")
    }
}

extension PersistentIdentifier: CustomStringConvertible {
    /// `strata:<store>/<entity>/<key>`, percent-free as long as the store's identifier is Strata's own.
    public var description: String { "strata:\(storeIdentifier ?? "")/\(entityName)/\(key.identifierText)" }

    /// Reads what ``description`` writes; `nil` for anything else.
    public init?(_ description: String) {
        guard description.hasPrefix("strata:") else { return nil }
        let parts = description.dropFirst("strata:".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, let key = RowKey(identifierText: parts[parts.count - 1]),
            !parts[parts.count - 2].isEmpty
        else {
            return nil
        }
        let store = parts.dropLast(2).joined(separator: "/")
        self.init(
            identity: EntityIdentity(
                store: store.isEmpty ? nil : store, entityName: String(parts[parts.count - 2])), key: key)
    }
}

extension PersistentIdentifier: Codable {
    /// Reads the string that ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for any other string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = PersistentIdentifier(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not a PersistentIdentifier (strata:store/entity/key).")
        }
        self = identifier
    }

    /// Writes ``description``, one string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
