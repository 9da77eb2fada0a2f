import Foundation
import StrataClient

// Attributes: types and options.
extension SchemaValidation {
    mutating func checkAttribute(_ attribute: Schema.Attribute, of entity: Schema.Entity) {
        guard let property = attribute.property else { return }
        if property.columnType.oid == PostgresType.unspecified.oid, !property.isEphemeral {
            report(
                entity.name, attribute.name, "PostgreSQL has no type for \(property.valueType)",
                remedy: "mark it @Attribute(.codable) to store it as one jsonb value")
        }
        if let obstacle = property.obstacle {
            report(
                entity.name, attribute.name, obstacle,
                remedy: "call register(as:) of its AttributeTransformer before the container is made")
        }
        if attribute.options.contains(.externalStorage), property.columnType != .bytea {
            report(
                entity.name, attribute.name, ".externalStorage is for Data, not for \(property.valueType)",
                remedy: "remove the option; PostgreSQL moves large values out of line by itself")
        }
        if let problem = property.storedType?.problem {
            report(
                entity.name, attribute.name, "postgresTypeName is \"\(property.storedType?.name ?? "")\": \(problem)",
                remedy: "write the type as psql shows it, such as vector(3), geometry(Point,4326) or \"bit varying\"")
        }
        checkUnique(attribute, property, of: entity)
        if property.isKey { checkKey(attribute, property, of: entity) }
        checkDate(attribute, property, of: entity)
        if let precision = property.precision { checkPrecision(precision, attribute, property, of: entity) }
        if property.options.contains(.deletionDate) { checkDeletionDate(attribute, property, of: entity) }
        if property.isGenerated { checkGenerated(attribute, property, of: entity) }
        if property.isEphemeral, attribute.options.contains(.preserveValueOnDeletion) {
            report(
                entity.name, attribute.name,
                "an .ephemeral property has no stored value that a deletion could preserve",
                remedy: "remove one of the two options")
        }
    }

    private mutating func checkDate(
        _ attribute: Schema.Attribute, _ property: AnyAttributeProperty, of entity: Schema.Entity
    ) {
        guard let option = [.creationDate, .modificationDate].first(where: property.options.contains) else { return }
        func refuse(_ problem: String, remedy: String) {
            report(entity.name, attribute.name, "it is marked .\(option.word)\(problem)", remedy: remedy)
        }
        if property.valueType != Date.self, property.valueType != Date?.self {
            refuse(
                ", and \(property.valueType) is no date",
                remedy: "declare it as Date or Date?")
        } else if property.options.contains(.creationDate), property.options.contains(.modificationDate) {
            refuse(" and .modificationDate", remedy: "remove one of the two options")
        } else if let other = [.ephemeral, .codable].first(where: property.options.contains) {
            refuse(" and .\(other.word): each save sets a date in a column", remedy: "remove one of the two options")
        } else if attribute.isUnique || entity.uniquenessConstraints.contains(where: { $0.contains(attribute.name) }) {
            refuse(
                ", and is unique: all objects of a save have one date",
                remedy: "take it out of there, or set a date of your own")
        } else if attribute.isTransformable {
            refuse(" and .transformable: each save sets a date", remedy: "remove one of the two options")
        } else if entity.descriptor.isView {
            refuse(
                ", and objects of a view are not saved",
                remedy: "remove the option: the view's definition selects the date")
        }
    }

    private mutating func checkDeletionDate(
        _ attribute: Schema.Attribute, _ property: AnyAttributeProperty, of entity: Schema.Entity
    ) {
        let root = entity.descriptor.root
        func refuse(_ problem: String, remedy: String) {
            report(entity.name, attribute.name, "it is marked .deletionDate\(problem)", remedy: remedy)
        }
        if property.valueType != Date?.self {
            refuse(
                ", and an object that is there has none: \(property.valueType) is not Date?",
                remedy: "declare it as Date?")
        } else if root !== entity.descriptor {
            refuse(
                ", and objects of a hierarchy are deleted by its root's rows: a query of \(root.entityName) would not know who is there",
                remedy: "declare it in \(root.entityName)")
        } else if let first = root.deletionDate, first !== property {
            refuse(", and so is \(first.name): an object is deleted once", remedy: "mark one of them")
        } else if let other = [.creationDate, .modificationDate, .ephemeral, .codable].first(
            where: property.options.contains)
        {
            refuse(
                " and .\(other.word): it has a column and a meaning of its own", remedy: "remove one of the two options"
            )
        } else if attribute.isTransformable {
            refuse(" and .transformable: it is compared in the database", remedy: "remove one of the two options")
        } else if attribute.isUnique || entity.uniquenessConstraints.contains(where: { $0.contains(attribute.name) }) {
            refuse(
                ", and is unique: rows that are there have NULL, which is equal to no other NULL",
                remedy: "take it out of there")
        } else if entity.descriptor.isView {
            refuse(
                ", and objects of a view are not deleted",
                remedy: "remove the option; the view's definition says which rows it has")
        }
    }

