/// What of the old version became what of the new one: classes, rows, columns.
///
/// Nothing is guessed: names, `originalName` and the changes a stage declares decide.
struct SchemaCorrespondence {
    /// Rows of one old class that become rows of one new class.
    struct RowClass: Hashable {
        var old: FrozenEntity
        var new: FrozenEntity
        /// SQL over the old class's table that picks the rows, for a split.
        var condition: String?
    }

    let old: FrozenSchema
    let new: FrozenSchema
    let changes: [SchemaChange]
    /// Whether the stage is the way back of another: names are what the changes say, and `originalName` tells of an
    /// older version than the one that is left.
    let isWayBack: Bool
    /// New name → old name.
    private(set) var oldNames: [String: String] = [:]
    private(set) var rowClasses: [RowClass] = []
    /// Old classes whose rows go.
    private(set) var droppedEntities: [FrozenEntity] = []

    init(
        old: FrozenSchema, new: FrozenSchema, changes: [SchemaChange], isWayBack: Bool = false
    ) throws(MigrationError) {
        (self.old, self.new, self.changes, self.isWayBack) = (old, new, changes, isWayBack)
        try checkSubjects()
        matchEntities()
        try assignRows()
    }

    func oldEntity(of entity: FrozenEntity) -> FrozenEntity? { oldNames[entity.name].flatMap { old.entity(named: $0) } }

    func newEntity(of entity: FrozenEntity) -> FrozenEntity? {
        new.entities.first { oldNames[$0.name] == entity.name }
    }

    /// Whether a drop of this class or property was declared, or its use by a custom stage.
    func isAcknowledged(_ entity: String, _ property: String? = nil) -> Bool {
        changes.contains { change in
            switch change.kind {
            case .dropped(let subject), .consumed(let subject):
                subject.entity == entity && (subject.property == nil || subject.property == property)
            default: false
            }
        }
    }

    /// Whether the property itself was named: a class that is dropped leaves its properties to its subclasses.
    private func isDropped(_ entity: String, _ property: String) -> Bool {
        changes.contains { change in
            switch change.kind {
            case .dropped(let subject), .consumed(let subject): subject == SchemaChange.Subject(entity, property)
            default: false
            }
        }
    }

    // MARK: Entities

    /// Every subject a change names must exist, so that a typing mistake cannot hide a loss.
    private func checkSubjects() throws(MigrationError) {
        func check(_ subject: SchemaChange.Subject, _ schema: FrozenSchema, _ which: String) throws(MigrationError) {
            guard let entity = schema.entity(named: subject.entity) else {
                throw MigrationError(
                    .usage, "A change names \(subject.entity), which version \(schema.version) does not have.",
                    remedy: "name a class of the \(which) version \(schema.version)")
            }
            guard let property = subject.property else { return }
            let names = schema.chain(of: entity).flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
            guard names.contains(property) else {
                throw MigrationError(
                    .usage, "A change names \(subject), which version \(schema.version) does not have.",
                    remedy: "name a persisted property of the \(which) version \(schema.version)")
            }
        }
        var renamed: Set<String> = []
        for change in changes {
            switch change.kind {
            case .renamed(let from, let to):
                try check(from, old, "old")
                try check(to, new, "new")
                for (subject, version) in [(from, old.version), (to, new.version)]
                where !renamed.insert("\(version) \(subject)").inserted {
                    throw MigrationError(
                        .usage, "Two changes rename \(subject) of version \(version).", remedy: "say it once")
                }
            case .dropped(let subject), .consumed(let subject): try check(subject, old, "old")
            case .split(let entity, _): try check(SchemaChange.Subject(entity), new, "new")
            case .merged(let entity, let into):
                try check(SchemaChange.Subject(entity), old, "old")
                try check(SchemaChange.Subject(into), new, "new")
            case .converted(let subject, _), .filled(let subject, _), .sideBySide(let subject):
                try check(subject, new, "new")
            case .sql: break
            }
        }
    }

    private mutating func matchEntities() {
        for change in changes {
            if case .renamed(let from, let to) = change.kind, from.property == nil { oldNames[to.entity] = from.entity }
        }
        let taken = Set(oldNames.values)
        for entity in new.entities where oldNames[entity.name] == nil {
            if old.entity(named: entity.name) != nil, !taken.contains(entity.name) {
                oldNames[entity.name] = entity.name
            }
        }
    }

    // MARK: Rows

