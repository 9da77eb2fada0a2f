import StrataRepository

/// Rows that a table must get because their class has another place in the hierarchy now.
struct RowInsertion {
    var rows: SchemaCorrespondence.RowClass
    var entity: FrozenEntity
    var target: ColumnPlace
    /// Whether the table is one that old code reads: then the rows come when no old code runs any more.
    var isLate: Bool
}

extension MigrationPlanner {
    /// Superclasses first.
    var insertions: [RowInsertion] {
        match.rowClasses.flatMap { rows in
            let oldTables = Set(old.chain(of: rows.old).map(\.table))
            return new.chain(of: rows.new).compactMap { entity -> RowInsertion? in
                let continued = flows.tables[entity.table]
                if let continued, oldTables.contains(continued) { return nil }
                return RowInsertion(
                    rows: rows, entity: entity, target: ColumnPlace(table: entity.table, column: ReservedColumn.key),
                    isLate: continued != nil)
            }
        }
    }

    func isInserted(_ table: String, for rows: [SchemaCorrespondence.RowClass]) -> Bool {
        let targets = insertions.filter { $0.target.table == table }.map(\.rows)
        return !targets.isEmpty && rows.allSatisfy { targets.contains($0) }
    }

    mutating func planRows() {
        for insertion in insertions { insertion.isLate ? planLateInsertion(insertion) : planInsertion(insertion) }
        refuseSharedKeys()
        planDeletions()
    }

    /// Two classes that were apart and come under one new superclass: no key may be in both.
    private mutating func refuseSharedKeys() {
        let early = insertions.filter { !$0.isLate }
        for (index, first) in early.enumerated() {
            for second in early[(index + 1)...] where second.target == first.target {
                guard old.chain(of: first.rows.old).first?.table != old.chain(of: second.rows.old).first?.table else {
                    continue
                }
                let (one, other) = (first.rows.old, second.rows.old)
                let conditions = [isOfClass(first.rows, alias: "s"), isOfClass(second.rows, alias: "t")].compactMap {
                    $0
                }
                draft.checks.append(
                    DataCheck(
                        code: "M301",
                        title: "\(one.name) and \(other.name) join \(first.entity.name), and both have rows of one key",
                        remedy: "give these rows other keys",
                        query: """
                            SELECT s."pk"::text, 'key of both' FROM \(table(one.table)) AS s
                            JOIN \(table(other.table)) AS t USING ("pk")\(conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
                            """))
            }
        }
    }

    // MARK: Into new tables

    private struct Value {
        var column: String
        var sql: String
        var flow: ColumnFlow?
        var source: ColumnFlow.Source?
    }

    private func values(of insertion: RowInsertion, late: Bool) -> [Value] {
        guard let definition = new.database.table(named: insertion.target.table) else { return [] }
        var values = [Value(column: ReservedColumn.key, sql: "s.\"pk\"")]
        for column in definition.columns where column.name != ReservedColumn.key {
            if column.name == ReservedColumn.discriminator, isClassColumn(definition) {
                values.append(Value(column: column.name, sql: SQLFragment.literal(insertion.rows.new.discriminator)))
                continue
            }
            let place = ColumnPlace(table: insertion.target.table, column: column.name)
            guard let flow = flows.flows.first(where: { $0.place == place }) else { continue }
            let name = late ? column.name : names.column(place)
            if let source = flow.sources.first(where: { $0.rows.contains(insertion.rows) }),
                let text = try? expression(flow, source)
            {
                let own = source.place.table == insertion.rows.old.table
                let from = late ? names.lateTable(source.place.table) : source.place.table
                let sql = own ? text : "(SELECT \(text) FROM \(table(from)) AS x WHERE x.\"pk\" = s.\"pk\")"
                values.append(Value(column: name, sql: sql, flow: flow, source: source))
            } else if let fill = flow.fill, !flow.isOptional {
                values.append(Value(column: name, sql: fill))
            }
        }
        return values
    }

