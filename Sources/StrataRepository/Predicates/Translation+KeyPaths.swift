import StrataModels

extension Translation {
    /// What a key path reads of an object, and the property whose whole value it is; `nil` where that has no column.
    ///
    /// Throws ``SwiftDataError`` with the code `unsupportedKeyPath`.
    func operand(
        of keyPath: AnyKeyPath, at object: ObjectReference
    ) throws -> (operand: PredicateOperand, property: AnyAttributeProperty?)? {
        let descriptor = object.entity.descriptor
        let known = CodablePart.known(keyPath, from: descriptor)
        if known == nil, let steps = SortPath().steps(of: keyPath, from: descriptor) {
            return (try follow(steps, from: object), steps.last as? AnyAttributeProperty)
        }
        if known == nil, let steps = CountPath.steps(of: keyPath, from: descriptor),
            case .sequence(let objects) = try follow(steps, from: object)
        {
            return (.value(try value(.count(objects))), nil)
        }
        guard let part = try known ?? CodablePart.named(by: keyPath, from: descriptor),
            case .json(let value) = try follow(part.steps, from: object)
        else { return nil }
        return (.json(value.appending(part)), nil)
    }

    /// What is at the end of relationships and a property.
    func follow(_ steps: [any ModelProperty], from object: ObjectReference) throws -> PredicateOperand {
        var operand = PredicateOperand.object(object)
        for step in steps {
            guard case .object(let owner) = operand else { break }
            operand = try property(step, of: owner)
        }
        return operand
    }
}
