import StrataRepository

/// A new property with a column, and where its values come from.
struct ColumnFlow {
    /// One old column that feeds it, for the rows of some classes.
    struct Source: Hashable {
        var place: ColumnPlace
        var subject: SchemaChange.Subject
        var type: ColumnType
        /// Swift's type.
        var valueType: String
        /// Whether a transformer of the user's makes the bytes.
        var isTransformed: Bool
        var isOptional: Bool
        /// The raw values it could hold, where they are known.
        var cases: [String]?
        var rows: [SchemaCorrespondence.RowClass]

        var property: String { subject.description }
    }

    var place: ColumnPlace
    var subject: SchemaChange.Subject
    var definition: ColumnDefinition
    var valueType: String
    var isTransformed: Bool
    var isOptional: Bool
    /// Whether the old and the new column are kept in step until contract.
    var isSideBySide: Bool
    var sources: [Source]
    /// SQL for rows without a value: what the stage declares, or the property's default.
    var fill: String?
    /// The user's SQL over the source's row.
    var conversion: String?
    /// The raw values it may hold, where they are known.
    var cases: [String]?
    /// Classes with rows that no old column feeds.
    var unfed: [SchemaCorrespondence.RowClass]

    /// `Trip.name`.
    var property: String { subject.description }

    /// Whether rows without a value get an empty list, from which no value comes back.
    func fillsWithNothing(_ source: Source) -> Bool {
        fill == Self.emptyList(of: definition.type) && !source.type.isList
    }

    /// `'{}'::text[]`; `nil` for a type that is no list.
    static func emptyList(of type: ColumnType) -> String? { type.isList ? "'{}'::\(type)" : nil }
}

/// A property with a column of its own, attribute or reference.
struct FrozenColumn {
    var property: String
    var originalName: String?
    var column: String
    var type: ColumnType
    /// Swift's type; the name of the class for a reference.
    var valueType: String
    var isTransformed = false
    var isOptional: Bool
    var defaultExpression: String?
    var cases: [String]?
    /// The class a reference leads to; `nil` for an attribute.
    var destination: String?
    /// The place of its column among those of a foreign key of several; 0 for any other.
    var place = 0
}

extension FrozenEntity {
    var columns: [FrozenColumn] {
        attributes.map {
            FrozenColumn(
                property: $0.name, originalName: $0.originalName, column: $0.column, type: $0.type,
                valueType: $0.valueType, isTransformed: $0.options.contains(.transformable),
                isOptional: $0.isOptional, defaultExpression: $0.defaultExpression, cases: $0.cases)
        }
            + references.map { relationship, place, column in
                FrozenColumn(
                    property: relationship.name, originalName: relationship.originalName, column: column, type: .bigint,
                    valueType: relationship.destination, isOptional: relationship.isOptional,
                    destination: relationship.destination, place: place)
            }
    }

    /// The columns of foreign keys in the class's own table, each with its place: of one of several those that no other property has.
    private var references: [(relationship: FrozenRelationship, place: Int, column: String)] {
        relationships.flatMap { relationship -> [(relationship: FrozenRelationship, place: Int, column: String)] in
            guard case .foreignKey(table, let column) = relationship.storage else { return [] }
            guard let columns = relationship.columns else { return [(relationship, 0, column)] }
            let owned = relationship.owned ?? []
            return columns.enumerated().filter { owned.contains($1) }.map { (relationship, $0, $1) }
        }
    }
}

extension FrozenRelationship {
    /// Whether a key of several columns is on either side of the links.
    var isOfSeveral: Bool { columns != nil || otherColumns != nil }

    /// Which of the columns of a foreign key of several are its own, by their places in the key; `nil` for any other, and for pairs.
    var ownedPlaces: [Int]? {
        if case .joinTable = storage { return nil }
        return columns.map { columns in columns.indices.filter { owned?.contains(columns[$0]) == true } }
    }
}

/// All flows of a stage, and which physical table each new table continues.
struct ColumnFlows {
    /// New table → old table.
    private(set) var tables: [String: String] = [:]
    private(set) var flows: [ColumnFlow] = []
    /// New place → old place in the same table, for columns that no property of the holder's class shows, for the columns of
    /// join tables, and for positions.
    private(set) var sharedColumns: [ColumnPlace: ColumnPlace] = [:]
    /// Relationships whose links lie elsewhere from now on.
    private(set) var links: [LinkFlow] = []
    /// Relationships that go on, wherever their links lie.
    private(set) var continuations: [RelationshipContinuation] = []
    private let match: SchemaCorrespondence

