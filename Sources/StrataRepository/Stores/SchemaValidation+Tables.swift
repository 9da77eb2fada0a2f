package import StrataModels

extension SchemaValidation {
    /// Everything that is wrong with a schema, the tables it would get included. Empty for a schema that can be used.
    package static func findings(_ schema: Schema, mapping: StoreMapping) -> [SchemaFinding] {
        var validation = SchemaValidation(schema)
        validation.checkSchemaNames(of: mapping)
        validation.checkTableNames(of: mapping)
        validation.checkGivenNames(of: mapping)
        validation.checkConstraintNames(of: mapping)
        for join in mapping.joinTables { validation.checkColumns(of: join) }
        for entity in mapping.entities {
            validation.checkNames(of: entity)
            validation.checkColumns(of: entity)
            validation.checkParts(of: entity)
            validation.checkGenerated(of: entity, in: mapping)
            validation.checkServerDefaults(of: entity)
            validation.checkRelationshipTables(of: entity)
            if entity.isView { validation.checkDefinition(of: entity, in: mapping) }
            validation.checkConditions(of: entity, in: mapping)
        }
        validation.checkCircles(of: DatabaseDefinition(mapping).views, in: mapping)
        return validation.findings
    }

    private mutating func checkDefinition(of entity: EntityMapping, in mapping: StoreMapping) {
        if let tenant = mapping.tenant, let view = try? entity.view(in: mapping), view.isMaterialized {
            report(
                entity.name,
                "its view is materialized, which keeps rows of all tenants (\(tenant.qualifiedName)), and PostgreSQL has no policies for it",
                remedy:
                    "let it be a view, which asks the policies of the tables that it reads; or keep it in a container without tenants' classes"
            )
        }
        for property in entity.propertiesWithoutResult {
            report(
                entity.name, property, "no result of its view is called so",
                remedy: "write AS \\(column: \\\(entity.name).\(property)) behind an expression of the definition")
        }
        if let key = entity.keyWithoutNumber(in: mapping) {
            report(
                entity.name,
                "the key of its view is \(key), and the identifier of an object holds a whole number of 64 bits with a sign",
                remedy:
                    "give a whole number that no other row has, such as the persistentModelID of an object that the row stands for; let "
                    + "a property be the key, @Attribute(.primaryKey), or several, #PrimaryKey; or read the rows as values, with fetch(_:sql:)"
            )
        }
        if entity.givesKeyTwice {
            let names = entity.keySlots.map { entity.descriptor.properties[$0].name }.joined(separator: ", ")
            report(
                entity.name, "its key is \(names), and the definition of its view gives a persistentModelID too",
                remedy: "remove \\(column: \\\(entity.name).persistentModelID)")
        }
        for property in entity.propertiesWithColumnsOfOthers {
            report(
                entity.name, property.name,
                "the definition of its view gives it a column, and it has those of other properties",
                remedy: "remove \\(column: \\\(entity.name).\(property.name)), or its columns:")
        }
        for relationship in entity.relationshipsOfSeveralResults {
            report(
                entity.name, relationship.property.name,
                "it leads to a key of parts, \(relationship.destination.key.description), and a result of its view is the value of one property",
                remedy:
                    "declare a property for each, and let the relationship have their columns: @Relationship(columns:)")
        }
        do { _ = try entity.view(in: mapping) } catch  where !entity.givesKeyTwice {
            report(
                entity.name, "the definition of its view \(error.message)",
                remedy: "name classes and properties of this store, and plain values")
        } catch {}
    }

    /// A view that reads itself, by way of others or not, could not be made.
    private mutating func checkCircles(of views: [ViewDefinition], in mapping: StoreMapping) {
        var made: Set<String> = []
        let names = Set(views.map(\.name))
        for view in views {
            if view.relations.intersection(names).isSubset(of: made) {
                made.insert(view.name)
            } else {
                report(
                    mapping.entities.first { $0.table.name == view.name }?.name ?? view.name,
                    "its view reads itself, by way of \(view.relations.intersection(names).subtracting(made).sorted().joined(separator: ", "))",
                    remedy: "read tables, or views that do not read this one")
            }
        }
    }

    private mutating func checkSchemaNames(of mapping: StoreMapping) {
        check(schemaName: mapping.schemaName, of: "ModelConfiguration")
        if let tenant = mapping.tenant, mapping.schemaNames.count > 1 {
            report(
                tenant.qualifiedName,
                "it says whose rows they are, and classes of the store are in the PostgreSQL schemas \(mapping.schemaNames.joined(separator: ", "))",
                remedy: "keep classes with a tenant, and views of them, in a configuration of one PostgreSQL schema")
        }
        for entity in mapping.entities {
            guard let name = entity.descriptor.names.postgresSchema else { continue }
            check(schemaName: name, of: entity.name)
            // Their history, migrations and keys are those of one PostgreSQL schema.
            guard mapping.tables == .own else { continue }
            report(
                entity.name,
                "it names the PostgreSQL schema \"\(name)\", and the tables that Strata makes are all in that of the store, \"\(mapping.schemaName)\"",
                remedy:
                    "remove postgresSchema, and give the class a configuration of its own: ModelConfiguration(schema:postgresSchema:); or, "
                    + "where another program makes the tables, set configuration.tables = .external")
        }
    }