    /// What the database computes is nothing by which a save would find a row, and nothing that it would set.
    private mutating func checkGenerated(
        _ attribute: Schema.Attribute, _ property: AnyAttributeProperty, of entity: Schema.Entity
    ) {
        func refuse(_ problem: String, remedy: String) {
            report(entity.name, attribute.name, "it is marked .generated\(problem)", remedy: remedy)
        }
        let others: [Schema.Attribute.Option] = [
            .primaryKey, .unique, .ephemeral, .externalStorage, .creationDate, .modificationDate, .deletionDate,
            .tenant,
        ]
        if property.isComputed, property.options.contains(.preserveValueOnDeletion) {
            refuse(
                " and .preserveValueOnDeletion, and the history does not have it",
                remedy: "preserve what it is computed from")
        } else if property.isComputed, property.originalName != nil {
            refuse(
                " and has an original name, and no value of it is carried along: it is computed",
                remedy: "remove originalName")
        } else if property.isComputed, property.hashModifier != nil {
            refuse(
                " and has a hash modifier, and another expression is another version by itself",
                remedy: "remove hashModifier")
        } else if !property.isOptional, !property.isComputed {
            refuse(
                ", and until its object is saved nobody has computed a value",
                remedy: "declare it as \(property.valueType)?")
        } else if let other = others.first(where: property.options.contains) {
            refuse(" and .\(other.word): the database computes it", remedy: "remove one of the two options")
        } else if entity.uniquenessConstraints.contains(where: { $0.contains(attribute.name) }) {
            refuse(
                ", and is part of a #Unique: a save finds rows by what objects have, and has no value of it",
                remedy: "take it out of there; the database keeps its values unique as it is told to")
        } else if entity.primaryKey.contains(attribute.name) || entity.partition?.name == attribute.name {
            refuse(", and is part of the key, which is known before a row is written", remedy: "take it out of there")
        } else if entity.descriptor.isView {
            refuse(
                ", and objects of a view are not saved", remedy: "remove the option: the view's definition selects it")
        }
    }

    private mutating func checkPrecision(
        _ precision: NumericPrecision, _ attribute: Schema.Attribute, _ property: AnyAttributeProperty,
        of entity: Schema.Entity
    ) {
        func refuse(_ problem: String, remedy: String) {
            report(entity.name, attribute.name, "it is marked .precision\(problem)", remedy: remedy)
        }
        if property.valueType != Decimal.self, property.valueType != Decimal?.self {
            refuse(", and \(property.valueType) is no Decimal", remedy: "declare it as Decimal or Decimal?")
        } else if !(1...38).contains(precision.precision) || !(0...precision.precision).contains(precision.scale) {
            refuse(
                " with \(precision.precision) digits, \(precision.scale) of them behind the point",
                remedy: "give 1 to 38 digits, and no more than these behind the point")
        } else if let other = [.ephemeral, .codable].first(where: property.options.contains) {
            refuse(" and .\(other.word), and has no numeric column", remedy: "remove one of the two options")
        } else if attribute.isTransformable {
            refuse(" and .transformable, and has no numeric column", remedy: "remove one of the two options")
        } else if entity.descriptor.isView {
            refuse(
                ", and objects of a view are not saved",
                remedy: "remove the option: the view's definition says what its numbers are")
        }
    }

    private mutating func checkKey(
        _ attribute: Schema.Attribute, _ property: AnyAttributeProperty, of entity: Schema.Entity
    ) {
        let root = entity.descriptor.root
        func refuse(_ problem: String, remedy: String) { report(entity.name, attribute.name, problem, remedy: remedy) }
        if root !== entity.descriptor {
            refuse(
                "it is marked .primaryKey, and the objects of a hierarchy have the key of its root",
                remedy: "declare the key in \(root.entityName)")
        } else if property.isOptional {
            refuse(
                "it is marked .primaryKey and optional, and every row has a key",
                remedy: "declare it without ?; a default such as = UUID.v7() gives new objects a key")
        } else if property.keyKind == nil {
            refuse(
                "\(property.valueType) cannot be the key of an object: keys are UUID, String, Int or Int64",
                remedy:
                    "declare a key of one of these types, and mark this property .unique: saving then finds the row by it"
            )
        } else if let first = root.keyProperty, first !== property {
            refuse(
                "it is marked .primaryKey, and so is \(first.name): a key of several columns is declared in one place",
                remedy:
                    "mark one of them, or none, and declare #PrimaryKey<\(entity.name)>([\\.\(first.name), \\.\(attribute.name)])"
            )
        }
        let useless: [Schema.Attribute.Option] = [
            .unique, .ephemeral, .externalStorage, .codable, .spotlight, .preserveValueOnDeletion,
        ]
        if let option = useless.first(where: property.options.contains) {
            refuse(
                "it is the key, and cannot be .\(option.word)",
                remedy: option == .unique
                    ? "remove .unique: no two rows have the same key"
                    : option == .preserveValueOnDeletion
                        ? "remove the option: the identifier in each change has the key"
                        : "remove one of the two options")
        }
        if attribute.isTransformable {
            refuse("it is the key, and cannot be .transformable", remedy: "remove one of the two options")
        }
        let lists = [entity.uniquenessConstraints, entity.indices].flatMap { $0 }
        if lists.contains(where: { $0.contains(attribute.name) }) {
            refuse(
                "it is the key, and part of an #Unique or #Index",
                remedy: "take it out of there: the primary key finds a row, and is unique by itself")
        }
        if root.names.keyColumn != nil {
            refuse(
                "it is the key, and @Model(keyColumn:) names a column of it too",
                remedy: "name the column here: @Attribute(.primaryKey, column:)")
        }
    }