    init(_ match: SchemaCorrespondence) {
        self.match = match
        for entity in match.new.entities {
            if let old = match.oldEntity(of: entity) { tables[entity.table] = old.table }
        }
        matchLinks()
        for entity in match.new.entities {
            for column in entity.columns { flows.append(flow(of: column, in: entity)) }
        }
        matchGenerated()
    }

    /// A generated column goes on where it is computed by the same of the same columns, whatever they are called now.
    private mutating func matchGenerated() {
        for (table, oldTable) in tables.sorted(by: { $0.key < $1.key }) {
            guard let (definition, oldDefinition) = match.tables(table, oldTable) else { continue }
            let generated = definition.columns.filter { $0.generation != nil }
            var left = oldDefinition.columns.filter { $0.generation != nil }
            guard !generated.isEmpty, !left.isEmpty else { continue }
            var columns: [String: String] = [:]
            for column in definition.columns {
                if let kept = kept(ColumnPlace(table: table, column: column.name)), kept.table == oldTable {
                    columns[kept.column] = column.name
                }
            }
            func take(_ column: ColumnDefinition, named isNamed: (String) -> Bool) {
                let place = left.firstIndex {
                    isNamed($0.name) && $0.type == column.type && $0.collation == column.collation
                        && $0.generation?.renaming { columns[$0] } == column.generation
                }
                guard let place else { return }
                sharedColumns[ColumnPlace(table: table, column: column.name)] = ColumnPlace(
                    table: oldTable, column: left.remove(at: place).name)
            }
            for column in generated { take(column) { $0 == column.name } }
            // One of two that are computed by the same keeps its name before another takes it over.
            for column in generated where sharedColumns[ColumnPlace(table: table, column: column.name)] == nil {
                take(column) { _ in true }
            }
        }
    }

    // MARK: Columns

    private func flow(of column: FrozenColumn, in entity: FrozenEntity) -> ColumnFlow {
        let family = Set(match.new.family(of: entity).map(\.name))
        let definition =
            match.new.database.table(named: entity.table)?.column(named: column.column)
            ?? ColumnDefinition(name: column.column, type: column.type, isNullable: column.isOptional)
        var sources: [ColumnFlow.Source] = []
        var unfed: [SchemaCorrespondence.RowClass] = []
        for rows in match.rowClasses where family.contains(rows.new.name) {
            guard
                let (owner, name) = match.source(of: column.property, declaredBy: entity, for: rows),
                let old = owner.columns.first(where: { $0.property == name && $0.place == column.place }),
                isContinued(old, by: column, of: entity)
            else {
                unfed.append(rows)
                continue
            }
            let place = ColumnPlace(table: owner.table, column: old.column)
            if let index = sources.firstIndex(where: { $0.place == place }) {
                sources[index].rows.append(rows)
            } else {
                sources.append(
                    ColumnFlow.Source(
                        place: place, subject: .init(owner.name, name),
                        // A reference is never converted: other keys are refused (`MigrationPlanner.refuseOtherKeys`).
                        type: old.destination == nil ? old.type : definition.type,
                        valueType: old.valueType, isTransformed: old.isTransformed, isOptional: old.isOptional,
                        cases: old.cases, rows: [rows]))
            }
        }
        return ColumnFlow(
            place: ColumnPlace(table: entity.table, column: column.column),
            subject: .init(entity.name, column.property), definition: definition,
            valueType: column.valueType, isTransformed: column.isTransformed, isOptional: column.isOptional,
            isSideBySide: match.isSideBySide(column.property, declaredBy: entity), sources: sources,
            fill: match.filling(of: column.property, declaredBy: entity) ?? column.defaultExpression
                ?? Self.emptyList(for: column, sources, unfed),
            conversion: match.conversion(of: column.property, declaredBy: entity), cases: column.cases,
            unfed: unfed)
    }

    /// Of one value or none becomes a list of one or none.
    private static func emptyList(
        for column: FrozenColumn, _ sources: [ColumnFlow.Source], _ unfed: [SchemaCorrespondence.RowClass]
    ) -> String? {
        guard let fill = ColumnFlow.emptyList(of: column.type), !column.isOptional, unfed.isEmpty,
            sources.allSatisfy({ !$0.type.isList && $0.type != .jsonb && !$0.isTransformed })
        else { return nil }
        return sources.contains { $0.isOptional } ? fill : nil
    }

    /// Whether the values mean the same: keys lead to objects that still are what they lead to, or the user says how.
    private func isContinued(_ old: FrozenColumn, by new: FrozenColumn, of entity: FrozenEntity) -> Bool {
        if match.conversion(of: new.property, declaredBy: entity) != nil { return true }
        switch (old.destination, new.destination) {
        case (nil, nil): return true
        case (let from?, let to?): return match.leads(from: from, to: to)
        default: return false
        }
    }

