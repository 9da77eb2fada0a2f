import StrataModels
import StrataRepository

extension UnitOfWork {
    /// Throws unless an object can become one of `descriptor`'s class.
    func checkClassChange(of model: any PersistentModel, to type: any PersistentModel.Type) throws {
        let (_, entity) = try place(of: type)
        let old = Swift.type(of: model)._$descriptor
        guard model._$state.phase == .registered else {
            throw SwiftDataError(
                .modelNotFound,
                "A \(old.entityName) that is not saved, or is deleted, cannot change its class. Save it first, or make a "
                    + "\(entity.name).", identifiers: [model.persistentModelID])
        }
        guard old.root === entity.descriptor.root else {
            throw SwiftDataError(
                .unsupportedFeature,
                "A \(old.entityName) cannot become a \(entity.name): an object changes its class within its hierarchy only, and "
                    + "\(old.entityName) and \(entity.name) have no common superclass.",
                identifiers: [model.persistentModelID])
        }
        guard !entity.descriptor.isAbstract else { throw entity.noObjects }
        guard old !== entity.descriptor else {
            throw SwiftDataError(
                .invalidValue, "The object is a \(entity.name) already.", identifiers: [model.persistentModelID])
        }
    }

    /// Lets a new object of another class stand for the row of `model`, which leaves the context. It has the values and
    /// relationships that both classes have, and the defaults of the others.
    ///
    /// Call within a transaction: when that fails, memory is as it was before.
    func changeClass(of model: any PersistentModel, to descriptor: ModelDescriptor) throws -> any PersistentModel {
        let (session, entity) = try place(of: descriptor.type)
        let state = model._$state
        let old = type(of: model)._$descriptor
        let new = descriptor.objectWithDefaults()
        let shared = old.properties(sharedWith: descriptor)
        let values = shared.compactMap { old.properties[$0].currentValue(of: model) }
        session.remove(state)
        state.unregister()
        state.phase = .detached
        session.add(new, key: state.key, entity: entity, phase: .registered)
        new._$state.readStamp = stamps.read
        put(values, into: new)
        var moves = ReplacedObjects()
        moves.replace(model, by: new)
        var saved = Journal()
        saved.append(.left(model))
        saved.append(.converted(new))
        saved.append(moves.apply(to: [], registeredIn: session))
        noteSaved(saved)
        unsaved.classChange = ClassChange(new, from: old)
        mayHoldCycles = true
        noteEdit()
        return new
    }
}

extension EntityMapping {
    /// Why there can be no object of this class.
    var noObjects: SwiftDataError {
        let subclasses = descendants.filter { !$0.descriptor.isAbstract }.map(\.name)
        return SwiftDataError(
            .modelValidationFailure,
            "There are no objects of \(name) itself (isAbstract). Make one of a subclass"
                + (subclasses.isEmpty ? "." : ": \(subclasses.joined(separator: ", "))."))
    }
}

extension ModelDescriptor {
    /// The slots of the properties of the closest common superclass.
    func properties(sharedWith other: ModelDescriptor) -> Range<Int> {
        var common: ModelDescriptor? = self
        while let descriptor = common, !other.inherits(from: descriptor) { common = descriptor.superclass }
        return 0..<(common?.properties.count ?? 0)
    }
}
