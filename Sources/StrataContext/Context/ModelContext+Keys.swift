public import Foundation
import StrataClient
public import StrataModels
import StrataRepository

/// Objects by the keys that their classes declare: `@Attribute(.primaryKey) var id: UUID`.
extension ModelContext {
    /// The object with this key: from memory, else from the store. At most one round trip.
    ///
    /// ```swift
    /// let user = try await context.model(User.self, id: id)
    /// ```
    /// - Throws: ``SwiftDataError`` with the code `modelNotFound` when there is no such row, and `invalidIdentifier` when the class has keys of
    ///   another kind.
    public func model<T: PersistentModel>(_ type: T.Type, id: UUID) async throws -> T {
        try found(await existingModel(type, RowKey(id)), type, "\(id.uuidString.lowercased())")
    }

    /// The object with this key: from memory, else from the store; blocks this thread. As the asynchronous form.
    public func model<T: PersistentModel>(_ type: T.Type, id: UUID) throws -> T {
        try found(existingModel(type, RowKey(id)), type, "\(id.uuidString.lowercased())")
    }

    /// The object with this key. As with a `UUID`; also of a class whose keys Strata gives.
    public func model<T: PersistentModel>(_ type: T.Type, id: Int) async throws -> T {
        try found(await existingModel(type, RowKey(Int64(id))), type, "\(id)")
    }

    /// The object with this key; blocks this thread. As the asynchronous form.
    public func model<T: PersistentModel>(_ type: T.Type, id: Int) throws -> T {
        try found(existingModel(type, RowKey(Int64(id))), type, "\(id)")
    }

    /// The object with this key. As with a `UUID`, of a class whose keys are texts: byte by byte, as the server tells them apart.
    public func model<T: PersistentModel>(_ type: T.Type, id: String) async throws -> T {
        try found(await existingModel(type, RowKey(text: id)), type, nil, details: id)
    }

    /// The object with this key; blocks this thread. As the asynchronous form.
    public func model<T: PersistentModel>(_ type: T.Type, id: String) throws -> T {
        try found(existingModel(type, RowKey(text: id)), type, nil, details: id)
    }

    /// The object with this key, or `nil` when there is no such row or it is of another class. At most one round trip, and none for an object in
    /// memory.
    ///
    /// - Throws: ``SwiftDataError`` with the code `invalidIdentifier` when the class has keys of another kind.
    public func existingModel<T: PersistentModel>(_ type: T.Type, id: UUID) async throws -> T? {
        try await existingModel(type, RowKey(id))
    }

    /// The object with this key, or `nil`; blocks this thread. As the asynchronous form.
    public func existingModel<T: PersistentModel>(_ type: T.Type, id: UUID) throws -> T? {
        try existingModel(type, RowKey(id))
    }

    /// The object with this key, or `nil`. As with a `UUID`; also of a class whose keys Strata gives.
    public func existingModel<T: PersistentModel>(_ type: T.Type, id: Int) async throws -> T? {
        try await existingModel(type, RowKey(Int64(id)))
    }

    /// The object with this key, or `nil`; blocks this thread. As the asynchronous form.
    public func existingModel<T: PersistentModel>(_ type: T.Type, id: Int) throws -> T? {
        try existingModel(type, RowKey(Int64(id)))
    }

    /// The object with this key, or `nil`. As with a `UUID`, of a class whose keys are texts.
    public func existingModel<T: PersistentModel>(_ type: T.Type, id: String) async throws -> T? {
        try await existingModel(type, RowKey(text: id))
    }

    /// The object with this key, or `nil`; blocks this thread. As the asynchronous form.
    public func existingModel<T: PersistentModel>(_ type: T.Type, id: String) throws -> T? {
        try existingModel(type, RowKey(text: id))
    }

