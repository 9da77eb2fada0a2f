import StrataRepository

/// What a stage tells the database to record, and when: the old version's classes at first, those of both versions while
/// old and new code run, and the new version's from the switch on.
struct StageHistory {
    /// The old version, with its own names.
    let old: HistoryDescription
    /// The new version under the names that things have before the switch; only what triggers can be made for without a
    /// lock that nobody has declared.
    let upcoming: HistoryDescription
    /// The new version while rows may still be of older classes.
    let leading: HistoryDescription
    /// The new version.
    let new: HistoryDescription
    /// Classes whose objects are gone, or others', when the new version leads.
    let ended: [String]
    /// Classes that were not recorded before, although their tables are there.
    let begun: [String]

    /// What is recorded as well while old and new code run.
    var beginning: HistoryDifference { HistoryDifference(from: old, to: upcoming) }

    init(_ planner: MigrationPlanner) {
        let match = planner.match
        old = HistoryDescription(match.old).withoutFormerNames
        new = HistoryDescription(match.new).named(after: match)
        leading = new.withOldClasses(match)
        let late = Self.begun(planner)
        begun = new.entities.map(\.name).filter(late.contains)
        upcoming = leading.beforeSwitch(planner, without: late, old: old)
        let recorded = Set(old.entities.map(\.name))
        ended = match.old.entities.map(\.name).filter { name in
            recorded.contains(name) && !match.oldNames.values.contains(name)
        }
    }

    /// Classes whose tables are there and were not recorded, with all that stands below them.
    private static func begun(_ planner: MigrationPlanner) -> Set<String> {
        let before = HistoryDescription(planner.old).tables
        func begins(_ entity: FrozenEntity) -> Bool {
            planner.new.chain(of: entity).contains { ancestor in
                planner.flows.tables[ancestor.table].map { !before.contains($0) } ?? false
            }
        }
        return Set(planner.new.entities.filter(begins).map(\.name))
    }
}

extension HistoryDescription {
    /// The tables with triggers, and the columns of each that a trigger of its own watches.
    var watched: [String: Set<String>] {
        var tables: [String: Set<String>] = [:]
        for link in links { tables[link.table] = [] }
        for entity in entities {
            tables[entity.table] = Set(entity.properties.filter(\.external).compactMap(\.column))
        }
        return tables
    }

    var tables: Set<String> { Set(watched.keys) }

    /// With the names that classes and properties have in the old version.
    fileprivate func named(after match: SchemaCorrespondence) -> HistoryDescription {
        HistoryDescription(
            entities: entities.map { described in
                guard let entity = match.new.entity(named: described.name) else { return described }
                var described = described
                let former = match.oldEntity(of: entity)
                described.was = former.map { [$0.name] } ?? []
                for index in described.properties.indices {
                    described.properties[index].was = match.formerNames(
                        of: described.properties[index].name, declaredBy: entity, continuing: former)
                }
                return described
            }, links: links)
    }

    /// Rows keep the name of their older class until they are given another one.
    fileprivate func withOldClasses(_ match: SchemaCorrespondence) -> HistoryDescription {
        let taken = Set(entities.flatMap(\.classes))
        return HistoryDescription(
            entities: entities.map { described in
                var described = described
                described.classes += match.rowClasses.filter { $0.new.name == described.name && $0.condition == nil }
                    .map(\.old.discriminator).filter { !taken.contains($0) }
                return described
            }, links: links)
    }

    fileprivate func beforeSwitch(
        _ planner: MigrationPlanner, without late: Set<String>, old: HistoryDescription
    ) -> HistoryDescription {
        let names = planner.names
        return HistoryDescription(
            entities: entities.filter { !late.contains($0.name) }.map { described in
                var described = described
                let table = described.table
                described.table = names.table(table)
                described.class = described.class.map { _ in names.classColumn(ofNew: table) }
                let present = old.entities.first { $0.table == described.table }
                for index in described.properties.indices {
                    described.properties[index].columns = described.properties[index].columns.map { columns in
                        columns.map { names.column(ColumnPlace(table: table, column: $0)) }
                    }
                    guard let final = described.properties[index].column else { continue }
                    let column = names.column(ColumnPlace(table: table, column: final))
                    described.properties[index].column = column
                    // A trigger of its own watches such columns; it comes when the new version leads.
                    if let same = present?.properties.first(where: { $0.column == column }) {
                        described.properties[index].external = same.external
                    }
                }
                return described
            },
            links: links.map { link in
                Link(
                    table: names.table(link.table),
                    sides: link.sides.map { side in
                        var side = side
                        side.column = names.column(ColumnPlace(table: link.table, column: side.column))
                        side.columns = side.columns.map { columns in
                            columns.map { names.column(ColumnPlace(table: link.table, column: $0)) }
                        }
                        return side
                    })
            })
    }
}

extension SchemaCorrespondence {
    /// `name` for a property of the class that this one continues, `Class.name` for one of another.
    fileprivate func formerNames(
        of property: String, declaredBy entity: FrozenEntity, continuing former: FrozenEntity?
    ) -> [String] {
        let family = Set(new.family(of: entity).map(\.name))
        var found: [String] = []
        for rows in rowClasses where family.contains(rows.new.name) {
            guard let (owner, name) = source(of: property, declaredBy: entity, for: rows) else { continue }
            let text = owner.name == former?.name ? name : "\(owner.name).\(name)"
            if text != property, !found.contains(text) { found.append(text) }
        }
        return found
    }
}
