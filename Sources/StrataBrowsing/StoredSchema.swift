package import StrataRepository

/// The classes and tables of one PostgreSQL schema, as an application's models or the database itself describe them.
public struct StoredSchema: Sendable, Equatable {
    /// Where the classes are known from.
    public enum Source: Sendable, Equatable {
        /// From the models of an application. Of those only what has tables now: of a program that is older than the tables, or has a part of the
        /// models, classes and relationships are missing. See ``StoredSchema/unknownReferences``.
        case models
        /// From the record of migrations: everything that the models say.
        case migrations
        /// From the description that triggers of the history follow: without the rules of relationships.
        case history
        /// From the catalogs alone: each table with a key of whole numbers, UUIDs or texts is taken for a class.
        case tables
    }

    /// The name of the PostgreSQL schema.
    public let name: String
    /// Where the classes are known from.
    public let source: Source
    /// The version that migrations have reached, where they keep a record.
    public let version: String?
    /// The moment at which it was read, as PostgreSQL writes a snapshot.
    public let snapshot: String
    /// The classes, by name.
    public let classes: [StoredClass]
    /// All tables, by name: those of classes, those of pairs, and those of others.
    public let tables: [StoredTable]

    /// Whether it is known what deleting an object does by the models' rules: also of all that refers to objects.
    public var knowsDeleteRules: Bool { (source == .models || source == .migrations) && unknownReferences.isEmpty }

    /// The foreign keys that lead to tables of classes and belong to no class or relationship that is known: those of a class that
    /// the models do not have, for example, because they are older than the tables.
    public var unknownReferences: [StoredReference] {
        let tableOfClass = Dictionary(classes.map { ($0.name, $0.table) }) { first, _ in first }
        let ownTables = Set(tableOfClass.values)
        var known: Set<[String]> = []
        for storedClass in classes {
            known.insert([storedClass.table] + storedClass.keyColumns)
            known.formUnion(storedClass.properties.map { [storedClass.table] + $0.columns })
            for relationship in storedClass.relationships {
                switch relationship.storage {
                case .foreignKey(let columns, let holder): known.insert([tableOfClass[holder] ?? ""] + columns)
                case .pairs(let table, let own, let other): known.formUnion([[table] + own, [table] + other])
                }
            }
        }
        return tables.flatMap(\.references).filter {
            ownTables.contains($0.target) && !known.contains([$0.table] + $0.columns)
        }
    }

    /// The class of a name.
    public func storedClass(named name: String) -> StoredClass? { classes.first { $0.name == name } }

    /// From the class at the top of the hierarchy down to the class itself.
    public func chain(of storedClass: StoredClass) -> [StoredClass] {
        var chain = [storedClass]
        // A description may be of anybody's making: no class is met twice.
        while let parent = chain[0].parent.flatMap({ self.storedClass(named: $0) }), !chain.contains(parent) {
            chain.insert(parent, at: 0)
        }
        return chain
    }

    /// The direct subclasses.
    public func children(of storedClass: StoredClass) -> [StoredClass] {
        classes.filter { $0.parent == storedClass.name && $0 != storedClass }
    }

    /// All properties of a class's objects, the inherited ones first.
    public func properties(of storedClass: StoredClass) -> [StoredProperty] {
        chain(of: storedClass).flatMap(\.properties)
    }

    /// All relationships of a class's objects that lie in other tables, the inherited ones first.
    public func relationships(of storedClass: StoredClass) -> [StoredRelationship] {
        chain(of: storedClass).flatMap(\.relationships)
    }

    /// The tables that are no class's.
    public var otherTables: [StoredTable] {
        let taken = Set(classes.map(\.table))
        return tables.filter { !taken.contains($0.name) }
    }
}

/// A class whose objects lie in tables.
public struct StoredClass: Sendable, Equatable {
    /// The class's name.
    public let name: String
    /// The superclass, by name.
    public let parent: String?
    /// The table with the class's own properties.
    public let table: String
    /// The columns with the objects' keys, in all tables of the hierarchy.
    package let key: KeyColumns
    /// Whether the database gives a new row its key, where none is given.
    public let givesKeys: Bool
    /// The column that says which class a row of the root's table has; `nil` for a subclass and for a root without subclasses.
    public let discriminator: String?
    /// What stands in that column for this class.
    public let classValues: [String]
    /// Whether there are objects of its subclasses only.
    public let isAbstract: Bool
    /// Its own properties with columns, not the inherited ones.
    public internal(set) var properties: [StoredProperty]
    /// Its own relationships that lie in other tables.
    public internal(set) var relationships: [StoredRelationship]
    /// How many rows the table has, as the planner estimates; -1 where nobody has counted yet.
    public let estimatedRows: Int64

