package import StrataClient
package import StrataModels

/// Loads one relationship of many objects with one statement: for prefetching, and for lazy loading of all siblings.
package final class RelationshipLoad {
    private let mapping: RelationshipMapping
    private let property: RelationshipProperty
    private let owners: [any PersistentModel]
    private let ownerKeys: [RowKey]
    private let registry: any ObjectRegistry
    private let group: FetchGroup
    private let saveStamp: UInt32
    /// Everything that was loaded, kept alive until the owners hold it.
    private var loaded: [any PersistentModel] = []
    /// Owners that the objects they own kept alive until now.
    private var released: [any PersistentModel] = []
    /// What was loaded of each owner, where the key does not stand on this side.
    @exclusivity(unchecked) private var owned: OwnedObjects

    /// - Parameter owners: objects of the class that declares the relationship, or of its subclasses. One that is there twice,
    ///   because several rows of a fetch were about it, counts once.
    package init(_ mapping: RelationshipMapping, of owners: [any PersistentModel], registry: any ObjectRegistry) {
        self.mapping = mapping
        self.property = mapping.property
        self.registry = registry
        saveStamp = registry.saveStamp
        var keys: [RowKey] = []
        keys.reserveCapacity(owners.count)
        let collection = ModelState.newCollection()
        self.owners = owners.filter { owner in
            let state = owner._$state
            guard state.key != 0, state.phase != .gone, state.joins(collection) else { return false }
            keys.append(state.key)
            return true
        }
        ownerKeys = keys
        if case .foreignKey = mapping.storage { owned = OwnedObjects([]) } else { owned = OwnedObjects(keys) }
        group = FetchGroup(root: mapping.destination.root.descriptor)
    }

    /// What one object refers to is there for it, whatever has become of it; a list is of those that are there.
    private var rows: TableScope.Rows { property.isToOne ? .stored : .present }

    /// Whether the end does not show an object, although its row is at it.
    private func isLeftOut(_ object: any PersistentModel) -> Bool {
        object._$state.isDeleted || rows == .present && object._$isSoftlyDeleted
    }

    /// Adds the statement to send; nothing when everything is in memory already.
    package func addStatement(to batch: inout PostgresBatch) throws {
        let scope = TableScope(mapping.destination, rows, aliases: AliasGenerator())
        switch mapping.storage {
        case .foreignKey: try addTargets(to: &batch, scope)
        case .inverseForeignKey(let holder, let column): try addRows(to: &batch, scope, holder, column)
        case .joinTable(let table, let own, let other): try addPairs(to: &batch, scope, table, own, other)
        }
    }

    private func slotProperty(of owner: any PersistentModel) -> RelationshipProperty? {
        type(of: owner)._$descriptor.relationship(at: property.slot)
    }

    // MARK: The key stands on this side

    private func addTargets(to batch: inout PostgresBatch, _ scope: TableScope) throws {
        let root = mapping.destination.root
        var missing: Set<RowKey> = []
        for owner in owners {
            guard case .key(let key)? = slotProperty(of: owner)?.reference(of: owner) else { continue }
            if let known = registry.state(key: key, root: root)?.model {
                loaded.append(known)
            } else {
                missing.insert(key)
            }
        }
        guard !missing.isEmpty else { return }
        let list = SelectList(mapping.destination, from: scope)
        let condition = scope.selecting(scope.isKey(among: missing.sorted()))
        let sql: SQLFragment = "SELECT \(list.columns) \(scope.from) WHERE \(condition)"
        let decoder = RowDecoder(list, registry: registry, group: group)
        batch.add(
            mapping.destination.reading(
                try sql.statement(name: "load \(property.qualifiedName)", of: mapping.destination.name)),
            onResult: { try decoder.check($0) },
            onRow: { self.loaded.append(try decoder.object(from: $0)) })
    }

    // MARK: The key stands on the other side

    private func addRows(
        to batch: inout PostgresBatch, _ scope: TableScope, _ holder: EntityMapping, _ column: Column
    ) throws {
        guard !owners.isEmpty else { return }
        let list = SelectList(mapping.destination, from: scope)
        let foreignKey = scope.column(named: column.name, of: holder)
        let order = order(scope.keyOrder, mapping.order.map { scope.column(named: $0.position.name, of: holder) })
        let condition = scope.selecting(
            scope.leads(by: column, of: holder, toOneOf: ownerKeys, kind: mapping.owner.keyKind))
        let sql: SQLFragment = "SELECT \(list.columns), \(foreignKey) \(scope.from) WHERE \(condition)\(order)"
        try add(sql, list, ownerColumn: list.count, to: &batch)
    }

    // MARK: Pairs of keys in a table of their own

    private func addPairs(
        to batch: inout PostgresBatch, _ scope: TableScope, _ table: JoinTable, _ own: KeyColumns, _ other: KeyColumns
    ) throws {
        guard !owners.isEmpty else { return }
        let list = SelectList(mapping.destination, from: scope)
        let order = order(scope.keyOrder, mapping.order.map { "j.\(identifier: $0.position.name)" })
        let condition = scope.selecting(own.isAmong(ownerKeys, of: "j"))
        let sql: SQLFragment =
            "SELECT \(list.columns), \(own.value(of: "j")) \(scope.from) JOIN \(table.table) AS j ON \(scope.isTarget(of: other, "j")) WHERE \(condition)\(order)"
        try add(sql, list, ownerColumn: list.count, to: &batch)
    }

    /// By position where the relationship has one, then by key. Rows without a position come last: NULLs do in PostgreSQL.
    /// Without positions the few rows of each owner are put in the order of their keys here: the server would sort all of them.
    private func order(_ key: [SQLFragment], _ position: SQLFragment?) -> SQLFragment {
        position.map { " ORDER BY \(([$0] + key).joined(separator: ", "))" } ?? SQLFragment()
    }

    private func add(_ sql: SQLFragment, _ list: SelectList, ownerColumn: Int, to batch: inout PostgresBatch) throws {
        let decoder = RowDecoder(list, registry: registry, group: group)
        batch.add(
            mapping.destination.reading(
                try sql.statement(name: "load \(property.qualifiedName)", of: mapping.destination.name)),
            onResult: { try decoder.check($0) },
            onRow: { [target = mapping.destination.keyKind, owner = mapping.owner.keyKind] row in
                let object = try decoder.object(from: row)
                self.loaded.append(object)
                self.owned.add(object, row.key(0, target), to: row.key(ownerColumn, owner))
            }, onComplete: { _ in self.finish() })
    }

    // MARK: Handing out

    private var isFinished = false

    /// Puts what was loaded into the owners, with the context's unsaved changes merged in. Call after the batch was
    /// run; it happens when the last row has come, while the server works on what follows.
    ///
    /// Nothing is put in when the context has saved meanwhile: the rows may be from before. What an end shows then is what it
    /// showed, or what reading it loads.
    package func finish() {
        guard !isFinished else { return }
        isFinished = true
        guard registry.saveStamp == saveStamp else { return }
        let stamp = registry.readStamp
        for owner in owners { owner._$state.readStamp = stamp }
        owned.group(byKey: mapping.order == nil)
        if property.isToOne { finishToOne() } else { finishToMany() }
    }

    /// The objects at the other end, each once: the owners of the next level of prefetching.
    package var reached: [any PersistentModel] {
        var seen = Set<ObjectIdentifier>()
        return owners.flatMap { owner in slotProperty(of: owner)?.loadedObjects(of: owner) ?? [] }
            .reduce(into: loaded) { $0.append($1) }
            .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private func finishToOne() {
        switch mapping.storage {
        case .foreignKey: holdTargets()
        case .inverseForeignKey: finishPartners()
        case .joinTable: break
        }
    }

    private func holdTargets() {
        let root = mapping.destination.root
        for owner in owners {
            guard let property = slotProperty(of: owner), case .key(let key) = property.reference(of: owner),
                let target = registry.state(key: key, root: root)?.model
            else { continue }
            // A target that holds the owner already is not held back: no cycle.
            if let inverse = property.inverse(of: owner, in: target), inverse.isLoaded(in: target) { continue }
            property.setReference(.object(target), of: owner)
        }
    }

    /// A partner whose key was known is read as one that was not: the rows say who it is, and nobody else may hold it.
    private func finishPartners() {
        for (index, owner) in owners.enumerated() {
            guard let property = slotProperty(of: owner), isOpen(property, of: owner) else { continue }
            let rows = owned.objects(ofOwnerAt: index)
            let target = isAsStored(rows) ? rows.first : merged(into: rows, of: owner, property).first
            if target !== rows.first {
                let original = OriginalReference(rows.first.map { .object($0) } ?? .none)
                owner._$state.noteMerged(property.slot, original: original)
            }
            property.setReference(target.map { .object($0) } ?? .none, of: owner)
            if let target { releaseOwner(owner, from: target, property) }
        }
        registry.keepForNow(released)
    }

    private func finishToMany() {
        for (index, owner) in owners.enumerated() {
            guard let property = slotProperty(of: owner), isOpen(property, of: owner) else { continue }
            let rows = owned.objects(ofOwnerAt: index)
            let isAsStored = isAsStored(rows)
            let objects = isAsStored ? rows : merged(into: rows, of: owner, property)[...]
            if !isAsStored, rows.contains(where: { $0._$state.phase == .inserted }) {
                // A new object stands for a row that it will update: what the end has without it, a rollback reads again.
                owner._$state.noteMerged(property.slot, original: OriginalObjects(nil))
            } else if !isAsStored, !objects.elementsEqual(rows, by: { $0 === $1 }) {
                let leftOut = rows.filter { isLeftOut($0) && stays($0, with: owner, property) }
                owner._$state.noteMerged(property.slot, original: OriginalObjects(Array(rows), leftOut: leftOut))
            }
            property.setObjects(objects, of: owner)
            for object in objects { releaseOwner(owner, from: object, property) }
        }
        registry.keepForNow(released)
    }

    /// Whether the end takes what was read: it is not loaded, or it has no unsaved changes and is read again.
    private func isOpen(_ property: RelationshipProperty, of owner: any PersistentModel) -> Bool {
        !property.isLoaded(in: owner)
            || owner._$state.phase == .registered && !owner._$state.changedSlots.contains(property.slot)
    }

    /// A child, or a partner, found by its owner need not keep the owner alive any more.
    private func releaseOwner(
        _ owner: any PersistentModel, from object: any PersistentModel, _ property: RelationshipProperty
    ) {
        guard let inverse = property.inverse(of: owner, in: object), inverse.isToOne,
            case .object(let target) = inverse.reference(of: object), target === owner,
            !object._$state.changedSlots.contains(inverse.slot), object._$state.phase == .registered
        else { return }
        inverse.setReference(.key(owner._$state.key), of: object)
        // Whoever goes from children to parents may hold the children only: without this, each step would load the
        // parents again.
        if released.last !== owner { released.append(owner) }
    }

    /// Unsaved objects at the other end, by the keys of the owners they point at. An object with other changes only does not
    /// take part: others may have changed where it points, and the rows say so.
    private lazy var pendingByOwner: [RowKey: [any PersistentModel]] = {
        guard let slot = mapping.inverse?.slot else { return [:] }
        var result: [RowKey: [any PersistentModel]] = [:]
        for object in pendingObjects {
            let state = object._$state
            let isRestored = SoftDeletion(of: object) == .restores
            guard state.phase == .inserted || state.changedSlots.contains(slot) || isRestored else { continue }
            guard let inverse = type(of: object)._$descriptor.relationship(at: slot) else {
                continue
            }
            if inverse.isToOne {
                if let key = inverse.reference(of: object).key { result[key, default: []].append(object) }
            } else {
                // What was there before is for the rows to say: others may have taken it apart since.
                let before = state.original(at: slot) as? OriginalObjects
                let known = isRestored ? [] : Set((before?.objects ?? []).map { ObjectIdentifier($0) })
                for owner in inverse.objects(of: object) ?? [] where !known.contains(ObjectIdentifier(owner)) {
                    result[owner._$state.key, default: []].append(object)
                }
            }
        }
        return result
    }()

    private lazy var pendingObjects = registry.pendingModels(of: mapping.destination)
    private var hasPending: Bool { !pendingObjects.isEmpty }

    /// Whether nothing unsaved can concern these rows.
    private func isAsStored(_ rows: ArraySlice<any PersistentModel>) -> Bool {
        !hasPending && !rows.contains { $0._$state.phase != .registered }
    }

    /// What the rows say, less what was moved away or deleted and more what was added in memory and is not saved.
    private func merged(
        into rows: ArraySlice<any PersistentModel>, of owner: any PersistentModel, _ property: RelationshipProperty
    ) -> [any PersistentModel] {
        let pending = pendingByOwner[owner._$state.key] ?? []
        var objects = rows.filter { !isLeftOut($0) && stays($0, with: owner, property) }
        guard !pending.isEmpty else { return objects }
        var known = Set(objects.map { ObjectIdentifier($0) })
        for object in pending where !isLeftOut(object) && known.insert(ObjectIdentifier(object)).inserted {
            objects.append(object)
        }
        // In an ordered relationship, what comes stands at the end.
        return mapping.order == nil ? objects.sorted { $0._$state.key < $1._$state.key } : objects
    }

    /// Whether an object whose row is at an end was not moved away from it in memory.
    private func stays(
        _ object: any PersistentModel, with owner: any PersistentModel, _ property: RelationshipProperty
    ) -> Bool {
        guard let inverse = property.inverse(of: owner, in: object), inverse.isLoaded(in: object),
            object._$state.changedSlots.contains(inverse.slot), !inverse.contains(owner, in: object)
        else { return true }
        // Of many, only those were moved away that were there before: others may have related them since.
        guard let before = object._$state.original(at: inverse.slot) as? OriginalObjects else { return false }
        return before.objects?.contains { $0 === owner } != true || before.leftOut.contains { $0 === owner }
    }
}