    private mutating func check(schemaName name: String, of place: String) {
        if name == LibrarySchema.name {
            report(place, "the PostgreSQL schema \"\(name)\" is Strata's own", remedy: "choose another name")
        } else if name.hasPrefix("pg_") || name == "information_schema" {
            report(
                place, "the PostgreSQL schema \"\(name)\" belongs to the server",
                remedy: "choose a name that does not begin with pg_")
        } else if name.isEmpty || name.utf8.contains(0) || name.utf8.count > Naming.maximumBytes {
            report(
                place, "\"\(name)\" is no name for a PostgreSQL schema",
                remedy: "choose a name of 1 to \(Naming.maximumBytes) bytes")
        }
    }

    private mutating func checkTableNames(of mapping: StoreMapping) {
        var owners: [TableName: [(entity: String, property: String?)]] = [:]
        for entity in mapping.entities where entity.base === entity {
            owners[entity.table, default: []].append((entity.name, nil))
        }
        for join in mapping.joinTables {
            let parts = join.propertyName.split(separator: ".", maxSplits: 1).map(String.init)
            owners[join.table, default: []].append(
                (parts.first ?? join.propertyName, parts.count > 1 ? parts[1] : nil))
        }
        for (table, users) in owners.sorted(by: { ($0.key.name, $0.key.schema) < ($1.key.name, $1.key.schema) })
        where users.count > 1 {
            // Classes of one name are a finding already.
            guard Set(users.map { "\($0.entity).\($0.property ?? "")" }).count > 1 else { continue }
            let others = users.dropFirst().map { user in user.property.map { "\(user.entity).\($0)" } ?? user.entity }
            let user = users[0]
            report(
                user.entity, user.property,
                "its table would be called \(table.name), as that of \(others.joined(separator: ", "))",
                remedy:
                    "rename one of them so that the names differ in snake case, or give it a table of its own with "
                    + "@Model(table:), or @Relationship(table:)")
        }
    }

