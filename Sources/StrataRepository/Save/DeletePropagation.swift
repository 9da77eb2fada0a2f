package import StrataModels

/// Applies delete rules to the objects in memory; rows that are not in memory are left to the server (``DeletePlan``).
///
/// Nothing is changed until ``apply()``. References that are cleared need no `UPDATE`: the server clears them when it deletes
/// the row (`ON DELETE SET NULL`), and the objects follow after the save has succeeded.
package final class DeletePropagation {
    /// A reference of an object that stays to one that goes.
    private struct Cleared {
        let owner: any PersistentModel
        let property: RelationshipProperty
        let target: any PersistentModel
    }

    /// The objects to delete: those that were asked for, then those that rules took along.
    package private(set) var deleted: [any PersistentModel]
    /// Those that a rule took along by what the rows said when they were read, and by which relationship: the rows must say so
    /// still.
    package private(set) var followed: [ObjectIdentifier: RelationshipMapping] = [:]
    /// Who is among them; `nil` until somebody asks.
    private var deletedObjects: Set<ObjectIdentifier>?
    private var cleared: [Cleared] = []
    private let registered: any RegisteredObjects
    private let mapping: StoreMapping
    /// What goes although nothing in memory says so.
    private let plan: DeletePlan
    /// Whether rows of any class may go before that nothing in memory tells of.
    private let followsOthers: Bool
    /// The relationships that updates by predicate set before: an object without unsaved changes may lead elsewhere by then, so that its
    /// row tells, and not the object.
    private let moved: [RelationshipMapping]
    /// What is looked at for the objects of a class, by class, and for the one before: they come in runs.
    private var ends: [ObjectIdentifier: ClassEnds] = [:]
    private var latest: ClassEnds?
    private var referrers: RegisteredReferrers

    /// - Parameters:
    ///   - followsOthers: whether deletions by predicate are carried out before: what is in the way may go with them, which is
    ///     for the server to know.
    ///   - moved: the relationships, each with a foreign key, that updates by predicate set before.
    ///   - refuses: whether it is looked for what is in the way. Without, nothing is thrown, and there is nothing to
    ///     ``apply()``.
    /// - Throws: `deleteDenied` when an object in memory is in the way of a `.deny` rule, or could not do without a deleted
    ///   one.
    package init(
        _ models: [any PersistentModel], mapping: StoreMapping, registered: any RegisteredObjects,
        followsOthers: Bool = false, moved: [RelationshipMapping] = [], refuses: Bool = true
    ) throws {
        self.mapping = mapping
        self.followsOthers = followsOthers
        self.moved = moved
        self.registered = registered
        referrers = RegisteredReferrers(registered)
        guard !models.isEmpty else {
            plan = DeletePlan(nothingOf: mapping)
            deleted = []
            return
        }
        plan = DeletePlan(
            deleting: models.compactMap { mapping.entity(for: type(of: $0))?.root }, mapping: mapping)
        let collection = ModelState.newCollection()
        deleted = models.filter { $0._$state.joins(collection) }
        var next = 0
        while next < deleted.count {
            takeAlong(deleted[next])
            next += 1
        }
        if refuses { for model in deleted { try settle(model) } }
    }

    package func isDeleted(_ model: any PersistentModel) -> Bool {
        if deleted.isEmpty { return false }
        if deletedObjects == nil { deletedObjects = Set(deleted.map { ObjectIdentifier($0) }) }
        return deletedObjects?.contains(ObjectIdentifier(model)) ?? false
    }

    /// - Parameter relationship: what leads to it, if the rows say so too.
    private func delete(_ model: any PersistentModel, by relationship: RelationshipMapping?) {
        if isDeleted(model) {
            if relationship == nil { followed[ObjectIdentifier(model)] = nil }
            return
        }
        deletedObjects?.insert(ObjectIdentifier(model))
        deleted.append(model)
        followed[ObjectIdentifier(model)] = relationship
    }

    private func ends(of model: any PersistentModel) -> ClassEnds? {
        let descriptor = type(of: model)._$descriptor
        if let latest, latest.descriptor === descriptor { return latest }
        if let known = ends[ObjectIdentifier(descriptor)] {
            latest = known
            return known
        }
        guard let entity = mapping.entity(for: descriptor) else { return nil }
        let made = ClassEnds(entity, mapping)
        ends[ObjectIdentifier(descriptor)] = made
        latest = made
        return made
    }

    // MARK: Rules

    /// Whether objects of this hierarchy may go although nothing in memory says so.
    private func mayTakeAlong(_ root: EntityMapping) -> Bool { followsOthers || plan.mayTakeAlong(root) }

    /// Whether an object at the other end of a relationship may have left it by an update by predicate.
    private func isMoved(_ target: any PersistentModel, _ relationship: RelationshipMapping) -> Bool {
        guard !moved.isEmpty, case .inverseForeignKey(let holder, let column) = relationship.storage else {
            return false
        }
        return moved.contains { forward in
            guard case .foreignKey(let own) = forward.storage, forward.owner === holder else { return false }
            return own.name == column.name && isMoved(target, by: forward)
        }
    }

    /// The same for the relationship with the foreign key.
    private func isMoved(_ owner: any PersistentModel, by forward: RelationshipMapping) -> Bool {
        moved.contains { $0 === forward } && owner._$state.phase != .inserted
            && !owner._$state.changedSlots.contains(forward.property.slot)
    }

    /// `.cascade`: the targets go too.
    private func takeAlong(_ model: any PersistentModel) {
        guard let ends = ends(of: model) else { return }
        for (relationship, property) in ends.cascades {
            for target in targets(relationship, property, of: model) where !isMoved(target, relationship) {
                delete(target, by: isStored(relationship, property, of: model, target) ? relationship : nil)
            }
        }
    }

    /// Whether nothing unsaved leads from one object to the other. Without an inverse nobody can say that.
    private func isStored(
        _ relationship: RelationshipMapping, _ property: RelationshipProperty, of model: any PersistentModel,
        _ target: any PersistentModel
    ) -> Bool {
        guard model._$state.phase != .inserted, target._$state.phase == .registered,
            let inverse = property.inverse(of: model, in: target), !target._$state.changedSlots.contains(inverse.slot)
        else { return false }
        // What has a column says itself where it leads.
        if case .inverseForeignKey = relationship.storage { return true }
        return !model._$state.changedSlots.contains(property.slot)
    }

    /// `.deny` and `.nullify`, after it is known what goes. And the relationships without an inverse that lead to the object.
    private func settle(_ model: any PersistentModel) throws {
        guard let ends = ends(of: model) else { return }
        for (relationship, property) in ends.relationships {
            var staying = targets(relationship, property, of: model)
            if staying.isEmpty { continue }
            staying.removeAll { isDeleted($0) }
            guard !staying.isEmpty else { continue }
            switch relationship.property.deleteRule {
            case .deny:
                // What a rule may take along that is not in memory is for the server to know.
                let known = staying.filter { !isMoved($0, relationship) }
                if !known.isEmpty, !mayTakeAlong(relationship.destination.root) {
                    throw Self.denied(model, relationship, known)
                }
            case .nullify, .cascade, .noAction: break
            }
            for target in staying { try disconnect(model, relationship, from: target) }
        }
        for relationship in ends.oneWay {
            for owner in referrers.owners(relationship, of: model) where !isDeleted(owner) {
                guard let property = relationship.property(of: owner) else { continue }
                if property.isToOne, !property.isOptional {
                    if mayTakeAlong(relationship.owner.root) || isMoved(owner, by: relationship) { continue }
                    throw Self.required(model, property, owner)
                }
                cleared.append(Cleared(owner: owner, property: property, target: model))
            }
        }
    }

    /// The other side forgets the object.
    private func disconnect(
        _ model: any PersistentModel, _ relationship: RelationshipMapping, from target: any PersistentModel
    ) throws {
        guard let property = relationship.property(of: model),
            let inverse = property.inverse(of: model, in: target)
        else { return }
        if relationship.property.deleteRule == .noAction, inverse.isToOne { return }
        if inverse.isToOne, !inverse.isOptional {
            if mayTakeAlong(relationship.destination.root) || isMoved(target, relationship) { return }
            throw Self.required(model, inverse, target)
        }
        cleared.append(Cleared(owner: target, property: inverse, target: model))
    }

    /// The objects in memory at the other end: those the object knows, and those that know the object.
    private func targets(
        _ relationship: RelationshipMapping, _ property: RelationshipProperty, of model: any PersistentModel
    ) -> [any PersistentModel] {
        if property.isToOne {
            switch property.reference(of: model) {
            case .object(let target): return isThere(target, relationship, property, of: model) ? [target] : []
            case .key(let key):
                guard let target = registered.state(key: key, root: relationship.destination.root)?.model,
                    isThere(target, relationship, property, of: model)
                else { return [] }
                return [target]
            case .none: return []
            case .unloaded: break
            }
        } else if let objects = property.objects(of: model) {
            return objects.filter { isThere($0, relationship, property, of: model) }
        }
        // Not loaded: the other side may be.
        guard let inverse = relationship.inverse,
            let back = relationship.destination.relationships.first(where: { $0?.property.slot == inverse.slot }) ?? nil
        else { return [] }
        return referrers.owners(back, of: model)
    }

    /// Whether an object is at an end still: its row may have been found gone, and what has a column says itself where it leads
    /// and may have been read since.
    private func isThere(
        _ target: any PersistentModel, _ relationship: RelationshipMapping, _ property: RelationshipProperty,
        of model: any PersistentModel
    ) -> Bool {
        if target._$state.phase == .gone { return false }
        guard case .inverseForeignKey = relationship.storage, let theirs = property.inverse(of: model, in: target),
            theirs.isLoaded(in: target)
        else { return true }
        return theirs.contains(model, in: target)
    }

    // MARK: Apply

    /// Clears the references that stay behind, in memory only.
    ///
    /// - Returns: the objects that changed, with the values they had: one for each property.
    package func apply() -> [(model: any PersistentModel, originals: [OriginalValue])] {
        struct End: Hashable {
            let owner: ObjectIdentifier
            let slot: Int
        }
        var changes: [(model: any PersistentModel, originals: [OriginalValue])] = []
        var positions: [ObjectIdentifier: Int] = [:]
        // An end that loses many is not kept for each of them.
        var kept = Set<End>()
        for entry in cleared where entry.property.contains(entry.target, in: entry.owner) {
            let isFirst =
                entry.property.isToOne
                || kept.insert(End(owner: ObjectIdentifier(entry.owner), slot: entry.property.slot)).inserted
            let original = isFirst ? entry.property.currentValue(of: entry.owner) : nil
            Self.clear(entry)
            guard let original else { continue }
            if let position = positions[ObjectIdentifier(entry.owner)] {
                changes[position].originals.append(original)
            } else {
                positions[ObjectIdentifier(entry.owner)] = changes.count
                changes.append((entry.owner, [original]))
            }
        }
        return changes
    }

    private static func clear(_ entry: Cleared) {
        if entry.property.isToOne {
            entry.property.setReference(.none, of: entry.owner)
        } else {
            entry.property.remove(entry.target, from: entry.owner)
        }
    }

    // MARK: Errors

    private static func denied(
        _ model: any PersistentModel, _ relationship: RelationshipMapping, _ staying: [any PersistentModel]
    ) -> SwiftDataError {
        SwiftDataError(
            .deleteDenied,
            "\(type(of: model)._$descriptor.entityName) cannot be deleted: \(relationship.property.qualifiedName) has "
                + "\(staying.count) object\(staying.count == 1 ? "" : "s"), and its delete rule is deny. Delete them too, or "
                + "take them out of the relationship.",
            identifiers: [model.persistentModelID] + staying.map(\.persistentModelID))
    }

    private static func required(
        _ model: any PersistentModel, _ property: RelationshipProperty, _ owner: any PersistentModel
    ) -> SwiftDataError {
        SwiftDataError(
            .deleteDenied,
            "\(type(of: model)._$descriptor.entityName) cannot be deleted: \(property.qualifiedName) of an object that stays "
                + "refers to it and is not optional. Delete that object too, or let it refer to another.",
            identifiers: [model.persistentModelID, owner.persistentModelID])
    }
}
