/// Names the tables of one statement: `t0`, `t1`, … in the order in which they are asked for; and says what stands behind
/// the names: the tables themselves, or those as a context's unsaved changes will leave them.
package final class AliasGenerator {
    private let view: PendingView?
    private var aliases = 0
    private var tables = 0
    private var rows = 0

    /// - Parameter view: the unsaved changes that take part.
    package init(_ view: PendingView? = nil) {
        self.view = view
    }

    /// Whether the tables themselves stand behind the names.
    var isPlain: Bool { view == nil }

    /// Whether there is no query but the one that the expressions stand in.
    var isUnused: Bool { aliases == 0 }

    /// Whether no table was asked for: all other queries are of the values of one row.
    var namesNoTable: Bool { tables == 0 }

    func alias() -> SQLFragment {
        defer { aliases += 1 }
        return SQLFragment(alias: aliases)
    }

    /// A number for something that may be missing, see ``SQLExpression/requires``.
    func token() -> Int {
        defer { rows += 1 }
        return rows
    }

    /// Whether unsaved changes stand behind the name of a class's table.
    func overlays(_ entity: EntityMapping) -> Bool { view?.request(.entity(entity.base.index)) != nil }

    /// What follows `FROM` for the table of a class.
    func item(_ entity: EntityMapping) -> SQLFragment {
        tables += 1
        guard let request = view?.request(.entity(entity.base.index)) else { return "\(entity.table)" }
        return "\(raw: request.name)"
    }

    /// What follows `FROM` for a join table.
    func item(_ join: JoinTable) -> SQLFragment {
        tables += 1
        guard let request = view?.request(.join(join.table)) else { return "\(join.table)" }
        for name in join.keyNames { request.compare(name) }
        return "\(raw: request.name)"
    }

    /// A column that decides something, of a row of a class's table. A foreign key of several columns is one value, under its name.
    func column(_ name: String, of entity: EntityMapping, in row: SQLFragment) -> SQLFragment {
        if entity.key.contains(name) { return value(nil, name, in: row) }
        let request = view?.request(.entity(entity.base.index))
        request?.compare(name)
        return value(request == nil ? entity.foreignKey(named: name) : nil, name, in: row)
    }

    /// Whether a row of a root's table is of a class.
    func isOfClass(_ condition: ClassCondition, root: EntityMapping, in row: SQLFragment) -> SQLFragment {
        let stored = column(condition.column, of: root, in: row)
        // Over unsaved changes the column is what was read of it.
        return isPlain
            ? condition.isMet(by: stored) : condition.isMet(byText: root.asRead(stored, named: condition.column))
    }

    /// A column that is only read.
    func shownColumn(_ name: String, of entity: EntityMapping, in row: SQLFragment) -> SQLFragment {
        // What a row has as its key it has for ever.
        if entity.key.contains(name) { return value(nil, name, in: row) }
        guard let request = view?.request(.entity(entity.base.index)) else {
            return value(entity.foreignKey(named: name), name, in: row)
        }
        request.show(name)
        return value(nil, request.shownName(name), in: row)
    }

    private func value(_ foreignKey: ForeignKeyColumns?, _ name: String, in row: SQLFragment) -> SQLFragment {
        if let foreignKey { return foreignKey.key.value(of: row) }
        return row.isEmpty ? "\(identifier: name)" : "\(row).\(identifier: name)"
    }

    /// The columns of a foreign key of several, where its table itself stands in the statement; `nil` where it is one value.
    func columns(_ column: Column, of entity: EntityMapping) -> KeyColumns? {
        guard let foreignKey = column.foreignKey, view?.request(.entity(entity.base.index)) == nil else { return nil }
        return foreignKey.key
    }
}