    /// The columns with the objects' keys: one, or several.
    public var keyColumns: [String] { key.names }

    /// The property by which people know an object: a unique text before any other, and else what is called a name or a title.
    public var labelProperty: StoredProperty? {
        let texts = properties.filter { $0.type == "text" && $0.destination == nil }
        return texts.first(where: \.isUnique) ?? texts.first { ["name", "title", "label"].contains($0.name) }
            ?? texts.first
    }
}

/// A property with a column: an attribute, or a relationship to one object.
public struct StoredProperty: Sendable, Equatable {
    /// The property's name.
    public let name: String
    /// Its columns in the class's table: one, or several of a relationship to objects whose keys have as many.
    public let columns: [String]
    /// PostgreSQL's type.
    public let type: String
    /// Swift's type, where models or the record of migrations say it.
    public let valueType: String?
    /// Whether it may be NULL.
    public let isOptional: Bool
    /// Whether a row has a value here though none is given.
    public let hasDefault: Bool
    /// Whether no two objects have the same value.
    public let isUnique: Bool
    /// Whether it lies out of line.
    public let isExternal: Bool
    /// Whether the server computes it.
    public let isGenerated: Bool
    /// The values of an enumeration, where they are known.
    public let cases: [String]?
    /// The class it leads to; `nil` for an attribute.
    public let destination: String?
    /// What becomes of the object it leads to when this one is deleted; `nil` for an attribute.
    public let whenDeleted: DeletionEffect?

    /// The column; the first of several.
    public var column: String { columns[0] }
}

/// A relationship whose links lie in another table.
public struct StoredRelationship: Sendable, Equatable {
    /// Where the links lie.
    public enum Storage: Sendable, Equatable {
        /// In columns of the other class's table: one, or as many as the key has that they hold.
        case foreignKey(columns: [String], of: String)
        /// In a table of pairs; `own` holds keys of the class that declares the property. Of a key of several columns each has as many.
        case pairs(table: String, own: [String], other: [String])
    }

    /// The property's name; `Stop.tour` where the class has none, for the objects that refer to it.
    public let name: String
    /// The class it leads to.
    public let destination: String
    /// Where the links lie.
    public let storage: Storage
    /// The columns by which the links refer to the object that has the relationship.
    package let own: KeyColumns
    /// The column with the positions, where the order is stored.
    public let position: String?
    /// Whether it leads to one object at most.
    public let isToOne: Bool
    /// The models' rule for those it leads to: `cascade`, `nullify`, `deny` or `noAction`, where it is known.
    public let deleteRule: String?
    /// What becomes of those it leads to when the object is deleted: by the rule, and else by the foreign key.
    public let whenDeleted: DeletionEffect
}

/// What becomes of an object when one that leads to it is deleted: ``StoreBrowser/delete(_:of:mark:in:)``.
public enum DeletionEffect: Sendable, Equatable {
    /// It is deleted too.
    case deletes
    /// It stays, and leads to nothing.
    case leaves
    /// It stays as it is. What refers to the deleted object goes on to do so.
    case dangles
    /// It stays, and leads to what the column has as its default.
    case resets
    /// There must be none, unless it goes as well.
    case forbids
}

/// A foreign key.
public struct StoredReference: Sendable, Equatable {
    /// The table that it belongs to.
    public let table: String
    /// Its columns.
    public let columns: [String]
    /// The table that it refers to.
    public let target: String
    /// What becomes of the rows that refer to a deleted one.
    public let whenDeleted: DeletionEffect
}

/// A table with its columns and keys.
public struct StoredTable: Sendable, Equatable {
    /// A column.
    public struct Column: Sendable, Equatable {
        /// The column's name.
        public let name: String
        /// PostgreSQL's type.
        public let type: String
        /// Whether it may be NULL.
        public let isNullable: Bool
        /// Whether it is part of the primary key.
        public let isKey: Bool
        /// Whether a unique constraint has this column alone.
        public let isUnique: Bool
        /// The table that its foreign key refers to.
        public let references: String?
        /// What becomes of the row when the one that it refers to is deleted, by the foreign key; `nil` without one.
        public let whenDeleted: DeletionEffect?
    }

    /// The table's name.
    public let name: String
    /// Its columns, in their order.
    public let columns: [Column]
    /// Its foreign keys within the schema.
    public let references: [StoredReference]
}
