import Foundation
import StrataClient
import StrataModels

/// What the steps of one save know of each other: which keys come and go, and which keys stand for others.
struct SaveContext {
    let mapping: StoreMapping
    let conflictPolicy: ConflictPolicy
    let uniquePolicy: UniquePolicy
    let insideTransaction: Bool
    let date: Date
    let inserted: ModelGroups
    let changed: ModelGroups
    let deleted: ModelGroups
    let classChange: ClassChangePlan?
    let claims: TargetClaims
    let storedForms: [ObjectIdentifier: [Int: [UInt8]?]]
    let overwritten: [ObjectIdentifier: SlotSet]
    /// The new objects, and the one that changes its class: references to them may have to wait for their rows.
    let insertedRows: Set<RowPlace>
    /// The keys of deleted objects, by the index of their root.
    let deletedKeys: [Int: Set<RowKey>]
    /// Those of them that rules took along and that the rows must lead to still, by the relationship.
    let followed: [(relationship: RelationshipMapping, keys: [RowKey])]
    /// The hierarchies of which the context has objects; `nil` when nobody says so.
    let registeredRoots: Set<Int>?
    var rewriting = KeyRewriting()
    /// The positions in ordered relationships that are written.
    var positions = PlannedPositions()

    init(_ request: SaveRequest, mapping: StoreMapping) throws {
        try request.uniquePolicy.requireColumns(in: mapping)
        self.mapping = mapping
        conflictPolicy = request.conflictPolicy
        uniquePolicy = request.uniquePolicy
        insideTransaction = request.insideTransaction
        date = request.date
        let staying = request.staying
        inserted = try ModelGroups(staying.inserted, mapping: mapping)
        changed = try ModelGroups(staying.changed, mapping: mapping)
        deleted = try ModelGroups(request.deleted, mapping: mapping)
        claims = request.claims
        storedForms = request.storedForms
        overwritten = request.overwritten
        registeredRoots = request.registeredRoots
        classChange = try request.classChange.map { try ClassChangePlan($0, mapping: mapping) }
        // Asked for only when foreign keys change.
        var rows: Set<RowPlace> = []
        if !staying.changed.isEmpty {
            for group in inserted.groups {
                for model in group.models { rows.insert(RowPlace(model._$state.key, of: group.entity)) }
            }
        }
        if let classChange { rows.insert(classChange.place) }
        insertedRows = rows
        var keys: [Int: Set<RowKey>] = [:]
        for group in deleted.groups {
            keys[group.entity.root.index, default: []].formUnion(group.models.map { $0._$state.key })
        }
        deletedKeys = keys
        followed =
            request.followed.isEmpty ? [] : Self.followed(request.deleted, request.followed)
    }

    private static func followed(
        _ models: [any PersistentModel], _ relationships: [ObjectIdentifier: RelationshipMapping]
    ) -> [(relationship: RelationshipMapping, keys: [RowKey])] {
        var followed: [(relationship: RelationshipMapping, keys: [RowKey])] = []
        var places: [ObjectIdentifier: Int] = [:]
        for model in models {
            guard let relationship = relationships[ObjectIdentifier(model)] else { continue }
            let place = places[ObjectIdentifier(relationship)] ?? followed.count
            if place == followed.count {
                places[ObjectIdentifier(relationship)] = place
                followed.append((relationship, []))
            }
            followed[place].keys.append(model._$state.key)
        }
        return followed
    }

    /// Whether a reference to an object of a class has to wait for a row that this save inserts. An object that changes its class has
    /// its rows already, but for those of the classes that it enters.
    func isNew(_ key: RowKey, of destination: EntityMapping) -> Bool {
        let place = RowPlace(key, of: destination)
        guard insertedRows.contains(place) else { return false }
        guard let classChange, classChange.place == place else { return true }
        return classChange.enteredTables.contains { $0 === destination }
    }

    /// The keys of the new objects that get rows of their own, by the index of their root.
    var newRows: [Int: Set<RowKey>] {
        var rows: [Int: Set<RowKey>] = [:]
        for group in inserted.groups {
            rows[group.entity.root.index, default: []]
                .formUnion(group.keys.lazy.filter { !rewriting.contains($0, of: group.entity) })
        }
        return rows
    }

    /// The key of the row that an object stands for.
    func key(of model: any PersistentModel) -> RowKey {
        let key = model._$state.key
        guard !rewriting.isEmpty, let entity = mapping.entity(for: type(of: model)) else { return key }
        return rewriting(key, of: entity)
    }

    /// Whether a new object stands for a row that is there, or for another new object.
    func isRewritten(_ model: any PersistentModel) -> Bool {
        guard !rewriting.isEmpty, let entity = mapping.entity(for: type(of: model)) else { return false }
        return rewriting.contains(model._$state.key, of: entity)
    }

    /// Whether a new object gives way to a row, or to another new object, that stays as it is.
    func isIgnored(_ model: any PersistentModel) -> Bool {
        uniquePolicy == .ignore && isRewritten(model)
    }

    /// Whether an object goes in this save, or is gone.
    func isDeleted(_ model: any PersistentModel) -> Bool {
        if model._$state.isDeleted { return true }
        guard !deletedKeys.isEmpty, let entity = mapping.entity(for: type(of: model)) else { return false }
        return isDeleted(model._$state.key, of: entity)
    }

    /// Whether a required relationship has a target that stays.
    func hasTarget(_ reference: Reference, of entity: EntityMapping) -> Bool {
        switch reference {
        case .key(let key): !isDeleted(key, of: entity)
        case .object(let target): !isDeleted(target)
        case .none, .unloaded: false
        }
    }

    func isDeleted(_ key: RowKey, of entity: EntityMapping) -> Bool {
        !deletedKeys.isEmpty && deletedKeys[entity.root.index]?.contains(key) == true
    }
}
