extension SnapshotContent {
    /// Throws when the values could not be applied, before anything is.
    ///
    /// - Parameter isNew: whether they are to make a new object, which needs a value for every attribute.
    package func validate(isNew: Bool) throws {
        for case let property as AnyAttributeProperty in descriptor.properties where !property.isEphemeral {
            guard let cell = attributes[property.slot] else {
                guard !isNew || property.isOptional || property.defaultValue != nil || property.isDateOfSaves
                else {
                    throw SwiftDataError(
                        .invalidValue,
                        "\(property.qualifiedName) is neither optional nor has a default, and the snapshot has no value for it."
                    )
                }
                continue
            }
            guard property.snapshotValue(cell) != nil else {
                throw SwiftDataError(.invalidValue, "The snapshot's value of \(property.qualifiedName) cannot be read.")
            }
        }
    }

    /// Gives an object the attributes that the snapshot has; those that are equal already stay as they are, and so do those that the database
    /// computes.
    package func assignAttributes(to model: any PersistentModel) throws {
        for (slot, cell) in attributes.sorted(by: { $0.key < $1.key }) {
            // What is computed is in a snapshot to be shown.
            guard let attribute = descriptor.properties[slot] as? AnyAttributeProperty, !attribute.isGenerated else {
                continue
            }
            try attribute.assign(cell, to: model)
        }
    }
}

extension RelationshipProperty {
    /// Sets the relationship as its setter does, unless it has just these objects already.
    package func assign(_ objects: [any PersistentModel], to owner: any PersistentModel) {
        let current = isToOne ? reference(of: owner).isLoaded ? target(of: owner) : nil : self.objects(of: owner)
        if let current, current.count == objects.count, zip(current, objects).allSatisfy({ $0 === $1 }) { return }
        if isToOne {
            RelationshipEdit.assign(objects.first, to: self, of: owner)
        } else {
            RelationshipEdit.assign(objects, to: self, of: owner)
        }
    }

    /// The object at a to-one end, in an array; `nil` when it is not in memory.
    package func target(of owner: any PersistentModel) -> [any PersistentModel]? {
        switch reference(of: owner) {
        case .none: return []
        case .object(let object): return [object]
        case .key(let key):
            return owner._$state.context?.registered(key: key, root: destination.root).map { [$0] }
        case .unloaded: return nil
        }
    }
}
