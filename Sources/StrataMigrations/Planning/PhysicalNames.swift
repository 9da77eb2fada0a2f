import StrataRepository

/// The names things have while a stage runs: the old ones until the switch, the new ones after it.
///
/// What is added under a name that something old still has gets a name for the time until then.
struct PhysicalNames {
    let match: SchemaCorrespondence
    let flows: ColumnFlows
    private let oldRelations: Set<String>

    init(_ match: SchemaCorrespondence, _ flows: ColumnFlows) {
        self.match = match
        self.flows = flows
        let ofTables = match.old.database.tables.flatMap { [$0.name] + $0.indexNames }
        let views = match.old.database.views
        oldRelations = Set(ofTables + views.map(\.name) + views.compactMap(\.keyIndex))
    }

    /// What a new table is called before the switch.
    func table(_ new: String) -> String {
        if let old = flows.tables[new] { return old }
        return oldRelations.contains(new) ? InterimName.new(new) : new
    }

    /// What a column of a new table is called before the switch.
    func column(_ place: ColumnPlace) -> String {
        if let kept = flows.kept(place) { return kept.column }
        guard let old = flows.tables[place.table], let table = match.old.database.table(named: old) else {
            return place.column
        }
        return table.column(named: place.column) == nil ? place.column : InterimName.new(place.column)
    }

    /// What the key of an old class's table is called, before the switch or after it.
    func key(ofOld table: String, isLate: Bool = false) -> String {
        let key = match.old.database.table(named: table)?.walkedColumn ?? Naming.key
        return isLate ? lateColumn(ColumnPlace(table: table, column: key)) : key
    }

    /// The same of all columns of it.
    func keyColumns(ofOld table: String, isLate: Bool = false) -> [String] {
        let key = match.old.database.table(named: table)?.primaryKey?.columns ?? [Naming.key]
        return isLate ? key.map { lateColumn(ColumnPlace(table: table, column: $0)) } : key
    }

    /// What the key of a new class's table is called, before the switch or after it.
    func key(ofNew table: String, isLate: Bool = false) -> String {
        let key = match.new.database.table(named: table)?.walkedColumn ?? Naming.key
        return isLate ? key : column(ColumnPlace(table: table, column: key))
    }

    /// What the column is called that says which class a row of an old root's table has, before the switch or after it.
    func classColumn(ofOld table: String, isLate: Bool = false) -> String {
        let column = match.old.database.table(named: table)?.classColumn ?? Naming.discriminator
        return isLate ? lateColumn(ColumnPlace(table: table, column: column)) : column
    }

    /// What the column is called that says which class a row of a new root's table has, before the switch or after it.
    func classColumn(ofNew table: String, isLate: Bool = false) -> String {
        let column = match.new.database.table(named: table)?.classColumn ?? Naming.discriminator
        return isLate ? column : self.column(ColumnPlace(table: table, column: column))
    }

    /// What an index, or a constraint with one, is called before the switch when it is built anew.
    func relation(_ new: String) -> String { oldRelations.contains(new) ? InterimName.new(new) : new }
}

extension PhysicalNames {
    /// What an old table is called after the switch, until it is dropped.
    func lateTable(_ old: String) -> String {
        if let kept = flows.tables.first(where: { $0.value == old }) { return kept.key }
        return match.new.database.table(named: old) == nil ? old : InterimName.old(old)
    }

    /// What an old column is called after the switch, until it is dropped.
    func lateColumn(_ old: ColumnPlace) -> String {
        guard let table = flows.tables.first(where: { $0.value == old.table })?.key,
            let definition = match.new.database.table(named: table)
        else { return old.column }
        for column in definition.columns {
            if flows.kept(ColumnPlace(table: table, column: column.name)) == old { return column.name }
        }
        return definition.column(named: old.column) == nil ? old.column : InterimName.old(old.column)
    }
}
