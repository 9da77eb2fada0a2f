import StrataRepository

/// A foreign key of several columns, in the order of the key that it leads to.
struct SeveralColumns {
    let foreignKey: ForeignKeyDefinition
    /// The columns that no other property has: the reference writes them.
    let owned: [String]
    /// Whether a row may have none.
    let isOptional: Bool
}

/// To-one ends of foreign keys of several columns.
extension ModelPlanner {
    /// Why no relationship stands for a foreign key of several columns, beside what is so of any; `nil` where one does.
    func obstacle(of foreignKey: ForeignKeyDefinition, in table: DatabaseDescription.Table, _ target: String) -> String?
    {
        let key = drafts[foreignKey.referencedTable]?.table.definition.primaryKey?.columns ?? []
        if Set(foreignKey.referencedColumns) != Set(key) {
            return
                "its foreign key leads to \(target) (\(foreignKey.referencedColumns.joined(separator: ", "))), which is not its primary key"
        }
        let columns = drafts[foreignKey.referencedTable]?.table.definition
        for (name, referenced) in zip(foreignKey.columns, foreignKey.referencedColumns) {
            guard let type = table.definition.column(named: name)?.type,
                let other = columns?.column(named: referenced)?.type,
                !type.hasKeys(of: other)
            else { continue }
            return "its foreign key leads to \(target), and \(name) is \(type) and not \(other)"
        }
        return nil
    }

    /// Which columns each foreign key of several has for itself: those that are no part of the key. What else has one of these may change it, and the
    /// reference with it: no relationship says that, and the foreign key is said in a comment.
    ///
    /// - Parameter single: the columns of foreign keys of one.
    mutating func several(
        _ foreignKeys: [ForeignKeyDefinition], of table: DatabaseDescription.Table, besides single: Set<String>
    ) -> [SeveralColumns] {
        let key = Set(table.definition.primaryKey?.columns ?? [])
        return foreignKeys.compactMap { foreignKey in
            let owned = foreignKey.columns.filter { !key.contains($0) }
            let others = foreignKeys.filter { $0.name != foreignKey.name }.flatMap(\.columns)
            func isNullable(_ name: String) -> Bool { table.definition.column(named: name)?.isNullable == true }
            let isOptional = foreignKey.columns.contains(where: isNullable)
            let reason: String? =
                if let shared = owned.first(where: { single.contains($0) || others.contains($0) }) {
                    "\(shared) is in another foreign key too, and is no part of the key"
                } else if isOptional, let required = owned.first(where: { !isNullable($0) }) {
                    "\(required) may not be NULL, and the others may"
                } else if foreignKey.onDelete == .setNull, Set(foreignKey.emptied ?? foreignKey.columns) != Set(owned) {
                    "ON DELETE SET NULL empties more than what is its own"
                } else {
                    nil
                }
            if let reason {
                remark(
                    "its foreign key leads to \(foreignKey.referencedTable), and \(reason)", in: table.name,
                    column: foreignKey.columns.joined(separator: ", "))
                return nil
            }
            let order = drafts[foreignKey.referencedTable]?.table.definition.primaryKey?.columns ?? []
            let columns = Dictionary(
                zip(foreignKey.referencedColumns, foreignKey.columns), uniquingKeysWith: { first, _ in first })
            var sorted = foreignKey
            (sorted.columns, sorted.referencedColumns) = (order.compactMap { columns[$0] }, order)
            return SeveralColumns(
                foreignKey: sorted, owned: sorted.columns.filter(owned.contains), isOptional: isOptional)
        }
    }

    mutating func planReference(_ several: SeveralColumns, of table: DatabaseDescription.Table) {
        let foreignKey = several.foreignKey
        guard let target = drafts[foreignKey.referencedTable]?.model.name else { return }
        let noun = SwiftName.property(SwiftName.lowerCamel(SwiftName.words(target)))
        let last = several.owned.last ?? foreignKey.columns[foreignKey.columns.count - 1]
        // One column says what it leads to, as that of any foreign key.
        let short = foreignKey.columns.count == 1 ? [Self.shortName(ofReference: last)] : []
        let name = claim(
            short + [noun, noun + "By" + SwiftName.upperCamel(SwiftName.words(last)), noun + "Object"], in: table.name)
        var property = PlannedProperty(name: name, kind: .toOne, type: target + (several.isOptional ? "?" : ""))
        let byRule =
            foreignKey.columns.count == 1
            ? [Naming.column(name)] : foreignKey.referencedColumns.map { Naming.joined(Naming.column(name), $0) }
        if byRule != foreignKey.columns || several.owned.isEmpty
            || isOneToOne(foreignKey.columns, of: table) && several.isOptional
        {
            property.arguments.append(
                "columns: [\(foreignKey.columns.map(SwiftDefault.quoted).joined(separator: ", "))]")
        }
        if foreignKey.onDelete == .setDefault {
            property.remarks.append(
                "ON DELETE SET DEFAULT in the database: objects in memory learn of it when they are read again.")
            note(table.name, foreignKey.columns.joined(separator: ", "), "ON DELETE SET DEFAULT has no delete rule")
        }
        drafts[table.name]?.model.properties.append(property)
        drafts[table.name]?.placedBy[name] = several.owned.first ?? last
        references.append(Reference(source: table.name, foreignKey: foreignKey, property: name, owned: several.owned))
        coverage.columns.expressed += several.owned.count
        coverage.constraints.expressed += 1
    }
}
