import StrataModels

/// What tables and columns are called: what the model says, or else what the rule makes of Swift's names (decision 0036). Asked
/// when a ``StoreMapping`` is made; everybody else reads the names from there.
extension Naming {
    /// The table of a class, or its view.
    static func table(of descriptor: ModelDescriptor) -> String {
        descriptor.names.table ?? table(descriptor.entityName)
    }

    /// The column of the key, the same in all tables of a hierarchy.
    static func keyColumn(of descriptor: ModelDescriptor) -> String {
        descriptor.root.keyProperty.map(column) ?? descriptor.root.names.keyColumn ?? key
    }

    /// The column of the root's table that says which class a row has.
    static func classColumn(of descriptor: ModelDescriptor) -> String {
        descriptor.root.names.classColumn ?? discriminator
    }

    /// The column of an attribute, or of a to-one relationship.
    static func column(of property: any ModelProperty) -> String {
        // A list of one names a column, too.
        let list = (property as? RelationshipProperty)?.metadata.names.columns
        return property.declaredColumn ?? (list?.count == 1 ? list?[0] : nil) ?? column(property.name)
    }

    /// The column of a to-many relationship without an inverse, in the other class's table.
    static func hiddenColumn(of property: RelationshipProperty) -> String {
        property.declaredColumn ?? joined(snakeCase(property.declaringEntity), snakeCase(property.name))
    }

    /// The columns of a foreign key that leads to a key of several: what the model says, or the relationship's name before that of each
    /// column.
    static func columns(of property: RelationshipProperty, to key: KeyColumns, isHidden: Bool = false) -> [String] {
        if let declared = property.metadata.names.columns, declared.count == key.parts.count { return declared }
        let own = isHidden ? hiddenColumn(of: property) : column(of: property)
        return key.names.count == 1 ? [own] : key.names.map { joined(own, $0) }
    }

    /// What the one value of ``ForeignKeyColumns`` is called where it is carried: no column, as good as never.
    static func carried(_ columns: [String]) -> String {
        bounded(columns.count == 1 ? "(\(columns[0]))" : columns.joined(separator: ", "))
    }

    /// The column with the positions of an ordered relationship.
    static func positionColumn(of property: RelationshipProperty, isSecond: Bool) -> String {
        let name = joined(snakeCase(property.name), "position")
        // Both sides of a table of pairs may have properties of one name.
        return isSecond ? joined(name, "2") : name
    }

    /// The table of pairs of a many-to-many relationship, which either end may name.
    static func joinTable(of first: RelationshipProperty, and second: RelationshipProperty) -> String {
        first.metadata.names.table ?? second.metadata.names.table
            ?? joined(snakeCase(first.declaringEntity), snakeCase(first.name))
    }

    /// The columns of a table of pairs, with the keys of the objects that have the first relationship, and the second.
    ///
    /// Named for what they hold: the key of a trip, the key of a guest. Within one class the relationship's names tell the two
    /// apart.
    static func pairColumns(
        of first: (property: RelationshipProperty, table: String, key: KeyColumns),
        and second: (property: RelationshipProperty, table: String, key: KeyColumns)
    ) -> (first: [String], second: [String]) {
        let isReflexive = first.table == second.table
        let (one, other) = (first.property.metadata.names, second.property.metadata.names)
        func byRule(_ key: KeyColumns, _ prefix: String) -> [String] { key.names.map { joined(prefix, $0) } }
        let firstColumns =
            declared(first.key, one, other.inverseColumn)
            ?? byRule(first.key, isReflexive ? snakeCase(second.property.name) : first.table)
        if let named = declared(second.key, other, one.inverseColumn) { return (firstColumns, named) }
        let secondColumns = byRule(second.key, isReflexive ? snakeCase(first.property.name) : second.table)
        let isTaken = !Set(firstColumns).isDisjoint(with: secondColumns)
        return (firstColumns, isTaken ? secondColumns.map { joined($0, "2") } : secondColumns)
    }

    /// What an end says of its own columns in a table of pairs, or the other end of them.
    private static func declared(
        _ key: KeyColumns, _ own: RelationshipNames, _ byOther: String?
    ) -> [String]? {
        // A key of one part takes both words.
        if key.isSingle || key.parts.count == 1 && own.columns == nil { return (own.column ?? byOther).map { [$0] } }
        return own.columns?.count == key.parts.count ? own.columns : nil
    }
}