    /// The object whose key these values are, in the order of `#PrimaryKey`: from memory, else from the store. At most one round trip.
    ///
    /// ```swift
    /// let detail = try await context.model(OrderDetail.self, key: order.persistentModelID, product.persistentModelID)
    /// let reading = try await context.model(Reading.self, key: sensor, "Vienna", 12)
    /// ```
    /// - Throws: ``SwiftDataError`` with the code `modelNotFound` when there is no such row, and `invalidIdentifier` when the parts are not those of
    ///   the class's key.
    public func model<T: PersistentModel>(_ type: T.Type, key parts: any KeyPartValue...) async throws -> T {
        try found(await existingModel(type, key(of: type, parts)), type, nil)
    }

    /// The object whose key these values are; blocks this thread. As the asynchronous form.
    public func model<T: PersistentModel>(_ type: T.Type, key parts: any KeyPartValue...) throws -> T {
        try found(existingModel(type, key(of: type, parts)), type, nil)
    }

    /// The object whose key these values are, or `nil` when there is no such row. As `model(_:key:)`.
    public func existingModel<T: PersistentModel>(_ type: T.Type, key parts: any KeyPartValue...) async throws -> T? {
        try await existingModel(type, key(of: type, parts))
    }

    /// The object whose key these values are, or `nil`; blocks this thread. As the asynchronous form.
    public func existingModel<T: PersistentModel>(_ type: T.Type, key parts: any KeyPartValue...) throws -> T? {
        try existingModel(type, key(of: type, parts))
    }

    private func key<T: PersistentModel>(of type: T.Type, _ parts: [any KeyPartValue]) throws -> RowKey? {
        let (session, entity) = try unit.place(of: type)
        let expected = entity.descriptor.keyParts
        let fits =
            expected.count == parts.count
            && zip(expected, parts).allSatisfy { $0.takes($1, of: session.store.identifier) }
        guard fits else {
            throw SwiftDataError(
                .invalidIdentifier,
                "A \(type) was asked for by \(parts.count) parts of a key: "
                    + (expected.isEmpty
                        ? "its key has one column. Ask by model(\(type).self, id: …), or by the persistentModelID."
                        : "give a value for each of \(expected.map(\.property.name).joined(separator: ", ")), in this order, and the "
                            + "persistentModelID of an object of this store for a relationship."))
        }
        let keys = parts.compactMap(\.rowKey)
        return keys.count == parts.count ? RowKey(parts: keys) : nil
    }

    // No row has a UUID, or a text, that is no key.

    private func existingModel<T: PersistentModel>(_ type: T.Type, _ key: RowKey?) async throws -> T? {
        guard let identifier = try identifier(of: type, key) else { return nil }
        return try await existingModel(for: identifier)
    }

    private func existingModel<T: PersistentModel>(_ type: T.Type, _ key: RowKey?) throws -> T? {
        guard let identifier = try identifier(of: type, key) else { return nil }
        return try existingModel(for: identifier)
    }

    private func identifier<T: PersistentModel>(of type: T.Type, _ key: RowKey?) throws -> PersistentIdentifier? {
        let (session, entity) = try unit.place(of: type)
        guard let key else { return nil }
        guard entity.key.accepts(key) || entity.key.isSingle else {
            throw SwiftDataError(
                .invalidIdentifier,
                "A \(type) was asked for by one value, and its key is of parts (#PrimaryKey), \(entity.key.description). Ask by these: "
                    + "model(\(type).self, key: …).")
        }
        guard key.kind == entity.keyKind else {
            throw SwiftDataError(
                .invalidIdentifier,
                "A \(type) was asked for by the key \(key), which is \(key.kind.type): keys of \(type) are \(entity.keyKind.type). Ask by a key of "
                    + "that type, or by a predicate on the property that you mean.")
        }
        return PersistentIdentifier(identity: session.store.identities[entity.index], key: key)
    }

    /// - Parameters:
    ///   - key: `nil` for a text, which may be somebody's address.
    ///   - details: the text.
    private func found<T: PersistentModel>(
        _ model: T?, _ type: T.Type, _ key: String?, details: String? = nil
    ) throws -> T {
        guard let model else {
            throw SwiftDataError(
                .modelNotFound,
                "There is no \(type) with \(key.map { "the key \($0)" } ?? "this key"): it was deleted, or never saved.",
                details: details.map { "The key is \(String($0.prefix(200)).debugDescription)." })
        }
        return model
    }
}
