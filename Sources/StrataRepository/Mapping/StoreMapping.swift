package import StrataClient
package import StrataModels

/// How the entities of one schema lie in the tables of a PostgreSQL schema.
///
/// Made once a configuration; everything that writes SQL reads names and columns from here.
package final class StoreMapping: Sendable {
    package let schema: Schema
    /// The PostgreSQL schema that holds the tables of all classes that name none.
    package let schemaName: String
    /// That one, and those that classes name.
    package let schemaNames: [String]
    package let entities: [EntityMapping]
    package let joinTables: [JoinTable]
    /// Who makes the tables.
    package let tables: TableOwnership
    /// Whether changes are recorded, apart from those of classes that say otherwise.
    package let recordsHistory: Bool
    /// To-many relationships that must have a number of objects within limits.
    package let limitedRelationships: [RelationshipMapping]
    /// Whether a class has properties that each save gives a date.
    package let hasDates: Bool
    /// The property that says whose rows they are, of the first class that has one; `nil` where all rows are everybody's.
    package let tenant: AnyAttributeProperty?
    /// Whether objects of a class are deleted softly.
    package let deletesSoftly: Bool
    /// Whether a class has properties that the database computes.
    package let hasGeneratedColumns: Bool
    /// Whether values are compared when a transaction is committed: a statement that is one by itself would fail behind its end.
    package let defersUniqueValues: Bool
    /// To-many relationships whose order is stored.
    package let orderedRelationships: [RelationshipMapping]
    let selectLists = SelectListCache()
    let keyedFetches = KeyedFetchCache()
    let fetchStatements = FetchStatementCache()
    let updatePlans = UpdatePlanCache()
    let updateLayouts = UpdateLayoutCache()
    private let byDescriptor: [ObjectIdentifier: EntityMapping]
    private let byName: [String: EntityMapping]

    /// Whether objects of a class are rows of a view.
    package let hasViews: Bool

    /// - Parameter found: what tables of others are where they are not what the models have.
    package init(
        _ schema: Schema, in schemaName: String = "public", recordsHistory: Bool = true, tables: TableOwnership = .own,
        found: [TableName: FoundTable] = [:]
    ) {
        self.schema = schema
        self.tables = tables
        // The history is made by triggers, and they would be Strata's in somebody else's tables.
        self.recordsHistory = recordsHistory && tables == .own
        self.schemaName = schemaName
        let builder = MappingBuilder(schema, schemaName: schemaName, tables: tables, found: found)
        entities = builder.entities
        hasViews = builder.entities.contains(where: \.isView)
        joinTables = builder.joinTables
        let named = Set(builder.entities.map(\.table.schema) + builder.joinTables.map(\.table.schema))
        schemaNames = [schemaName] + named.subtracting([schemaName]).sorted()
        let relationships = builder.entities.flatMap { entity in
            entity.relationships[entity.descriptor.ownSlots].compactMap { $0 }
        }
        limitedRelationships = relationships.filter {
            !$0.property.isToOne
                && ($0.property.metadata.minimumModelCount > 0 || $0.property.metadata.maximumModelCount > 0)
        }
        hasDates = builder.entities.contains { !$0.descriptor.dates.isEmpty }
        tenant = builder.entities.lazy.compactMap(\.descriptor.tenant).first
        deletesSoftly = builder.entities.contains { $0.descriptor.dates.deletion != nil }
        hasGeneratedColumns = builder.entities.contains { !$0.descriptor.generatedSlots.isEmpty }
        defersUniqueValues = builder.entities.contains { $0.entity.modelUniques.contains { $0.timing == .deferred } }
        orderedRelationships = relationships.filter { $0.order != nil }
        byDescriptor = Dictionary(
            entities.map { (ObjectIdentifier($0.descriptor), $0) }, uniquingKeysWith: { first, _ in first })
        byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        declareGeneratedColumns()
        declareUniqueSets()
    }

    package func entity(for descriptor: ModelDescriptor) -> EntityMapping? {
        byDescriptor[ObjectIdentifier(descriptor)]
    }
    package func entity(named name: String) -> EntityMapping? { byName[name] }

    /// Whether a table of another PostgreSQL schema has the name of this one.
    func hasNamesakes(_ table: TableName) -> Bool {
        guard schemaNames.count > 1 else { return false }
        return (entities.map(\.table) + joinTables.map(\.table)).contains {
            $0.name == table.name && $0.schema != table.schema
        }
    }
    package func entity(for type: any PersistentModel.Type) -> EntityMapping? { entity(for: type._$descriptor) }
}

