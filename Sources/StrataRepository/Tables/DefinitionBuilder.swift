import StrataModels

extension DatabaseDefinition {
    /// The tables a mapping needs in its own PostgreSQL schema.
    package init(_ mapping: StoreMapping) { self.init(mapping, in: mapping.schemaName) }

    /// Those that it needs in one of ``StoreMapping/schemaNames``.
    package init(_ mapping: StoreMapping, in schemaName: String) {
        self = DefinitionBuilder(mapping, in: schemaName).definition
    }
}

/// Makes tables of a mapping: every class with its columns first, then what ties them together.
struct DefinitionBuilder {
    private var tables: [TableDefinition] = []
    private let views: [ViewDefinition]
    private var names: RelationNames

    private let mapping: StoreMapping
    private let schemaName: String

    init(_ mapping: StoreMapping, in schemaName: String) {
        (self.mapping, self.schemaName) = (mapping, schemaName)
        let places = mapping.entities.filter { $0.table.schema == schemaName }
        let joinTables = mapping.joinTables.filter { $0.table.schema == schemaName }
        // One that is no query of a view is a finding of the schema's validation.
        views = places.compactMap { entity in entity.isView ? try? entity.view(in: mapping) : nil }.creationOrder
        names = RelationNames(
            taken: places.map(\.table.name) + joinTables.map(\.table.name) + views.compactMap(\.keyIndex)
                + places.flatMap(\.entity.givenNames) + places.compactMap(\.descriptor.names.keyConstraint)
                + joinTables.compactMap(\.constraints.key))
        // Superclasses first: a subclass's table refers to its parent's.
        let entities = mapping.entities.filter { $0.parent == nil && !$0.isView }.flatMap(\.family)
        for entity in entities where entity.base === entity && entity.table.schema == schemaName { add(entity) }
        for entity in entities { addKeysAndIndexes(of: entity) }
        for entity in entities { addPolicy(of: entity) }
        for table in joinTables { add(table) }
    }

    var definition: DatabaseDefinition { DatabaseDefinition(tables: tables, views: views) }

    // MARK: Classes

    private mutating func add(_ entity: EntityMapping) {
        let name = entity.table.name
        var table = TableDefinition(name: name, columns: Self.keyColumns(of: entity))
        for member in entity.tableClasses { addColumns(of: member, to: &table) }
        table.columns += entity.hiddenColumns.flatMap(\.tableColumns).map(Self.column)
        table.primaryKey = PrimaryKeyDefinition(
            name: entity.descriptor.names.keyConstraint ?? names.name(name, [], "pkey"), columns: entity.key.names)
        table.partitioning = entity.partitioning
        if let parent = entity.parent {
            table.foreignKeys.append(
                ForeignKeyDefinition(
                    name: entity.descriptor.names.superclassConstraint
                        ?? Naming.joined(name, entity.key.names.joined(separator: "_"), "fkey"),
                    columns: entity.key.names,
                    referencedSchema: otherSchema(of: parent), referencedTable: parent.table.name,
                    referencedColumns: parent.key.names, onDelete: .cascade))
        } else if let condition = entity.classCondition {
            table.checks.append(
                CheckDefinition(
                    name: Naming.joined(name, condition.column, "check"),
                    condition: .isOneOf(column: condition.column, values: condition.values)))
        }
        tables.append(table)
    }

    /// The PostgreSQL schema of a class's table, if it is another one.
    private func otherSchema(of entity: EntityMapping) -> String? {
        entity.table.schema == schemaName ? nil : entity.table.schema
    }

    /// The columns of a class's own properties. Where classes share the table, rows of others have none of them: NULL is for those alone.
    private func addColumns(of entity: EntityMapping, to table: inout TableDefinition) {
        for column in entity.ownColumns.flatMap(\.tableColumns) {
            var definition = Self.column(column)
            definition.defaultExpression = Self.serverDefault(of: column, in: entity)
            if entity.base !== entity, !definition.isNullable {
                definition.isNullable = true
                if mapping.tables == .own {
                    table.checks.append(
                        CheckDefinition(
                            name: Naming.joined(table.name, column.name, "required"),
                            condition: .expression(entity.forOwnRows(.isNotNull(column.name)))))
                }
            }
            table.columns.append(definition)
        }
        for generated in entity.ownGeneratedColumns {
            var definition = Self.column(generated.column)
            definition.generation = entity.ofOwnRows(generated.expression)
            // While a stage is under way, what it is computed from may be missing; rows of other classes of the table have no value.
            definition.isNullable = true
            table.columns.append(definition)
        }
    }

