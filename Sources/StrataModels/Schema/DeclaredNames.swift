/// What a class says of its table: the arguments of `@Model`. `nil` for what follows from the class's name.
package struct ClassNames: Hashable, Sendable {
    /// The table, or the view.
    package var table: String?
    /// The PostgreSQL schema of the table, and of those of the subclasses that name none; `nil` for that of the store.
    package var postgresSchema: String?
    /// The column of the key, in all tables of the hierarchy. Of a root only.
    package var keyColumn: String?
    /// The column of the root's table that says which class a row has. Of a root only.
    package var classColumn: String?
    /// The constraint of the primary key of the class's own table.
    package var keyConstraint: String?
    /// The foreign key by which the table of a subclass refers to that of its superclass.
    package var superclassConstraint: String?
    /// Whether the classes of the hierarchy share a table. Of a root only.
    package var inheritance: Schema.Inheritance?
    /// What stands in the class column of the class's own rows.
    package var discriminator: Schema.Discriminator?

    package init(
        table: String? = nil, postgresSchema: String? = nil, keyColumn: String? = nil, classColumn: String? = nil,
        keyConstraint: String? = nil, superclassConstraint: String? = nil,
        inheritance: Schema.Inheritance? = nil, discriminator: Schema.Discriminator? = nil
    ) {
        (self.table, self.postgresSchema) = (table, postgresSchema)
        (self.keyColumn, self.classColumn) = (keyColumn, classColumn)
        (self.keyConstraint, self.superclassConstraint) = (keyConstraint, superclassConstraint)
        (self.inheritance, self.discriminator) = (inheritance, discriminator)
    }
}

/// What a relationship says of where its links lie: arguments of `@Relationship`. `nil` for a name that follows from Swift's.
package struct RelationshipNames: Hashable, Sendable {
    /// The table of pairs of a many-to-many relationship.
    package var table: String?
    /// The foreign key: of a to-one relationship the column with the key of the object it leads to, of a to-many relationship
    /// the column with the keys of the objects that have it.
    package var column: String?
    /// The same of a foreign key of several columns, in the order of the key that it leads to.
    package var columns: [String]?
    /// In a table of pairs, the column with the keys of the objects at the other end.
    package var inverseColumn: String?
    /// The constraint of the foreign key; in a table of pairs, of the one by ``column``.
    package var constraint: String?
    /// The constraint of the primary key of a table of pairs.
    package var keyConstraint: String?

    package init(
        table: String? = nil, column: String? = nil, columns: [String]? = nil, inverseColumn: String? = nil,
        constraint: String? = nil, keyConstraint: String? = nil
    ) {
        (self.table, self.column, self.columns, self.inverseColumn) = (table, column, columns, inverseColumn)
        (self.constraint, self.keyConstraint) = (constraint, keyConstraint)
    }
}
