public import StrataModels
import StrataRepository

extension ModelContext {
    /// The object with this identifier: from memory, else from the store; blocks this thread.
    ///
    /// - Throws: ``SwiftDataError`` with the code `modelNotFound` when there is no such row. (SwiftData's returns an
    ///   object that traps when it is used.)
    public func model(for identifier: PersistentIdentifier) throws -> any PersistentModel {
        if let model = unit.registered(identifier) { return model }
        var execution = try KeyedFetchExecution(identifier, unit: unit)
        try perform(&execution, in: execution.session, for: "fetch \(identifier.entityName)")
        return try found(execution.result.first, identifier)
    }

    /// What asynchronous callers get as `model(for:)`: see the module Strata.
    package func suspendingModel(for identifier: PersistentIdentifier) async throws -> any PersistentModel {
        if let model = unit.registered(identifier) { return model }
        return try await readingWhatIsSaved {
            var execution = try KeyedFetchExecution(identifier, unit: unit)
            try await perform(&execution, in: execution.session, for: "fetch \(identifier.entityName)")
            return try found(execution.result.first, identifier)
        }
    }

    /// The object with this identifier, or `nil` when there is no such row or it is of another class. At most one round
    /// trip.
    public func existingModel<T: PersistentModel>(for identifier: PersistentIdentifier, as type: T.Type = T.self)
        async throws -> T?
    {
        do {
            return try await suspendingModel(for: identifier) as? T
        } catch SwiftDataError.modelNotFound {
            return nil
        }
    }

    /// The object with this identifier, or `nil` when there is no such row or it is of another class; blocks this
    /// thread.
    public func existingModel<T: PersistentModel>(for identifier: PersistentIdentifier, as type: T.Type = T.self) throws
        -> T?
    {
        do {
            return try model(for: identifier) as? T
        } catch SwiftDataError.modelNotFound {
            return nil
        }
    }

    private func found(_ model: (any PersistentModel)?, _ identifier: PersistentIdentifier) throws
        -> any PersistentModel
    {
        guard let model else {
            throw SwiftDataError(
                .modelNotFound,
                "There is no \(identifier.entityName) with this identifier: it was deleted, or never saved.",
                identifiers: [identifier])
        }
        return model
    }
}