    private mutating func checkUnique(
        _ attribute: Schema.Attribute, _ property: AnyAttributeProperty, of entity: Schema.Entity
    ) {
        guard attribute.isUnique else { return }
        if property.isEphemeral {
            report(
                entity.name, attribute.name, "an .ephemeral property is not stored, so it cannot be .unique",
                remedy: "remove one of the two options")
        } else if let reason = ConstraintUse.unique.refusal(of: property) {
            report(entity.name, attribute.name, reason.problem, remedy: reason.remedy)
        }
    }
}

/// What a property is used for in `.unique`, `#Unique` or `#Index`.
enum ConstraintUse {
    case unique
    case index(Schema.ModelIndex.Method)
    /// Held by an index, and not searched by.
    case included

    struct Refusal {
        let problem: String
        let remedy: String
    }

    /// Why a stored attribute cannot be used so; `nil` when it can.
    func refusal(of property: AnyAttributeProperty) -> Refusal? {
        let type = property.columnType
        // Its type is a finding of its own.
        guard type.oid != PostgresType.unspecified.oid else { return nil }
        let isDocument = type == .jsonb || type == .json
        let isArray = type.description.hasSuffix("[]")
        switch self {
        case .unique where isDocument:
            return Refusal(
                problem:
                    "\(property.valueType) is stored as jsonb, which cannot be unique: an index entry holds 2,704 bytes at most",
                remedy: "declare the part that is unique as a property of its own")
        case .unique where property.options.contains(.externalStorage):
            return Refusal(
                problem: "a value in .externalStorage cannot be unique: an index entry holds 2,704 bytes at most",
                remedy: "store a hash of the data in a property of its own, and make that unique")
        case .index(.btree) where isDocument:
            return Refusal(
                problem: "\(property.valueType) is stored as jsonb, which a B-tree cannot search",
                remedy: "use #Index(.gin([…])), or declare the part to search by as a property of its own")
        case .index(.btree) where property.options.contains(.externalStorage):
            return Refusal(
                problem: "a value in .externalStorage cannot be indexed: an index entry holds 2,704 bytes at most",
                remedy: "store a hash of the data in a property of its own, and index that")
        case .included where property.options.contains(.externalStorage):
            return Refusal(
                problem: "a value in .externalStorage cannot be held by an index: an entry holds 2,704 bytes at most",
                remedy: "leave it out of including:")
        case .unique where property.storedType?.isComparable == false:
            return Refusal(
                problem:
                    "PostgreSQL does not compare \(property.valueType) as Swift does (isPostgresComparable is false), so it cannot be unique",
                remedy: "declare the part that is unique as a property of its own")
        case .index(.gist), .index(.gin):
            // Which operators the type has is the server's to know.
            if property.storedType != nil { return nil }
            return gistOrGin(type, isSearchable: isDocument || isArray)
        case .index(.fullText) where type != .text || !isString(property.valueType):
            return Refusal(
                problem: "full text is searched in String, not in \(property.valueType)",
                remedy: "name properties of the type String")
        case .index(.trigram) where type != .text || !isString(property.valueType):
            return Refusal(
                problem: "parts of texts are searched in String, not in \(property.valueType)",
                remedy: "name a property of the type String")
        case .index(.brin) where isDocument || isArray || type == .bool:
            return Refusal(
                problem: "a BRIN index is for values with an order, not for \(type)",
                remedy: isDocument || isArray ? "use .gin" : "use .binary")
        default:
            return nil
        }
    }

    private func gistOrGin(_ type: PostgresType, isSearchable: Bool) -> Refusal? {
        if case .index(.gist) = self {
            return Refusal(
                problem: "PostgreSQL has no GiST index for \(type) without an extension", remedy: "use .binary")
        }
        guard !isSearchable else { return nil }
        return Refusal(problem: "a GIN index is for arrays and jsonb, not for \(type)", remedy: "use .binary")
    }

    private func isString(_ type: Any.Type) -> Bool { type == String.self || type == String?.self }
}