/// One class and its table. A subclass has its own columns in a table of its own, under the key of its parent's row, or in that of the root.
///
/// SQL is written by ``base``, ``layers`` and ``owner(ofSlot:)``, mostly without asking which of both it is (decision 0055).
package final class EntityMapping: Sendable {
    package let entity: Schema.Entity
    package let descriptor: ModelDescriptor
    /// Position in `StoreMapping.entities`.
    package let index: Int
    /// Of somebody else's with heirs that have classes of their own: without the rows of these.
    package let table: TableName
    /// What was found in somebody else's table; nothing in one of Strata's.
    package let found: FoundTable
    /// The columns of the key, the same in all tables of the hierarchy.
    package let key: KeyColumns
    /// What the keys of the hierarchy are.
    package let keyKind: RowKey.Kind
    /// The properties that are the key; none where it is none's, several for a key of several columns.
    package let keySlots: [Int]
    /// How the classes of the hierarchy lie in tables.
    private let inheritance: Schema.Inheritance
    /// What stands in the class column for this class's rows, as it is read; without a column, what a statement says that looks at the tables.
    package let discriminator: String
    package unowned let parent: EntityMapping?
    /// Who makes the tables of the store.
    package let tables: TableOwnership
    /// The properties whose numbers have a precision, inherited ones included.
    let preciseProperties: [AnyAttributeProperty]
    // What leads to other classes is tied by MappingBuilder, when all of them are there.
    let tiedChildren = SetOnce<[EntityMapping]>()
    let tiedProperties = SetOnce<PropertyMappings>()
    let tiedUniqueSets = SetOnce<[UniqueSet]>()
    let tiedGeneratedColumns = SetOnce<[Int: GeneratedColumn]>()

    init(
        _ entity: Schema.Entity, index: Int, parent: EntityMapping?, schemaName: String,
        tables: TableOwnership = .own, found: [TableName: FoundTable] = [:]
    ) {
        self.parent = parent
        self.tables = tables
        self.entity = entity
        self.descriptor = entity.descriptor
        self.index = index
        inheritance = entity.descriptor.root.names.inheritance ?? .joinedTables
        discriminator = entity.descriptor.names.discriminator?.description ?? entity.name
        let base = inheritance == .singleTable ? entity.descriptor.root : entity.descriptor
        let name = TableName(schema: base.namedSchema ?? schemaName, name: Naming.table(of: base))
        self.found = found[name] ?? FoundTable()
        table = TableName(schema: name.schema, name: name.name, isAlone: self.found.hasHeirs)
        key = KeyColumns(of: entity.descriptor, found: self.found.keyTypes)
        keyKind = entity.descriptor.keyKind
        keySlots = entity.descriptor.keySlots
        preciseProperties = entity.descriptor.properties.compactMap { $0 as? AnyAttributeProperty }.filter {
            $0.precision != nil
        }
    }

    package var name: String { entity.name }

    /// Direct subclasses in this schema, by name.
    package var children: [EntityMapping] { tiedChildren.read { $0 } }
    /// The column of each slot, inherited ones included; `nil` for ephemeral ones and for relationships without one
    /// here.
    package var columns: [Column?] { tiedProperties.read { $0.columns } }
    /// The relationship of each slot, inherited ones included.
    package var relationships: [RelationshipMapping?] { tiedProperties.read { $0.relationships } }
    /// Columns of this table that belong to relationships of other classes: foreign keys of to-many relationships without
    /// an inverse, and positions of ordered ones.
    package var hiddenColumns: [Column] { tiedProperties.read { $0.hiddenColumns } }
    /// The orders whose positions stand in this table.
    package var orders: [ListOrder] { tiedProperties.read { $0.orders } }
    /// The foreign keys of several columns in this table.
    var composedColumns: [Column] { tiedProperties.read { $0.composedColumns } }
    /// By column of the table in which this class has its own, how the server converts what models store in a type that it knows by its name.
    var declaredConversions: [String: ColumnConversion] { tiedProperties.read { $0.declaredConversions } }
    /// The unique sets that this class declares. The columns of each stand in one table.
    var ownUniqueSets: [UniqueSet] { tiedUniqueSets.read { $0 } }

    /// The columns that the server computes by what the class says, by slot, inherited ones included. They are none of ``columns``.
    package var generatedColumns: [Int: GeneratedColumn] { tiedGeneratedColumns.read { $0 } }

    /// The root of the hierarchy, this class itself for a root.
    package var root: EntityMapping { parent?.root ?? self }

    /// From the root down to this class.
    package var chain: [EntityMapping] { (parent?.chain ?? []) + [self] }

    /// All subclasses at any depth, parents before children.
    package var descendants: [EntityMapping] { children.flatMap { [$0] + $0.descendants } }

    /// This class and all its subclasses.
    package var family: [EntityMapping] { [self] + descendants }

    /// Whether a row may be of several classes.
    package var hasSeveralClasses: Bool { !root.children.isEmpty }

    /// The column of the root's table that says which class a row has; `nil` where the hierarchy has one class, and where its tables say it.
    package var classColumn: String? {
        hasSeveralClasses && inheritance != .joinedTablesWithoutClassColumn ? Naming.classColumn(of: descriptor) : nil
    }

    /// Whether all classes of the hierarchy have their columns in the root's table. What follows from it is asked: ``base``, ``layers``, ``ownRows``.
    private var isSingleTable: Bool { inheritance == .singleTable }

    /// The class that stands for the table in which this class has its own columns: the root where all share its table, else the class itself.
    package var base: EntityMapping { isSingleTable ? root : self }

    /// The classes that have their own columns in the table for which this one stands.
    var tableClasses: [EntityMapping] { isSingleTable ? (parent == nil ? family : []) : [self] }

    /// As which classes an object of this one is written, from the root's table down: one for each table in which it has a row.
    package var layers: [EntityMapping] { isSingleTable ? [self] : chain }

    /// As which of them it is written in the table for which a class of the hierarchy stands.
    func layer(in table: EntityMapping) -> EntityMapping { layers.first { $0.base === table } ?? table }

    /// The slots that such a class writes in its table.
    var tableSlots: Range<Int> { isSingleTable ? 0..<descriptor.properties.count : descriptor.ownSlots }

    /// Whether the columns of the key are the table's own, in which this class has its columns, and no property's there: of a key of several, properties of the
    /// root are the parts, and the tables of its subclasses have them once more.
    package var keyIsApart: Bool { key.isSingle || base.parent != nil }

    /// Those of them that have a column, are not the key, and are not computed by the server.
    var tableValueSlots: [Int] { tableSlots.filter { columns[$0]?.isGenerated == false && $0 != keySlot } }

    /// The column that says which class a row has, if the table in which this class has its own columns has it.
    package var ownClassColumn: String? { base.parent == nil ? classColumn : nil }

    /// Whether a column of the table in which this class has its own columns says which class a row has.
    func isClassColumn(_ name: String) -> Bool { name == ownClassColumn }

    /// The class of whose rows this stands in the class column; the text itself where no class has it.
    func className(ofDiscriminator text: String) -> String {
        root.family.first { $0.discriminator == text }?.name ?? text
    }

    /// The property whose column is the key; `nil` where it is none's, and for a key of parts, which are properties like others.
    package var keySlot: Int? { key.isSingle ? keySlots.first : nil }

    /// Whether a property is the key, or a part of it: it is written with the row, and not changed.
    package func isKey(_ slot: Int) -> Bool { keySlots.contains(slot) }

    /// The column of a property that queries may name: one that is stored, or that the server computes.
    package func queriedColumn(_ slot: Int) -> Column? { columns[slot] ?? generatedColumns[slot]?.column }

    /// The columns of this class's own table that the server computes.
    package var ownGeneratedColumns: [GeneratedColumn] { descriptor.ownSlots.compactMap { generatedColumns[$0] } }

    /// The columns of this class's own table that belong to its properties, without that of the key.
    package var ownColumns: [Column] { ownValueSlots.compactMap { columns[$0] } }

    /// Those of ``ownValueSlots`` that the server does not compute: what is written of a row beside its key.
    var ownWrittenSlots: [Int] { ownValueSlots.filter { columns[$0]?.isGenerated == false } }

    /// The slots of this class's own properties that have a column and are not the key.
    package var ownValueSlots: [Int] { descriptor.ownSlots.filter { columns[$0] != nil && $0 != keySlot } }

    /// The columns of properties in the table for which this class stands, each as it is carried, without that of the key.
    package var propertyColumns: [Column] { tableClasses.flatMap(\.ownColumns) }

    /// The columns of the table for which this class stands, whoever they belong to, without that of a key that has one.
    package var tableColumns: [Column] { (propertyColumns + hiddenColumns).flatMap(\.tableColumns) }

    /// The foreign key of several columns in the table of this class's own columns that is carried under a name; `nil` for a column. Two by the
    /// same columns have the same value.
    func foreignKey(named name: String) -> ForeignKeyColumns? {
        base.tableClasses.lazy.compactMap { $0.composedColumns.first { $0.name == name } }.first?.foreignKey
    }

    /// What the keys are in the column of a to-one relationship; `nil` for an attribute.
    func referredKind(_ slot: Int) -> RowKey.Kind? { relationships[slot]?.destination.keyKind }

    /// The type of a column of this class's own table, whoever it belongs to.
    func columnType(named name: String) -> PostgresType {
        (base.propertyColumns + base.hiddenColumns).first { $0.name == name }?.type ?? keyKind.type
    }

    /// The one of ``layers`` as which the column of `slot` is written.
    package func owner(ofSlot slot: Int) -> EntityMapping { isSingleTable ? self : declaring(slot) }

    /// The class that declares the property of `slot`, this one or one above it.
    func declaring(_ slot: Int) -> EntityMapping {
        var current = self
        while let parent = current.parent, slot < parent.descriptor.properties.count { current = parent }
        return current
    }
}

