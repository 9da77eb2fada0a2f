import StrataRepository

/// What a table is among classes.
enum TableRole: Hashable {
    /// Its rows are objects of a class. Of a subclass's table, `parent` has the rest of each.
    case objects(parent: String?)
    /// Its rows are links of a many-to-many relationship, with the keys of `first` and of `second`.
    case pairs(first: PairEnd, second: PairEnd)
    /// Its rows are no objects, for a reason.
    case none(String)
}

/// The columns of one side of a table of pairs, in the order of the key that they hold, and the table whose keys these are.
struct PairEnd: Hashable {
    var columns: [String]
    var table: String
}

extension TableDefinition {
    /// Whether the key is one of parts, `#PrimaryKey`: of several columns, or of one of a type that a part can have, and no key by itself.
    var hasKeyParts: Bool {
        (primaryKey?.columns.count ?? 0) > 1 || keyColumn.flatMap { column(named: $0) }.map { !$0.type.isKey } ?? false
    }

    /// The column of a key that is no key of parts.
    var soleKey: String? { hasKeyParts ? nil : keyColumn }

    /// Whether a property of the class holds the key, because nothing gives keys to new rows that come without: of UUIDs and texts the
    /// caller always does, of numbers where neither a sequence nor an expression does, of the key of another row that row.
    var declaresKey: Bool {
        guard let key = soleKey.flatMap({ column(named: $0) }) else { return false }
        return !key.type.isInteger || !key.isNumberedBySequence && key.defaultExpression == nil
            || foreignKeys.contains { $0.columns == [key.name] }
    }

    /// What is unique among all rows by what is made of texts.
    var foldedUniqueSets: [IndexDefinition] {
        indexes.filter { index in
            index.isUnique && index.predicate == nil && index.method == "btree"
                && index.keys.contains { $0.fold != nil }
        }
    }
}

/// What each table is, found in the order in which one thing depends on another: what can be objects, hierarchies, tables of pairs.
struct TableRoles {
    private(set) var roles: [String: TableRole] = [:]
    /// By root the column of the class, and by table what stands in it.
    private(set) var classColumns: [String: String] = [:]
    private(set) var classNames: [String: String] = [:]
    /// The roots of hierarchies whose tables say the class of a row by having it.
    private(set) var keyedRoots: Set<String> = []
    private let tables: [String: TableDefinition]

    /// - Parameter keyedRoots: tables whose rows may have the rest of an object in other tables, and no column says in which.
    init(_ database: DatabaseDescription, keyedRoots: [String] = []) {
        tables = Dictionary(
            database.tables.map { ($0.name, $0.definition) }, uniquingKeysWith: { first, _ in first })
        for table in database.tables {
            // What has a key of several columns may be a table of pairs.
            roles[table.name] =
                if let obstacle = table.keyObstacle {
                    TableRole.none(obstacle)
                } else if (table.definition.primaryKey?.columns.count ?? 0) > 1 {
                    nil
                } else {
                    .objects(parent: nil)
                }
        }
        for table in database.tables { findSubclasses(of: table.definition) }
        for name in keyedRoots { findKeyedSubclasses(of: name) }
        var open: Set<String> = []
        for table in database.tables { findPairs(in: table.definition, &open) }
    }

    func isClass(_ table: String) -> Bool {
        if case .objects = roles[table] { true } else { false }
    }

    func parent(of table: String) -> String? {
        if case .objects(let parent) = roles[table] { parent } else { nil }
    }

    /// Whether rows of other tables are the rest of objects that are rows of this one.
    func hasSubclasses(_ table: String) -> Bool { roles.values.contains(.objects(parent: table)) }

    /// Whether rows are objects of a class, or may be: of a key of several columns it is not known yet.
    private func mayBeClass(_ table: String) -> Bool { tables[table] != nil && (roles[table] == nil || isClass(table)) }

