import StrataClient
import StrataModels

/// One object variable of a query: which class it ranges over, and the tables its columns are read from.
///
/// Tables are joined when a column of theirs is asked for, and once only. A class, because predicate, order and select
/// list of one statement share them: render ``from`` after everything else.
package final class TableScope {
    /// Which rows of its class a variable ranges over: a statement has to ask ``selecting(_:)`` for its condition.
    package enum Rows {
        /// All that are stored.
        case stored
        /// Those without a date of deletion.
        case present
    }

    package let entity: EntityMapping
    let rows: Rows
    let source: FromClause
    /// What must be there for this object to be there, see ``SQLExpression/requires``. Empty for the object of a row.
    let requires: Set<Int>
    let generator: AliasGenerator
    /// Nothing for one row, whose columns are noted as they are asked for: the key too.
    private let keyExpression: SQLFragment
    /// The columns that have the key of an object that a foreign key of several leads to, and their row.
    private let reference: (columns: KeyColumns, row: SQLFragment)?
    /// Where the columns are those of one row, and no table has a name.
    private let row: RowColumns?
    /// The aliases of the tables in use, by the class that stands for each.
    private var tables: [ObjectIdentifier: SQLFragment] = [:]
    /// The levels of subclasses that objects are read from, where it is known that they will be.
    private(set) var levels: [HierarchyLevel]?
    /// Those that are in use, by depth.
    private var joinedLevels: [Int: JoinedLevel] = [:]
    /// The objects that to-one relationships of this one lead to, by class that declares the relationship and slot.
    private var destinations: [String: TableScope] = [:]

    /// The variable that ranges over the rows of a class's own table, which are exactly its objects and those of its
    /// subclasses.
    package init(_ entity: EntityMapping, _ rows: Rows, aliases: AliasGenerator) {
        self.entity = entity
        self.rows = rows
        generator = aliases
        let alias = aliases.alias()
        source = FromClause(aliases.item(entity), as: alias)
        keyExpression = entity.key.value(of: alias)
        reference = nil
        requires = []
        row = nil
        tables[ObjectIdentifier(entity.base)] = alias
    }

    /// A variable that is found by its key, which stands in a table of `source`: every table of it is a join.
    ///
    /// - Parameter reference: the columns of that table that have the key, where it is of several.
    init(
        _ entity: EntityMapping, _ rows: Rows, key: SQLFragment,
        reference: (columns: KeyColumns, row: SQLFragment)? = nil,
        in source: FromClause, requires: Set<Int>, aliases: AliasGenerator
    ) {
        self.entity = entity
        self.rows = rows
        generator = aliases
        self.source = source
        self.keyExpression = key
        self.reference = reference
        self.requires = requires
        row = nil
    }

    /// The one row that an expression of a table is about.
    init(_ entity: EntityMapping, row: RowColumns, aliases: AliasGenerator) {
        self.entity = entity
        rows = .stored
        generator = aliases
        self.row = row
        source = FromClause("\(entity.table)", as: "")
        keyExpression = ""
        reference = nil
        requires = []
    }

    /// Whether the object may be missing: its tables are then joined by `LEFT JOIN`.
    var isOptional: Bool { !requires.isEmpty }

    /// Says, before any column is asked for, that the objects will be read, and from which levels of subclasses.
    func read(_ levels: [HierarchyLevel]) { self.levels = levels }

    /// A condition on the rows that the variable ranges over, and no others; `nil` for all rows of the class's table.
    ///
    /// The one place that says who is there, and of the class. Ask for it before ``from``: it may join a table.
    func selecting(_ condition: SQLFragment?) -> SQLFragment? {
        let further = [entity.ownRows.map { isOfClass($0) }, presence].compactMap(\.self)
        guard !further.isEmpty else { return condition }
        let both = further.joined(separator: " AND ")
        return condition.map { "(\($0)) AND \(both)" } ?? both
    }

    /// A condition on the rows that the variable ranges over and that meet another one.
    func selecting(_ condition: SQLFragment) -> SQLFragment {
        let condition: SQLFragment? = condition
        return selecting(condition) ?? ""
    }

    private var presence: SQLFragment? {
        guard rows == .present, let slot = entity.descriptor.dates.deletion else { return nil }
        return "\(column(slot)) IS NULL"
    }

    /// Whether the object is of a class, by the column that says so.
    func isOfClass(_ condition: ClassCondition) -> SQLFragment {
        if row != nil { return condition.isMet(byText: discriminator()) }
        return generator.isOfClass(condition, root: entity.root, in: table(of: entity.root))
    }

    /// Whether the object is of its class and of none below it; `nil` where there is none below it whose table could have its row.
    func isOfNoSubclass() -> SQLFragment? {
        if let condition = entity.exactCondition { return isOfClass(condition) }
        let missing = entity.children.map { "\(keyColumn(in: $0)) IS NULL" as SQLFragment }
        return missing.isEmpty ? nil : missing.joined(separator: " AND ")
    }

    /// A column of the key in a class's table, which is `NULL` where that has no row of the object.
    private func keyColumn(in owner: EntityMapping) -> SQLFragment { owner.key.columns(of: table(of: owner))[0] }

    /// `FROM … JOIN … ON …` with exactly the tables that were asked for.
    package var from: SQLFragment { source.sql }

    /// The object's key. Needs no table of its own.
    package func key() -> SQLFragment { row?.column(entity.key.first, of: entity) ?? keyExpression }
    var keyText: String { key().text }

    /// Whether the object's key is this value, an atom of SQL.
    func isKey(_ value: SQLFragment) -> SQLFragment {
        compared { $0.isEqual(to: value, of: $1) } ?? "\(key()) = \(value)"
    }

    /// Whether the object's key is this one.
    func isKey(_ value: RowKey) -> SQLFragment {
        compared { $0.isEqual(to: value, of: $1) } ?? "\(key()) = \(bind: value)"
    }

    /// Whether the object's key is one of an array's.
    func isKey(among array: SQLFragment) -> SQLFragment {
        compared { $0.isAmong(array, of: $1) } ?? "\(key()) = ANY(\(array))"
    }

    /// Whether the object's key is one of these.
    func isKey(among keys: [RowKey], gap: String = "") -> SQLFragment {
        compared { $0.isAmong(keys, of: $1) } ?? "\(key()) = ANY\(raw: gap)(\(bind: keys, of: entity.keyKind))"
    }

    /// Whether the object's key is one of those that a query finds.
    func isKey(in query: SQLFragment) -> SQLFragment { compared { $0.isIn(query, of: $1) } ?? "\(key()) IN (\(query))" }

    /// The terms of an order by the key.
    var keyOrder: [SQLFragment] { compared { $0.columns(of: $1) } ?? [key()] }

    /// The same by the key in the table that has a property's column: an index of that table finds a place by the column and the key. No index
    /// has columns of two tables.
    func keyOrder(beside slot: Int) -> [SQLFragment] {
        let owner = entity.owner(ofSlot: slot)
        guard row == nil, uses(owner), contains(owner) else { return keyOrder }
        return owner.key.columns(of: table(of: owner))
    }

    /// Whether a foreign key in the table of `holder`, of which `row` is one, leads to the object.
    func isTarget(of column: Column, in holder: EntityMapping, _ row: SQLFragment) -> SQLFragment {
        if let columns = generator.columns(column, of: holder) { return isTarget(of: columns, row) }
        return "\(generator.column(column.name, of: holder, in: row)) = \(key())"
    }

    /// Whether the columns of a foreign key of several lead to the object.
    func isTarget(of columns: KeyColumns, _ row: SQLFragment) -> SQLFragment {
        compared { $0.isEqual(to: columns, of: row, $1) } ?? columns.isEqual(to: key(), of: row)
    }

    /// Whether a foreign key in the object's row leads to one of the objects with these keys.
    func leads(by column: Column, of owner: EntityMapping, toOneOf keys: [RowKey], kind: RowKey.Kind) -> SQLFragment {
        let value = self.column(named: column.name, of: owner)
        return columns(column, of: owner).map { $0.columns.isAmong(keys, of: $0.row) }
            ?? "\(value) = ANY(\(bind: keys, of: kind))"
    }

    /// Compares the columns of a key of several, in the object's own row or in the one that refers to it; `nil` where there is one value: a
    /// key of one column, and one that was computed.
    private func compared<Result>(_ compare: (KeyColumns, SQLFragment) -> Result) -> Result? {
        guard !entity.key.isSingle else { return nil }
        if let alias = tables[ObjectIdentifier(entity.base)] { return compare(entity.key, alias) }
        return reference.map { compare($0.columns, $0.row) }
    }

    /// The column of a property of this class, or of a subclass (`entity`); `NULL` for a property without a column.
    package func column(_ slot: Int, of entity: EntityMapping? = nil) -> SQLFragment {
        let owner = (entity ?? self.entity).owner(ofSlot: slot)
        if let column = owner.columns[slot] { return self.column(named: column.name, of: owner) }
        return owner.generatedColumns[slot].map { column($0, of: owner) } ?? "NULL"
    }

    /// A column that the server computes. Where unsaved changes take part, it is computed of the columns as they will be.
    private func column(_ generated: GeneratedColumn, of owner: EntityMapping) -> SQLFragment {
        if let row { return row.column(generated, of: owner) }
        guard generator.overlays(owner) else { return column(named: generated.column.name, of: owner) }
        return generated.expression.fragment { column(named: $0, of: owner) }
    }

    /// Whether the columns are those of one row, in a condition of its table.
    var isOneRow: Bool { row != nil }

    /// The column of a property as it is in its table, without the conversion in which it is read; over unsaved changes the text of it.
    func unconverted(_ slot: Int, of entity: EntityMapping) -> SQLFragment? {
        let owner = entity.owner(ofSlot: slot)
        guard row == nil, let column = owner.columns[slot], level(of: owner) == nil || uses(owner) else { return nil }
        return generator.column(column.name, of: owner, in: table(of: owner))
    }

    /// A column by name, for foreign keys that belong to no property.
    package func column(named name: String, of owner: EntityMapping) -> SQLFragment {
        // A condition asks whether there is a value, and nothing else of one that is converted.
        if let row { return row.column(name, of: owner) }
        if let column = levelColumn(name, of: owner) { return column }
        return owner.asRead(generator.column(name, of: owner, in: table(of: owner)), named: name)
    }

    /// The column as one of the level that is read anyway; `nil` where its table is joined.
    ///
    /// It shares its place in the level with none: so it is `NULL` in rows of all other tables, and a condition that no `NULL`
    /// fulfils lets the server leave those tables out.
    private func levelColumn(_ name: String, of owner: EntityMapping) -> SQLFragment? {
        guard !uses(owner), let level = level(of: owner),
            let column = (owner.ownColumns + owner.hiddenColumns).first(where: { $0.name == name })
        else { return nil }
        let joined = join(level)
        return "\(joined.alias).\(joined.deciding(column, of: owner))"
    }

    private func level(of owner: EntityMapping) -> HierarchyLevel? {
        levels?.first { level in level.parts.contains { $0.entity === owner } }
    }

    /// Whether the rows of a class are read as part of a level.
    func readsInLevel(_ owner: EntityMapping) -> Bool { level(of: owner) != nil }

    /// The column of a property of `entity` that is only read: unsaved changes do not show in it.
    func shown(_ slot: Int, of entity: EntityMapping) -> SQLFragment {
        let owner = entity.owner(ofSlot: slot)
        guard let column = owner.columns[slot] else { return self.column(slot, of: owner) }
        return owner.asRead(
            generator.shownColumn(column.name, of: owner, in: table(of: owner)), named: column.name)
    }

    /// The concrete class of the object, as text; `NULL` for an object that is not there.
    package func discriminator() -> SQLFragment {
        if let name = entity.classColumn { return column(named: name, of: entity.root) }
        let name = entity.classByTables { "\(keyColumn(in: $0)) IS NOT NULL" }
        return isOptional ? "CASE WHEN \(keyColumn(in: entity)) IS NOT NULL THEN \(name) END" : name
    }

    func uses(_ owner: EntityMapping) -> Bool { tables[ObjectIdentifier(owner.base)] != nil }

    /// Whether a row of this class's table belongs to the object for certain, if the object is there.
    func contains(_ owner: EntityMapping) -> Bool { entity.descriptor.inherits(from: owner.descriptor) }

    /// The alias of a class's table, which is joined if it was not yet.
    func table(of owner: EntityMapping) -> SQLFragment {
        let table = owner.base
        if let alias = tables[ObjectIdentifier(table)] { return alias }
        let alias = generator.alias()
        // By what is known of the key before this table is there.
        let isSame = compared { owner.key.isEqual(to: $0, of: $1, alias) } ?? owner.key.isEqual(to: key(), of: alias)
        tables[ObjectIdentifier(table)] = alias
        source.add(
            contains(table) && !isOptional ? .inner : .left, generator.item(owner), as: alias, on: isSame)
        return alias
    }

    /// The alias of a level of subclasses, which is joined if it was not yet. A scope reads one selection of columns.
    func table(of level: HierarchyLevel) -> SQLFragment { join(level).alias }

    private func join(_ level: HierarchyLevel) -> JoinedLevel {
        if let joined = joinedLevels[level.depth] { return joined }
        let joined = JoinedLevel(alias: generator.alias())
        joinedLevels[level.depth] = joined
        source.add(
            .left, whenComplete: { [generator] in level.sql(generator, deciding: joined.deciding) }, as: joined.alias,
            on: compared { columns, row in
                entity.key.named(entity.key.carriedNames).isEqual(to: columns, of: row, joined.alias)
            } ?? entity.key.named(entity.key.carriedNames).isEqual(to: key(), of: joined.alias))
        return joined
    }

    /// A level in use, and the columns of it that decide something.
    private final class JoinedLevel {
        let alias: SQLFragment
        private(set) var deciding: [TableColumn] = []

        init(alias: SQLFragment) { self.alias = alias }

        /// What a column is called that decides something.
        func deciding(_ column: Column, of owner: EntityMapping) -> SQLFragment {
            let known = deciding.firstIndex { $0.owner === owner && $0.column.name == column.name }
            if known == nil { deciding.append(TableColumn(column, of: owner)) }
            return HierarchyLevel.name(deciding: known ?? deciding.count - 1)
        }
    }

    /// The columns of a foreign key of several in a table that is joined; `nil` where it is one value.
    func columns(_ column: Column, of owner: EntityMapping) -> (columns: KeyColumns, row: SQLFragment)? {
        guard row == nil, let alias = tables[ObjectIdentifier(owner.base)] else { return nil }
        return generator.columns(column, of: owner).map { ($0, alias) }
    }

    /// The object that a to-one relationship leads to; `nil` when there is no column that says so.
    func destination(of relationship: RelationshipMapping) -> TableScope? {
        let name = relationship.property.qualifiedName
        if let known = destinations[name] { return known }
        let scope: TableScope
        switch relationship.storage {
        case .foreignKey(let column):
            let isCertain = !column.isNullable && !isOptional && contains(relationship.owner)
            let owner = relationship.owner
            let key = self.column(named: column.name, of: owner)
            scope = TableScope(
                relationship.destination, .stored, key: key, reference: columns(column, of: owner), in: source,
                requires: isCertain ? [] : requires.union([generator.token()]), aliases: generator)
        case .inverseForeignKey(let holder, let column):
            // The key of the other side is unique in this column: the join adds no rows.
            let alias = generator.alias()
            source.add(
                .left, generator.item(holder), as: alias,
                on: isTarget(of: column, in: holder, alias))
            scope = TableScope(
                relationship.destination, .stored, key: holder.key.value(of: alias), in: source,
                requires: requires.union([generator.token()]), aliases: generator)
            scope.tables[ObjectIdentifier(holder.base)] = alias
        case .joinTable:
            return nil
        }
        destinations[name] = scope
        return scope
    }
}
