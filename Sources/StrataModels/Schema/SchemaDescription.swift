/// What a schema is, without its classes: what can be written to a file, and what two schemas are compared by.
struct SchemaDescription: Codable {
    var encodingVersion: Schema.Version
    var version: Schema.Version
    /// Ordered by name.
    var entities: [EntityDescription]
}

/// What a class is.
struct EntityDescription: Codable, Hashable {
    struct Unique: Hashable {
        var names: [String]
        /// Absent where the name follows from the columns.
        var givenName: String?
        /// Absent where texts that differ in case are different.
        var letterCase: Schema.UniqueCase?
        /// Absent where `nil` equals nothing.
        var nulls: Schema.UniqueNulls?
        /// Absent where they are compared as each row is written.
        var timing: Schema.UniqueTiming?
        /// The text of the condition.
        var condition: String?
    }

    struct Index: Codable, Hashable {
        var method: Schema.ModelIndex.Method
        var names: [String]
        /// Absent where the name follows from the columns.
        var givenName: String?
        /// One a property; absent where all are as they are.
        var forms: [Schema.ModelIndex.KeyForm]?
        /// Absent where there are none.
        var included: [String]?
        /// The text of the condition.
        var condition: String?
    }

    struct Check: Codable, Hashable {
        var name: String
        /// Absent where the name follows from the rule's.
        var givenName: String?
        /// The text of the condition.
        var source: String
    }

    var name: String
    var superentityName: String?
    var isAbstract = false
    var recordsHistory = true
    /// What the class calls its table and columns; absent where the names follow from Swift's.
    var table: String?
    var postgresSchema: String?
    var keyColumn: String?
    var classColumn: String?
    var keyConstraint: String?
    var superclassConstraint: String?
    var inheritance: Schema.Inheritance?
    var discriminator: Schema.Discriminator?
    /// The properties that are the key together; absent for a key of one column.
    var primaryKey: [String]?
    /// Absent for a table that is one.
    var partition: Schema.EntityPartition?
    /// Those that the class declares itself, in their order.
    var properties: [PropertyDescription]
    var uniquenessConstraints: [Unique] = []
    var indices: [Index] = []
    /// Absent where there are none.
    var checks: [Check]?
    /// What properties are computed by, under their names; absent where there are none.
    var generated: [Check]?
}

/// What is said of names alone is their list.
extension EntityDescription.Unique: Codable {
    private enum CodingKeys: String, CodingKey {
        case names, givenName, nulls, timing, condition
        case letterCase = "case"
    }

    init(_ unique: Schema.EntityUnique) {
        self.init(
            names: unique.names, givenName: unique.givenName,
            letterCase: unique.letterCase == .sensitive ? nil : unique.letterCase,
            nulls: unique.nulls == .distinct ? nil : unique.nulls,
            timing: unique.timing == .immediate ? nil : unique.timing, condition: unique.source)
    }

    init(from decoder: any Decoder) throws {
        if let names = try? decoder.singleValueContainer().decode([String].self) {
            self.init(names: names)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            names: try container.decode([String].self, forKey: .names),
            givenName: try container.decodeIfPresent(String.self, forKey: .givenName),
            letterCase: try container.decodeIfPresent(Schema.UniqueCase.self, forKey: .letterCase),
            nulls: try container.decodeIfPresent(Schema.UniqueNulls.self, forKey: .nulls),
            timing: try container.decodeIfPresent(Schema.UniqueTiming.self, forKey: .timing),
            condition: try container.decodeIfPresent(String.self, forKey: .condition))
    }

    func encode(to encoder: any Encoder) throws {
        guard self != Self(names: names) else {
            var container = encoder.singleValueContainer()
            return try container.encode(names)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(names, forKey: .names)
        try container.encodeIfPresent(givenName, forKey: .givenName)
        try container.encodeIfPresent(letterCase, forKey: .letterCase)
        try container.encodeIfPresent(nulls, forKey: .nulls)
        try container.encodeIfPresent(timing, forKey: .timing)
        try container.encodeIfPresent(condition, forKey: .condition)
    }
}

extension Schema.EntityUnique {
    init(_ description: EntityDescription.Unique) {
        self.init(
            names: description.names, givenName: description.givenName,
            letterCase: description.letterCase ?? .sensitive,
            nulls: description.nulls ?? .distinct,
            timing: description.timing ?? .immediate, condition: nil, source: description.condition)
    }
}

extension EntityDescription.Index {
    init(_ index: Schema.EntityIndex) {
        self.init(
            method: index.method, names: index.names, givenName: index.givenName,
            forms: index.keys.allSatisfy { $0.form == .plain } ? nil : index.keys.map(\.form),
            included: index.included.isEmpty ? nil : index.included, condition: index.source)
    }
}

extension Schema.EntityIndex {
    init(_ description: EntityDescription.Index) {
        let forms = description.forms ?? description.names.map { _ in .plain }
        self.init(
            method: description.method, givenName: description.givenName,
            keys: zip(description.names, forms).map { Key(name: $0, form: $1) },
            included: description.included ?? [], condition: nil, source: description.condition)
    }
}

/// What a property is: in a file `{"attribute": {…}}` or `{"relationship": {…}}`.
enum PropertyDescription: Codable, Hashable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)

    private enum Key: String, CodingKey {
        case attribute
        case relationship
    }

    init(_ property: any SchemaProperty) {
        if let relationship = property as? Schema.Relationship {
            self = .relationship(relationship.description)
        } else if let attribute = property as? Schema.Attribute {
            self = .attribute(AttributeDescription(attribute))
        } else {
            self = .attribute(AttributeDescription(property))
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.relationship) {
            self = .relationship(try container.decode(RelationshipDescription.self, forKey: .relationship))
        } else {
            self = .attribute(try container.decode(AttributeDescription.self, forKey: .attribute))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .attribute(let attribute): try container.encode(attribute, forKey: .attribute)
        case .relationship(let relationship): try container.encode(relationship, forKey: .relationship)
        }
    }

    var property: any SchemaProperty {
        switch self {
        case .attribute(let attribute): Schema.Attribute(attribute)
        case .relationship(let relationship): Schema.Relationship(relationship)
        }
    }
}

