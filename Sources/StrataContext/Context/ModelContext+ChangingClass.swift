public import StrataModels

extension ModelContext {
    /// Makes an object one of another class of its hierarchy: a trip that turns out to be a business trip. It keeps its key, its
    /// relationships and the values that both classes have.
    ///
    /// Everything unsaved is saved with it, in a transaction of its own or in the open one. The returned object stands for the
    /// row from then on, also where other objects in memory refer to it; `model` leaves the context and keeps its values. Values
    /// that only the old class has are gone. If anything throws, context and database are as they were before.
    ///
    /// ```swift
    /// let business = try await context.convert(trip, to: BusinessTrip.self) { $0.perdiem = 90 }
    /// ```
    /// In other contexts the object is replaced when its row is read again, unless it has unsaved changes there. What can be
    /// taken back with an undo manager ends here. Round trips: three, and those of `save()`
    /// when something else is unsaved.
    /// - Parameters:
    ///   - model: a saved object of this context.
    ///   - type: its superclass, a subclass, or another class of the same hierarchy.
    ///   - configure: gives values to the properties that `model` did not have. Those with a default have it already.
    /// - Returns: the object of the new class.
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` for a class of another hierarchy, `modelNotFound` for an object that is
    ///   not saved, `modelValidationFailure` while objects are related to it by a relationship that the new class does not have,
    ///   `conflict` when the row has gone or changed its class meanwhile, `invalidValue` for a property without a value; and
    ///   what `save()` and `configure` throw.
    @discardableResult
    public func convert<New: PersistentModel>(
        _ model: some PersistentModel, to type: New.Type, _ configure: (New) throws -> Void = { _ in }
    ) async throws -> New {
        try requireOwn([model])
        try unit.checkClassChange(of: model, to: type)
        let new = try await suspendingTransactionWithoutSavingFirst { () async throws -> New in
            // What another call of the actor changes in it while the save waits is unsaved after it: that goes along too.
            repeat { try await suspendingSave() } while model.hasChanges
            let new = try converted(model, to: type)
            try configure(new)
            try await suspendingSave()
            return new
        }
        unit.undoManager?.removeAllActions()
        return new
    }

    /// Makes an object one of another class of its hierarchy; blocks this thread. See the asynchronous form.
    @discardableResult
    public func convert<New: PersistentModel>(
        _ model: some PersistentModel, to type: New.Type, _ configure: (New) throws -> Void = { _ in }
    ) throws -> New {
        try requireOwn([model])
        try unit.checkClassChange(of: model, to: type)
        let new = try transactionWithoutSavingFirst { () throws -> New in
            try save()
            let new = try converted(model, to: type)
            try configure(new)
            try save()
            return new
        }
        unit.undoManager?.removeAllActions()
        return new
    }

    private func converted<New: PersistentModel>(_ model: some PersistentModel, to type: New.Type) throws -> New {
        // Saving may have found that the row is gone.
        try unit.checkClassChange(of: model, to: type)
        guard let new = try unit.changeClass(of: model, to: New._$descriptor) as? New else {
            throw SwiftDataError(.unknownSchema, "\(type) is no model. Write @Model before class \(type).")
        }
        return new
    }
}