    /// The columns every table of PostgreSQL has (manual, 5.5).
    static let systemColumns: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]
    private static let maximumColumns = 1_600

    private mutating func checkColumns(of entity: EntityMapping) {
        guard entity.base === entity else { return }
        var users: [String: Column] = [:]
        let ownNames =
            (entity.keyIsApart ? entity.key.names : [])
            + (entity.ownClassColumn.map { [$0] } ?? [])
        let columns = entity.tableColumns + entity.tableClasses.flatMap(\.ownGeneratedColumns).map(\.column)
        for column in columns {
            let place = Self.place(of: column, in: entity)
            if ownNames.contains(column.name) {
                let what = entity.key.contains(column.name) ? "key" : "class of a row"
                report(
                    place.entity, place.property,
                    "its column would be called \(column.name) in the table \(entity.table.name), as that of the \(what)",
                    remedy: remedy(for: column, isKey: entity.key.contains(column.name), of: entity))
            } else if Self.systemColumns.contains(column.name) {
                report(
                    place.entity, place.property,
                    "its column would be called \(column.name), which PostgreSQL has in every table",
                    remedy: "rename the property, or give it another column with @Attribute(column:)")
            } else if let other = users[column.name] {
                report(
                    place.entity, place.property,
                    "its column would be called \(column.name) in the table \(entity.table.name), as that of \(other.propertyName)",
                    remedy: "rename one of them so that the names differ in snake case"
                        + (entity.orders.contains { $0.position.propertyName == column.propertyName }
                            ? "" : ", or give it another column with @Attribute(column:), or @Relationship(column:)"))
            }
            if users[column.name] == nil { users[column.name] = column }
        }
        let count = 2 + columns.count
        if count > Self.maximumColumns {
            report(
                entity.name, "its table would have \(count) columns; PostgreSQL takes at most \(Self.maximumColumns)",
                remedy: "split the class, or store several properties as one Codable value")
        }
    }

    /// What to do about a column that has the name of one of the key, or of that of the class.
    private func remedy(for column: Column, isKey: Bool, of entity: EntityMapping) -> String {
        let other = "give it another with @Attribute(column:), or @Relationship(column:)"
        if entity.key.isSingle || !isKey {
            return isKey && namesColumns(column, of: entity)
                ? "let a property of \(entity.root.name) have the key, @Attribute(.primaryKey), and declare the relationship there: it says what "
                    + "that property says"
                : "\(other); or give the \(isKey ? "key" : "class of a row") another: @Model(\(isKey ? "keyColumn" : "classColumn"):) of \(entity.root.name)"
        }
        // Parts of a key are properties of the root, and their columns in the table of a subclass nobody's.
        return namesColumns(column, of: entity)
            ? "declare the relationship in \(entity.root.name), where the column is that of a property; or \(other)"
            : other
    }

    /// Whether a relationship has the column by a list, in which those of other properties may be.
    private func namesColumns(_ column: Column, of entity: EntityMapping) -> Bool {
        entity.tableClasses.contains { member in
            member.ownForeignKeys.contains {
                $0.property.metadata.names.columns != nil && $0.property.qualifiedName == column.propertyName
            }
        }
    }

    private static func place(of column: Column, in entity: EntityMapping) -> (entity: String, property: String) {
        let parts = column.propertyName.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (entity.name, column.propertyName)
    }

    private mutating func checkRelationshipTables(of entity: EntityMapping) {
        for slot in entity.descriptor.ownSlots {
            guard let property = entity.descriptor.relationship(at: slot) else { continue }
            guard let relationship = entity.relationships[slot] else {
                report(
                    entity.name, property.name,
                    "it leads to \(property.destination.entityName), which does not belong to the configuration's schema",
                    remedy: "name the class in the same configuration")
                continue
            }
            checkColumns(relationship, property, of: entity)
            checkPartition(relationship, property, of: entity)
            if case .inverseForeignKey(let holder, _) = relationship.storage, isConstrained(property, in: entity) {
                report(
                    entity.name, property.name,
                    "its column lies in the table of \(holder.name), so it cannot be part of a constraint or an index here",
                    remedy: "name the other side, \(relationship.inverse?.qualifiedName ?? holder.name)")
            }
        }
    }

    /// The history takes a column of this name for the whole key.
    private mutating func checkParts(of entity: EntityMapping) {
        // A view has no history, and files of migrations walk none.
        if entity.isView { return }
        let parts = entity.descriptor.keyParts
        if entity.tables == .own, parts.count == 1 {
            report(
                entity.name, parts[0].property.name,
                "it is the whole #PrimaryKey, which keys are in tables of others only (tables = .external): the history and the files of migrations "
                    + "have no key of one part",
                remedy:
                    "mark a UUID, String, Int or Int64 @Attribute(.primaryKey) instead, and this property .unique if it is none of these"
            )
        } else if entity.tables == .own, let part = parts.first(where: { $0.type != nil }) {
            report(
                entity.name, part.property.name,
                "it is part of the key and \(part.type ?? ""), which parts of keys are in tables of others only (tables = .external)",
                remedy: "declare it as a Date or a String, or give the class a key of one column and a #Unique")
        }
        guard !entity.key.isSingle, entity.key.contains(Naming.key) else { return }
        report(
            entity.name, "a part of its key is in the column \(Naming.key), which is that of keys of one column",
            remedy: "name the column of that part otherwise: @Attribute(column:)")
    }

    /// Names, kinds and rules of a foreign key of several columns.
    private mutating func checkColumns(
        _ relationship: RelationshipMapping, _ property: RelationshipProperty, of entity: EntityMapping
    ) {
        let column: Column
        switch relationship.storage {
        case .foreignKey(let own): column = own
        case .inverseForeignKey(_, let hidden) where relationship.isHidden: column = hidden
        case .inverseForeignKey: return
        case .joinTable(_, let own, let other):
            checkNames(of: property, entity, leadingTo: entity, own)
            guard other.parts.count > 1, let name = property.metadata.names.inverseColumn else { return }
            return report(
                entity.name, property.name,
                "it names the column \(name), and the key of \(relationship.destination.name) is of several, \(relationship.destination.key.description)",
                remedy:
                    "name as many, in that order, at the other end, \(relationship.inverse?.qualifiedName ?? relationship.destination.name): "
                    + "@Relationship(columns:)")
        }
        let target = relationship.isHidden ? entity : relationship.destination
        checkNames(of: property, entity, leadingTo: target, column.foreignKey?.key)
        guard let foreignKey = column.foreignKey else { return }
        checkShared(foreignKey, column, rule: relationship.inverse?.deleteRule, property, of: entity)
    }

    /// Whether a relationship names as many columns as the key has that they hold.
    ///
    /// - Parameter key: those columns; `nil` for one column of a key of one.
    private mutating func checkNames(
        of property: RelationshipProperty, _ entity: EntityMapping, leadingTo target: EntityMapping, _ key: KeyColumns?
    ) {
        let names = property.metadata.names
        if target.key.isSingle, let columns = names.columns, columns.count != 1 || !property.isToOne {
            return report(
                entity.name, property.name,
                "it names the columns \(columns.joined(separator: ", ")), and the key of \(target.name) is of one, \(target.key.first)",
                remedy: "name one: @Relationship(column:)")
        }
        if let name = names.column, names.columns != nil, target.key.parts.count == 1 {
            report(
                entity.name, property.name, "it names the column \(name), and a list of columns",
                remedy: "keep one of the two; a list may have the column of another property, such as the key")
        }
        guard let key else { return }
        if let name = names.column, target.key.parts.count > 1 {
            report(
                entity.name, property.name,
                "it names the column \(name), and the key of \(target.name) is of several, \(target.key.description)",
                remedy: "name as many, in that order: @Relationship(columns:)")
        } else if let columns = names.columns, columns.count != target.key.parts.count {
            report(
                entity.name, property.name,
                "it names \(columns.count) columns, and the key of \(target.name) is of \(target.key.parts.count), \(target.key.description)",
                remedy: "name as many, in that order")
        } else if Set(key.names).count < key.parts.count {
            report(
                entity.name, property.name, "it names a column twice: \(key.description)",
                remedy: "name each column once")
        }
    }

    /// Columns that other properties have, too: what stands in them has to be of the same kind, and a reference that is taken away has to leave
    /// something.
    private mutating func checkShared(
        _ foreignKey: ForeignKeyColumns, _ column: Column, rule: Schema.Relationship.DeleteRule?,
        _ property: RelationshipProperty, of entity: EntityMapping
    ) {
        for place in foreignKey.shared {
            let part = foreignKey.key.parts[place]
            guard let other = entity.property(writing: part.name), other.slot != property.slot else { continue }
            let name = "the column \(part.name) of its foreign key is that of \(other.qualifiedName)"
            if entity.kind(ofColumn: part.name, in: other) != part.kind {
                report(
                    entity.name, property.name, "\(name), which is not \(part.kind.type)",
                    remedy:
                        "declare \(other.name) as the key of \(property.destination.entityName) is declared, or name another column"
                )
            } else if !entity.isKey(other.slot), other !== entity.descriptor.tenant, !entity.isView {
                // Whoever changed it would move the reference, and nobody would have said so.
                report(
                    entity.name, property.name, "\(name), which may change",
                    remedy: "share a part of the key, or the tenant, which are final; or give it a column of its own")
            }
        }
        if !foreignKey.shared.isEmpty,
            entity.entity.modelUniques.contains(where: { $0.nulls == .notDistinct && $0.names.contains(property.name) })
        {
            report(
                entity.name, property.name,
                "it is part of a #Unique with nulls: .notDistinct, and without an object the columns that it shares still have values",
                remedy: "remove nulls: .notDistinct")
        }
        let twin = entity.ownForeignKeys.first { other in
            guard other.property.slot < property.slot, case .foreignKey(let column) = other.storage else {
                return false
            }
            return column.foreignKey?.key.names == foreignKey.key.names
                && other.property.destination === property.destination
                && (other.inverse?.deleteRule ?? .nullify) != (rule ?? .nullify)
        }
        if let twin {
            report(
                entity.name, property.name,
                "it leads to the same objects as \(twin.property.qualifiedName), by the same columns, and their deletion does something else",
                remedy: "give the relationships at the other end one delete rule")
        }
        // Nothing of a view is written, and of columns without a value there is no object.
        guard property.isOptional, foreignKey.owned.isEmpty, !entity.isView else { return }
        report(
            entity.name, property.name,
            "it is optional, and all columns of its foreign key, \(foreignKey.key.description), belong to other properties: nothing could say that there is no \(property.destination.entityName)",
            remedy: "declare it without ?, or give it a column of its own: @Relationship(columns:)")
    }

    /// The foreign key of a one-to-one relationship is unique, and lacks the date.
    private mutating func checkPartition(
        _ relationship: RelationshipMapping, _ property: RelationshipProperty, of entity: EntityMapping
    ) {
        guard let partition = entity.entity.partition, case .foreignKey = relationship.storage,
            let inverse = relationship.inverse, inverse.isToOne
        else { return }
        report(
            entity.name, property.name,
            "\(inverse.qualifiedName) leads to one object at most, so its column has to be unique, and #Partition divides \(entity.name) by "
                + "\(partition.name): PostgreSQL keeps values unique within a partition only",
            remedy: "let \(inverse.qualifiedName) lead to many")
    }

    private func isConstrained(_ property: RelationshipProperty, in entity: EntityMapping) -> Bool {
        guard property.isToOne else { return false }
        let lists = entity.family.flatMap { $0.entity.uniquenessConstraints + $0.entity.indices }
        return lists.contains { $0.contains(property.name) }
    }
}