/// What an attribute is. Its default value is an expression of the program, and is not here.
struct AttributeDescription: Codable, Hashable {
    var name: String
    var originalName: String
    /// The words of the options; which transformer stands between value and column is the program's to know.
    var options: [OptionWord]
    var valueType: String
    var isOptional: Bool
    var hashModifier: String?
    var column: String?

    init(_ attribute: Schema.Attribute) {
        name = attribute.name
        column = attribute.column
        originalName = attribute.originalName
        options = attribute.options.map { OptionWord(word: $0.word) }
        valueType = attribute.valueTypeName
        isOptional = attribute.isOptional
        hashModifier = attribute.hashModifier
    }

    /// A property of somebody else's making.
    init(_ property: any SchemaProperty) {
        name = property.name
        originalName = property.originalName
        options = property.isUnique ? [OptionWord(word: Schema.Attribute.Option.unique.word)] : []
        valueType = _typeName(property.valueType, qualified: false)
        isOptional = property.isOptional
    }

    /// An option by its word, refused where there is none of that name.
    struct OptionWord: Codable, Hashable {
        let word: String

        init(word: String) { self.word = word }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            word = try container.decode(String.self)
            guard Schema.Attribute.Option(word: word) != nil else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "\"\(word)\" is no option of an attribute that this release knows.")
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(word)
        }
    }
}

/// What a relationship is.
struct RelationshipDescription: Codable, Hashable {
    var name: String
    var originalName: String
    var options: [Schema.Relationship.Option]
    var destination: String
    var deleteRule: Schema.Relationship.DeleteRule
    var inverseName: String?
    var minimumModelCount: Int
    var maximumModelCount: Int
    var hashModifier: String?
    var isToOne: Bool
    var isOptional: Bool
    /// Where the links lie, as far as the model says so.
    var table: String?
    var column: String?
    var columns: [String]?
    var inverseColumn: String?
    /// What constraints are called; absent for names by rule.
    var constraint: String?
    var keyConstraint: String?
}

extension RelationshipDescription {
    init(_ property: RelationshipProperty, inverse: (any ModelProperty)?) {
        self.init(
            name: property.name, originalName: property.originalName ?? property.name,
            options: property.metadata.options, destination: property.destination.entityName,
            deleteRule: property.deleteRule, inverseName: inverse?.name,
            minimumModelCount: property.metadata.minimumModelCount,
            maximumModelCount: property.metadata.maximumModelCount, hashModifier: property.hashModifier,
            isToOne: property.isToOne, isOptional: property.isOptional, table: property.metadata.names.table,
            column: property.metadata.names.column, columns: property.metadata.names.columns,
            inverseColumn: property.metadata.names.inverseColumn, constraint: property.metadata.names.constraint,
            keyConstraint: property.metadata.names.keyConstraint)
    }
}

extension Schema.Attribute {
    convenience init(_ description: AttributeDescription) {
        self.init(
            name: description.name, column: description.column, originalName: description.originalName,
            options: description.options.compactMap { Option(word: $0.word) }, hashModifier: description.hashModifier,
            DescribedValue(
                type: DescribedValue.type(named: description.valueType), typeName: description.valueType,
                isOptional: description.isOptional, defaultValue: nil))
    }
}

extension Schema.Attribute.Option {
    /// The option's name, in files.
    package var word: String {
        switch self {
        case .unique: "unique"
        case .primaryKey: "primaryKey"
        case .externalStorage: "externalStorage"
        case .codable: "codable"
        case .ephemeral: "ephemeral"
        case .preserveValueOnDeletion: "preserveValueOnDeletion"
        case .allowsCloudEncryption: "allowsCloudEncryption"
        case .spotlight: "spotlight"
        case .creationDate: "creationDate"
        case .modificationDate: "modificationDate"
        case .deletionDate: "deletionDate"
        case .tenant: "tenant"
        case .precision(let precision, let scale): "precision(\(precision),\(scale))"
        case .generated: "generated"
        case .serverDefault: "serverDefault"
        case .hidden: "hidden"
        case .transformable: "transformable"
        }
    }

    /// The option of that name; the transformer of one that is described is nobody's.
    init?(word: String) {
        let transformable = Self.transformable(by: ObjectIdentifier(Schema.self))
        let all: [Self] = [
            .unique, .primaryKey, .externalStorage, .codable, .ephemeral, .preserveValueOnDeletion,
            .creationDate, .modificationDate, .deletionDate, .tenant, .allowsCloudEncryption, .spotlight, .hidden,
            .generated, .serverDefault, transformable,
        ]
        if let option = all.first(where: { $0.word == word }) {
            self = option
        } else if let digits = word.wholeMatch(of: /precision\(([0-9]{1,3}),([0-9]{1,3})\)/),
            let precision = Int(digits.1), let scale = Int(digits.2)
        {
            self = .precision(precision, scale: scale)
        } else {
            return nil
        }
    }
}
