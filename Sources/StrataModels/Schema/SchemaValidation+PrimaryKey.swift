// `#PrimaryKey`: keys of several columns. What tables say of them is looked at where tables are known.
extension SchemaValidation {
    mutating func checkPrimaryKey(of entity: Schema.Entity) {
        let inherited = entity.descriptor.superclass?.constraints.count ?? 0
        guard Array(entity.descriptor.constraints.dropFirst(inherited)).primaryKey != nil else { return }
        checkClass(withKey: entity)
        // A key path that is unknown was reported as such.
        if entity.primaryKey.count < 2, entity.unknownConstraintKeyPaths.isEmpty, !isKeyOfOnePart(entity) {
            report(
                entity.name, "its #PrimaryKey names \(entity.primaryKey.count == 1 ? "one property" : "no property")",
                remedy: "name several; a key of one property is marked @Attribute(.primaryKey)")
        }
        for name in entity.primaryKey { checkPart(name, of: entity) }
        for names in entity.uniquenessConstraints where Set(names) == Set(entity.primaryKey) {
            report(
                entity.name, "its #Unique names the properties of its #PrimaryKey",
                remedy: "remove the #Unique: no two rows have the same key")
        }
    }

    /// Whether the only property of a `#PrimaryKey` is of a type that `.primaryKey` does not take, or may have a column that is none of that
    /// type: `char(n)`.
    private func isKeyOfOnePart(_ entity: Schema.Entity) -> Bool {
        guard entity.primaryKey.count == 1,
            let attribute = entity.descriptor.property(named: entity.primaryKey[0]) as? AnyAttributeProperty
        else { return false }
        return attribute.partKind == .date || attribute.partKind == .text
    }

    private mutating func checkClass(withKey entity: Schema.Entity) {
        let descriptor = entity.descriptor
        if descriptor.superclass != nil {
            report(
                entity.name, "it declares a #PrimaryKey, and the objects of a hierarchy have the key of its root",
                remedy: "declare the key in \(descriptor.root.entityName)")
        }
        if let key = descriptor.properties.lazy.compactMap({ $0 as? AnyAttributeProperty }).first(where: \.isKey) {
            report(
                entity.name, key.name, "it is marked .primaryKey, and #PrimaryKey declares the key",
                remedy: "keep one of the two")
        }
        if descriptor.names.keyColumn != nil {
            report(
                entity.name,
                "its key is of parts (#PrimaryKey), and @Model(keyColumn:) names one column",
                remedy: "name the columns at the properties: @Attribute(column:), @Relationship(column:)")
        }
    }

    private mutating func checkPart(_ name: String, of entity: Schema.Entity) {
        func refuse(_ problem: String, remedy: String) { report(entity.name, name, problem, remedy: remedy) }
        switch entity.descriptor.property(named: name) {
        case let attribute as AnyAttributeProperty:
            if attribute.isOptional {
                refuse("it is part of the key and optional, and every row has a key", remedy: "declare it without ?")
            } else if attribute.partKind == nil {
                refuse(
                    "\(attribute.valueType) cannot be part of a key: parts are UUID, String, Int, Int64, Date, CalendarDate or Data, or required to-one relationships",
                    remedy: "declare it as one of these, or give the class a key of one column and a #Unique")
            }
            let useless: [Schema.Attribute.Option] = [
                .unique, .ephemeral, .externalStorage, .codable, .spotlight, .creationDate, .modificationDate,
                .deletionDate,
            ]
            if let option = useless.first(where: attribute.options.contains) {
                refuse("it is part of the key, and cannot be .\(option.word)", remedy: "remove one of the two")
            }
        case let relationship as RelationshipProperty:
            let target = relationship.destination.entityName
            if !relationship.isToOne {
                refuse("it is part of the key, and leads to many objects", remedy: "name a to-one relationship")
            } else if relationship.isOptional {
                refuse(
                    "it is part of the key and optional, and every row has a key",
                    remedy: "declare it without ?: var \(name): \(target)")
            } else if relationship.destination.hasKeyParts {
                let parts = relationship.destination.keyParts.map(\.property.name).joined(separator: ", ")
                refuse(
                    "it is part of the key, and the key of \(target) is of several columns itself",
                    remedy:
                        "name what these columns have, \(parts): declare such properties, and let the relationship have their columns, "
                        + "@Relationship(columns:)")
            }
        default: break
        }
    }
}
