import StrataModels
import StrataRepository

/// Attributes, and the to-one ends of foreign keys.
extension ModelPlanner {
    mutating func planColumns() {
        // Parents first, so that their properties have the names they would have alone.
        let parentsFirst = classTables.map { (depth: depth(of: $0.name), table: $0) }
            .sorted { ($0.depth, $0.table.name) < ($1.depth, $1.table.name) }
        for (_, table) in parentsFirst { planColumns(of: table) }
    }

    private func depth(of table: String) -> Int { roles.parent(of: table).map { depth(of: $0) + 1 } ?? 0 }

    mutating func planColumns(of table: DatabaseDescription.Table) {
        let definition = table.definition
        let usable = usableForeignKeys(of: table)
        let foreignKeys = usable.single
        let several = several(usable.several, of: table, besides: Set(foreignKeys.keys))
        let isSubclass = roles.parent(of: table.name) != nil
        let key = isSubclass ? definition.primaryKey?.columns ?? [] : [definition.soleKey].compactMap { $0 }
        let hidden = Set(key + [roles.classColumns[table.name]].compactMap { $0 })
        coverage.columns.expressed += hidden.count
        if definition.declaresKey, !isSubclass { planKey(of: table, among: usable.keys) }
        // Attributes have the names of their columns; a relationship gives way, whose column has another name mostly.
        let referring = Set(foreignKeys.keys).union(several.flatMap(\.owned))
        for column in definition.columns where !hidden.contains(column.name) && !referring.contains(column.name) {
            planAttribute(column, of: table)
        }
        for column in definition.columns where !hidden.contains(column.name) {
            if let foreignKey = foreignKeys[column.name] { planReference(column, foreignKey, of: table) }
        }
        for foreignKey in usable.keys { planKeyReference(foreignKey, of: table) }
        for reference in several { planReference(reference, of: table) }
        let order = Dictionary(
            definition.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var places = drafts[table.name]?.propertyOfColumn.map { ($1, order[$0] ?? 0) } ?? []
        places += drafts[table.name]?.placedBy.map { ($0, order[$1] ?? 0) } ?? []
        let placeOf = Dictionary(places, uniquingKeysWith: { first, _ in first })
        if definition.hasKeyParts, !isSubclass {
            let properties = drafts[table.name]?.propertyOfColumn ?? [:]
            drafts[table.name]?.model.primaryKey = (definition.primaryKey?.columns ?? []).compactMap { properties[$0] }
        }
        planPartition(of: table)
        // The key, which is before all others, has no place.
        drafts[table.name]?.model.properties.sort { (placeOf[$0.name] ?? -1) < (placeOf[$1.name] ?? -1) }
    }

    /// A `#Partition` says one date, which is part of the key, and one period for all partitions.
    private mutating func planPartition(of table: DatabaseDescription.Table) {
        guard let partitioning = table.definition.partitioning else { return }
        if roles.hasSubclasses(table.name) {
            return remark(
                "divided by ranges of \(partitioning.column), and the class has subclasses: no #Partition says that",
                in: table.name)
        }
        guard let period = partitioning.period,
            let property = drafts[table.name]?.propertyOfColumn[partitioning.column],
            drafts[table.name]?.model.primaryKey.contains(property) == true
        else {
            return remark(
                "divided by ranges of \(partitioning.column), which are not days, weeks, months or years in UTC of a part of the key: no #Partition says that",
                in: table.name)
        }
        drafts[table.name]?.model.partition = Schema.EntityPartition(name: property, period: period)
    }

    /// The foreign keys that relationships can stand for: those of one column by it, those of several, and those that the key is. All others
    /// are said.
    private mutating func usableForeignKeys(
        of table: DatabaseDescription.Table
    ) -> (single: [String: ForeignKeyDefinition], several: [ForeignKeyDefinition], keys: [ForeignKeyDefinition]) {
        var usable: [String: ForeignKeyDefinition] = [:]
        var several: [ForeignKeyDefinition] = []
        var keys: [ForeignKeyDefinition] = []
        let parent = roles.parent(of: table.name)
        let inherited = parent == nil ? [] : table.definition.primaryKey?.columns ?? []
        for foreignKey in table.definition.foreignKeys {
            let columns = foreignKey.columns.joined(separator: ", ")
            let target = (foreignKey.referencedSchema.map { $0 + "." } ?? "") + foreignKey.referencedTable
            let isKey = foreignKey.columns == table.definition.primaryKey?.columns
            if isKey, foreignKey.referencedSchema == nil, foreignKey.referencedTable == parent {
                coverage.constraints.expressed += 1
                continue
            }
            if isKey, parent == nil, foreignKey.columns.count > 1 {
                remark(
                    "its key is that of a row of \(target) too: the object there has the same key", in: table.name,
                    column: foreignKey.columns[0])
                continue
            }
            let reason: String? =
                if foreignKey.referencedSchema != nil {
                    "its foreign key leads to another schema, \(target)"
                } else if database.tables.allSatisfy({ $0.name != foreignKey.referencedTable }) {
                    "its foreign key leads to \(target), which was left out"
                } else if !roles.isClass(foreignKey.referencedTable) {
                    "its foreign key leads to \(target), whose rows are no objects"
                } else if let part = foreignKey.columns.first(where: inherited.contains) {
                    "its foreign key leads to \(target), and \(part) is of the key that the superclass has"
                } else if leadsToParts(foreignKey) {
                    obstacle(of: foreignKey, in: table, target)
                } else if foreignKey.referencedColumns
                    != drafts[foreignKey.referencedTable]?.table.definition.primaryKey?.columns
                {
                    "its foreign key leads to \(target) (\(foreignKey.referencedColumns.joined(separator: ", "))), which is not "
                        + "its primary key"
                } else if let type = table.definition.column(named: foreignKey.columns[0])?.type, !type.isKey {
                    "its foreign key leads to \(target), and it is \(type), in which a key is several texts"
                } else if foreignKey.columns.contains(where: { table.definition.column(named: $0)?.isGenerated == true }
                ) {
                    "the server computes the column of its foreign key, which a relationship would write"
                } else if isKey, leadsBack(foreignKey, to: table.name) {
                    "its key is that of a row of \(target), whose key leads back to it: no object would be the first"
                } else if isKey, keys.contains(where: { $0.referencedTable == foreignKey.referencedTable }) {
                    "it has a second foreign key, to \(target)"
                } else if usable[foreignKey.columns[0]] != nil {
                    "it has a second foreign key, to \(target)"
                } else {
                    nil
                }
            // Two of them may differ in what else the server compares.
            let known =
                keys.filter { $0.referencedTable == foreignKey.referencedTable }
                + [usable[foreignKey.columns[0]]].compactMap { $0 }
            if let first = known.first, first.columns == foreignKey.columns,
                first.referencedTable == foreignKey.referencedTable,
                first.referencedColumns == foreignKey.referencedColumns, first.onDelete == foreignKey.onDelete
            {
                coverage.constraints.expressed += 1
            } else if let reason {
                for column in foreignKey.columns.count == 1 ? foreignKey.columns : [columns] {
                    remark(reason, in: table.name, column: column)
                }
            } else if leadsToParts(foreignKey) {
                several.append(foreignKey)
            } else if isKey {
                keys.append(foreignKey)
                coverage.constraints.expressed += 1
            } else {
                usable[foreignKey.columns[0]] = foreignKey
                coverage.constraints.expressed += 1
            }
        }
        return (usable, several, keys)
    }

    /// Whether a reference is one of parts: the key that it leads to is.
    private func leadsToParts(_ foreignKey: ForeignKeyDefinition) -> Bool {
        foreignKey.columns.count > 1 || drafts[foreignKey.referencedTable]?.table.definition.hasKeyParts == true
    }

    /// Whether the key of the table that a foreign key leads to is, by way of others or not, that of this table.
    private func leadsBack(_ foreignKey: ForeignKeyDefinition, to table: String) -> Bool {
        var (seen, next): (Set<String>, [String]) = ([], [foreignKey.referencedTable])
        while let name = next.popLast() {
            if name == table { return true }
            guard seen.insert(name).inserted, let definition = drafts[name]?.table.definition else { continue }
            next += definition.foreignKeys.filter { $0.columns == definition.primaryKey?.columns }.map(
                \.referencedTable)
        }
        return false
    }

    /// Says in the class, and in the report, what is not expressed.
    mutating func remark(_ reason: String, in table: String, column: String? = nil) {
        note(table, column, reason)
        drafts[table]?.model.remarks.append((column.map { "\($0): " } ?? "") + reason + ".")
    }

    /// The property that holds the key, before all others. It is part of no `#Unique` and no `#Index`.
    ///
    /// - Parameter foreignKeys: those that the key is.
    private mutating func planKey(of table: DatabaseDescription.Table, among foreignKeys: [ForeignKeyDefinition]) {
        guard let column = table.definition.soleKey.flatMap({ table.definition.column(named: $0) }) else { return }
        let isUUID = column.type == ColumnType(.uuid)
        let name = claim([SwiftName.keyName(ofColumn: column.name)], in: table.name)
        let type = isUUID ? "UUID" : column.type.isInteger ? "Int" : "String"
        var property = PlannedProperty(name: name, kind: .attribute, type: type)
        property.comment = table.notes[column.name]?.comment
        property.arguments.append(".primaryKey")
        if Naming.column(name) != column.name {
            property.arguments.append("column: \(SwiftDefault.quoted(column.name))")
        }
        if let first = foreignKeys.first {
            // A new object has it from the other one: at once, or when it is inserted.
            if declaresKey(ofRowsIn: first.referencedTable) == nil { property.initialValue = "0" }
        } else if !column.type.isInteger, let expression = column.defaultExpression, let type = SwiftType(column.type) {
            property.initialValue = SwiftDefault.value(of: expression, for: type)
        }
        drafts[table.name]?.model.properties.append(property)
    }

    /// The property that holds the key of objects with a row in a table; `nil` where none does.
    private func declaresKey(ofRowsIn table: String) -> String? {
        var root = table
        while let parent = roles.parent(of: root) { root = parent }
        guard let definition = drafts[root]?.table.definition, definition.declaresKey else { return nil }
        return definition.soleKey.map(SwiftName.keyName)
    }

    /// The relationship to the object whose key is this one's too. It reads the column of the key, and does not write it.
    private mutating func planKeyReference(_ foreignKey: ForeignKeyDefinition, of table: DatabaseDescription.Table) {
        guard let target = drafts[foreignKey.referencedTable]?.model.name else { return }
        let column = foreignKey.columns[0]
        let noun = SwiftName.property(SwiftName.lowerCamel(SwiftName.words(target)))
        let short = Self.shortName(ofReference: column)
        // A key `id` says nothing of what it leads to, and the second foreign key of a column something else.
        let isNamed = short != SwiftName.propertyName(ofColumn: column)
        let name = claim(isNamed ? [short, noun, noun + "Object"] : [noun, noun + "Object"], in: table.name)
        var property = PlannedProperty(name: name, kind: .toOne, type: target)
        property.arguments.append("columns: [\(SwiftDefault.quoted(column))]")
        if [.setDefault, .setNull].contains(foreignKey.onDelete) {
            note(table.name, column, "ON DELETE \(foreignKey.onDelete.rawValue) of a key has no delete rule")
        }
        if let key = declaresKey(ofRowsIn: foreignKey.referencedTable),
            let place = drafts[table.name]?.model.properties.firstIndex(where: { $0.arguments.first == ".primaryKey" }),
            drafts[table.name]?.model.properties[place].isRequired == true
        {
            drafts[table.name]?.model.properties[place].copied = "\(name).\(key)"
        }
        drafts[table.name]?.model.properties.append(property)
        drafts[table.name]?.placedBy[name] = column
        references.append(Reference(source: table.name, foreignKey: foreignKey, property: name, owned: []))
    }

    /// A part of a key of several columns, of a type that keys have.
    private mutating func planPart(_ column: ColumnDefinition, of table: DatabaseDescription.Table) {
        let name = claim([SwiftName.propertyName(ofColumn: column.name)], in: table.name)
        let type =
            switch column.type.base {
            case .uuid: "UUID"
            case .timestamptz, .other("timestamp"): "Date"
            case .date: "CalendarDate"
            case .bytea: "Data"
            default: column.type.isInteger ? "Int" : "String"
            }
        var property = PlannedProperty(name: name, kind: .attribute, type: type)
        property.comment = table.notes[column.name]?.comment
        if let remark = SwiftType(column.type)?.remark { property.remarks.append(remark) }
        if let domain = table.notes[column.name]?.domain {
            note(
                table.name, column.name, "the domain \(domain) is taken for \(column.type); the server makes its checks"
            )
            property.remarks.append("In the database of the domain \(domain), whose checks the server makes.")
        }
        if let expression = column.defaultExpression {
            note(table.name, column.name, "the default \(expression) of a part of the key is not used")
            property.remarks.append("The database's default, \(expression), is not used: every value comes from here.")
        }
        if let identity = column.identity {
            note(table.name, column.name, "the identity of a part of the key is not used")
            property.remarks.append(
                identity.isAlways
                    ? "GENERATED ALWAYS in the database, which refuses new objects: they are read, changed and deleted."
                    : "The database's identity is not used: every value comes from here.")
        }
        if Naming.column(name) != column.name {
            property.arguments.append("column: \(SwiftDefault.quoted(column.name))")
        }
        let swiftType = swiftType(of: column)
        drafts[table.name]?.types[name] = swiftType
        drafts[table.name]?.propertyOfColumn[column.name] = name
        drafts[table.name]?.model.properties.append(property)
        coverage.columns.expressed += 1
    }

    private mutating func planAttribute(_ column: ColumnDefinition, of table: DatabaseDescription.Table) {
        if table.definition.hasKeyParts, table.definition.primaryKey?.columns.contains(column.name) == true {
            return planPart(column, of: table)
        }
        let notes = table.notes[column.name]
        if column.identity != nil {
            return remark(
                "it is an identity column beside the key (\(column.type))", in: table.name, column: column.name)
        }
        guard let type = swiftType(of: column) else {
            let reason = Self.reasons[column.type.base.name].map { ": \($0)" } ?? ""
            return remark(
                "the type \(column.type)\(column.isNullable ? "" : " NOT NULL") has no property\(reason)",
                in: table.name,
                column: column.name)
        }
        let name = claim([SwiftName.propertyName(ofColumn: column.name)], in: table.name)
        var property = PlannedProperty(
            name: name, kind: .attribute, type: type.name + (column.isNullable || column.isGenerated ? "?" : ""))
        if column.isGenerated { property.arguments.append(".generated") }
        property.comment = notes?.comment
        if let remark = type.remark { property.remarks.append(remark) }
        if let domain = notes?.domain {
            property.remarks.append("In the database of the domain \(domain), whose checks the server makes.")
            note(
                table.name, column.name, "the domain \(domain) is taken for \(column.type); the server makes its checks"
            )
        }
        // That of a generated column is what it is computed from.
        if !column.isGenerated, let expression = column.defaultExpression {
            property.initialValue = SwiftDefault.value(of: expression, for: type)
            if property.initialValue == nil, !expression.hasPrefix("NULL") {
                property.remarks.append(
                    "The database's default, \(expression), is not used: every value comes from here.")
                note(table.name, column.name, "Swift has no words for the default \(expression)")
            }
        }
        if let precision = column.type.precision, type.name == "Decimal", (1...38).contains(precision.precision),
            (0...precision.precision).contains(precision.scale)
        {
            property.arguments.append(
                ".precision(\(precision.precision)\(precision.scale == 0 ? "" : ", scale: \(precision.scale)"))")
        }
        if column.storage == .external, type.name == "Data", !column.isGenerated {
            property.arguments.append(".externalStorage")
        }
        if Naming.column(name) != column.name {
            property.arguments.append("column: \(SwiftDefault.quoted(column.name))")
        }
        drafts[table.name]?.types[name] = type
        drafts[table.name]?.propertyOfColumn[column.name] = name
        drafts[table.name]?.model.properties.append(property)
        coverage.columns.expressed += 1
    }

    /// Why there is no value of Swift for a type.
    private static let reasons = [
        "money": "what is read and written depends on the locale of the session",
        "timetz": "its time zone is an offset that says nothing without a day",
        "tsvector": "the server makes it of other columns",
    ]

    private mutating func planReference(
        _ column: ColumnDefinition, _ foreignKey: ForeignKeyDefinition, of table: DatabaseDescription.Table
    ) {
        guard let target = drafts[foreignKey.referencedTable]?.model.name else { return }
        let whole = SwiftName.propertyName(ofColumn: column.name)
        let short = Self.shortName(ofReference: column.name)
        let name = claim([short, whole, short + "Object"], in: table.name)
        var property = PlannedProperty(name: name, kind: .toOne, type: target + (column.isNullable ? "?" : ""))
        property.comment = table.notes[column.name]?.comment
        // Of two ends to one, both optional, the one that names its column has it.
        if Naming.column(name) != column.name || isOneToOne([column.name], of: table) && column.isNullable {
            property.arguments.append("column: \(SwiftDefault.quoted(column.name))")
        }
        if foreignKey.onDelete == .setDefault {
            property.remarks.append(
                "ON DELETE SET DEFAULT in the database: objects in memory learn of it when they are read again.")
            note(table.name, column.name, "ON DELETE SET DEFAULT has no delete rule")
        }
        drafts[table.name]?.propertyOfColumn[column.name] = name
        drafts[table.name]?.model.properties.append(property)
        references.append(
            Reference(source: table.name, foreignKey: foreignKey, property: name, owned: foreignKey.columns))
        coverage.columns.expressed += 1
    }

    /// `author_id` → `author`.
    static func shortName(ofReference column: String) -> String {
        var words = SwiftName.words(column)
        if words.count > 1, ["id", "pk", "fk", "key", "no"].contains(words[words.count - 1]) { words.removeLast() }
        return SwiftName.property(SwiftName.lowerCamel(words))
    }

    /// Whether no two rows lead to the same one by a foreign key.
    func isOneToOne(_ columns: [String], of table: DatabaseDescription.Table) -> Bool {
        table.definition.primaryKey.map { Set($0.columns) == Set(columns) } ?? false
            || table.definition.uniqueSets.contains { Set($0.columns) == Set(columns) }
    }
}
