import StrataRepository

extension MigrationPlanner {
    /// Throws where objects, or what refers to them, have keys of another kind from now on: every key and every reference would have to be made
    /// anew, and whoever holds an identifier would hold one of nobody. The same where a number becomes the key of a class whose keys Strata gave,
    /// or is it no more: the values of the one would be taken for those of the other.
    func refuseOtherKeys() throws(MigrationError) {
        for rows in match.rowClasses {
            guard let before = old.chain(of: rows.old).first, let now = new.chain(of: rows.new).first,
                let from = old.keyText(of: before), let to = new.keyText(of: now), from != to
            else { continue }
            throw MigrationError(
                .planRefused,
                "\(rows.new.name) has \(to) in version \(new.version), and \(rows.old.name) had \(from) in \(old.version).",
                places: [rows.new.name],
                remedy:
                    "keep the kind of the key; or declare a new class with the other key, copy the objects in a custom stage, and drop this one"
            )
        }
        for entity in new.entities {
            for column in entity.columns {
                guard let destination = column.destination,
                    let kept = flows.kept(ColumnPlace(table: entity.table, column: column.column)),
                    let from = old.database.table(named: kept.table)?.column(named: kept.column)?.type,
                    let to = new.database.table(named: entity.table)?.column(named: column.column)?.type, from != to
                else { continue }
                throw MigrationError(
                    .planRefused,
                    "\(entity.name).\(column.property) leads to \(destination), whose keys are \(to), and held keys of the type \(from).",
                    places: ["\(entity.name).\(column.property)"],
                    remedy: "give the relationship another name, fill it in a custom stage, and drop the older one")
            }
        }
    }
}

extension FrozenSchema {
    /// What the keys of a class are, and who gives them: those of an identity are Strata's.
    fileprivate func keyText(of entity: FrozenEntity) -> String? {
        let table = database.table(named: entity.table)
        return table?.keyColumn.flatMap { table?.column(named: $0) }.map {
            "keys of the type \($0.type)" + ($0.type == .bigint && $0.identity == nil ? ", which a property has" : "")
        }
    }
}
