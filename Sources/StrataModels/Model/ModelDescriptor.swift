package import StrataClient
import Synchronization

/// What is known of a model class without a schema: its properties by slot, its superclass, how to make an instance.
///
/// Built once a class, on first use, by code that `@Model` wrote; lives as long as the process.
public final class ModelDescriptor: Sendable {
    /// The name of the entity: the class's own name without the types it is nested in.
    package let entityName: String
    /// How calls about its objects are named.
    package let callNames: CallNames
    package let type: any PersistentModel.Type
    package let superclass: ModelDescriptor?
    /// The class at the top of the chain, itself for a root.
    package var root: ModelDescriptor { superclass?.root ?? self }
    /// All persisted properties, inherited ones first; the index is the slot.
    package let properties: [any ModelProperty]
    /// The slots of the properties this class declares itself.
    package let ownSlots: Range<Int>
    /// The relationships among the properties.
    package let relationships: [RelationshipProperty]
    /// The same by slot.
    private let relationshipsBySlot: [RelationshipProperty?]
    package let constraints: [Schema.ModelConstraint]
    /// The slots of the properties that are the key, in all classes of a hierarchy: none where it is none's, several for one of
    /// several columns.
    package let keySlots: [Int]
    /// Whether `#PrimaryKey` declares the key: it is carried as the array of its parts, of several columns or of one.
    package let hasKeyParts: Bool
    /// What the keys of the hierarchy are.
    package let keyKind: RowKey.Kind
    /// The properties that each save gives a date.
    package let dates: DateSlots
    /// The properties that the database alone computes: memory has what was read of them.
    package let generatedSlots: SlotSet
    /// The property that says whose row an object is, of the root of the hierarchy; `nil` where it is everybody's.
    package let tenant: AnyAttributeProperty?
    /// What the class says, or has from its superclass.
    package let recordsHistory: Bool
    /// Whether there are objects of subclasses only. Not inherited.
    package let isAbstract: Bool
    /// What the class calls its table and columns, where it does.
    package let names: ClassNames
    /// Whether the objects are rows of a view.
    package let isView: Bool
    private let keyPaths = NamedKeyPaths()
    private let make: @Sendable (inout RowReader) -> any PersistentModel
    /// The direct subclasses whose descriptors were built.
    private let subclasses = Mutex<[ModelDescriptor]>([])

    /// The descriptor of a class, from its metadata; called once a class by code that `@Model` wrote.
    ///
    /// - Parameter recordsHistory: what a subclass says itself: it has inherited its superclass's conformance, by which its
    ///   own declaration cannot be found.
    /// - Parameter isAbstract: what the class says itself.
    /// - Parameters:
    ///   - table: what `@Model` calls the table.
    ///   - postgresSchema: in which PostgreSQL schema `@Model` says that it is.
    ///   - keyColumn: what `@Model` calls the column of the key.
    ///   - classColumn: what `@Model` calls the column that names the class.
    ///   - keyConstraint: what `@Model` calls the constraint of the primary key.
    ///   - superclassConstraint: what `@Model` calls the foreign key to the superclass's table.
    ///   - inheritance: whether `@Model` lets the classes of the hierarchy share a table.
    ///   - discriminator: what `@Model` says stands in that column for the class.
    public init<M: PersistentModel>(
        _ type: M.Type, superclass: ModelDescriptor?, recordsHistory: Bool? = nil, isAbstract: Bool = false,
        table: String? = nil, postgresSchema: String? = nil, keyColumn: String? = nil, classColumn: String? = nil,
        keyConstraint: String? = nil, superclassConstraint: String? = nil,
        inheritance: Schema.Inheritance? = nil, discriminator: Schema.Discriminator? = nil
    ) {
        self.type = type
        // What `String(describing:)` gives, without asking first, of each class anew, whether a metatype describes itself: that looks
        // through all conformances of the program, and was half of the time that a schema takes to be made.
        let name = _typeName(type, qualified: false)
        self.entityName = name
        callNames = CallNames(of: name)
        self.superclass = superclass
        let properties = M.schemaMetadata.enumerated().map { slot, metadata in
            let inherited = superclass.flatMap { slot < $0.properties.count ? $0.properties[slot] : nil }
            return metadata.property(PropertyPlace(slot: slot, declaringEntity: inherited?.declaringEntity ?? name))
        }
        self.properties = properties
        self.relationshipsBySlot = properties.map { $0 as? RelationshipProperty }
        self.relationships = relationshipsBySlot.compactMap { $0 }
        dates = DateSlots(properties)
        generatedSlots = SlotSet(
            properties.lazy.compactMap { $0 as? AnyAttributeProperty }.filter { $0.isGenerated && !$0.isComputed }
                .map(\.slot))
        tenant = properties.lazy.compactMap { $0 as? AnyAttributeProperty }.first { $0.options.contains(.tenant) }
        self.ownSlots = (superclass?.properties.count ?? 0)..<properties.count
        self.constraints = M._$constraints
        if let superclass {
            (keySlots, keyKind, hasKeyParts) = (superclass.keySlots, superclass.keyKind, superclass.hasKeyParts)
        } else {
            let parts = constraints.keySlots(among: properties)
            let key = properties.lazy.compactMap { $0 as? AnyAttributeProperty }.first { $0.isKey && $0.keyKind != nil }
            hasKeyParts = !parts.isEmpty
            // A key of parts is carried as a text (decision 0047).
            keySlots = parts.isEmpty ? [key?.slot].compactMap { $0 } : parts
            keyKind = parts.isEmpty ? key?.keyKind ?? .integer : .text
            if keyKind == .text { RowKey.expectTexts() }
        }
        self.recordsHistory = recordsHistory ?? M.recordsHistory
        self.isAbstract = isAbstract
        names = ClassNames(
            table: table, postgresSchema: postgresSchema, keyColumn: keyColumn, classColumn: classColumn,
            keyConstraint: keyConstraint, superclassConstraint: superclassConstraint,
            inheritance: inheritance, discriminator: discriminator)
        isView = M._$isView
        self.make = { row in M(_$decoding: &row) }
        superclass?.subclasses.withLock { $0.append(self) }
    }

