import StrataModels

/// What the classes of a store call primary keys, foreign keys and checks, where they do.
struct GivenConstraintNames {
    struct Name {
        enum Kind { case primaryKey, foreignKey, check }

        let text: String
        /// How the model says it.
        let label: String
        let kind: Kind
        let entity: EntityMapping
        let property: RelationshipProperty?
        /// Whose constraint it is; `nil` where there is none, which is another finding.
        let table: String?
    }

    private(set) var names: [Name] = []

    init(_ mapping: StoreMapping) {
        for entity in mapping.entities {
            let given = entity.descriptor.names
            let table = entity.base === entity && !entity.isView ? entity.table.name : nil
            add(given.keyConstraint, "keyConstraint", .primaryKey, entity, in: table)
            add(
                given.superclassConstraint, "superclassConstraint", .foreignKey, entity,
                in: entity.parent == nil ? nil : table)
            for check in entity.entity.modelChecks {
                add(check.givenName, "#Check \"\(check.name)\"", .check, entity, in: entity.table.name)
            }
            for slot in entity.descriptor.ownSlots {
                guard let property = entity.descriptor.relationship(at: slot) else { continue }
                addNames(of: property, entity)
            }
        }
    }

    private mutating func addNames(of property: RelationshipProperty, _ entity: EntityMapping) {
        let names = property.metadata.names
        var (table, pairs): (String?, String?) = (nil, nil)
        switch entity.relationships[property.slot]?.storage {
        case .foreignKey: table = entity.table.name
        case .inverseForeignKey(let holder, _):
            table = entity.relationships[property.slot]?.isHidden == true ? holder.table.name : nil
        case .joinTable(let join, _, _): (table, pairs) = (join.table.name, join.table.name)
        case nil: break
        }
        add(names.constraint, "constraint", .foreignKey, entity, property, in: table)
        add(names.keyConstraint, "keyConstraint", .primaryKey, entity, property, in: pairs)
    }

    private mutating func add(
        _ text: String?, _ label: String, _ kind: Name.Kind, _ entity: EntityMapping,
        _ property: RelationshipProperty? = nil, in table: String?
    ) {
        guard let text else { return }
        names.append(
            Name(text: text, label: label, kind: kind, entity: entity, property: property, table: table))
    }
}
