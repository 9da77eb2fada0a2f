import Foundation
import StrataModels

extension PredicateExpressions.TypeCheck: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let operand = try translation.operand(input)
        if operand.isConstant { return try computed(in: translation) }
        guard case .object(let object) = operand else {
            throw translation.unsupported("is \(Desired.self) on \(Translation.name(of: operand))")
        }
        return .value(try translation.check(object, is: Desired.self))
    }
}

extension PredicateExpressions.ConditionalCast: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let operand = try translation.operand(input)
        if operand.isConstant { return try computed(in: translation) }
        guard case .object(let object) = operand else {
            throw translation.unsupported("as? \(Desired.self) on \(Translation.name(of: operand))")
        }
        return try translation.cast(object, to: Desired.self, isForced: false)
    }
}

extension PredicateExpressions.ForceCast: TranslatableNode {
    /// In memory the evaluation throws for an object of another class; in SQL the row is not found.
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let operand = try translation.operand(input)
        if operand.isConstant { return try computed(in: translation) }
        guard case .object(let object) = operand else {
            throw translation.unsupported("as! \(Desired.self) on \(Translation.name(of: operand))")
        }
        return try translation.cast(object, to: Desired.self, isForced: true)
    }
}

extension Translation {
    /// Whether an object is of a class or one of its subclasses.
    fileprivate func check(_ object: ObjectReference, is type: Any.Type) throws -> SQLExpression {
        let desired = try entity(type, for: object)
        if object.entity.descriptor.inherits(from: desired.descriptor) {
            return object.isOptional ? object.presence ?? .true : .true
        }
        guard desired.descriptor.inherits(from: object.scope.entity.descriptor) else { return .false }
        let scope = object.scope
        // The class column where its table is in use anyway; else the subclass's own table, if it has one, is as near.
        let isNear =
            scope.uses(desired.root) || scope.entity === desired.root || scope.readsInLevel(desired)
        guard let ofClass = desired.ownRows ?? (isNear && !scope.uses(desired) ? desired.classCondition : nil) else {
            let key = desired.key.value(of: scope.table(of: desired))
            return .condition("\(key) IS NOT NULL", opposite: "\(key) IS NULL")
        }
        return .condition(
            scope.isOfClass(ofClass), nullness: scope.isOptional ? .falsehood : .never, requires: scope.requires)
    }

    fileprivate func cast(_ object: ObjectReference, to type: Any.Type, isForced: Bool) throws -> PredicateOperand {
        let desired = try entity(type, for: object)
        var result = object
        if object.entity.descriptor.inherits(from: desired.descriptor) { return .object(object) }
        guard desired.descriptor.inherits(from: object.scope.entity.descriptor) else { return .null }
        let token = aliases.token()
        result.cast = (try check(object, is: type).sql, token)
        result.entity = desired
        result.isOptional = !isForced
        result.requires.insert(token)
        return .object(result)
    }

    private func entity(_ type: Any.Type, for object: ObjectReference) throws -> EntityMapping {
        guard let model = unwrappedType(type) as? any PersistentModel.Type, let entity = mapping.entity(for: model)
        else {
            throw unsupported(
                "is or as with \(type), which is no class of this container's schema,",
                "name the class in ModelContainer(for:)")
        }
        return entity
    }
}