    /// Stands in for the descriptor of a class that is described in a schema, and is not there.
    init(described name: String, recordsHistory: Bool, isAbstract: Bool, names: ClassNames) {
        type = DescribedModel.self
        entityName = name
        callNames = CallNames(of: name)
        superclass = nil
        properties = []
        relationshipsBySlot = []
        relationships = []
        dates = DateSlots([])
        generatedSlots = SlotSet()
        tenant = nil
        ownSlots = 0..<0
        constraints = []
        (keySlots, keyKind, hasKeyParts) = ([], .integer, false)
        self.recordsHistory = recordsHistory
        self.isAbstract = isAbstract
        self.names = names
        isView = false
        make = { row in DescribedModel(_$decoding: &row) }
    }

    /// The PostgreSQL schema that the class names, or the nearest above it that names one; `nil` for that of the store.
    package var namedSchema: String? { names.postgresSchema ?? superclass?.namedSchema }

    /// Whether there is no class.
    package var isDescribed: Bool { type is DescribedModel.Type }

    /// This class or a subclass with this entity name, of those whose descriptors were built: all that are in a container.
    package func descendant(named name: String) -> ModelDescriptor? {
        if entityName == name { return self }
        for subclass in subclasses.withLock({ $0 }) {
            if let found = subclass.descendant(named: name) { return found }
        }
        return nil
    }

    /// A new instance that reads its values from `row`.
    package func instance(from row: inout RowReader) -> any PersistentModel {
        make(&row)
    }

    /// The relationship in this slot; `nil` for an attribute, and for a slot that the class does not have.
    package func relationship(at slot: Int) -> RelationshipProperty? {
        slot < relationshipsBySlot.count ? relationshipsBySlot[slot] : nil
    }

    /// The property that is the key; `nil` for a key of parts.
    package var keyProperty: AnyAttributeProperty? {
        hasKeyParts ? nil : keySlots.first.flatMap { properties[$0] as? AnyAttributeProperty }
    }

    /// What a key of parts is made of; empty for another.
    package var keyParts: [KeyPart] {
        hasKeyParts ? keySlots.compactMap { KeyPart(properties[$0]) } : []
    }

    package func property(named name: String) -> (any ModelProperty)? {
        properties.first { $0.name == name }
    }

    /// The property a key path names, also when the path is written on a superclass or on a subclass of this class.
    package func property(for keyPath: AnyKeyPath) -> (any ModelProperty)? {
        keyPaths.property(for: keyPath) { () -> (any ModelProperty)? in
            var current: ModelDescriptor? = self
            while let descriptor = current {
                if let found = descriptor.properties.first(where: { $0.keyPath == keyPath }) {
                    return found.slot < properties.count ? properties[found.slot] : found
                }
                current = descriptor.superclass
            }
            return nil
        }
    }

    /// Whether this is the descriptor of `type` itself: a subclass without `@Model` has its superclass's.
    package func describes(_ type: any PersistentModel.Type) -> Bool {
        ObjectIdentifier(self.type) == ObjectIdentifier(type)
    }

    /// Whether this class is `other` or one of its subclasses.
    package func inherits(from other: ModelDescriptor) -> Bool {
        var current: ModelDescriptor? = self
        while let descriptor = current {
            if descriptor === other { return true }
            current = descriptor.superclass
        }
        return false
    }
}

/// The class of entities that no class stands behind. No object of it is ever made.
@Model final class DescribedModel {
    init() {}
}