    private mutating func planInsertion(_ insertion: RowInsertion) {
        let source = insertion.rows.old.table
        let target = names.table(insertion.target.table)
        let values = values(of: insertion, late: false)
        let ofClass = isOfClass(insertion.rows, alias: "s")
        let columns = values.map { quoted($0.column) }.joined(separator: ", ")
        let list = values.map(\.sql).joined(separator: ", ")
        func statement(_ range: String, _ conflict: String, locking: String) -> String {
            let condition = ([range] + (ofClass.map { [$0] } ?? [])).joined(separator: " AND ")
            return """
                INSERT INTO \(table(target)) (\(columns))
                SELECT \(list) FROM \(table(source)) AS s
                WHERE \(condition)\(locking)
                ON CONFLICT ("pk") DO \(conflict)
                """
        }
        if let change = classChange(with: insertion), let condition = change.condition {
            draft.add(
                .insertRows, "copy rows of \(source) to \(target), as \(insertion.rows.new.name)",
                [
                    // Rows that the trigger has given the class already are locked here as well.
                    """
                    UPDATE \(table(source)) AS t SET "class" = \(change.after)
                    WHERE \(range("t.\"pk\"")) AND t."class" IN (\(change.before), \(change.after)) AND \(condition)
                    """,
                    statement(range("s.\"pk\""), "NOTHING", locking: ""),
                ], execution: batches(source), lock: .rowExclusive, on: [source, target])
        } else {
            draft.add(
                .insertRows, "copy rows of \(source) to \(target)",
                [statement(range("s.\"pk\""), "NOTHING", locking: "\nFOR SHARE OF s")], execution: batches(source),
                lock: .rowExclusive, on: [target])
        }
        let updates = values.filter { $0.source != nil }.map { "\(quoted($0.column)) = EXCLUDED.\(quoted($0.column))" }
        let conflict = updates.isEmpty ? "NOTHING" : "UPDATE SET " + updates.joined(separator: ", ")
        let isChanged = changeCondition(
            values.compactMap(\.source).filter { $0.place.table == source }, rows: insertion.rows)
        syncs[source, default: TableSync()].after.append(
            """
            IF \(isChanged) THEN
                \(statement("s.\"pk\" = NEW.\"pk\"", conflict, locking: "").replacing("\n", with: "\n    "));
            END IF;
            """)
        for value in values {
            guard let flow = value.flow, let from = value.source else { continue }
            addInsertionSync(flow, from, target: target, column: value.column, own: source)
        }
        var queries = [verification(of: values, from: source, ofClass: ofClass, to: target)]
        for value in values {
            guard let flow = value.flow, let from = value.source, from.place.table != source,
                let text = try? expression(flow, from)
            else { continue }
            queries.append(
                """
                SELECT t."pk"::text, t.\(quoted(value.column))::text FROM \(table(target)) AS t
                JOIN (SELECT "pk", \(text) AS value FROM \(table(from.place.table))) AS v USING ("pk")
                WHERE t.\(quoted(value.column)) IS DISTINCT FROM v.value
                """)
        }
        draft.add(.verify, "verify the rows of \(target)", queries, execution: .verify, on: [target])
    }

    /// Rows that are missing in the new table, and rows of it that hold something else than their source; one scan of
    /// both tables for all columns.
    private func verification(
        of values: [Value], from source: String, ofClass: String?, to target: String
    ) -> String {
        var columns = ["\(ofClass ?? "true") AS expected"]
        var differences: [String] = []
        var cases = ["WHEN t.\"pk\" IS NULL THEN 'not copied to \(target)'"]
        for value in values where value.source?.place.table == source {
            guard let flow = value.flow, let from = value.source, let text = try? expression(flow, from) else {
                continue
            }
            let name = "v\(columns.count)"
            columns.append("\(text) AS \(name)")
            let difference = "t.\(quoted(value.column)) IS DISTINCT FROM s.\(name)"
            differences.append(difference)
            cases.append("WHEN \(difference) THEN t.\(quoted(value.column))::text")
        }
        let isDifferent =
            differences.isEmpty ? "" : " OR t.\"pk\" IS NOT NULL AND (\(differences.joined(separator: " OR ")))"
        return """
            SELECT s."pk"::text, CASE \(cases.joined(separator: " ")) END
            FROM (SELECT s."pk", \(columns.joined(separator: ", ")) FROM \(table(source)) AS s) AS s
            LEFT JOIN \(table(target)) AS t ON t."pk" = s."pk"
            WHERE t."pk" IS NULL AND s.expected\(isDifferent)
            """
    }

    private func changeCondition(
        _ sources: [ColumnFlow.Source], rows: SchemaCorrespondence.RowClass
    ) -> String {
        // The condition of a split may read any column: then every update counts.
        if rows.condition != nil { return "TG_OP = 'INSERT' OR NEW IS DISTINCT FROM OLD" }
        let columns = Set(sources.map(\.place.column)).sorted()
        return (["TG_OP = 'INSERT'"] + columns.map { "NEW.\(quoted($0)) IS DISTINCT FROM OLD.\(quoted($0))" })
            .joined(separator: " OR ")
    }

