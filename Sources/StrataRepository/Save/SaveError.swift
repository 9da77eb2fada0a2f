import StrataClient
package import StrataModels

/// Errors that a save finds by itself, before anything is sent.
package enum SaveError {
    static func unknownClass(_ model: any PersistentModel) -> SwiftDataError {
        let name = type(of: model)._$descriptor.entityName
        return SwiftDataError(
            .unknownSchema,
            "\(name) does not belong to the schema of this container; name the class where the container is made.")
    }

    /// A value that could not be written.
    static func unwritable(_ failure: RowReader.Failure, of model: any PersistentModel) -> SwiftDataError {
        let properties = type(of: model)._$descriptor.properties
        guard failure.slot >= 0, failure.slot < properties.count else {
            return SwiftDataError(.invalidValue, "A value cannot be written.", underlying: failure.error)
        }
        let property = properties[failure.slot]
        if let relationship = property as? RelationshipProperty {
            return missingTarget(relationship, of: model)
        }
        return SwiftDataError(
            .invalidValue, "\(property.qualifiedName) cannot be written: \(failure.error.sentence)",
            identifiers: [model.persistentModelID], underlying: failure.error)
    }

    /// A number that `numeric` would round, or that has too many digits.
    static func imprecise(
        _ property: AnyAttributeProperty, _ precision: NumericPrecision, of model: any PersistentModel
    ) -> SwiftDataError {
        SwiftDataError(
            .invalidValue, "\(property.qualifiedName) \(precision.refusal)", identifiers: [model.persistentModelID])
    }

    static func changedKey(_ property: any ModelProperty, of model: any PersistentModel) -> SwiftDataError {
        SwiftDataError(
            .modelValidationFailure,
            "\(property.qualifiedName) is \(type(of: model)._$descriptor.hasKeyParts ? "part of " : "")the key of the object, and was changed after it was inserted: others may refer to the row by it. "
                + "Set it back, or insert a new object with the other key and delete this one.",
            identifiers: [model.persistentModelID])
    }

    static func paddedKey(
        _ property: any ModelProperty, _ column: String, of model: any PersistentModel
    ) -> SwiftDataError {
        SwiftDataError(
            .modelValidationFailure,
            "\(property.qualifiedName) is part of the key and ends with a blank, which the column \(column) does not tell from what fills it up (char(n)). "
                + "Take the blanks at the end away before the object is inserted.",
            identifiers: [model.persistentModelID])
    }

    static func differentColumn(
        _ column: String, of property: any ModelProperty, and other: any ModelProperty, in model: any PersistentModel
    ) -> SwiftDataError {
        SwiftDataError(
            .modelValidationFailure,
            "\(property.qualifiedName) and \(other.qualifiedName) have the column \(column) in common, and say different things: the object at "
                + "\(property.name) has something else there"
                + (other.isLoaded(in: model)
                    ? ". Set both." : " than what was read, or \(other.name) was not read. Set both."),
            identifiers: [model.persistentModelID])
    }

    /// A relationship that leads to an object with another key than the one that its own object has from `insert` on.
    static func otherKey(
        _ column: String, of property: any ModelProperty, and key: any ModelProperty, in model: any PersistentModel
    ) -> SwiftDataError {
        SwiftDataError(
            .modelValidationFailure,
            "\(property.qualifiedName) and \(key.qualifiedName) have the column \(column) in common, which is the key and final from insert on, and "
                + "the object at \(property.name) has another key. Set \(property.name) back; or insert a new object for the other one, and delete "
                + "this one.",
            identifiers: [model.persistentModelID])
    }

    package static func missingPart(_ part: any ModelProperty, of model: any PersistentModel) -> SwiftDataError {
        SwiftDataError(
            .modelValidationFailure,
            "A \(type(of: model)) was inserted, and \(part.qualifiedName), which is part of its key, has no value that a row can have: "
                + (part is RelationshipProperty
                    ? "it is nil, or its object was not inserted. Set it before you save." : "set it before you save."),
            identifiers: [model.persistentModelID])
    }

    static func missingTarget(_ property: RelationshipProperty, of model: any PersistentModel) -> SwiftDataError {
        let reason =
            switch property.reference(of: model) {
            case .object(let target) where target._$state.key == 0:
                "its \(property.destination.entityName) was not inserted"
            case .object, .key: "its \(property.destination.entityName) is deleted"
            case .unloaded: "it has no value"
            case .none: "it is required and has no value"
            }
        // What the key of the object has cannot be left empty.
        let isOfKey =
            type(of: model)._$descriptor.keySlots.contains(property.slot) || property.metadata.names.columns?.count == 1
        return SwiftDataError(
            .modelValidationFailure,
            "\(property.qualifiedName) cannot be saved: \(reason). Set it, \(isOfKey ? "" : "make it optional, ")or delete the object too.",
            identifiers: [model.persistentModelID])
    }

    /// A row with a new object's unique values was committed after the beginning of a transaction that cannot see it.
    static func unseenRow(_ failure: any Error) -> SwiftDataError {
        SwiftDataError(
            .conflict,
            "Another transaction stored an object with the same unique values after this transaction began, and its isolation "
                + "level does not let it see that object. Do the transaction again from its beginning.",
            details: (failure as? PostgresError)?.debugDescription)
    }

    static func wrongCount(_ property: RelationshipProperty, of model: any PersistentModel, count: Int)
        -> SwiftDataError
    {
        wrongCount(property, [model.persistentModelID], count: count)
    }

    static func wrongCount(_ property: RelationshipProperty, _ identifiers: [PersistentIdentifier], count: Int)
        -> SwiftDataError
    {
        let metadata = property.metadata
        let limit =
            count < metadata.minimumModelCount
            ? "at least \(metadata.minimumModelCount)" : "at most \(metadata.maximumModelCount)"
        return SwiftDataError(
            .modelValidationFailure, "\(property.qualifiedName) has \(count) objects; it must have \(limit).",
            identifiers: identifiers)
    }
}
