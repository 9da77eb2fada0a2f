// Classes whose rows are of many tenants.
extension SchemaValidation {
    mutating func checkTenants(of entity: Schema.Entity) {
        for attribute in entity.storedProperties.compactMap({ $0 as? Schema.Attribute }) {
            guard let property = attribute.property, property.options.contains(.tenant) else { continue }
            checkTenant(attribute, property, of: entity)
        }
        for relationship in entity.storedProperties.compactMap({ $0 as? Schema.Relationship }) {
            checkTenant(of: relationship, of: entity)
        }
        guard let tenant = entity.descriptor.tenant else { return }
        for unique in entity.modelUniques where !unique.names.isEmpty && !unique.names.contains(tenant.name) {
            report(
                entity.name, unique.names.first,
                "it is unique in the table of a subclass, which does not have \(tenant.qualifiedName): it would be unique among all tenants",
                remedy: "declare the property in \(entity.descriptor.root.entityName)")
        }
        checkKeyWithinTenant(of: entity, tenant)
    }

    /// Rows of all tenants are compared with each other; so there is one form of names.
    mutating func checkTenantTypes(of schema: Schema) {
        let owners = schema.entities.filter { $0.descriptor.tenant != nil && $0.superentity == nil }
        guard let first = owners.first?.descriptor.tenant else { return }
        for entity in owners.dropFirst() {
            guard let tenant = entity.descriptor.tenant, tenant.columnType != first.columnType else { continue }
            report(
                entity.name, tenant.name,
                "it is marked .tenant and \(tenant.valueType), and \(first.qualifiedName) is \(first.valueType): one name of a tenant is told to the server",
                remedy: "give both the same type")
        }
    }

    private mutating func checkTenant(
        _ attribute: Schema.Attribute, _ property: AnyAttributeProperty, of entity: Schema.Entity
    ) {
        let root = entity.descriptor.root
        func refuse(_ problem: String, remedy: String) {
            report(entity.name, attribute.name, "it is marked .tenant\(problem)", remedy: remedy)
        }
        if !TenantName.isName(property.valueType) {
            refuse(
                ", and \(property.valueType) is no name of a tenant", remedy: "declare it as String, UUID, Int or Int64"
            )
        } else if root !== entity.descriptor {
            refuse(
                ", and the rows of a hierarchy are those of its root's table",
                remedy: "declare it in \(root.entityName)")
        } else if let first = root.tenant, first !== property {
            refuse(", and so is \(first.name): a row is one tenant's", remedy: "mark one of them")
        } else if let other = [.primaryKey, .ephemeral, .codable].first(where: property.options.contains) {
            refuse(" and .\(other.word): policies compare a column of its own", remedy: "remove one of the two options")
        } else if attribute.isTransformable {
            refuse(" and .transformable: policies compare it in the database", remedy: "remove one of the two options")
        }
    }

    /// What all tenants share leads to nobody's objects: it would be another object for each tenant.
    private mutating func checkTenant(of relationship: Schema.Relationship, of entity: Schema.Entity) {
        guard let destination = relationship.property?.destination.root else { return }
        let (own, other) = (entity.descriptor.tenant, destination.tenant)
        if own == nil, let other {
            report(
                entity.name, relationship.name,
                "all tenants share a \(entity.name), and a \(destination.entityName) is one tenant's (\(other.qualifiedName))",
                remedy:
                    "give \(entity.descriptor.root.entityName) a tenant too, or remove the relationship: a \(destination.entityName) may lead to a \(entity.name) without an inverse"
            )
        } else if let own, other == nil, !relationship.isToOneRelationship {
            report(
                entity.name, relationship.name,
                "a \(entity.name) is one tenant's (\(own.qualifiedName)), and its key would stand beside objects that all tenants share",
                remedy: "lead to one \(destination.entityName), or give \(destination.entityName) a tenant too")
        }
    }

    /// Whether a relationship may have the column of the key: of tenants' objects whose keys are numbers too.
    private func sharesColumn(_ entity: Schema.Entity) -> Bool {
        entity.descriptor.relationships.contains { $0.isToOne && $0.metadata.names.columns?.count == 1 }
    }

    /// A key that people choose would be taken by the tenant that chose it first.
    private mutating func checkKeyWithinTenant(of entity: Schema.Entity, _ tenant: AnyAttributeProperty) {
        guard entity.descriptor.superclass == nil, !entity.descriptor.isView else { return }
        if let key = entity.descriptor.keyProperty, key.keyKind != .uuid {
            report(
                entity.name, key.name,
                "it is the key, which is one for all tenants, and \(tenant.name) is marked .tenant: a \(key.valueType) that one tenant has would be refused to the others",
                remedy: sharesColumn(entity)
                    ? "give \(entity.name) a key that Strata makes, and the relationship a column of its own and .unique"
                    : "declare the key as UUID, or this property .unique, which is within a tenant")
        }
        let parts = entity.descriptor.keyParts.map(\.property)
        let isWithin = parts.contains { part in
            part === tenant || (part as? RelationshipProperty)?.destination.root.tenant != nil
        }
        guard !parts.isEmpty, !isWithin else { return }
        report(
            entity.name, parts[0].name,
            "its key has several columns, and none of them is \(tenant.name) or leads to a tenant's object: a key that one tenant has would be refused to the others",
            remedy: "begin #PrimaryKey with \\.\(tenant.name)")
    }
}