    /// The foreign key that a table's whole key is.
    private func keyReference(of table: TableDefinition) -> ForeignKeyDefinition? {
        guard mayBeClass(table.name), let key = table.primaryKey?.columns else { return nil }
        return table.foreignKeys.first {
            guard $0.columns == key, $0.referencedSchema == nil, mayBeClass($0.referencedTable),
                let other = tables[$0.referencedTable], $0.referencedColumns == other.primaryKey?.columns
            else { return false }
            // In another type the same key may have another text.
            return zip(key, $0.referencedColumns).allSatisfy { name, referenced in
                guard let type = table.column(named: name)?.type, let root = other.column(named: referenced)?.type
                else { return false }
                return type.hasKeys(of: root)
            }
        }
    }

    /// A root with subclasses, as Strata lays them out: a check lists the classes, and the key of each subclass's table, under the same
    /// name, is a foreign key to its parent's.
    private mutating func findSubclasses(of root: TableDefinition) {
        let family = family(below: root) { $0.onDelete == .cascade }
        guard !family.isEmpty else { return }
        let members = [root.name] + family.map(\.table)
        for case .isOneOf(let column, let values) in root.checks.map(\.condition)
        where values.count == members.count {
            // A row without a class would be an object of none.
            guard let classColumn = root.column(named: column), classColumn.type == .text, !classColumn.isNullable
            else {
                continue
            }
            // Two of them would be one name to a file system that does not tell cases apart.
            guard values.allSatisfy(SwiftName.isClassName), Set(values.map { $0.lowercased() }).count == values.count
            else { continue }
            guard let names = Self.match(members, with: values) else { continue }
            classColumns[root.name] = column
            classNames.merge(names) { first, _ in first }
            roles[root.name] = .objects(parent: nil)
            for (table, parent) in family { roles[table] = .objects(parent: parent) }
            return
        }
    }

    /// A root of which a person says that it is one. No class has a column that says it, and the key's foreign key may delete nothing.
    private mutating func findKeyedSubclasses(of name: String) {
        guard let root = tables[name], classColumns[name] == nil else { return }
        let family = family(below: root) { _ in true }
        guard !family.isEmpty else { return }
        keyedRoots.insert(name)
        roles[name] = .objects(parent: nil)
        for (table, parent) in family { roles[table] = .objects(parent: parent) }
    }

    /// The tables whose key, under the same name, is a foreign key to that of a root, or of one of them.
    private func family(
        below root: TableDefinition, where isSubclass: (ForeignKeyDefinition) -> Bool
    ) -> [(table: String, parent: String)] {
        guard mayBeClass(root.name), let key = root.primaryKey?.columns else { return [] }
        var family: [(table: String, parent: String)] = []
        var parents = [root.name]
        while let parent = parents.popLast() {
            let below = tables.values.filter { table in
                guard let reference = keyReference(of: table), table.name != root.name else { return false }
                return reference.referencedTable == parent && isSubclass(reference) && table.primaryKey?.columns == key
            }
            .map(\.name).sorted()
            family += below.map { ($0, parent) }
            parents += below
        }
        return family
    }

    /// Which class's name belongs to which table: by the rule for names, and the last two by exclusion.
    private static func match(_ tables: [String], with values: [String]) -> [String: String]? {
        var names: [String: String] = [:]
        var left = values
        for table in tables {
            guard let index = left.firstIndex(where: { Naming.table($0) == table }) else { continue }
            names[table] = left.remove(at: index)
        }
        let unnamed = tables.filter { names[$0] == nil }
        if unnamed.count == 1, left.count == 1 { names[unnamed[0]] = left[0] }
        return names.count == tables.count ? names : nil
    }

