import StrataClient
import StrataModels
import StrataRepository

/// Loads what a tree of snapshots needs and objects lack: for each level the missing attributes in one round trip, and the
/// relationships in one.
final class SnapshotLoadExecution: StoreOperation {
    private let session: StoreSession
    private var level: [(tree: SnapshotTree, models: [any PersistentModel])]
    private var running: [(load: RelationshipLoad, tree: SnapshotTree)] = []
    private var hasAttributes = false

    init(_ level: [(tree: SnapshotTree, models: [any PersistentModel])], session: StoreSession) {
        self.session = session
        self.level = level
        session.unit.mayHoldCycles = true
    }

    func next() throws -> PostgresBatch? {
        finishRelationships()
        while !level.isEmpty {
            if !hasAttributes {
                hasAttributes = true
                let batch = try attributes()
                if !batch.isEmpty { return batch }
            }
            hasAttributes = false
            let batch = try relationships()
            if !batch.isEmpty { return batch }
            finishRelationships()
        }
        return nil
    }

    /// Objects of one class that lack the same columns of one table.
    private struct Lack: Hashable {
        let owner: ObjectIdentifier
        let slots: [Int]
    }

    private func attributes() throws -> PostgresBatch {
        var lacking: [Lack: (owner: EntityMapping, models: [any PersistentModel])] = [:]
        for (tree, models) in level {
            for model in models where [.registered, .deleted].contains(model._$state.phase) {
                guard let entity = session.store.mapping.entity(for: type(of: model)) else { continue }
                let slots = missing(in: model, entity, tree)
                for (owner, owned) in Dictionary(grouping: slots, by: { ObjectIdentifier(entity.owner(ofSlot: $0)) }) {
                    guard let slot = owned.first else { continue }
                    lacking[Lack(owner: owner, slots: owned), default: (entity.owner(ofSlot: slot), [])].models.append(
                        model)
                }
            }
        }
        var batch = PostgresBatch()
        for (lack, (owner, models)) in lacking {
            try AttributeLoad(SlotSet(lack.slots), of: owner, in: models).addStatement(to: &batch)
        }
        return batch
    }

    private func missing(in model: any PersistentModel, _ entity: EntityMapping, _ tree: SnapshotTree) -> [Int] {
        let properties = type(of: model)._$descriptor.properties
        var slots = properties.filter { property in
            guard entity.columns[property.slot] != nil, !property.isLoaded(in: model) else { return false }
            guard let attribute = property as? AnyAttributeProperty else {
                return tree.relationships.contains(property.slot)
            }
            return tree.takes(attribute)
        }.map(\.slot)
        let generated = entity.generatedColumns
        guard !generated.isEmpty else { return slots }
        // What memory computes, it computes of these.
        for (slot, column) in generated {
            guard let attribute = properties[slot] as? AnyAttributeProperty, tree.takes(attribute) else { continue }
            slots += column.sources.slots.filter { !properties[$0].isLoaded(in: model) }
        }
        return SlotSet(slots).slots
    }

    private func relationships() throws -> PostgresBatch {
        var batch = PostgresBatch()
        for (tree, models) in level {
            for slot in tree.relationships.sorted() {
                let owners = models.filter {
                    $0._$state.phase != .inserted && type(of: $0)._$descriptor.properties.count > slot
                }
                guard let first = owners.first,
                    let relationship = session.store.mapping.entity(for: type(of: first))?.relationships[slot]
                else { continue }
                let load = RelationshipLoad(relationship, of: owners, registry: session)
                try load.addStatement(to: &batch)
                running.append((load, tree.objects[slot] ?? SnapshotTree()))
            }
        }
        level.removeAll()
        return batch
    }

    private func finishRelationships() {
        for (load, tree) in running {
            load.finish()
            if !load.reached.isEmpty { level.append((tree, load.reached)) }
        }
        running.removeAll()
    }
}