    private mutating func assignRows() throws(MigrationError) {
        for entity in old.entities {
            if let target = newEntity(of: entity) {
                rowClasses.append(RowClass(old: entity, new: target))
            } else if let target = mergeTarget(of: entity) {
                rowClasses.append(RowClass(old: entity, new: target))
            } else if isAcknowledged(entity.name) {
                droppedEntities.append(entity)
            } else {
                throw MigrationError(
                    .preflightRefused,
                    "\(entity.name) is gone in version \(new.version), and nothing says where its rows go.",
                    remedy: """
                        add to the stage's changes one of: .renamed(\(entity.name).self, to: …), \
                        .merged(\(entity.name).self, into: …), .dropped(\(entity.name).self)
                        """)
            }
        }
        for change in changes {
            guard case .split(let name, let condition) = change.kind, let entity = new.entity(named: name) else {
                continue
            }
            guard oldEntity(of: entity) == nil else {
                throw MigrationError(
                    .usage, "\(name) cannot be split off: version \(old.version) has it already.",
                    remedy: "split rows into a class that is new in version \(new.version)")
            }
            guard let ancestor = new.chain(of: entity).dropLast().reversed().compactMap({ oldEntity(of: $0) }).first
            else {
                throw MigrationError(
                    .usage, "\(name) cannot be split off: none of its superclasses exists in version \(old.version).",
                    remedy: "make \(name) a subclass of the class whose rows it takes")
            }
            rowClasses.append(RowClass(old: ancestor, new: entity, condition: condition))
        }
    }

    private func mergeTarget(of entity: FrozenEntity) -> FrozenEntity? {
        for change in changes {
            if case .merged(entity.name, let into) = change.kind { return new.entity(named: into) }
        }
        return nil
    }

    // MARK: Properties

    /// The old property that the new one continues, for rows of this kind.
    func source(of name: String, originalName: String?, for rows: RowClass) -> (entity: FrozenEntity, property: String)?
    {
        let oldChain = old.chain(of: rows.old)
        let newNames = Set(new.chain(of: rows.new).map(\.name))
        for change in changes {
            guard case .renamed(let from, let to) = change.kind, let property = from.property else { continue }
            guard to.property == name, newNames.contains(to.entity) else { continue }
            guard oldChain.contains(where: { $0.name == from.entity }) else { continue }
            if let owner = oldChain.last(where: { $0.declares(property) }) { return (owner, property) }
        }
        let original = earlierName(of: name, originalName, in: oldChain)
        for candidate in [original, isClaimed(name, for: rows) ? nil : name].compactMap({ $0 }) {
            guard let owner = oldChain.last(where: { $0.declares(candidate) }) else { continue }
            if isRenamedAway(candidate, in: oldChain) || isDropped(owner.name, candidate) { continue }
            return (owner, candidate)
        }
        return nil
    }

    /// What the old version calls the property, where `originalName` says so.
    ///
    /// It goes before the property's own name, which may have been another property's. A declaration that the old version
    /// has as well tells of a rename that is done.
    private func earlierName(of name: String, _ originalName: String?, in oldChain: [FrozenEntity]) -> String? {
        guard !isWayBack, let originalName, originalName != name else { return nil }
        return oldChain.contains { $0.originalName(of: name) == originalName } ? nil : originalName
    }

    /// Whether another property of the new class continues the old one of this name.
    private func isClaimed(_ name: String, for rows: RowClass) -> Bool {
        let oldChain = old.chain(of: rows.old)
        return new.chain(of: rows.new).contains { entity in
            entity.propertyNames.contains { other in
                other != name && earlierName(of: other, entity.originalName(of: other), in: oldChain) == name
            }
        }
    }

    private func isRenamedAway(_ property: String, in chain: [FrozenEntity]) -> Bool {
        changes.contains {
            if case .renamed(let from, _) = $0.kind {
                from.property == property && chain.contains { $0.name == from.entity }
            } else {
                false
            }
        }
    }

    /// Whether the old and the new column are kept in step until contract, although one could become the other.
    func isSideBySide(_ property: String, declaredBy entity: FrozenEntity) -> Bool {
        let names = Set(new.family(of: entity).map(\.name))
        return changes.contains { change in
            if case .sideBySide(let subject) = change.kind {
                subject.property == property && names.contains(subject.entity)
            } else {
                false
            }
        }
    }

    /// Whether some objects of the old class `from`, subclasses included, are objects of the new class `to`.
    func leads(from oldName: String, to newName: String) -> Bool {
        guard let from = old.entity(named: oldName), let to = new.entity(named: newName) else { return false }
        let (before, after) = (old.family(of: from), new.family(of: to))
        return rowClasses.contains { before.contains($0.old) && after.contains($0.new) }
    }

    func conversion(of property: String, declaredBy entity: FrozenEntity) -> String? {
        let names = Set(new.family(of: entity).map(\.name))
        for change in changes {
            if case .converted(let subject, let sql) = change.kind, subject.property == property,
                names.contains(subject.entity)
            {
                return sql
            }
        }
        return nil
    }

    func filling(of property: String, declaredBy entity: FrozenEntity) -> String? {
        let names = Set(new.family(of: entity).map(\.name))
        for change in changes {
            if case .filled(let subject, let sql) = change.kind, subject.property == property,
                names.contains(subject.entity)
            {
                return sql
            }
        }
        return nil
    }
}

extension FrozenEntity {
    func declares(_ property: String) -> Bool {
        attributes.contains { $0.name == property } || relationships.contains { $0.name == property }
    }

    var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }

    func originalName(of property: String) -> String? {
        attributes.first { $0.name == property }?.originalName
            ?? relationships.first { $0.name == property }?.originalName
    }
}
