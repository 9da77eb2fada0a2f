import StrataModels

// The names that a model gives: whether PostgreSQL takes them, and whether there is what they name.
extension SchemaValidation {
    mutating func checkNames(of entity: EntityMapping) {
        let names = entity.descriptor.names
        check(names.table, as: "table", of: entity)
        check(names.keyColumn, as: "keyColumn", of: entity)
        checkConstraints(names, of: entity)
        check(names.classColumn, as: "classColumn", of: entity)
        for (label, name) in [("keyColumn", names.keyColumn), ("classColumn", names.classColumn)] {
            guard let name else { continue }
            if entity.parent != nil {
                report(
                    entity.name, "it has a \(label), and all classes of a hierarchy share the one of its root",
                    remedy: "say it there: @Model(\(label): \"\(name)\") class \(entity.root.name)")
            } else if Self.systemColumns.contains(name) {
                report(
                    entity.name, "its \(label) is called \(name), which PostgreSQL has in every table",
                    remedy: "choose another name")
            }
        }
        if names.classColumn != nil, entity.parent == nil, !entity.hasSeveralClasses {
            report(
                entity.name,
                "it has a classColumn, and no subclass in this schema whose rows it could tell from others",
                remedy: "remove classColumn, or name the subclasses in the schema too")
        }
        if let classColumn = entity.classColumn, entity.parent == nil, entity.key.contains(classColumn) {
            report(
                entity.name, "its key and the class of a row would both be in the column \(classColumn)",
                remedy: "give them different columns: @Model(keyColumn:classColumn:)")
        }
        checkInheritance(of: entity)
        for slot in entity.descriptor.ownSlots {
            let property = entity.descriptor.properties[slot]
            check(property.declaredColumn, as: "column", of: entity, property)
            if let relationship = property as? RelationshipProperty {
                checkNames(of: relationship, entity)
            } else if property.declaredColumn != nil, (property as? AnyAttributeProperty)?.isEphemeral == true {
                report(
                    entity.name, property.name, "it has a column's name, and is not stored",
                    remedy: "remove column")
            }
        }
    }

    /// What has no table, and what has no superclass, has no such constraints.
    private mutating func checkConstraints(_ names: ClassNames, of entity: EntityMapping) {
        if names.keyConstraint != nil, entity.base !== entity || entity.isView {
            report(
                entity.name,
                "it names the constraint of a primary key, and "
                    + (entity.isView ? "a view has none" : "its objects are rows of the table of \(entity.base.name)"),
                remedy: entity.isView
                    ? "remove keyConstraint" : "give the name there: @Model(keyConstraint:) of \(entity.base.name)")
        }
        if names.superclassConstraint != nil, entity.parent == nil || entity.base !== entity {
            report(
                entity.name,
                "it names the foreign key to its superclass's table, and "
                    + (entity.parent == nil ? "it has no superclass" : "has no table of its own"),
                remedy: "remove superclassConstraint")
        }
    }

    private mutating func check(
        _ name: String?, as label: String, of entity: EntityMapping, _ property: (any ModelProperty)? = nil
    ) {
        guard let name else { return }
        let problem: String? =
            if name.isEmpty {
                "its \(label) is empty"
            } else if name.utf8.count > Naming.maximumBytes {
                "its \(label) has \(name.utf8.count) bytes, and a name in PostgreSQL \(Naming.maximumBytes) at most"
            } else if name.utf8.contains(0) {
                "its \(label) has a character that no name in PostgreSQL can have"
            } else {
                nil
            }
        guard let problem else { return }
        report(
            entity.name, property?.name, problem,
            remedy: "give a name of 1 to \(Naming.maximumBytes) bytes, or leave \(label) out")
    }

    /// Names of primary keys, foreign keys and checks: each is one constraint's of its table, and that of a primary key one relation's of the
    /// PostgreSQL schema too, because its index has it.
    mutating func checkConstraintNames(of mapping: StoreMapping) {
        let given = GivenConstraintNames(mapping)
        guard !given.names.isEmpty else { return }
        for name in given.names { check(name.text, as: name.label, of: name.entity, name.property) }
        guard mapping.tables == .own else { return given.names.forEach { checkOwnership(of: $0) } }
        let definition = DatabaseDefinition(mapping)
        for name in given.names {
            guard let table = name.table.flatMap(definition.table(named:)) else { continue }
            let namesakes = table.constraintNames.count { $0 == name.text }
            let isRelation = name.kind == .primaryKey
            if name.kind == .foreignKey, !table.foreignKeys.contains(where: { $0.name == name.text }) {
                report(
                    name.entity.name, name.property?.name,
                    "its \(name.label) is called \(name.text), and there is no foreign key of its own in the table \(table.name): with the delete rule "
                        + ".noAction there is none, and two relationships by the same columns have one",
                    remedy: "leave \(name.label) out")
            } else if namesakes > 1 || isRelation && definition.relationNames.count(where: { $0 == name.text }) > 1 {
                report(
                    name.entity.name, name.property?.name,
                    "its \(name.label) is called \(name.text), and something else of the "
                        + (isRelation ? "PostgreSQL schema" : "table \(table.name)") + " has that name",
                    remedy: "give it another name"
                        + (name.kind == .check ? ", or leave name out" : ", or leave \(name.label) out"))
            }
        }
    }