/// A table's name with its schema; always both are written.
package struct TableName: Hashable, Sendable {
    package var schema: String
    package var name: String
    /// Whether it stands for the rows of this table without those of the tables that inherit from it (`ONLY`).
    let isAlone: Bool

    package init(schema: String, name: String) { self.init(schema: schema, name: name, isAlone: false) }

    init(schema: String, name: String, isAlone: Bool) {
        (self.schema, self.name, self.isAlone) = (schema, name, isAlone)
    }
}

/// A column of an entity's table.
package struct Column: Sendable {
    package let name: String
    package let type: PostgresType
    /// The element type in array parameters, with a cast to `type` where they differ.
    package let transportType: PostgresType
    package let isNullable: Bool
    /// The slot of the property; `nil` for a hidden foreign key.
    package let slot: Int?
    /// The property, for messages: `Trip.name`.
    package let propertyName: String
    package let isExternal: Bool
    /// What `.precision` says of a `numeric`.
    var precision: NumericPrecision?
    /// What the column is where the server converts its values to `type` and back; `nil` for nearly all.
    var storedType: StoredType?
    /// Whether the server computes it: it is in no statement that writes.
    var isGenerated = false
    /// The columns of a foreign key of several. ``name`` is then none of the table's, but what the one value is called where it is carried.
    package var foreignKey: ForeignKeyColumns?

    /// The columns of the table that are written with it.
    package var tableColumns: [Column] {
        guard let foreignKey else { return [self] }
        return foreignKey.owned.map { foreignKey.key.parts[$0] }.map { part in
            Column(
                name: part.name, type: part.type, transportType: part.type, isNullable: isNullable,
                slot: slot,
                propertyName: propertyName, isExternal: false)
        }
    }

    /// The columns of the table in which it stands, those of other properties included.
    package var tableNames: [String] { foreignKey?.key.names ?? [name] }

    /// Whether any column is written with it.
    var isWritten: Bool { !isGenerated && foreignKey?.owned.isEmpty != true }
}

extension Column {
    /// The key of several columns in the table of a subclass, as one value: no property of the class has it.
    init(keyOf owner: EntityMapping) {
        self.init(
            name: Naming.carried(owner.key.names), type: owner.keyKind.type, transportType: owner.keyKind.type,
            isNullable: false, slot: nil, propertyName: "\(owner.name).\(owner.key.description)", isExternal: false,
            foreignKey: ForeignKeyColumns(owner.key.names, to: owner.key))
    }
}
