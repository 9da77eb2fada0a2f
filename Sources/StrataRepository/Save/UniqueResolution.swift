import StrataClient
import StrataModels

/// Decides who stands for whom among new objects and the rows they are equal to.
struct UniqueResolution {
    private(set) var rewriting = KeyRewriting()
    private(set) var rekeyed: [(model: any PersistentModel, key: RowKey)] = []
    private(set) var merged: [(loser: any PersistentModel, winner: any PersistentModel)] = []
    private(set) var stale: [(model: any PersistentModel, slots: SlotSet)] = []

    /// - Throws: `uniqueConstraint` when new objects are equal to different rows, to objects of another class, to changed
    ///   objects, or to each other only through a third.
    init(_ findings: UniqueLookup.Findings, _ context: SaveContext) throws {
        let collision = findings.collisions.first { collision in
            // One that keeps its values and stays is found in its row.
            let key = context.changed[collision.changed]._$state.key
            return !findings.matches.contains {
                $0.position == collision.position && $0.key == key && $0.set.isSame(as: collision.set)
            }
        }
        if let collision {
            throw Self.collision(
                context.inserted[collision.position], context.changed[collision.changed], collision.set)
        }
        guard !(findings.duplicates.isEmpty && findings.matches.isEmpty) else { return }
        var groups = Groups(lastWins: context.uniquePolicy != .ignore)
        for duplicate in findings.duplicates { groups.join(duplicate.first, duplicate.second) }
        var byRow: [Int: [RowKey: Int]] = [:]
        for match in findings.matches {
            let root = match.set.owner.root.index
            groups.join(match.position, byRow[root]?[match.key] ?? match.position)
            byRow[root, default: [:]][match.key] = match.position
        }
        var rows: [Int: (key: RowKey, set: UniqueSet)] = [:]
        for match in findings.matches {
            let winner = groups.winner(of: match.position)
            let model = context.inserted[winner]
            if let known = rows[winner], known.key != match.key {
                throw Self.ambiguous(model, known, (match.key, match.set))
            }
            let name = type(of: model)._$descriptor.entityName
            if let stored = match.entityName, stored != name {
                throw Self.otherClass(model, stored, match.set)
            }
            rows[winner] = (match.key, match.set)
        }
        try Self.checkWinners(of: groups, rows, findings, context)
        try settle(groups, rows, context)
        try checkParts(context)
    }

    /// A key is final, and so must be the keys that it is made of.
    private func checkParts(_ context: SaveContext) throws {
        for group in context.inserted.groups {
            let parts = group.entity.partsOfKey.compactMap { $0.property as? RelationshipProperty }
            if parts.isEmpty { continue }
            for model in group.models {
                for part in parts {
                    guard let key = part.reference(of: model).key,
                        let target = group.entity.relationships[part.slot]?.destination,
                        rewriting(key, of: target) != key
                    else { continue }
                    throw Self.movedPart(part, of: model)
                }
            }
        }
    }

    /// An object that wins stands for others: it must have a value of each of them, and of the row that it takes. One after
    /// the other, objects that meet only through a third would become several rows, and which values they end up with
    /// depends on the order.
    private static func checkWinners(
        of groups: Groups, _ rows: [Int: (key: RowKey, set: UniqueSet)], _ findings: UniqueLookup.Findings,
        _ context: SaveContext
    ) throws {
        var met: [Int: Set<Int>] = [:]
        for duplicate in findings.duplicates { met[duplicate.first, default: []].insert(duplicate.second) }
        let matched = Set(findings.matches.map(\.position))
        for position in groups.positions {
            let winner = groups.winner(of: position)
            if position == winner {
                if let row = rows[winner], !matched.contains(winner) {
                    throw chained(context.inserted[winner], row.key, findings)
                }
            } else if met[position]?.contains(winner) != true {
                throw chained(context.inserted[position], context.inserted[winner], findings)
            }
        }
    }

    private mutating func settle(
        _ groups: Groups, _ rows: [Int: (key: RowKey, set: UniqueSet)], _ context: SaveContext
    ) throws {
        for position in groups.positions {
            let winner = groups.winner(of: position)
            let model = context.inserted[position]
            let winning = context.inserted[winner]
            let key = rows[winner]?.key
            guard let entity = context.mapping.entity(for: type(of: model)) else { continue }
            if position != winner {
                guard type(of: model) == type(of: winning) else { throw Self.mixedClasses(model, winning) }
                guard !entity.isKeyMade else { throw Self.otherKey(model, entity) }
                merged.append((model, winning))
                rewriting.replace(model._$state.key, of: entity, by: key ?? winning._$state.key)
            } else if let key {
                guard !entity.isKeyMade || key == model._$state.key else { throw Self.otherKey(model, entity) }
                rekeyed.append((model, key))
                rewriting.replace(model._$state.key, of: entity, by: key)
                let kept = Self.slotsOfRow(model, context)
                if !kept.isEmpty { stale.append((model, kept)) }
            }
        }
    }

    /// What a row keeps that a new object stands for.
    private static func slotsOfRow(_ model: any PersistentModel, _ context: SaveContext) -> SlotSet {
        let properties = type(of: model)._$descriptor.properties
        if context.uniquePolicy == .ignore { return SlotSet(properties.indices) }
        guard let entity = context.mapping.entity(for: type(of: model)),
            let updated = context.uniquePolicy.updatedSlots(of: entity.descriptor)
        else { return SlotSet() }
        return SlotSet(
            properties.indices.filter { entity.columns[$0] != nil && !entity.isKey($0) && !updated.contains($0) })
    }

