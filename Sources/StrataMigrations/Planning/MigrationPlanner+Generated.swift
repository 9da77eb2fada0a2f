import StrataRepository

/// Columns that the server computes. One whose expression is another is another column: it stands beside the older one until the switch, as one of another
/// type does.
extension MigrationPlanner {
    /// So large a table is written anew in a moment.
    private static let smallTable = 8 * 1024 * 1024

    /// Behind the columns that they are computed from.
    mutating func planGenerated(_ columns: [ColumnDefinition], of table: TableDefinition, _ oldTable: TableDefinition) {
        guard !columns.isEmpty else { return }
        let added = columns.map { column in
            var added = column
            added.name = names.column(ColumnPlace(table: table.name, column: column.name))
            added.generation = column.generation?.renaming {
                names.column(ColumnPlace(table: table.name, column: $0))
            }
            return AddGeneratedColumns.Column(definition: added, mark: column.mark)
        }
        draft.add(.addColumns, AddGeneratedColumns(added: added, table: oldTable.name))
        let name = self.table(oldTable.name)
        let relation = SQLFragment.literal(name)
        // Its partitions, of which it is made, or the table itself, which is none of such a tree.
        let size =
            "coalesce((SELECT sum(pg_catalog.pg_table_size(p.relid)) FROM pg_catalog.pg_partition_tree(to_regclass(\(relation))) AS p), pg_catalog.pg_table_size(to_regclass(\(relation))))"
        draft.check(
            DataCheck(
                code: "M209",
                title:
                    "\(columns.map(\.name).joined(separator: ", ")) of \(table.name) is computed for every row, and nobody reads or writes the table until that is done",
                remedy: "run the stage when nobody has to, with --allow M209",
                query: """
                    SELECT \(SQLFragment.literal(oldTable.name))::text, pg_catalog.pg_size_pretty(\(size)) WHERE \(size) > \(Self.smallTable)
                    """))
        for (column, added) in zip(columns, added) {
            guard let expression = added.definition.generation,
                expression.columns.allSatisfy({
                    oldTable.column(named: $0)?.generation == nil && oldTable.column(named: $0) != nil
                })
            else { continue }
            // Never true: the question is whether the expression fails on any row.
            draft.check(
                DataCheck(
                    code: "M204", title: "\(table.name).\(column.name) cannot be computed of some rows",
                    remedy: "correct these rows, or the expression of #Generated",
                    query: """
                        SELECT \(oldKey(oldTable.name))::text, 'fails' FROM \(name) WHERE pg_column_size((\(expression.sql))::\(column.type)) < 0
                        """))
        }
    }

    /// What was computed is nobody's value until it is written down: a property that is stored from now on says what it begins with.
    mutating func refuseFormerlyComputed() throws(MigrationError) {
        for flow in flows.flows {
            guard let entity = new.entity(named: flow.subject.entity), let name = flow.subject.property else {
                continue
            }
            let formerName = entity.attributes.first { $0.name == name }?.originalName ?? name
            for rows in flow.unfed {
                let owner = old.chain(of: rows.old).first { $0.computed?[formerName] != nil }
                guard let owner, let column = owner.computed?[formerName],
                    let expression = old.database.table(named: owner.table)?.column(named: column)?.generation
                else { continue }
                let isShort = expression.sql.count < 200
                let text = isShort ? expression.sql : "…"
                guard !flow.isOptional, match.filling(of: name, declaredBy: entity) != nil else {
                    throw MigrationError(
                        .planRefused,
                        "\(flow.property) was computed by #Generated and is stored from now on: nothing says what the rows have that are there.",
                        places: [flow.property],
                        remedy:
                            "\(flow.isOptional ? "declare it without ? for now, and " : "")say it in SQL\(isShort ? "" : ", what #Generated said"): .filled(\\\(flow.property), with: #\"\(text)\"#)"
                    )
                }
                if !followsFormerlyComputed(flow, column: names.column(flow.place)) {
                    draft.notes.append(
                        "\(flow.property) is filled once: what old code changes after that of \(Set(expression.columns).sorted().joined(separator: ", ")) does not change it, so stop old code before backfill, or fill it again with .sql(…, phase: .contract)"
                    )
                }
            }
        }
    }

    /// Whether a property that was computed follows what old code writes until the switch: new code cannot write it before, as the column has the name of
    /// the older one's no sooner.
    func followsFormerlyComputed(_ flow: ColumnFlow, column: String) -> Bool {
        guard column != flow.place.column, let fill = flow.fill, let name = flow.subject.property,
            old.database.table(named: flows.tables[flow.place.table] ?? "")?.column(named: flow.place.column)?
                .generation
                != nil
        else { return false }
        let isComputed = flow.unfed.contains { rows in
            old.chain(of: rows.old).contains { $0.computed?[name] == flow.place.column }
        }
        return isComputed && !FillExpression(fill).isVolatile && !FillExpression(fill).isMoment
    }

    /// Triggers that run before a row is written see nothing of what the server computes (PostgreSQL manual, 39.1): SQL of a stage that names it would be
    /// of NULL there.
    func refuseGeneratedNames() throws(MigrationError) {
        for change in match.changes {
            let (subject, text): (SchemaChange.Subject, String)
            switch change.kind {
            case .converted(let property, let sql), .filled(let property, let sql): (subject, text) = (property, sql)
            case .split(let name, let condition): (subject, text) = (.init(name), condition)
            default: continue
            }
            let rows = match.rowClasses.filter { rows in
                new.chain(of: rows.new).contains { $0.name == subject.entity }
            }
            let tables = Set(rows.flatMap { old.chain(of: $0.old).map(\.table) })
            let names = FillExpression(text).names
            for table in tables.sorted() {
                let columns = old.database.table(named: table)?.columns ?? []
                guard let column = columns.first(where: { $0.generation != nil && names.contains($0.name) }),
                    let expression = column.generation
                else { continue }
                throw MigrationError(
                    .planRefused,
                    "What the stage says of \(subject) names \(table).\(column.name), which the server computes: the triggers of the stage run before that.",
                    places: [subject.description],
                    remedy: "write what it is computed by\(expression.sql.count < 200 ? ": \(expression.sql)" : "")")
            }
        }
    }

    /// A column that is computed is none of somebody else's, and goes with what it is computed from.
    ///
    /// - Returns: ` AND …` for objects `d` of `pg_depend`; nothing where no such column goes.
    func isNoGenerated(of leaving: [ColumnPlace]) -> String {
        let generated = leaving.filter {
            old.database.table(named: $0.table)?.column(named: $0.column)?.generation != nil
        }
        guard !generated.isEmpty else { return "" }
        let list = generated.map {
            "(to_regclass(\(SQLFragment.literal(table($0.table))))::oid, \(SQLFragment.literal($0.column))::name)"
        }
        return """

                AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute AS c LEFT JOIN pg_catalog.pg_attrdef AS e ON (e.adrelid, e.adnum) = (c.attrelid, c.attnum)
                    WHERE (c.attrelid, c.attname) IN (\(list.joined(separator: ", "))) AND (d.classid = 'pg_attrdef'::regclass AND d.objid = e.oid
                        OR d.classid = 'pg_class'::regclass AND (d.objid, d.objsubid) = (c.attrelid, c.attnum)))
            """
    }
}