    /// Both directions for a value that a new table has instead of an old one.
    private mutating func addInsertionSync(
        _ flow: ColumnFlow, _ source: ColumnFlow.Source, target: String, column: String, own: String
    ) {
        guard let value = try? expression(flow, source) else { return }
        if source.place.table != own {
            addMoveSync(flow, source, value: value, table: target, column: column)
        } else if !flows.isConverted(flow, source) {
            let (from, oldColumn) = (source.place.table, quoted(source.place.column))
            syncs[target, default: TableSync()].after.append(
                """
                UPDATE \(table(from)) SET \(oldColumn) = NEW.\(quoted(column))
                WHERE "pk" = NEW."pk" AND \(oldColumn) IS DISTINCT FROM NEW.\(quoted(column));
                """)
        }
    }

    // MARK: Into tables that old code reads

    private mutating func planLateInsertion(_ insertion: RowInsertion) {
        let source = names.lateTable(insertion.rows.old.table)
        let target = insertion.target.table
        let values = values(of: insertion, late: true)
        let condition = isOfClass(insertion.rows, alias: "s").map { " AND \($0)" } ?? ""
        draft.add(
            .moveRows, "copy rows of \(source) to \(target)",
            [
                """
                INSERT INTO \(table(target)) (\(values.map { quoted($0.column) }.joined(separator: ", ")))
                SELECT \(values.map(\.sql).joined(separator: ", ")) FROM \(table(source)) AS s
                WHERE \(range("s.\"pk\""))\(condition)
                FOR SHARE OF s
                ON CONFLICT ("pk") DO NOTHING
                """
            ], execution: batches(source), lock: .rowExclusive, on: [target])
        draft.add(
            .verifyMoved, "verify the rows of \(target)",
            [
                """
                SELECT s."pk"::text, 'not copied to \(target)' FROM \(table(source)) AS s
                WHERE NOT EXISTS (SELECT 1 FROM \(table(target)) AS t WHERE t."pk" = s."pk")\(condition)
                """
            ], execution: .verify, on: [target])
        if let oldTarget = flows.tables[target] {
            draft.checks.append(
                DataCheck(
                    code: "M301",
                    title: "\(insertion.rows.old.name) joins \(insertion.entity.name), and both have rows of one key",
                    remedy: "give these rows other keys",
                    query: """
                        SELECT s."pk"::text, 'key of both' FROM \(table(insertion.rows.old.table)) AS s
                        JOIN \(table(oldTarget)) AS t USING ("pk")\(isOfClass(insertion.rows, alias: "s").map { " WHERE \($0)" } ?? "")
                        """))
        }
        draft.notes.append(
            "old code must be stopped before contract: rows of \(insertion.rows.old.name) move to \(target)")
    }

    // MARK: Out of tables

    /// Parts of rows in tables that their class no longer has, and rows of classes that are gone.
    private mutating func planDeletions() {
        for rows in match.rowClasses where rows.condition == nil {
            let kept = Set(new.chain(of: rows.new).compactMap { flows.tables[$0.table] })
            planDeletion(of: rows.old, from: old.chain(of: rows.old).filter { !kept.contains($0.table) })
        }
        for entity in match.droppedEntities {
            planDeletion(of: entity, from: old.chain(of: entity))
        }
    }

    private mutating func planDeletion(of entity: FrozenEntity, from chain: [FrozenEntity]) {
        guard let root = old.chain(of: entity).first else { return }
        for ancestor in chain where flows.tables.values.contains(ancestor.table) && ancestor.name != entity.name {
            let name = names.lateTable(ancestor.table)
            let literal = SQLFragment.literal(entity.discriminator)
            let ofClass =
                ancestor.name == root.name
                ? "t.\"class\" = \(literal)"
                : "EXISTS (SELECT 1 FROM \(table(names.lateTable(root.table))) AS r WHERE r.\"pk\" = t.\"pk\" AND r.\"class\" = \(literal))"
            draft.add(
                .deleteRows, "delete \(entity.name)'s rows from \(name)",
                ["DELETE FROM \(table(name)) AS t WHERE \(range("t.\"pk\"")) AND \(ofClass)"], execution: batches(name),
                lock: .rowExclusive, on: [name])
        }
    }
}