    /// The old column that stays in place as this one, if there is one.
    func kept(_ place: ColumnPlace) -> ColumnPlace? {
        let flow = flows.first { $0.place == place }
        if flow?.isSideBySide == true { return nil }
        if let shared = sharedColumns[place] { return shared }
        guard let table = tables[place.table] else { return nil }
        if let (definition, oldDefinition) = match.tables(place.table, table) {
            if place.column == definition.keyColumn, let key = oldDefinition.keyColumn {
                return ColumnPlace(table: table, column: key)
            }
            if place.column == definition.classColumn {
                return oldDefinition.classColumn.map { ColumnPlace(table: table, column: $0) }
            }
        }
        guard let flow else { return keptPart(place, table) }
        return flow.sources.first { $0.place.table == table && !isConverted(flow, $0) }?.place
    }

    /// A part of a key of several columns in the table of a subclass, where no property has it.
    private func keptPart(_ place: ColumnPlace, _ table: String) -> ColumnPlace? {
        guard let (new, old) = match.tables(place.table, table), let key = new.primaryKey?.columns,
            let older = old.primaryKey?.columns, key.count > 1, key.count == older.count,
            let number = key.firstIndex(of: place.column)
        else { return nil }
        return ColumnPlace(table: table, column: older[number])
    }

    /// Whether a column goes on as another's part of a relationship, or its links do elsewhere.
    func isShared(_ place: ColumnPlace) -> Bool {
        sharedColumns.values.contains(place) || links.contains { $0.from.isAt(place) }
    }

    /// Whether a new property has values of an old column.
    func isFed(from place: ColumnPlace) -> Bool {
        flows.contains { $0.sources.contains { $0.place == place } }
    }

    /// Whether values must be written anew because their type or their meaning changes.
    func isConverted(_ flow: ColumnFlow, _ source: ColumnFlow.Source) -> Bool {
        flow.conversion != nil || source.type != flow.definition.type || source.isTransformed != flow.isTransformed
    }

    // MARK: Links

    private mutating func matchLinks() {
        for entity in match.new.entities {
            for relationship in entity.relationships {
                if let (owner, old) = oldRelationship(relationship, of: entity) {
                    let links = Links(old, of: owner, in: match.old)
                    add(RelationshipContinuation(of: old, owner, as: relationship, entity, links: links))
                } else if let (owner, old) = turnedRelationship(relationship, of: entity) {
                    let links = Links(old, of: owner, in: match.old)
                    add(
                        RelationshipContinuation(of: old, owner, as: relationship, entity, links: links, isTurned: true)
                    )
                }
            }
        }
    }

    private func oldRelationship(
        _ relationship: FrozenRelationship, of entity: FrozenEntity
    ) -> (FrozenEntity, FrozenRelationship)? {
        let family = Set(match.new.family(of: entity).map(\.name))
        for rows in match.rowClasses where family.contains(rows.new.name) {
            guard let (owner, name) = match.source(of: relationship.name, declaredBy: entity, for: rows),
                let old = owner.relationship(name)
            else { continue }
            return (owner, old)
        }
        return nil
    }

    private func turnedRelationship(
        _ relationship: FrozenRelationship, of entity: FrozenEntity
    ) -> (FrozenEntity, FrozenRelationship)? {
        let subject = SchemaChange.Subject(entity.name, relationship.name)
        guard let source = match.turnedRelationships.first(where: { $0.new == subject })?.old,
            let owner = match.old.entity(named: source.entity), let old = owner.relationship(source.property ?? "")
        else { return nil }
        return (owner, old)
    }

    private mutating func add(_ link: RelationshipContinuation) {
        guard match.leads(from: link.ends.other, to: link.new.destination) else { return }
        continuations.append(link)
        let (from, to) = (link.links, Links(link.new, of: link.newOwner, in: match.new))
        switch (link.old.storage, link.new.storage) {
        case (.foreignKey, .foreignKey) where !link.isTurned:
            // A column like any other.
            return
        case (.joinTable, .joinTable):
            tables[to.table] = from.table
            share(link)
            sharePositions(of: link)
        case (.inverseForeignKey, .inverseForeignKey) where !link.isTurned && tables[to.table] == from.table:
            share(link)
            sharePositions(of: link)
        default:
            let flow = LinkFlow(
                property: "\(link.newOwner.name).\(link.new.name)", from: from, to: to,
                isOfSeveral: link.old.isOfSeveral || link.new.isOfSeveral)
            if !links.contains(where: { $0.to.isSame(as: flow.to) }) { links.append(flow) }
        }
    }