    // MARK: Errors

    private static func ambiguous(
        _ model: any PersistentModel, _ one: (key: RowKey, set: UniqueSet), _ other: (key: RowKey, set: UniqueSet)
    ) -> SwiftDataError {
        let identity = model._$state.identity ?? EntityIdentity(store: nil, entityName: one.set.owner.name)
        return SwiftDataError(
            .uniqueConstraint,
            "A new \(type(of: model)._$descriptor.entityName) has the values of two stored objects: of one in "
                + "\(one.set.names), of another in \(other.set.names). Strata does not guess which is meant: fetch the one you "
                + "want to change, and change it.",
            identifiers: [
                PersistentIdentifier(identity: identity, key: one.key),
                PersistentIdentifier(identity: identity, key: other.key),
            ])
    }

    /// Which properties of new objects are equal to something.
    private static func names(_ findings: UniqueLookup.Findings) -> String {
        var names: [String] = []
        for set in findings.duplicates.map(\.set) + findings.matches.map(\.set) where !names.contains(set.names) {
            names.append(set.names)
        }
        return names.joined(separator: " or ")
    }

    private static func chained(
        _ one: any PersistentModel, _ other: any PersistentModel, _ findings: UniqueLookup.Findings
    ) -> SwiftDataError {
        SwiftDataError(
            .uniqueConstraint,
            "Two new \(type(of: one)._$descriptor.entityName) objects have no unique value in common, but both have one of the "
                + "same third object, in \(names(findings)). Strata does not guess which values are meant: insert only those "
                + "objects that are to be stored, or save one after the other.",
            identifiers: [one.persistentModelID, other.persistentModelID])
    }

    private static func chained(
        _ winner: any PersistentModel, _ key: RowKey, _ findings: UniqueLookup.Findings
    ) -> SwiftDataError {
        var identifiers = [winner.persistentModelID]
        if let identity = winner._$state.identity {
            identifiers.append(PersistentIdentifier(identity: identity, key: key))
        }
        return SwiftDataError(
            .uniqueConstraint,
            "A new \(type(of: winner)._$descriptor.entityName) has no unique value of a stored object, but another new object has "
                + "one of both, in \(names(findings)). Strata does not guess which values are meant: insert only those objects "
                + "that are to be stored, or save one after the other.",
            identifiers: identifiers)
    }

    private static func collision(
        _ new: any PersistentModel, _ changed: any PersistentModel, _ set: UniqueSet
    ) -> SwiftDataError {
        SwiftDataError(
            .uniqueConstraint,
            "A new \(type(of: new)._$descriptor.entityName) has the \(set.names) of an object with unsaved changes. Give one of "
                + "them another value, or change that object instead of inserting one.",
            identifiers: [new.persistentModelID, changed.persistentModelID])
    }

    private static func otherClass(
        _ model: any PersistentModel, _ stored: String, _ set: UniqueSet
    ) -> SwiftDataError {
        SwiftDataError(
            .uniqueConstraint,
            "A new \(type(of: model)._$descriptor.entityName) has the \(set.names) of a stored \(stored). An object cannot "
                + "change its class: delete the stored one first, or change it instead.",
            identifiers: [model.persistentModelID])
    }

    private static func movedPart(_ part: RelationshipProperty, of model: any PersistentModel) -> SwiftDataError {
        let destination = part.destination.entityName
        return SwiftDataError(
            .uniqueConstraint,
            "A new \(type(of: model)._$descriptor.entityName) has a new \(destination) for \(part.qualifiedName), which is part of its key, and "
                + "that \(destination) has the unique value of another one: it would get another key. Save the \(destination) first, or fetch "
                + "the one that is there.",
            identifiers: [model.persistentModelID])
    }

    /// An object of which a part of its key cannot become another one's.
    private static func otherKey(_ model: any PersistentModel, _ entity: EntityMapping) -> SwiftDataError {
        let parts = entity.keySlots.map { entity.descriptor.properties[$0].qualifiedName }.joined(separator: ", ")
        return SwiftDataError(
            .uniqueConstraint,
            "A new \(entity.name) has a unique value of an object with another key. Its key is "
                + "\(parts), and is final: change that object instead of "
                + "inserting one, or give this one another value.",
            identifiers: [model.persistentModelID])
    }

    private static func mixedClasses(_ one: any PersistentModel, _ other: any PersistentModel) -> SwiftDataError {
        SwiftDataError(
            .uniqueConstraint,
            "A new \(type(of: one)._$descriptor.entityName) and a new \(type(of: other)._$descriptor.entityName) have the "
                + "same unique values. Insert one of them only.",
            identifiers: [one.persistentModelID, other.persistentModelID])
    }

    /// Objects that are equal to each other, directly or through others; each group has one winner.
    private struct Groups {
        let lastWins: Bool
        private var parents: [Int: Int] = [:]

        init(lastWins: Bool) { self.lastWins = lastWins }

        var positions: [Int] { parents.keys.sorted() }

        func winner(of position: Int) -> Int {
            var current = position
            while let parent = parents[current], parent != current { current = parent }
            return current
        }

        mutating func join(_ one: Int, _ other: Int) {
            let first = winner(of: one)
            let second = winner(of: other)
            let winner = lastWins ? max(first, second) : min(first, second)
            for position in [one, other, first, second] { parents[position] = parents[position] ?? position }
            parents[first] = winner
            parents[second] = winner
            parents[one] = winner
            parents[other] = winner
        }
    }
}