    /// Tables of others are compared without names of keys, so one that is given would be asked for by nobody. A check is told by its name there, too.
    private mutating func checkOwnership(of name: GivenConstraintNames.Name) {
        guard name.kind != .check else { return }
        report(
            name.entity.name, name.property?.name,
            "its \(name.label) is called \(name.text), and the tables are somebody else's (tables = .external), which are compared by columns and not by "
                + "names of keys",
            remedy: "remove \(name.label)")
    }

    /// Names of constraints and indexes of Strata's own tables: each is one relation's of the PostgreSQL schema, and one constraint's of its table.
    mutating func checkGivenNames(of mapping: StoreMapping) {
        guard mapping.tables == .own, mapping.entities.contains(where: { !$0.entity.givenNames.isEmpty }) else {
            return
        }
        let definition = DatabaseDefinition(mapping)
        let relations = definition.relationNames.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for entity in mapping.entities {
            let table = definition.table(named: entity.table.name)
            let others = Set((table?.foreignKeys.map(\.name) ?? []) + (table?.checks.map(\.name) ?? []))
            for name in entity.entity.givenNames {
                check(name, as: "name", of: entity)
                let problem: String? =
                    if relations[name] == nil {
                        "a #Unique or #Index is called \(name), and another name is given to the same"
                    } else if relations[name] != 1 || others.contains(name) {
                        "a #Unique or #Index is called \(name), and something else of the PostgreSQL schema has that name"
                    } else {
                        nil
                    }
                if let problem { report(entity.name, problem, remedy: "give it another name, or leave name out") }
            }
        }
    }

    // MARK: Relationships

    private mutating func checkNames(of property: RelationshipProperty, _ entity: EntityMapping) {
        let names = property.metadata.names
        check(names.table, as: "table", of: entity, property)
        check(names.inverseColumn, as: "inverseColumn", of: entity, property)
        for name in names.columns ?? [] { check(name, as: "columns", of: entity, property) }
        guard let relationship = entity.relationships[property.slot] else { return }
        switch relationship.storage {
        case .joinTable: checkAgreement(of: relationship)
        case .inverseForeignKey(let holder, _) where !relationship.isHidden && names != RelationshipNames():
            report(
                entity.name, property.name,
                "its links are in the column of \(relationship.inverse?.qualifiedName ?? holder.name), which it cannot name",
                remedy: "name the column there: @Relationship(column:)")
        case .foreignKey, .inverseForeignKey:
            guard names.table != nil || names.inverseColumn != nil || names.keyConstraint != nil else { return }
            report(
                entity.name, property.name, "it names a table of pairs, and its links are in one column",
                remedy:
                    "remove table, inverseColumn and keyConstraint; column names the column, and constraint its foreign key"
            )
        }
    }

    /// Both ends of a many-to-many relationship may name what they share, but not differently.
    private mutating func checkAgreement(of relationship: RelationshipMapping) {
        guard let inverse = relationship.inverse, relationship.property.qualifiedName < inverse.qualifiedName else {
            return
        }
        let (own, other) = (relationship.property.metadata.names, inverse.metadata.names)
        for (one, another) in [
            (own.table, other.table), (own.column, other.inverseColumn), (own.inverseColumn, other.column),
            (own.keyConstraint, other.keyConstraint),
        ] {
            guard let one, let another, one != another else { continue }
            report(
                relationship.owner.name, relationship.property.name,
                "it says \(one) where \(inverse.qualifiedName), the other end of the same links, says \(another)",
                remedy: "say it at one end, or the same at both")
        }
    }

    mutating func checkColumns(of join: JoinTable) {
        let parts = join.propertyName.split(separator: ".", maxSplits: 1).map(String.init)
        let place = (entity: parts.first ?? join.propertyName, property: parts.count > 1 ? parts[1] : nil)
        var taken: Set<String> = []
        for name in join.keyNames + join.orders.map(\.position.name) {
            if Self.systemColumns.contains(name) {
                report(
                    place.entity, place.property,
                    "a column of its table of pairs is called \(name), which PostgreSQL has in every table",
                    remedy: "choose another name")
            } else if !taken.insert(name).inserted {
                report(
                    place.entity, place.property,
                    "two columns of its table of pairs \(join.table.name) would be called \(name)",
                    remedy: "give them different names: "
                        + (join.firstKey.isSingle && join.secondKey.isSingle
                            ? "@Relationship(column:inverseColumn:)" : "@Relationship(columns:) at each end"))
            }
        }
    }
}
