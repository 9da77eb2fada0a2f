import StrataModels
import StrataRepository

extension ModelPlan {
    /// Decides on classes, properties and relationships. The same description always makes the same plan.
    package init(_ database: DatabaseDescription) {
        var planner = ModelPlanner(database)
        planner.nameClasses()
        planner.planColumns()
        planner.planInverses()
        planner.planPairs()
        planner.planConstraints()
        planner.noteTheRest()
        self = planner.plan
    }
}

/// The steps of a plan, each of which reads what the ones before have decided.
private struct ModelPlanner {
    /// What is known of a class while its plan is made.
    private struct Draft {
        var model: ModelClass
        let table: DatabaseDescription.Table
        /// Properties by the columns that they have.
        var propertyOfColumn: [String: String] = [:]
        var taken: Set<String> = []
        /// Types of attributes, by property.
        var types: [String: SwiftType] = [:]

        init(_ table: DatabaseDescription.Table, _ model: ModelClass) {
            self.table = table
            self.model = model
        }
    }

    /// A to-one relationship, whose other end is planned when all of them are known.
    private struct Reference {
        let source: String
        let foreignKey: ForeignKeyDefinition
        let property: String
        var target: String { foreignKey.referencedTable }
        var column: String { foreignKey.columns[0] }
    }

    private let database: DatabaseDescription
    private let roles: TableRoles
    /// By table.
    private var drafts: [String: Draft] = [:]
    private var references: [Reference] = []
    private var gaps: [IntrospectionGap] = []
    private var coverage = IntrospectionCoverage()

    init(_ database: DatabaseDescription) {
        self.database = database
        roles = TableRoles(database)
    }

    var plan: ModelPlan {
        var plan = ModelPlan()
        plan.classes = drafts.values.map(\.model).sorted { $0.name < $1.name }
        plan.gaps = Array(Set(gaps)).sorted {
            ($0.table, $0.column ?? "", $0.reason) < ($1.table, $1.column ?? "", $1.reason)
        }
        plan.coverage = coverage
        return plan
    }

    private mutating func note(_ table: String, _ column: String? = nil, _ reason: String) {
        gaps.append(IntrospectionGap(table: table, column: column, reason: reason))
    }

    /// The tables of classes, in the order in which everything is planned.
    private var classTables: [DatabaseDescription.Table] { database.tables.filter { roles.isClass($0.name) } }

    // MARK: Classes

    mutating func nameClasses() {
        var taken = SwiftName.reservedClasses.union(roles.classNames.values)
        for table in classTables {
            let name =
                roles.classNames[table.name]
                ?? Self.free(
                    [
                        SwiftName.className(ofTable: table.name), SwiftName.upperCamel(SwiftName.words(table.name)),
                        SwiftName.className(ofTable: table.name) + "Record",
                    ], &taken)
            var model = ModelClass(name: name, table: table.name)
            model.comment = table.comment
            if table.name != Naming.table(name) { model.arguments.append("table: \(SwiftDefault.quoted(table.name))") }
            let isRoot = roles.parent(of: table.name) == nil
            if isRoot, let key = table.definition.keyColumn, key != Naming.key {
                model.arguments.append("keyColumn: \(SwiftDefault.quoted(key))")
            }
            if let column = roles.classColumns[table.name], column != Naming.discriminator {
                model.arguments.append("classColumn: \(SwiftDefault.quoted(column))")
            }
            drafts[table.name] = Draft(table, model)
        }
        for table in classTables {
            guard let parent = roles.parent(of: table.name) else { continue }
            let superclass = drafts[parent]?.model.name
            drafts[table.name]?.model.superclass = superclass
            drafts[parent]?.model.isFinal = false
        }
    }

    /// The first of these names that is free, or the first one with a number.
    private static func free(_ names: [String], _ taken: inout Set<String>) -> String {
        for name in names where taken.insert(name).inserted { return name }
        var number = 2
        while !taken.insert(names[0] + "\(number)").inserted { number += 1 }
        return names[0] + "\(number)"
    }

    /// Names of a hierarchy's classes are taken for all of them: no subclass may have a property of its superclass's.
    private func family(of table: String) -> [String] {
        var root = table
        while let parent = roles.parent(of: root) { root = parent }
        return drafts.keys.filter { name in
            var ancestor = name
            while let parent = roles.parent(of: ancestor) { ancestor = parent }
            return ancestor == root
        }
    }