    /// The columns of the links go on, each as the one that has the same part of the same key.
    private mutating func share(_ link: RelationshipContinuation) {
        let (from, to) = (link.links, Links(link.new, of: link.newOwner, in: match.new))
        // The key of a row of objects is a column of theirs.
        let isOfPairs = to.isJoinTable
        for (new, old) in zip(
            to.ownColumns + (isOfPairs ? to.otherColumns : []), from.ownColumns + (isOfPairs ? from.otherColumns : []))
        {
            sharedColumns[ColumnPlace(table: to.table, column: new)] = ColumnPlace(table: from.table, column: old)
        }
    }

    /// The positions of objects at one end say nothing of the other.
    private mutating func sharePositions(of link: RelationshipContinuation) {
        guard !link.isTurned, let place = link.new.positionPlace else { return }
        sharedColumns[place] = link.old.positionPlace
    }
}

/// Pairs of keys: the objects that have a relationship and the ones it leads to.
struct Links: Hashable {
    var table: String
    /// The columns with keys of the class that has the relationship.
    var ownColumns: [String]
    var otherColumns: [String]
    /// Whose rows the table has.
    var rows: Rows

    enum Rows: Hashable {
        /// Each row is one pair and nothing else.
        case pairs
        /// Objects that have the relationship, or that it leads to: the columns of one side are their key.
        case own, other
    }

    init(_ relationship: FrozenRelationship, of owner: FrozenEntity, in schema: FrozenSchema) {
        func key(_ table: String) -> [String] {
            schema.database.table(named: table)?.primaryKey?.columns ?? [Naming.key]
        }
        switch relationship.storage {
        case .foreignKey(let table, let column):
            (self.table, ownColumns, otherColumns, rows) = (table, key(table), relationship.columns ?? [column], .own)
        case .inverseForeignKey(let table, let column):
            (self.table, ownColumns, otherColumns, rows) = (table, relationship.columns ?? [column], key(table), .other)
        case .joinTable(let table, let own, let other):
            (self.table, ownColumns, otherColumns, rows) = (
                table, relationship.columns ?? [own], relationship.otherColumns ?? [other], .pairs
            )
        }
    }

    /// The column of each side; the first of several.
    var own: String { ownColumns[0] }
    var other: String { otherColumns[0] }

    var isJoinTable: Bool { rows == .pairs }

    /// The same pairs, seen from the other end.
    var turned: Links {
        var links = self
        (links.ownColumns, links.otherColumns) = (otherColumns, ownColumns)
        links.rows =
            switch rows {
            case .pairs: .pairs
            case .own: .other
            case .other: .own
            }
        return links
    }

    /// The columns that hold the reference, for anything but a join table.
    var referenceColumns: [String] { rows == .own ? otherColumns : ownColumns }
    /// That column; the first of several.
    var reference: String { referenceColumns[0] }

    /// The key of the rows, for anything but a join table.
    var keyColumns: [String]? {
        switch rows {
        case .pairs: nil
        case .own: ownColumns
        case .other: otherColumns
        }
    }

    func isSame(as links: Links) -> Bool {
        table == links.table && isJoinTable == links.isJoinTable
            && (isJoinTable || referenceColumns == links.referenceColumns)
    }
}

/// A relationship of the new version that has the links of one of the old version.
struct RelationshipContinuation {
    var old: FrozenRelationship
    var oldOwner: FrozenEntity
    var new: FrozenRelationship
    var newOwner: FrozenEntity
    /// Whether the new one is seen from the class that the old one led to.
    var isTurned: Bool
    /// The old links, `own` being keys of the objects that have the new relationship.
    var links: Links

    init(
        of old: FrozenRelationship, _ oldOwner: FrozenEntity, as new: FrozenRelationship, _ newOwner: FrozenEntity,
        links: Links, isTurned: Bool = false
    ) {
        (self.old, self.oldOwner, self.new, self.newOwner) = (old, oldOwner, new, newOwner)
        self.isTurned = isTurned
        self.links = isTurned ? links.turned : links
    }

    /// The old classes at the ends, seen as the new one is.
    var ends: (own: String, other: String) {
        isTurned ? (old.destination, oldOwner.name) : (oldOwner.name, old.destination)
    }
}

/// Links that lie elsewhere from now on.
struct LinkFlow: Hashable {
    var property: String
    var from: Links
    var to: Links
    /// Whether a foreign key of several columns has the links, before or after.
    var isOfSeveral: Bool
}
