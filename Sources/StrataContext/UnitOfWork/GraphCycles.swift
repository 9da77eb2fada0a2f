import StrataModels

/// Objects that hold each other, taken apart so that they can be freed.
enum GraphCycles {
    private struct Step {
        let model: any PersistentModel
        let relationships: [RelationshipProperty]
        var relationship = 0
        var targets: [any PersistentModel]?
        var target = 0

        init(_ model: any PersistentModel) {
            self.model = model
            relationships = type(of: model)._$descriptor.relationships
        }
    }

    /// Cuts every reference that leads back to where it came from, and no other: what is left holds as much as it can
    /// without a cycle. A to-one end that is cut keeps the key of its target; a to-many end is not loaded any more.
    static func cut(_ models: [any PersistentModel]) {
        var isFinished: [ObjectIdentifier: Bool] = [:]
        var path: [Step] = []
        for model in models where isFinished[ObjectIdentifier(model)] == nil {
            isFinished[ObjectIdentifier(model)] = false
            path.append(Step(model))
            while let last = path.indices.last {
                guard let next = advance(&path[last], isFinished) else {
                    isFinished[ObjectIdentifier(path[last].model)] = true
                    path.removeLast()
                    continue
                }
                isFinished[ObjectIdentifier(next)] = false
                path.append(Step(next))
            }
        }
    }

    /// The next object that was not seen yet; cuts what leads to one that the path goes through.
    private static func advance(_ step: inout Step, _ isFinished: [ObjectIdentifier: Bool]) -> (any PersistentModel)? {
        while step.relationship < step.relationships.count {
            let property = step.relationships[step.relationship]
            let targets = step.targets ?? property.loadedObjects(of: step.model)
            step.targets = targets
            while step.target < targets.count {
                let target = targets[step.target]
                step.target += 1
                switch isFinished[ObjectIdentifier(target)] {
                case nil: return target
                case true?: continue
                case false?:
                    cut(property, of: step.model, to: target)
                    // A to-many end is let go as a whole.
                    if !property.isToOne { step.target = targets.count }
                }
            }
            step.relationship += 1
            step.targets = nil
            step.target = 0
        }
        return nil
    }

    private static func cut(
        _ property: RelationshipProperty, of model: any PersistentModel, to target: any PersistentModel
    ) {
        if property.isToOne {
            let key = target._$state.key
            property.setReference(key == 0 ? .none : .key(key), of: model)
        } else {
            property.setObjects(nil, of: model)
        }
    }
}
