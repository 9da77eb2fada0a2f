import StrataRepository

/// Which views of a stage come down and which are made, and when.
///
/// A view stays where nothing of it changes and nothing that it reads goes, changes its type or its name. Others are replaced at once
/// before contract, where what they read is there and stays, and code of both versions can read the new form. Else the older one
/// serves until contract begins, and the new one is made when everything has its place.
struct ViewChanges {
    /// Replaced before contract, older and new form.
    let early: (older: [ViewDefinition], newer: [ViewDefinition])
    /// Dropped when contract begins, and made at its end.
    let late: (older: [ViewDefinition], newer: [ViewDefinition])

    /// All that come down, by name.
    var dropped: [String] { (early.older + late.older).map(\.name) }

    init(_ match: SchemaCorrespondence, _ flows: ColumnFlows, _ names: PhysicalNames) {
        let (old, new) = (match.old.database, match.new.database)
        let tables = TablesInPlace(old: old, new: new, flows: flows, names: names)
        let leaving = Self.leaving(old, new, tables)
        let arriving = new.views.filter { view in
            old.view(named: view.name) == nil || leaving.contains { $0.name == view.name }
        }
        let early = Self.early(arriving, leaving, new, tables)
        func isEarly(_ view: ViewDefinition) -> Bool { early.contains(view.name) }
        self.early = (leaving.filter(isEarly).creationOrder, arriving.filter(isEarly).creationOrder)
        late = (leaving.filter { !isEarly($0) }.creationOrder, arriving.filter { !isEarly($0) }.creationOrder)
    }

    /// The older views that cannot stay as they are.
    private static func leaving(
        _ old: DatabaseDefinition, _ new: DatabaseDefinition, _ tables: TablesInPlace
    ) -> [ViewDefinition] {
        var leaving = old.views.filter { view in
            new.view(named: view.name) != view || !view.relations.isSubset(of: tables.undisturbed.union(old.viewNames))
        }
        var isComplete = false
        while !isComplete {
            let names = Set(leaving.map(\.name))
            let more = old.views.filter { !names.contains($0.name) && !$0.relations.isDisjoint(with: names) }
            leaving += more
            isComplete = more.isEmpty
        }
        return leaving
    }

    /// The names of new views that can be made before contract, in the place of the older ones.
    private static func early(
        _ arriving: [ViewDefinition], _ leaving: [ViewDefinition], _ new: DatabaseDefinition, _ tables: TablesInPlace
    ) -> Set<String> {
        let staying = new.viewNames.subtracting(arriving.map(\.name))
        var early = Set(arriving.map(\.name))
        var isComplete = false
        while !isComplete {
            let readable = tables.ready.union(staying).union(early)
            let kept = arriving.filter { view in
                guard early.contains(view.name), view.relations.isSubset(of: readable) else { return false }
                guard let older = leaving.first(where: { $0.name == view.name }) else {
                    return !tables.older.contains(view.name)
                }
                return view.serves(older)
                    && leaving.allSatisfy { !$0.relations.contains(view.name) || early.contains($0.name) }
            }
            isComplete = kept.count == early.count
            early = Set(kept.map(\.name))
        }
        return early
    }
}

/// What of the tables a view can read for how long.
private struct TablesInPlace {
    /// Older tables of which a stage changes nothing that a view could rely on.
    let undisturbed: Set<String>
    /// New tables that have their names, columns and types before contract, and keep them.
    let ready: Set<String>
    /// The names of all older tables.
    let older: Set<String>

    init(old: DatabaseDefinition, new: DatabaseDefinition, flows: ColumnFlows, names: PhysicalNames) {
        let undisturbed = Set(
            new.tables.compactMap { table -> String? in
                guard flows.tables[table.name] == table.name, let older = old.table(named: table.name) else {
                    return nil
                }
                let kept = Set(
                    table.columns.compactMap { column -> String? in
                        let place = ColumnPlace(table: table.name, column: column.name)
                        return flows.kept(place) == place ? column.name : nil
                    })
                let isWhole = older.columns.allSatisfy { kept.contains($0.name) }
                return isWhole && table.primaryKey?.columns == older.primaryKey?.columns ? table.name : nil
            })
        self.undisturbed = undisturbed
        older = Set(old.tables.map(\.name))
        ready = Set(
            new.tables.filter { table in
                let isThere = undisturbed.contains(table.name) || old.table(named: table.name) == nil
                return isThere && names.table(table.name) == table.name
                    && table.columns.allSatisfy {
                        names.column(ColumnPlace(table: table.name, column: $0.name)) == $0.name
                    }
            }.map(\.name))
    }
}

extension DatabaseDefinition {
    fileprivate var viewNames: Set<String> { Set(views.map(\.name)) }
}