    /// The key and, for a root with subclasses, the class. Decision 0002 says where the identity's limit comes from.
    private static func keyColumns(of entity: EntityMapping) -> [ColumnDefinition] {
        var key = entity.keyIsApart ? entity.key.parts.map(keyColumn) : []
        guard entity.parent == nil else { return key }
        // Whoever inserts gives a key that the model declares: the server would make one that nobody asked for.
        if entity.keySlots.isEmpty {
            key[0].identity = ColumnDefinition.Identity(minimum: 1, maximum: KeySpace.largestIdentity)
        }
        guard let classColumn = entity.classColumn else { return key }
        // It has a default: other programs that insert into the root's table mean the root's class.
        let discriminator = ColumnDefinition(
            name: classColumn, type: "text", collation: Self.textCollation,
            defaultExpression: SQLFragment.literal(entity.discriminator) + "::text")
        return key + [discriminator]
    }

    /// A column that has keys of a class, or parts of them.
    private static func keyColumn(_ part: KeyColumns.Part) -> ColumnDefinition {
        let type = ColumnType(of: part.type)
        return ColumnDefinition(name: part.name, type: type, collation: type == .text ? textCollation : nil)
    }

    /// Text is compared as bytes, in indexes too: decision 0004.
    private static let textCollation = "C"

    /// What rows of other programs have that come without a value.
    private static func serverDefault(of column: Column, in entity: EntityMapping) -> String? {
        guard let slot = column.slot, let attribute = entity.descriptor.properties[slot] as? AnyAttributeProperty,
            attribute.options.contains(.serverDefault)
        else { return nil }
        // One that is no constant is a finding of the schema's validation.
        let expression = DefaultExpression(attribute)
        return expression.isConstant ? expression.text : nil
    }

    static func column(_ column: Column) -> ColumnDefinition {
        let type = ColumnType(of: column)
        return ColumnDefinition(
            name: column.name, type: type, isNullable: column.isNullable,
            collation: type == .text ? textCollation : nil, isGenerated: column.isGenerated,
            storage: column.isExternal ? .external : nil)
    }

    // MARK: Keys and indexes

    private mutating func addKeysAndIndexes(of entity: EntityMapping) {
        for unique in entity.entity.modelUniques { add(unique, of: entity) }
        for index in entity.entity.modelIndices { add(index, of: entity) }
        for check in entity.entity.modelChecks { add(check, of: entity) }
        for slot in entity.descriptor.ownSlots {
            guard let relationship = entity.relationships[slot] else { continue }
            switch relationship.storage {
            case .foreignKey(let column):
                addReference(
                    for: relationship, column, of: entity, to: relationship.destination,
                    rule: relationship.inverse?.deleteRule ?? .nullify,
                    isOneToOne: relationship.inverse?.isToOne == true)
            case .inverseForeignKey(let holder, let column) where relationship.isHidden:
                addReference(
                    for: relationship, column, of: holder, to: entity, rule: relationship.property.deleteRule,
                    isOneToOne: false)
            case .inverseForeignKey, .joinTable:
                // Belongs to the other side, or to a table of its own.
                break
            }
        }
    }

    /// Of columns among all rows a constraint, among some rows or of expressions a unique index: PostgreSQL has no such constraints.
    private mutating func add(_ unique: Schema.EntityUnique, of entity: EntityMapping) {
        guard !unique.names.isEmpty, let place = ConstraintPlace(unique.names, in: entity) else { return }
        let nullsNotDistinct = unique.nulls == .notDistinct
        let keys = unique.names.enumerated().flatMap { number, name in
            let fold: TextFold? = unique.ignoresCase(of: name, in: entity.descriptor) ? .caseless : nil
            return place.properties[number].map { IndexKeyDefinition($0, fold: fold) }
        }
        guard unique.condition != nil || keys.contains(where: { $0.fold != nil }) else {
            let isDeferred = unique.timing == .deferred
            let definition = UniqueDefinition(
                name: "", columns: place.columns, isDeferrable: isDeferred, isInitiallyDeferred: isDeferred,
                nullsNotDistinct: nullsNotDistinct)
            return add(definition, named: unique.givenName, to: place.entity.table)
        }
        var predicate: ColumnExpression?
        if let condition = unique.condition {
            guard let text = try? TableCondition(condition, of: entity, in: mapping, for: .uniqueness) else { return }
            predicate = text.expression
        }
        var definition = IndexDefinition(
            name: "", methodName: Schema.ModelIndex.Method.btree.rawValue, keys: keys, isUnique: true,
            nullsNotDistinct: nullsNotDistinct, predicate: predicate)
        update(place.entity.table) { table, names in
            if let place = table.indexes.firstIndex(where: { $0.isSame(as: definition) }) {
                if let name = unique.givenName { table.indexes[place].name = name }
                return
            }
            definition.name = unique.givenName ?? names.name(table.name, place.columns, "key")
            table.indexes.append(definition)
        }
    }

