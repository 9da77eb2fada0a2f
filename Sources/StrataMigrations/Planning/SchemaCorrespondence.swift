import StrataRepository

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
    /// What the stage declares; empty on the way back.
    let changes: [SchemaChange]
    /// New name → old name.
    private(set) var oldNames: [String: String] = [:]
    private(set) var rowClasses: [RowClass] = []
    /// Old classes whose rows go.
    private(set) var droppedEntities: [FrozenEntity] = []
    private(set) var continuations = PropertyContinuations()
    /// Relationships that hold the links of an old one of the class that it led to: both ends change places.
    private(set) var turnedRelationships: [TurnedRelationship] = []
    /// Classes and properties that may go, and those that a custom stage uses up.
    private var acknowledged: Set<SchemaChange.Subject> = []
    /// New properties whose old and new column are kept in step until contract.
    private var sideBySide: Set<SchemaChange.Subject> = []

    init(old: FrozenSchema, new: FrozenSchema, stage: MigrationChain.Stage) throws(MigrationError) {
        (self.old, self.new, changes) = (old, new, stage.changes)
        try checkSubjects()
        for change in changes {
            switch change.kind {
            case .dropped(let subject), .consumed(let subject): acknowledged.insert(subject)
            case .sideBySide(let subject): sideBySide.insert(subject)
            default: break
            }
        }
        matchEntities()
        try assignRows(stage)
        try checkOriginalNames()
        matchProperties()
        try matchRenamedRelationships()
    }

    /// The way back from a version to the one before it: every row, value and link goes where it came from.
    init(reversing forward: SchemaCorrespondence, sideBySide: Set<SchemaChange.Subject>) {
        (old, new, changes) = (forward.new, forward.old, [])
        self.sideBySide = sideBySide
        for (newName, oldName) in forward.oldNames { oldNames[oldName] = newName }
        for entity in old.entities { assignRows(of: entity, goingBackFrom: forward) }
        for continuation in forward.continuations.all {
            let rows = continuation.rows
            let back = RowClass(old: rows.new, new: rows.old)
            continuations.add(.init(old: continuation.new, new: continuation.old, rows: back))
        }
        turnedRelationships = forward.turnedRelationships.map { TurnedRelationship(old: $0.new, new: $0.old) }
        acknowledgeAdditions(of: forward)
    }

    func oldEntity(of entity: FrozenEntity) -> FrozenEntity? { oldNames[entity.name].flatMap { old.entity(named: $0) } }

    func newEntity(of entity: FrozenEntity) -> FrozenEntity? {
        new.entities.first { oldNames[$0.name] == entity.name }
    }

    /// Whether a drop of this class or property was declared, or its use by a custom stage.
    func isAcknowledged(_ entity: String, _ property: String? = nil) -> Bool {
        acknowledged.contains(.init(entity)) || property != nil && acknowledged.contains(.init(entity, property))
    }

    /// Whether it was declared that this class or property goes (`.dropped`), and not that a custom stage uses it (`.consumed`).
    func isDropped(_ entity: String, _ property: String? = nil) -> Bool {
        changes.contains {
            guard case .dropped(let subject) = $0.kind, subject.entity == entity else { return false }
            return subject.property == nil || subject.property == property
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

    private mutating func assignRows(_ stage: MigrationChain.Stage) throws(MigrationError) {
        for entity in old.entities {
            if let target = newEntity(of: entity) {
                rowClasses.append(RowClass(old: entity, new: target))
            } else if let target = mergeTarget(of: entity) {
                rowClasses.append(RowClass(old: entity, new: target))
            } else if isAcknowledged(entity.name) {
                droppedEntities.append(entity)
            } else {
                throw MigrationError(
                    .planRefused,
                    "\(entity.name) is gone in version \(new.version), and nothing says where its rows go.",
                    remedy: RenameCandidate(self, stage).question(forClass: entity) + """
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

    /// Objects of a class that did not exist go on as what they were split off from, or as objects of its superclass.
    private mutating func assignRows(of entity: FrozenEntity, goingBackFrom forward: SchemaCorrespondence) {
        let target =
            newEntity(of: entity) ?? forward.rowClasses.first { $0.new == entity }?.old
            ?? superclass(of: entity).flatMap { newEntity(of: $0) }
        if let target {
            rowClasses.append(RowClass(old: entity, new: target))
        } else {
            droppedEntities.append(entity)
            acknowledged.insert(.init(entity.name))
        }
    }

    /// The nearest superclass of an old class that is in the new version.
    private func superclass(of entity: FrozenEntity) -> FrozenEntity? {
        old.chain(of: entity).dropLast().last { newEntity(of: $0) != nil }
    }

    /// On the way back: objects of a class that is not in the other version keep what their superclass has, and what no
    /// property was before has nowhere to go.
    private mutating func acknowledgeAdditions(of forward: SchemaCorrespondence) {
        for rows in rowClasses
        where newEntity(of: rows.old) == nil && !forward.rowClasses.contains(where: { $0.new == rows.old }) {
            guard let parent = superclass(of: rows.old) else { continue }
            let chain = Set(old.chain(of: rows.old).map(\.name))
            for continuation in forward.continuations.all
            where continuation.rows.new == parent && continuation.rows.old == rows.new
                && chain.contains(continuation.new.entity)
            {
                continuations.add(.init(old: continuation.new, new: continuation.old, rows: rows))
            }
        }
        let known = Set(continuations.all.map(\.old) + turnedRelationships.map(\.old))
        for entity in old.entities {
            let properties = entity.propertyNames.map { SchemaChange.Subject(entity.name, $0) }
            acknowledged.formUnion(properties.filter { !known.contains($0) })
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
    func source(
        of property: String, declaredBy entity: FrozenEntity, for rows: RowClass
    ) -> (entity: FrozenEntity, property: String)? {
        guard let source = continuations.source(of: .init(entity.name, property), for: rows),
            let owner = old.entity(named: source.entity), let name = source.property
        else { return nil }
        return (owner, name)
    }

    private mutating func matchProperties() {
        for rows in rowClasses {
            for entity in new.chain(of: rows.new) {
                for property in entity.propertyNames {
                    guard let source = declaredSource(of: property, declaredBy: entity, for: rows) else { continue }
                    continuations.add(.init(old: source, new: .init(entity.name, property), rows: rows))
                }
            }
        }
    }

    /// What names, `originalName` and the stage's changes say.
    private func declaredSource(
        of name: String, declaredBy entity: FrozenEntity, for rows: RowClass
    ) -> SchemaChange.Subject? {
        let oldChain = old.chain(of: rows.old)
        let newNames = Set(new.chain(of: rows.new).map(\.name))
        for change in changes {
            guard case .renamed(let from, let to) = change.kind, let property = from.property else { continue }
            guard to.property == name, newNames.contains(to.entity) else { continue }
            guard oldChain.contains(where: { $0.name == from.entity }) else { continue }
            if let owner = oldChain.last(where: { $0.declares(property) }) { return .init(owner.name, property) }
        }
        let original = earlierName(of: name, entity.originalName(of: name), in: oldChain)
        for candidate in [original, isClaimed(name, for: rows) ? nil : name].compactMap({ $0 }) {
            guard let owner = oldChain.last(where: { $0.declares(candidate) }) else { continue }
            // A class that is dropped leaves its properties to its subclasses: the property itself must be named.
            let source = SchemaChange.Subject(owner.name, candidate)
            if isRenamedAway(candidate, in: oldChain) || acknowledged.contains(source) { continue }
            return source
        }
        return nil
    }

    /// What the old version calls the property, where `originalName` says so.
    ///
    /// It goes before the property's own name, which may have been another property's. A declaration that the old version
    /// has as well tells of a rename that is done.
    private func earlierName(of name: String, _ originalName: String?, in oldChain: [FrozenEntity]) -> String? {
        guard let originalName, originalName != name else { return nil }
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
        new.family(of: entity).contains { sideBySide.contains(.init($0.name, property)) }
    }

    // MARK: Renames

    /// A rename between two classes that are not one another's: a relationship that is seen from its other end from now
    /// on. Anything else that a rename cannot carry over is refused, not passed over.
    private mutating func matchRenamedRelationships() throws(MigrationError) {
        for change in changes {
            guard case .renamed(let from, let to) = change.kind, let source = owner(of: from, in: old),
                let target = owner(of: to, in: new), let before = from.property, let after = to.property
            else { continue }
            let pair = (old: source.relationship(before), new: target.relationship(after))
            if (pair.old == nil) != (pair.new == nil) { throw changedKind(from, to, isLinkNow: pair.new != nil) }
            let subjects = (
                old: SchemaChange.Subject(source.name, before), new: SchemaChange.Subject(target.name, after)
            )
            if continuations.all.contains(where: { $0.old == subjects.old && $0.new == subjects.new }) { continue }
            if let old = pair.old, let new = pair.new, leads(from: old.destination, to: target.name),
                leads(from: source.name, to: new.destination)
            {
                turnedRelationships.append(TurnedRelationship(old: subjects.old, new: subjects.new))
            } else {
                throw MigrationError(
                    .usage,
                    "No object of \(from.entity) becomes one of \(to.entity): \(from) cannot be renamed to \(to).",
                    places: ["\(from)", "\(to)"],
                    remedy:
                        "rename a property within a class, or to one that has its rows: .split(…), .merged(…, into: …)")
            }
        }
    }

    /// The class of the subject's chain that declares its property.
    private func owner(of subject: SchemaChange.Subject, in schema: FrozenSchema) -> FrozenEntity? {
        guard let entity = schema.entity(named: subject.entity), let property = subject.property else { return nil }
        return schema.chain(of: entity).last { $0.declares(property) }
    }

    private func changedKind(
        _ from: SchemaChange.Subject, _ to: SchemaChange.Subject, isLinkNow: Bool
    ) -> MigrationError {
        MigrationError(
            .usage,
            isLinkNow
                ? "\(from) is a value, and \(to) a relationship: a value cannot become a link by a rename."
                : "\(from) is a relationship, and \(to) a value: a link cannot become a value by a rename.",
            places: ["\(from)", "\(to)"],
            remedy: """
                say .consumed(\\\(from)) instead of .renamed, and carry it over in a custom stage's didMigrate, or say \
                .dropped(\\\(from)) and carry it over with .sql(…, phase: .backfill)
                """)
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

/// A relationship whose links are seen from the other end from now on: `Person.passport` becomes `Passport.person`.
struct TurnedRelationship {
    var old: SchemaChange.Subject
    var new: SchemaChange.Subject
}

extension SchemaCorrespondence {
    /// A table of the new version and the one of the old version that it continues.
    func tables(_ name: String, _ oldName: String) -> (new: TableDefinition, old: TableDefinition)? {
        guard let table = new.database.table(named: name), let oldTable = old.database.table(named: oldName) else {
            return nil
        }
        return (table, oldTable)
    }
}

extension FrozenEntity {
    func relationship(_ name: String) -> FrozenRelationship? { relationships.first { $0.name == name } }

    func declares(_ property: String) -> Bool {
        attributes.contains { $0.name == property } || relationships.contains { $0.name == property }
    }

    var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }

    func originalName(of property: String) -> String? {
        attributes.first { $0.name == property }?.originalName
            ?? relationships.first { $0.name == property }?.originalName
    }
}