    /// Two foreign keys to classes whose columns are together the primary key, or unique; what else is there needs no value. What is no table of pairs has
    /// objects with a key of several columns.
    ///
    /// - Parameter open: the tables that wait to know what those are that they refer to.
    private mutating func findPairs(in table: TableDefinition, _ open: inout Set<String>) {
        if isClass(table.name) || !open.insert(table.name).inserted { return }
        for foreignKey in table.foreignKeys where roles[foreignKey.referencedTable] == nil {
            if foreignKey.referencedSchema == nil, let other = tables[foreignKey.referencedTable] {
                findPairs(in: other, &open)
            }
        }
        if let pairs = pairs(in: table) {
            roles[table.name] = pairs
        } else if roles[table.name] == nil {
            roles[table.name] = .objects(parent: nil)
        }
    }

    private func pairs(in table: TableDefinition) -> TableRole? {
        let keys = [table.primaryKey?.columns].compactMap { $0 } + table.uniques.map(\.columns)
        let ends = table.foreignKeys.compactMap { foreignKey -> PairEnd? in
            guard foreignKey.referencedSchema == nil, isClass(foreignKey.referencedTable) else { return nil }
            let key = tables[foreignKey.referencedTable]?.primaryKey?.columns ?? []
            let columns = Dictionary(
                zip(foreignKey.referencedColumns, foreignKey.columns), uniquingKeysWith: { first, _ in first })
            let end = PairEnd(columns: key.compactMap { columns[$0] }, table: foreignKey.referencedTable)
            return !key.isEmpty && end.columns.count == key.count && columns.count == key.count ? end : nil
        }
        let columns = Set(ends.flatMap(\.columns))
        // A column that both have would be that of two properties.
        guard ends.count == 2, columns.count == ends[0].columns.count + ends[1].columns.count,
            keys.contains(where: { Set($0) == columns })
        else { return nil }
        // Each row is a link, so both ends are there.
        guard ends.allSatisfy({ isEnd($0, in: table) }) else { return nil }
        // What others refer to are objects: of such a pair they would not know, nor it of them.
        let isReferred = tables.values.contains { other in
            other.name != table.name && other.foreignKeys.contains { $0.referencedTable == table.name }
        }
        if isReferred, ends.contains(where: { $0.columns.count > 1 }) { return nil }
        let others = table.columns.filter { !columns.contains($0.name) }
        guard others.allSatisfy({ $0.isNullable || $0.defaultExpression != nil || $0.isGenerated }) else { return nil }
        // In the order of the columns.
        let order = table.columns.map(\.name)
        let sorted = ends.sorted {
            (order.firstIndex(of: $0.columns[0]) ?? 0) < (order.firstIndex(of: $1.columns[0]) ?? 0)
        }
        return .pairs(first: sorted[0], second: sorted[1])
    }

    /// Whether columns hold keys of a class, in types that have the same keys.
    private func isEnd(_ end: PairEnd, in table: TableDefinition) -> Bool {
        let key = tables[end.table]?.primaryKey?.columns ?? []
        return zip(end.columns, key).allSatisfy { name, referenced in
            guard let column = table.column(named: name), !column.isNullable else { return false }
            return tables[end.table]?.column(named: referenced).map { column.type.hasKeys(of: $0.type) } == true
        }
    }
}

extension ColumnType {
    /// Whether a class can have keys of this type. Not `char(n)`, which is filled up with blanks and compared without them, nor `citext`, which
    /// is compared without case: there one key is several texts.
    var isKey: Bool {
        isInteger || self == ColumnType(.uuid) || self == .text || base == .other("varchar") && !isList
    }

    /// Whether a part of a key in a column of this type is the same text as in one of another type, to which it leads.
    func hasKeys(of other: ColumnType) -> Bool { isKey && other.isKey || isPart && base == other.base }

    /// Whether part of a key of several columns can be of this type: each value has one text, by which keys are told apart. Of `char(n)` it is the text
    /// without what fills it up.
    var isPart: Bool {
        if isKey || isPadded { return true }
        if isList { return false }
        return switch base {
        case .date, .bytea: true
        // With fewer digits the server would round what a new object has.
        case .timestamptz, .other("timestamp"): parameters.isEmpty || parameters == ["6"]
        default: false
        }
    }
}