    /// What is there already keeps its name, unless the model gives one.
    private mutating func add(_ unique: UniqueDefinition, named name: String? = nil, to table: TableName) {
        var unique = unique
        update(table) { table, names in
            if let place = table.uniques.firstIndex(where: { $0.isSame(as: unique) }) {
                if let name { table.uniques[place].name = name }
                return
            }
            unique.name = name ?? names.name(table.name, unique.columns, "key")
            table.uniques.append(unique)
        }
    }

    /// What cannot be said of one table is a finding of the schema's validation.
    private mutating func add(_ index: Schema.EntityIndex, of entity: EntityMapping) {
        guard !index.keys.isEmpty, let place = ConstraintPlace(index.names + index.included, in: entity) else { return }
        var predicate: ColumnExpression?
        if let condition = index.condition {
            guard
                let text = try? TableCondition(
                    condition, of: entity, in: mapping, for: .index)
            else { return }
            predicate = text.expression
        }
        update(place.entity.table) { table, names in
            let keys = zip(place.properties, index.keys).flatMap { columns, key in
                columns.map {
                    IndexKeyDefinition($0, key.form, isNullable: place.entity.mayBeNil($0, in: table))
                }
            }
            var definition = IndexDefinition(
                name: "", methodName: index.method.rawValue, keys: keys,
                included: Array(place.columns.dropFirst(keys.count)), predicate: predicate)
            let columns = definition.columns
            if let place = table.indexes.firstIndex(where: { $0.isSame(as: definition) }) {
                if let name = index.givenName { table.indexes[place].name = name }
                return
            }
            // Whoever gives an index a name wants one.
            let isServed = definition.isPlain && table.uniques.contains { $0.columns == columns }
            guard !isServed || index.givenName != nil else { return }
            definition.name = index.givenName ?? names.name(table.name, columns, "idx")
            table.indexes.append(definition)
        }
    }

    private mutating func add(_ check: Schema.EntityCheck, of entity: EntityMapping) {
        guard let condition = check.condition,
            let text = try? TableCondition(condition, of: entity, in: mapping, for: .check)
        else { return }
        update(entity.table) { table, _ in
            table.checks.append(
                CheckDefinition(
                    name: entity.constraint(of: check),
                    condition: .expression(entity.forOwnRows(text.expression))))
        }
    }

    /// A column that holds keys of another table: its foreign key, and what makes it quick to search.
    private mutating func addReference(
        for relationship: RelationshipMapping, _ column: Column, of holder: EntityMapping, to target: EntityMapping,
        rule: Schema.Relationship.DeleteRule, isOneToOne: Bool
    ) {
        if isOneToOne {
            // Checked at the end of a statement: one UPDATE may give a partner from one row to another. Nothing upserts by
            // it; where `.unique` asks for that, the constraint is there already.
            let isThere = tables.contains { table in
                holder.table.schema == schemaName && holder.table.name == table.name
                    && (table.primaryKey?.columns == column.tableNames
                        || table.uniques.contains { $0.columns == column.tableNames })
            }
            if !isThere {
                add(UniqueDefinition(name: "", columns: column.tableNames, isDeferrable: true), to: holder.table)
            }
        }
        let columns = column.tableNames
        let referencedSchema = otherSchema(of: target)
        update(holder.table) { table, names in
            if let action = Self.action(rule, column, of: holder) {
                let emptied = action == .setNull ? column.foreignKey?.ownedNames : nil
                var foreignKey = ForeignKeyDefinition(
                    name: relationship.constraint(of: column, in: table.name), columns: columns,
                    referencedSchema: referencedSchema,
                    referencedTable: target.table.name, referencedColumns: target.key.names, onDelete: action,
                    emptied: emptied == columns ? nil : emptied)
                // Two references by the same columns of others may lead to the same objects, or to different ones.
                let isThere = table.foreignKeys.contains { foreignKey.refersAs($0) && $0.onDelete == action }
                // A given name that another has is a finding of the schema's validation.
                let isGiven = relationship.property.metadata.names.constraint != nil
                var number = 0
                while !isGiven, table.foreignKeys.contains(where: { $0.name == foreignKey.name }) {
                    number += 1
                    foreignKey.name = Naming.joined(table.name, columns.joined(separator: "_"), "fkey\(number)")
                }
                if !isThere { table.foreignKeys.append(foreignKey) }
            }
            if let check = Self.wholeness(of: column, in: table.name) { table.checks.append(check) }
            // A B-tree that begins with the columns serves as well.
            let isSearchable =
                table.primaryKey?.columns.starts(with: columns) == true
                || table.uniques.contains { $0.columns.starts(with: columns) }
                || table.indexes.contains { $0.searches(columns) }
            if !isSearchable {
                table.indexes.append(IndexDefinition(name: names.name(table.name, columns, "idx"), columns: columns))
            }
        }
    }