    private mutating func claim(_ names: [String], in table: String) -> String {
        let family = family(of: table)
        var taken = family.reduce(into: Set<String>()) { $0.formUnion(drafts[$1]?.taken ?? []) }
        let name = Self.free(names, &taken)
        drafts[table]?.taken.insert(name)
        return name
    }

    // MARK: Columns

    mutating func planColumns() {
        // Parents first, so that their properties have the names they would have alone.
        let parentsFirst = classTables.map { (depth: depth(of: $0.name), table: $0) }
            .sorted { ($0.depth, $0.table.name) < ($1.depth, $1.table.name) }
        for (_, table) in parentsFirst { planColumns(of: table) }
    }

    private func depth(of table: String) -> Int { roles.parent(of: table).map { depth(of: $0) + 1 } ?? 0 }

    private mutating func planColumns(of table: DatabaseDescription.Table) {
        let definition = table.definition
        let foreignKeys = usableForeignKeys(of: table)
        let hidden = Set([definition.keyColumn, roles.classColumns[table.name]].compactMap { $0 })
        coverage.columns.expressed += hidden.count
        // Attributes have the names of their columns; a relationship gives way, whose column has another name mostly.
        for column in definition.columns where !hidden.contains(column.name) && foreignKeys[column.name] == nil {
            planAttribute(column, of: table)
        }
        for column in definition.columns where !hidden.contains(column.name) {
            if let foreignKey = foreignKeys[column.name] { planReference(column, foreignKey, of: table) }
        }
        let order = Dictionary(
            definition.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let places = drafts[table.name]?.propertyOfColumn.map { ($1, order[$0] ?? 0) } ?? []
        let placeOf = Dictionary(places, uniquingKeysWith: { first, _ in first })
        drafts[table.name]?.model.properties.sort { (placeOf[$0.name] ?? 0) < (placeOf[$1.name] ?? 0) }
    }

    /// By column the foreign keys that relationships can stand for. All others are said.
    private mutating func usableForeignKeys(of table: DatabaseDescription.Table) -> [String: ForeignKeyDefinition] {
        var usable: [String: ForeignKeyDefinition] = [:]
        for foreignKey in table.definition.foreignKeys {
            let columns = foreignKey.columns.joined(separator: ", ")
            let target = (foreignKey.referencedSchema.map { $0 + "." } ?? "") + foreignKey.referencedTable
            if foreignKey.columns == table.definition.primaryKey?.columns {
                if roles.parent(of: table.name) != nil {
                    coverage.constraints.expressed += 1
                } else {
                    remark(
                        "its key is that of a row of \(target) too: the object there has the same key", in: table.name,
                        column: foreignKey.columns[0])
                }
                continue
            }
            let reason: String? =
                if foreignKey.columns.count > 1 {
                    "its foreign key to \(target) has several columns"
                } else if foreignKey.referencedSchema != nil {
                    "its foreign key leads to another schema, \(target)"
                } else if database.tables.allSatisfy({ $0.name != foreignKey.referencedTable }) {
                    "its foreign key leads to \(target), which was left out"
                } else if !roles.isClass(foreignKey.referencedTable) {
                    "its foreign key leads to \(target), whose rows are no objects"
                } else if foreignKey.referencedColumns
                    != drafts[foreignKey.referencedTable]?.table.definition.primaryKey?.columns
                {
                    "its foreign key leads to \(target) (\(foreignKey.referencedColumns.joined(separator: ", "))), which is not "
                        + "its primary key"
                } else if usable[foreignKey.columns[0]] != nil {
                    "it has a second foreign key, to \(target)"
                } else {
                    nil
                }
            if let reason {
                for column in foreignKey.columns.count == 1 ? foreignKey.columns : [columns] {
                    remark(reason, in: table.name, column: column)
                }
            } else {
                usable[foreignKey.columns[0]] = foreignKey
                coverage.constraints.expressed += 1
            }
        }
        return usable
    }

    /// Says in the class, and in the report, what is not expressed.
    private mutating func remark(_ reason: String, in table: String, column: String? = nil) {
        note(table, column, reason)
        drafts[table]?.model.remarks.append((column.map { "\($0): " } ?? "") + reason + ".")
    }

    private mutating func planAttribute(_ column: ColumnDefinition, of table: DatabaseDescription.Table) {
        let notes = table.notes[column.name]
        if column.isGenerated {
            return remark(
                "the server computes it (\(column.type)), and a property's value would be written", in: table.name,
                column: column.name)
        }
        if column.identity != nil {
            return remark(
                "it is an identity column beside the key (\(column.type))", in: table.name, column: column.name)
        }
        guard let type = SwiftType(column.type) else {
            let values = database.enumerations[column.type.base.name].map { " of \($0.joined(separator: ", "))" } ?? ""
            let kind = database.enumerations[column.type.base.name] == nil ? "the type" : "the enum type"
            return remark(
                "\(kind) \(column.type)\(values)\(column.isNullable ? "" : " NOT NULL") has no property",
                in: table.name,
                column: column.name)
        }
        let name = claim([SwiftName.propertyName(ofColumn: column.name)], in: table.name)
        var property = PlannedProperty(
            name: name, kind: .attribute, type: type.name + (column.isNullable ? "?" : ""))
        property.comment = notes?.comment
        if let remark = type.remark { property.remarks.append(remark) }
        if let domain = notes?.domain {
            property.remarks.append("In the database of the domain \(domain), whose checks the server makes.")
            note(
                table.name, column.name, "the domain \(domain) is taken for \(column.type); the server makes its checks"
            )
        }
        if let expression = column.defaultExpression {
            property.initialValue = SwiftDefault.value(of: expression, for: type)
            if property.initialValue == nil, !expression.hasPrefix("NULL") {
                property.remarks.append(
                    "The database's default, \(expression), is not used: every value comes from here.")
                note(table.name, column.name, "Swift has no words for the default \(expression)")
            }
        }
        if column.storage == .external, type.name == "Data" { property.arguments.append(".externalStorage") }
        if Naming.column(name) != column.name {
            property.arguments.append("column: \(SwiftDefault.quoted(column.name))")
        }
        drafts[table.name]?.types[name] = type
        drafts[table.name]?.propertyOfColumn[column.name] = name
        drafts[table.name]?.model.properties.append(property)
        coverage.columns.expressed += 1
    }

    private mutating func planReference(
        _ column: ColumnDefinition, _ foreignKey: ForeignKeyDefinition, of table: DatabaseDescription.Table
    ) {
        guard let target = drafts[foreignKey.referencedTable]?.model.name else { return }
        let whole = SwiftName.propertyName(ofColumn: column.name)
        var words = SwiftName.words(column.name)
        if words.count > 1, ["id", "pk", "fk", "key", "no"].contains(words[words.count - 1]) { words.removeLast() }
        let short = SwiftName.property(SwiftName.lowerCamel(words))
        let name = claim([short, whole, short + "Object"], in: table.name)
        var property = PlannedProperty(name: name, kind: .toOne, type: target + (column.isNullable ? "?" : ""))
        property.comment = table.notes[column.name]?.comment
        // Of two ends to one, both optional, the one that names its column has it.
        if Naming.column(name) != column.name || isOneToOne(column.name, of: table) && column.isNullable {
            property.arguments.append("column: \(SwiftDefault.quoted(column.name))")
        }
        if foreignKey.onDelete == .setDefault {
            property.remarks.append(
                "ON DELETE SET DEFAULT in the database: objects in memory learn of it when they are read again.")
            note(table.name, column.name, "ON DELETE SET DEFAULT has no delete rule")
        }
        drafts[table.name]?.propertyOfColumn[column.name] = name
        drafts[table.name]?.model.properties.append(property)
        references.append(Reference(source: table.name, foreignKey: foreignKey, property: name))
        coverage.columns.expressed += 1
    }

    private func isOneToOne(_ column: String, of table: DatabaseDescription.Table) -> Bool {
        table.definition.uniqueSets.contains { $0.columns == [column] }
    }

    // MARK: The other ends

    mutating func planInverses() {
        for reference in references.sorted(by: {
            ($0.target, $0.source, $0.column) < ($1.target, $1.source, $1.column)
        }) {
            planInverse(of: reference)
        }
    }

    private mutating func planInverse(of reference: Reference) {
        guard let source = drafts[reference.source], let target = drafts[reference.target] else { return }
        let sourceName = source.model.name
        let isToOne = isOneToOne(reference.column, of: source.table)
        let siblings = references.filter { $0.source == reference.source && $0.target == reference.target }
        let noun = SwiftName.words(sourceName)
        let base = isToOne ? SwiftName.property(SwiftName.lowerCamel(noun)) : SwiftName.plural(noun)
        let by = base + "By" + SwiftName.capitalized(reference.property)
        let isPlain =
            siblings.count == 1 && reference.source != reference.target
            || reference.property == SwiftName.decapitalized(target.model.name)
        var names = isPlain ? [base, by] : [by]
        if reference.source == reference.target, reference.property == "parent", !isToOne {
            names.insert("children", at: 0)
        }
        let name = claim(names, in: reference.target)
        var property = PlannedProperty(
            name: name, kind: isToOne ? .toOne : .toMany, type: isToOne ? sourceName + "?" : "[\(sourceName)]",
            initialValue: isToOne ? nil : "[]")
        if let rule = Self.deleteRule(reference.foreignKey.onDelete, of: source.table, reference.column) {
            property.arguments.append("deleteRule: .\(rule)")
        }
        property.arguments.append("inverse: \\\(sourceName).\(reference.property)")
        drafts[reference.target]?.model.properties.append(property)
    }

    /// The delete rule that makes this foreign key; `nil` for the one that need not be said.
    private static func deleteRule(
        _ action: ForeignKeyDefinition.Action, of table: DatabaseDescription.Table, _ column: String
    ) -> String? {
        switch action {
        case .cascade: "cascade"
        case .restrict: "deny"
        case .setNull, .setDefault: nil
        // Of a required reference, `.nullify` makes it.
        case .noAction: table.definition.column(named: column)?.isNullable == true ? "deny" : nil
        }
    }

    // MARK: Pairs

    mutating func planPairs() {
        for table in database.tables {
            guard case .pairs(let first, let second)? = roles.roles[table.name] else { continue }
            planPair(table, first, second)
        }
    }

    /// A name for objects that a table of pairs leads to, and the words of the table's own name that say so.
    private func pairNames(_ table: DatabaseDescription.Table, from own: PairEnd, to other: PairEnd) -> [String] {
        guard let ownClass = drafts[own.table]?.model, let otherClass = drafts[other.table]?.model else { return [] }
        var names: [String] = []
        var stem = SwiftName.words(other.column)
        if stem.count > 1, ["id", "pk", "fk", "key"].contains(stem[stem.count - 1]) { stem.removeLast() }
        if own.table == other.table {
            names.append(SwiftName.plural(stem))
        } else {
            // Strata calls its own `<class>_<property>`.
            let beginning = Naming.table(ownClass.name) + "_"
            if table.name.hasPrefix(beginning) {
                let rest = SwiftName.words(String(table.name.dropFirst(beginning.count)))
                if rest.last == rest.last.map(EnglishNoun.plural) { names.append(SwiftName.plural(rest)) }
            }
            names.append(SwiftName.plural(ofClass: otherClass.name))
        }
        return names + [
            SwiftName.plural(ofClass: otherClass.name) + "By" + SwiftName.upperCamel(SwiftName.words(table.name))
        ]
    }

    private mutating func planPair(_ table: DatabaseDescription.Table, _ one: PairEnd, _ other: PairEnd) {
        guard let oneClass = drafts[one.table]?.model.name, let otherClass = drafts[other.table]?.model.name else {
            return
        }
        let oneProperty = claim(pairNames(table, from: one, to: other), in: one.table)
        let otherProperty = claim(pairNames(table, from: other, to: one), in: other.table)
        // What names are made of where nobody says any: see `Naming.joinTable(of:and:)`.
        let isOneFirst = "\(oneClass).\(oneProperty)" <= "\(otherClass).\(otherProperty)"
        let (first, firstClass, firstProperty) =
            isOneFirst ? (one, oneClass, oneProperty) : (other, otherClass, otherProperty)
        let (second, secondClass, secondProperty) =
            isOneFirst ? (other, otherClass, otherProperty) : (one, oneClass, oneProperty)
        var property = PlannedProperty(
            name: firstProperty, kind: .toMany, type: "[\(secondClass)]", initialValue: "[]")
        property.comment = table.comment
        if table.name != Naming.joined(Naming.snakeCase(firstClass), Naming.snakeCase(firstProperty)) {
            property.arguments.append("table: \(SwiftDefault.quoted(table.name))")
        }
        let isReflexive = first.table == second.table
        let firstKey = drafts[first.table]?.table.definition.keyColumn ?? Naming.key
        let secondKey = drafts[second.table]?.table.definition.keyColumn ?? Naming.key
        let firstRule = Naming.joined(isReflexive ? Naming.snakeCase(secondProperty) : first.table, firstKey)
        let secondRule = Naming.joined(isReflexive ? Naming.snakeCase(firstProperty) : second.table, secondKey)
        if first.column != firstRule || second.column != secondRule {
            property.arguments.append("column: \(SwiftDefault.quoted(first.column))")
            property.arguments.append("inverseColumn: \(SwiftDefault.quoted(second.column))")
        }
        property.arguments.append("inverse: \\\(secondClass).\(secondProperty)")
        let pair = Set([first.column, second.column])
        for column in table.definition.columns where !pair.contains(column.name) {
            note(table.name, column.name, "a table of pairs has no property for it; the server gives its value")
            property.remarks.append("The column \(column.name) (\(column.type)) of \(table.name) has no property.")
        }
        drafts[first.table]?.model.properties.append(property)
        drafts[second.table]?.model.properties.append(
            PlannedProperty(name: secondProperty, kind: .toMany, type: "[\(firstClass)]", initialValue: "[]"))
        coverage.columns.expressed += 2
        let ends = table.definition.foreignKeys.filter { $0.columns.count == 1 && pair.contains($0.columns[0]) }
        for end in ends where end.onDelete != .cascade {
            note(
                table.name, end.columns[0],
                "ON DELETE \(end.onDelete.rawValue): the server refuses to delete an object that has links")
        }
        coverage.constraints.expressed += ends.count + (table.definition.primaryKey == nil ? 0 : 1)
    }

    // MARK: Constraints and indexes

    mutating func planConstraints() {
        for table in classTables {
            coverage.constraints.expressed += 1
            planUniques(of: table)
            planIndexes(of: table)
            for check in table.definition.checks {
                if case .isOneOf(let column, _) = check.condition, roles.classColumns[table.name] == column {
                    coverage.constraints.expressed += 1
                } else {
                    note(
                        table.name, nil, "the check \(check.name) is the server's alone: \(Self.text(check.condition))")
                }
            }
        }
    }

    private static func text(_ condition: CheckDefinition.Condition) -> String {
        switch condition {
        case .isOneOf(let column, let values): "\(column) IN (\(values.joined(separator: ", ")))"
        case .expression(let text): text
        }
    }

    /// The properties of these columns; `nil` when one of them has none in this class.
    private func properties(of columns: [String], in table: DatabaseDescription.Table) -> [String]? {
        let names = columns.compactMap { drafts[table.name]?.propertyOfColumn[$0] }
        return names.count == columns.count ? names : nil
    }

    private func hasDocument(_ properties: [String], in table: String) -> Bool {
        properties.contains { drafts[table]?.types[$0]?.use == .document }
    }

    private mutating func planUniques(of table: DatabaseDescription.Table) {
        var planned: Set<[String]> = []
        for (columns, isDeferrable) in table.definition.uniqueSets {
            let list = columns.joined(separator: ", ")
            guard let names = properties(of: columns, in: table), !hasDocument(names, in: table.name) else {
                remark("unique (\(list)) needs a property for each column", in: table.name)
                continue
            }
            guard planned.insert(columns).inserted else { continue }
            coverage.constraints.expressed += 1
            let property = drafts[table.name]?.model.properties.first { $0.name == names[0] }
            if names.count == 1, property?.kind == .toOne {
                // The relationship to one says it, unless it is checked row by row.
                if !isDeferrable { drafts[table.name]?.model.uniques.append(names) }
            } else if isDeferrable {
                coverage.constraints.expressed -= 1
                remark("unique (\(list)) is DEFERRABLE, which is for relationships to one alone", in: table.name)
            } else if names.count == 1,
                let index = drafts[table.name]?.model.properties.firstIndex(where: { $0.name == names[0] })
            {
                drafts[table.name]?.model.properties[index].arguments.insert(".unique", at: 0)
            } else {
                drafts[table.name]?.model.uniques.append(names)
            }
        }
    }

    private mutating func planIndexes(of table: DatabaseDescription.Table) {
        let definition = table.definition
        let foreignKeys = Set(references.filter { $0.source == table.name }.map(\.column))
        let others =
            definition.uniqueSets.map(\.columns) + definition.indexes.filter { $0.method == "btree" }.map(\.columns)
        for index in definition.indexes where !(index.isUnique && index.predicate == nil && index.method == "btree") {
            let list = index.columns.joined(separator: ", ")
            if index.predicate != nil {
                note(table.name, nil, "the index \(index.name) is partial")
                continue
            }
            guard let names = properties(of: index.columns, in: table) else {
                note(table.name, nil, "the index \(index.name) (\(list)) is on what is no property of the class")
                continue
            }
            // The index of a foreign key goes with it, unless another one begins with its column.
            if index.method == "btree", index.columns.count == 1, foreignKeys.contains(index.columns[0]),
                !others.contains(where: { $0.count > 1 && $0[0] == index.columns[0] }),
                !isOneToOne(index.columns[0], of: table)
            {
                continue
            }
            guard let planned = plannedIndex(index.method, names, in: table.name) else {
                note(table.name, nil, "the index \(index.name) (\(index.method) on \(list)) has no #Index")
                continue
            }
            drafts[table.name]?.model.indexes.append(planned)
        }
    }

    private func plannedIndex(_ method: String, _ names: [String], in table: String) -> PlannedIndex? {
        guard let method = Schema.ModelIndex.Method(rawValue: method), Set(names).count == names.count else {
            return nil
        }
        let types = names.map { drafts[table]?.types[$0] }
        let hasDocument = types.contains { $0?.use == .document }
        let hasList = types.contains { $0?.use == .list }
        let areStrings = types.allSatisfy { $0?.name == "String" }
        switch method {
        case .btree: return hasDocument ? nil : PlannedIndex(kind: "binary", properties: names)
        case .hash: return names.count == 1 && !hasDocument ? PlannedIndex(kind: "hash", properties: names) : nil
        case .brin:
            let isOrdered = types.allSatisfy { $0.map { ![.document, .list, .boolean].contains($0.use) } ?? true }
            return isOrdered ? PlannedIndex(kind: "brin", properties: names) : nil
        case .gin:
            let isSearched = types.allSatisfy { $0?.use == .document || $0?.use == .list }
            return isSearched && (hasDocument || hasList) ? PlannedIndex(kind: "gin", properties: names) : nil
        case .gist: return nil
        case .trigram: return areStrings && names.count == 1 ? PlannedIndex(kind: "trigram", properties: names) : nil
        case .fullText(let language, let weights):
            guard areStrings else { return nil }
            let list = weights.lowercased().map { ".\($0)" }.joined(separator: ", ")
            return PlannedIndex(
                kind: "fullText", properties: names,
                suffix: (weights.isEmpty ? "" : ", weights: [\(list)]") + ", language: \(SwiftDefault.quoted(language))"
            )
        }
    }

    // MARK: What is left

    mutating func noteTheRest() {
        for table in database.tables {
            let definition = table.definition
            coverage.tables.total += 1
            coverage.columns.total += definition.columns.count
            let exclusions = table.peculiarities.filter { $0.hasSuffix("is an exclusion constraint") }.count
            coverage.constraints.total +=
                (definition.primaryKey == nil ? 0 : 1) + definition.uniqueSets.count + definition.foreignKeys.count
                + definition.checks.count + exclusions
            for line in table.peculiarities { note(table.name, nil, line) }
            switch roles.roles[table.name] {
            case .objects?:
                coverage.tables.expressed += 1
                // No class of its own: its own key says nothing of where keys of new rows come from.
                if roles.parent(of: table.name) == nil { noteKey(of: table) }
            case .pairs?: coverage.tables.expressed += 1
            case .none(let reason)?: note(table.name, nil, "no class: \(reason)")
            case nil: break
            }
        }
        for other in database.others { note(other.name, nil, "no class: it is \(other.kind)") }
    }

    private mutating func noteKey(of table: DatabaseDescription.Table) {
        guard let key = table.definition.keyColumn.flatMap({ table.definition.column(named: $0) }) else { return }
        let isGiven = key.identity != nil || key.defaultExpression?.hasPrefix("nextval(") == true
        guard !isGiven else { return }
        remark(
            "it has no sequence and is no identity, so objects can be read, changed and deleted, and not inserted",
            in: table.name, column: key.name)
    }
}
