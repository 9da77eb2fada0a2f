public import StrataModels
import StrataRepository

extension ModelContext {
    /// What blocking callers get as `model(for:)`: it throws in the module Strata, and does not in the module SwiftData.
    package func blockingModel(for identifier: PersistentIdentifier) throws -> any PersistentModel {
        if let model = unit.registered(identifier) { return model }
        return try found(perform(fetching(identifier)), identifier)
    }

    /// What asynchronous callers get as `model(for:)`: see the module Strata.
    package func suspendingModel(for identifier: PersistentIdentifier) async throws -> any PersistentModel {
        if let model = unit.registered(identifier) { return model }
        return try found(await perform(fetching(identifier)), identifier)
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
            return try blockingModel(for: identifier) as? T
        } catch SwiftDataError.modelNotFound {
            return nil
        }
    }

    /// What sources written for SwiftData get as `model(for:)`, which cannot throw: see the module SwiftData.
    ///
    /// When there is no such object, one without values stands in, and the next `save()` throws why.
    package func modelOrStandIn(for identifier: PersistentIdentifier) -> any PersistentModel {
        do {
            return try blockingModel(for: identifier)
        } catch {
            unit.report(
                (error as? SwiftDataError)
                    ?? SwiftDataError(
                        .storeFailure, "The \(identifier.entityName) was not read: \(error)", identifiers: [identifier])
            )
        }
        let descriptor = container.schema.entitiesByName[identifier.entityName]?.descriptor
        let known = descriptor ?? UnknownModel._$descriptor
        return withUnloadedRow(known) { known.instance(from: &$0) }
    }

    private func fetching(_ identifier: PersistentIdentifier) throws -> StoreCall<KeyedFetchExecution> {
        let fetch = try KeyedFetchExecution(identifier, unit: unit)
        return StoreCall(fetch, in: fetch.session, for: "fetch \(identifier.entityName)")
    }

    private func found(_ fetch: StoreCall<KeyedFetchExecution>, _ identifier: PersistentIdentifier) throws
        -> any PersistentModel
    {
        guard let model = fetch.operation.result.first else {
            throw SwiftDataError(
                .modelNotFound,
                "There is no \(identifier.entityName) with this identifier: it was deleted, or never saved.",
                identifiers: [identifier])
        }
        return model
    }
}

/// Stands in for an object of a class that the container does not have.
@Model final class UnknownModel {
    init() {}
}