    /// A reference is there or not: the columns that are its own are NULL together. The server takes any NULL for no reference (manual, CREATE
    /// TABLE, MATCH SIMPLE), and MATCH FULL would ask the same of columns that other properties have.
    private static func wholeness(of column: Column, in table: String) -> CheckDefinition? {
        guard column.isNullable, let names = column.foreignKey?.ownedNames, names.count > 1 else { return nil }
        var expression = ColumnExpression()
        for (place, name) in names.dropFirst().enumerated() {
            expression.append(text: place == 0 ? "(" : " AND (")
            expression.append(column: names[0])
            expression.append(text: " IS NULL) = (")
            expression.append(column: name)
            expression.append(text: " IS NULL)")
        }
        return CheckDefinition(
            name: Naming.joined(table, names.joined(separator: "_"), "check"), condition: .expression(expression))
    }

    /// What the server does when the referenced row is deleted: the rule of the relationship that the deleted object has.
    ///
    /// - Returns: `nil` for no foreign key at all.
    private static func action(
        _ rule: Schema.Relationship.DeleteRule, _ column: Column, of holder: EntityMapping
    ) -> ForeignKeyDefinition.Action? {
        switch rule {
        case .noAction:
            // References may dangle by this rule, and a foreign key cannot.
            nil
        case .deny:
            // Checked when the statement ends, like NO ACTION that is not deferrable: one DELETE may take both ends.
            .restrict
        case .nullify:
            column.isNullable ? .setNull : .noAction
        case .cascade:
            // CASCADE would delete the subclass's part of an object and leave the rest in its parents' tables: better to
            // refuse. Strata itself deletes such objects before it deletes what they refer to.
            holder.base.parent == nil ? .cascade : .noAction
        }
    }

    // MARK: Tenants

    /// The root's table compares its column; what is one object's in other tables is seen with the root's row. An index begins with the column: every
    /// query of a tenant's is searched by it.
    private mutating func addPolicy(of entity: EntityMapping) {
        guard let tenant = entity.descriptor.tenant, let column = entity.columns[tenant.slot], entity.base === entity
        else { return }
        let root = entity.root
        update(entity.table) { table, names in
            guard entity.parent == nil else {
                table.policy = RowPolicyDefinition(
                    .reference(.init(entity.key.names, to: root.table.name, root.key.names)))
                return
            }
            table.policy = RowPolicyDefinition(.column(column.name, type: ColumnType(of: column)))
            let isSearchable =
                table.primaryKey?.columns.first == column.name
                || table.uniques.contains { $0.columns.first == column.name }
                || table.indexes.contains { $0.searches([column.name]) }
            guard !isSearchable else { return }
            table.indexes.append(
                IndexDefinition(name: names.name(table.name, [column.name], "idx"), columns: [column.name]))
        }
    }

    /// A pair is seen with the first of its objects, and written only where the second one is seen too.
    private static func policy(of join: JoinTable) -> RowPolicyDefinition? {
        guard join.first.descriptor.tenant != nil else { return nil }
        func reference(_ key: KeyColumns, _ entity: EntityMapping) -> RowPolicyDefinition.Reference {
            .init(key.names, to: entity.root.table.name, entity.root.key.names)
        }
        return RowPolicyDefinition(
            .reference(reference(join.firstKey, join.first)), written: reference(join.secondKey, join.second))
    }

