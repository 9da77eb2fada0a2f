import StrataRepository

extension ModelPlan {
    /// Decides on classes, properties and relationships. The same description always makes the same plan.
    package init(_ database: DatabaseDescription) {
        let identified = database.identified()
        self.init(identified, TableRoles(identified))
    }

    /// - Parameter database: ``DatabaseDescription/identified()``.
    init(_ database: DatabaseDescription, _ roles: TableRoles) {
        var planner = ModelPlanner(database, roles)
        planner.nameClasses()
        planner.nameEnumerations()
        planner.planColumns()
        planner.openCircles()
        planner.planInverses()
        planner.planPairs()
        planner.planConstraints()
        planner.noteTheRest()
        self = planner.plan
    }
}

/// The steps of a plan, each of which reads what the ones before have decided.
struct ModelPlanner {
    /// What is known of a class while its plan is made.
    struct Draft {
        var model: ModelClass
        let table: DatabaseDescription.Table
        /// Properties by the columns that they have.
        var propertyOfColumn: [String: String] = [:]
        /// The column where a relationship of several stands among the properties.
        var placedBy: [String: String] = [:]
        var taken: Set<String> = []
        /// Types of attributes, by property.
        var types: [String: SwiftType] = [:]

        init(_ table: DatabaseDescription.Table, _ model: ModelClass) {
            self.table = table
            self.model = model
        }
    }

    /// A to-one relationship, whose other end is planned when all of them are known.
    struct Reference {
        let source: String
        let foreignKey: ForeignKeyDefinition
        let property: String
        /// The columns that no other property has.
        let owned: [String]
        var target: String { foreignKey.referencedTable }
        var columns: [String] { foreignKey.columns }
        /// For messages, and for an order.
        var column: String { columns.joined(separator: ", ") }
    }

    let database: DatabaseDescription
    let roles: TableRoles
    /// By table.
    var drafts: [String: Draft] = [:]
    var references: [Reference] = []
    /// Enum types that columns have, by the names under which they have them.
    var enumerations: [String: PlannedEnumeration] = [:]
    /// Names of types that are taken, in small letters: files are named after them, and not every file system tells cases apart.
    var typeNames: Set<String> = []
    private var gaps: [IntrospectionGap] = []
    var coverage = IntrospectionCoverage()

    init(_ database: DatabaseDescription, _ roles: TableRoles) {
        self.database = database
        self.roles = roles
    }

    var plan: ModelPlan {
        var plan = ModelPlan()
        plan.classes = drafts.values.map(\.model).sorted { $0.name < $1.name }
        plan.enumerations = enumerations.values.filter(\.isUsed).sorted { $0.name < $1.name }
        plan.gaps = Array(Set(gaps)).sorted {
            ($0.table, $0.column ?? "", $0.reason) < ($1.table, $1.column ?? "", $1.reason)
        }
        plan.coverage = coverage
        return plan
    }

    mutating func note(_ table: String, _ column: String? = nil, _ reason: String) {
        gaps.append(IntrospectionGap(table: table, column: column, reason: reason))
    }

    /// The tables of classes, in the order in which everything is planned.
    var classTables: [DatabaseDescription.Table] { database.tables.filter { roles.isClass($0.name) } }

    // MARK: Classes

    mutating func nameClasses() {
        var taken = Set(SwiftName.reservedClasses.union(roles.classNames.values).map { $0.lowercased() })
        for table in classTables {
            let name =
                roles.classNames[table.name]
                ?? Self.freeType(
                    [
                        SwiftName.className(ofTable: table.name), SwiftName.upperCamel(SwiftName.words(table.name)),
                        SwiftName.className(ofTable: table.name) + "Record",
                    ], &taken)
            var model = ModelClass(name: name, table: table.name)
            model.comment = table.comment
            if table.name != Naming.table(name) { model.arguments.append("table: \(SwiftDefault.quoted(table.name))") }
            let isRoot = roles.parent(of: table.name) == nil
            if isRoot, let key = table.definition.soleKey, key != Naming.key, !table.definition.declaresKey {
                model.arguments.append("keyColumn: \(SwiftDefault.quoted(key))")
            }
            if let column = roles.classColumns[table.name], column != Naming.discriminator {
                model.arguments.append("classColumn: \(SwiftDefault.quoted(column))")
            }
            if roles.keyedRoots.contains(table.name) {
                model.arguments.append("inheritance: .joinedTablesWithoutClassColumn")
            }
            drafts[table.name] = Draft(table, model)
        }
        for table in classTables {
            guard let parent = roles.parent(of: table.name) else { continue }
            let superclass = drafts[parent]?.model.name
            drafts[table.name]?.model.superclass = superclass
            drafts[parent]?.model.isFinal = false
        }
        typeNames = taken
    }

    /// The same for types, whose files differ in more than the case of letters.
    static func freeType(_ names: [String], _ taken: inout Set<String>) -> String {
        for name in names where taken.insert(name.lowercased()).inserted { return name }
        var number = 2
        while !taken.insert(names[0].lowercased() + "\(number)").inserted { number += 1 }
        return names[0] + "\(number)"
    }

    /// The first of these names that is free, or the first one with a number.
    static func free(_ names: [String], _ taken: inout Set<String>) -> String {
        for name in names where taken.insert(name).inserted { return name }
        var number = 2
        while !taken.insert(names[0] + "\(number)").inserted { number += 1 }
        return names[0] + "\(number)"
    }

    /// Names of a hierarchy's classes are taken for all of them: no subclass may have a property of its superclass's.
    func family(of table: String) -> [String] {
        var root = table
        while let parent = roles.parent(of: root) { root = parent }
        return drafts.keys.filter { name in
            var ancestor = name
            while let parent = roles.parent(of: ancestor) { ancestor = parent }
            return ancestor == root
        }
    }

    mutating func claim(_ names: [String], in table: String) -> String {
        let family = family(of: table)
        var taken = family.reduce(into: Set<String>()) { $0.formUnion(drafts[$1]?.taken ?? []) }
        let name = Self.free(names, &taken)
        drafts[table]?.taken.insert(name)
        return name
    }
}
