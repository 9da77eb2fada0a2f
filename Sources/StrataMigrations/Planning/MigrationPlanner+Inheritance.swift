import StrataRepository

extension MigrationPlanner {
    /// Throws where the classes of a hierarchy had a table each and share one from now on, or the other way round, and where rows come into a table
    /// that classes share, or leave it for another: every program that reads them would have to change in that moment.
    func refuseOtherInheritance() throws(MigrationError) {
        for rows in match.rowClasses {
            let (from, to) = (old.isSingleTable(rows.old), new.isSingleTable(rows.new))
            guard let before = old.chain(of: rows.old).first, let now = new.chain(of: rows.new).first else { continue }
            if let from, let to, from != to {
                throw MigrationError(
                    .planRefused,
                    "The classes of \(now.name) have \(Self.form(to)) in version \(new.version), and had \(Self.form(from)) in \(old.version).",
                    places: [now.name],
                    remedy:
                        "keep inheritance of \(now.name) as it was; or declare a hierarchy of other classes in the new form, copy the objects in a custom stage, and drop this one"
                )
            }
            guard from == true || to == true, flows.tables[now.table] != before.table else { continue }
            throw MigrationError(
                .planRefused,
                "Rows of \(rows.old.name) go from the table \(before.table) to \(now.table), and classes share one of both.",
                places: [rows.new.name],
                remedy: "declare a new class there, copy the objects in a custom stage, and drop \(rows.old.name)")
        }
    }

    private static func form(_ isSingle: Bool) -> String {
        isSingle ? "one table (inheritance: .singleTable)" : "a table each (inheritance: .joinedTables)"
    }
}

extension MigrationPlanner {
    /// Whether a row of a table that classes share is of a class or one of its subclasses, as old code writes it or new code does; before the
    /// switch.
    ///
    /// - Parameter row: what stands before the column.
    func isOfClasses(_ entity: FrozenEntity, row: String) -> String {
        let family = new.family(of: entity)
        let older = match.rowClasses.filter { family.contains($0.new) }.map(\.old.discriminator)
        let values = Set(family.map(\.discriminator) + older).sorted().map(SQLFragment.literal)
        let column = quoted(names.classColumn(ofNew: entity.table))
        return "\(row)\(column) IN (\(values.joined(separator: ", ")))"
    }
}