    private mutating func update(
        _ table: TableName, _ change: (inout TableDefinition, inout RelationNames) -> Void
    ) {
        guard table.schema == schemaName, let index = tables.firstIndex(where: { $0.name == table.name }) else {
            return
        }
        change(&tables[index], &names)
    }

    // MARK: Join tables

    private mutating func add(_ join: JoinTable) {
        let name = join.table.name
        // The primary key is searched from the first side, this one from the second. Of one column each it answers by itself.
        let isNarrow = join.firstKey.isSingle && join.secondKey.isSingle
        let searched = join.secondKey.names + (isNarrow ? join.firstKey.names : [])
        tables.append(
            TableDefinition(
                name: name,
                columns: (join.firstKey.parts + join.secondKey.parts).map(Self.keyColumn)
                    + join.orders.map { Self.column($0.position) },
                primaryKey: PrimaryKeyDefinition(
                    name: join.constraints.key ?? names.name(name, [], "pkey"), columns: join.keyNames),
                foreignKeys: [
                    (join.firstKey, join.first, join.constraints.first),
                    (join.secondKey, join.second, join.constraints.second),
                ].map { key, entity, given in
                    ForeignKeyDefinition(
                        name: given ?? Naming.joined(name, key.names.joined(separator: "_"), "fkey"),
                        columns: key.names,
                        referencedSchema: otherSchema(of: entity), referencedTable: entity.table.name,
                        referencedColumns: entity.key.names, onDelete: .cascade)
                },
                indexes: [IndexDefinition(name: names.name(name, searched, "idx"), columns: searched)],
                policy: Self.policy(of: join)))
    }
}

extension IndexKeyDefinition {
    /// Where nothing is said of `nil`, it is where a fetch sorts it: before all values forward, after them in reverse. A column that
    /// is never NULL is sorted as PostgreSQL does without being told.
    fileprivate init(_ column: String, _ form: Schema.ModelIndex.KeyForm, isNullable: Bool) {
        let sorted = isNullable ? !form.isDescending : form.isDescending
        self.init(
            column, fold: form.isLowercased ? .lowercased : nil, isDescending: form.isDescending,
            nullsFirst: form.nilsFirst ?? sorted)
    }
}

extension EntityMapping {
    /// A value of this class's rows as one of all rows of the table, which classes may share: NULL for others, of which it may be that it cannot be
    /// computed.
    fileprivate func ofOwnRows(_ value: ColumnExpression) -> ColumnExpression {
        guard let ownRows else { return value }
        let values = ownRows.values.map(SQLFragment.literal).joined(separator: ", ")
        var sql = ColumnExpression()
        sql.append(text: "CASE WHEN ")
        sql.append(column: ownRows.column)
        sql.append(text: " IN (\(values)) THEN ")
        sql.append(value)
        sql.append(text: " END")
        return sql
    }

    /// A condition on this class's rows as one that is true of all rows of the table, which classes may share.
    fileprivate func forOwnRows(_ condition: ColumnExpression) -> ColumnExpression {
        guard let ownRows else { return condition }
        let values = ownRows.values.map(SQLFragment.literal).joined(separator: ", ")
        var sql = ColumnExpression()
        sql.append(column: ownRows.column)
        sql.append(text: ownRows.values.count == 1 ? " <> \(values) OR (" : " NOT IN (\(values)) OR (")
        sql.append(condition)
        sql.append(text: ")")
        return sql
    }

    /// What the constraint of a `#Check` is called.
    func constraint(of check: Schema.EntityCheck) -> String {
        if let given = check.givenName { return given }
        let rule = Naming.snakeCase(check.name)
        return base === self
            ? Naming.joined(table.name, rule, "check")
            : Naming.joined(table.name, Naming.snakeCase(name), rule, "check")
    }
}

extension RelationshipMapping {
    /// What the constraint of its foreign key is called, which lies in this table.
    func constraint(of column: Column, in table: String) -> String {
        property.metadata.names.constraint ?? Naming.joined(table, column.tableNames.joined(separator: "_"), "fkey")
    }
}

extension EntityMapping {
    /// Whether a column is `NULL` for `nil`: one that the server computes may be nullable beside that.
    fileprivate func mayBeNil(_ column: String, in table: TableDefinition) -> Bool {
        ownGeneratedColumns.first { $0.column.name == column }?.column.isNullable
            ?? (table.column(named: column)?.isNullable == true)
    }
}
