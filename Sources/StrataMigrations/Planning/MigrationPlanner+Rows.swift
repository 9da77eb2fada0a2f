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
                    rows: rows, entity: entity,
                    target: ColumnPlace(
                        table: entity.table, column: names.key(ofNew: entity.table, isLate: continued != nil)),
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
        refuseSharedRules()
        refuseSharedValues()
        planKeys()
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
                            SELECT s.\(oldKey(one.table))::text, 'key of both' FROM \(table(one.table)) AS s
                            JOIN \(table(other.table)) AS t \(sql.sameKey(names.key(ofOld: one.table), names.key(ofOld: other.table)))\(conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
                            """))
            }
        }
    }

    /// Two rules must not claim one row.
    private mutating func refuseSharedRules() {
        let splits = match.rowClasses.filter { $0.condition != nil }
        for (index, first) in splits.enumerated() {
            for second in splits[(index + 1)...] where second.old == first.old {
                guard let one = isOfClass(first, alias: "s"), let other = second.condition else { continue }
                refuse(
                    DataCheck(
                        code: "M302",
                        title: "\(first.new.name) and \(second.new.name) are split off, and both rules take a row",
                        remedy: "make the rules exclude each other",
                        query: """
                            SELECT s.\(oldKey(first.old.table))::text, 'taken twice' FROM \(table(first.old.table)) AS s
                            WHERE \(one) AND (\(other))
                            """))
            }
        }
    }

    /// Rows that come into a table with unique values must not bring values that are there.
    private mutating func refuseSharedValues() {
        for (table, _) in keptTables where insertions.contains(where: { $0.target.table == table.name }) {
            for unique in UniqueRule.all(of: table) { refuseDuplicatesAmongRows(of: unique, in: table) }
        }
    }

    /// Keys for other programs go on after the ones in use, where rows have come under a root.
    private mutating func planKeys() {
        let independent = keptTables.filter { !$1.hasIdentity }.map(\.new.name)
        for name in Set(insertions.map(\.target.table) + independent).sorted() {
            guard new.database.table(named: name)?.hasIdentity == true else { continue }
            draft.add(.tighten, AdvanceKeys(table: name, key: names.key(ofNew: name, isLate: true)))
        }
    }

    // MARK: Into new tables

    private struct Value {
        var column: String
        var sql: String
        var flow: ColumnFlow?
        var source: ColumnFlow.Source?
    }

    /// - Parameter locking: whether a value of another table must be the one that its row has when the batch commits.
    private func values(of insertion: RowInsertion, late: Bool, locking: Bool = false) -> [Value] {
        guard let definition = new.database.table(named: insertion.target.table) else { return [] }
        let sourceKey = oldKey(insertion.rows.old.table, isLate: late)
        var values = [Value(column: insertion.target.column, sql: "s.\(sourceKey)")]
        for column in definition.columns where column.name != definition.keyColumn {
            if column.name == definition.classColumn, isClassColumn(definition) {
                values.append(Value(column: column.name, sql: SQLFragment.literal(insertion.rows.new.discriminator)))
                continue
            }
            let place = ColumnPlace(table: insertion.target.table, column: column.name)
            guard let flow = flows.flows.first(where: { $0.place == place }) else { continue }
            let name = late ? column.name : names.column(place)
            if let source = flow.sources.first(where: { $0.rows.contains(insertion.rows) }),
                let text = try? expression(flow, source, isLate: late)
            {
                let own = source.place.table == insertion.rows.old.table
                let from = late ? names.lateTable(source.place.table) : source.place.table
                let lock = locking ? " FOR SHARE" : ""
                let key = oldKey(source.place.table, isLate: late)
                let sql =
                    own ? text : "(SELECT \(text) FROM \(table(from)) AS x WHERE x.\(key) = s.\(sourceKey)\(lock))"
                values.append(Value(column: name, sql: sql, flow: flow, source: source))
            } else if let fill = flow.fill, !flow.isOptional {
                values.append(Value(column: name, sql: fill))
            } else if flow.isOptional, earlyDefault(of: column, at: place, of: definition) != nil {
                // The default of the column is for programs that leave it out.
                values.append(Value(column: name, sql: "NULL::\(column.type)"))
            }
        }
        return values
    }

    private mutating func planInsertion(_ insertion: RowInsertion) {
        let source = insertion.rows.old.table
        let target = names.table(insertion.target.table)
        let (sourceKey, targetKey) = (oldKey(source), quoted(insertion.target.column))
        let values = values(of: insertion, late: false)
        let ofClass = isOfClass(insertion.rows, alias: "s")
        let copy = RowCopy(
            source: source, sourceKey: names.key(ofOld: source), target: target, targetKey: insertion.target.column,
            columns: values.map(\.column), condition: ofClass)
        let locked = self.values(of: insertion, late: false, locking: true).map(\.sql)
        let becoming = classChange(with: insertion).flatMap { change in
            change.condition.map { (change: change, condition: $0, name: insertion.rows.new.name) }
        }
        draft.add(.insertRows, CopyRows(insertion: copy, values: locked, becoming: becoming))
        let updates = values.filter { $0.source != nil }.map { "\(quoted($0.column)) = EXCLUDED.\(quoted($0.column))" }
        // A row that is there when its other part is inserted is new code's, and newer.
        let conflict =
            updates.isEmpty
            ? "NOTHING" : "UPDATE SET " + updates.joined(separator: ", ") + "\n    WHERE TG_OP = 'UPDATE'"
        let isChanged = changeCondition(
            values.compactMap(\.source).filter { $0.place.table == source }, rows: insertion.rows)
        let followed = copy.statement(
            sql, values.map(\.sql), where: "s.\(sourceKey) = NEW.\(sourceKey)", onConflict: conflict)
        syncs[source, default: TableSync()].after.append(
            """
            IF \(isChanged) THEN
                \(followed.replacing("\n", with: "\n    "));
            END IF;
            """)
        if insertion.rows.condition != nil { addSplitSync(insertion, values, target: target) }
        for value in values {
            guard let flow = value.flow, let from = value.source else { continue }
            addInsertionSync(flow, from, insertion, target: target, column: value.column)
        }
        addDeletionSync(insertion, target: target)
        var queries = [verification(of: values, insertion, from: source, ofClass: ofClass, to: target)]
        for value in values {
            guard let flow = value.flow, let from = value.source, from.place.table != source,
                let text = try? expression(flow, from)
            else { continue }
            queries.append(
                """
                SELECT t.\(targetKey)::text, t.\(quoted(value.column))::text FROM \(table(target)) AS t
                JOIN (SELECT \(sql.selectedKey(names.key(ofOld: from.place.table))), \(text) AS value FROM \(table(from.place.table))) AS v \(sql.sameKey(insertion.target.column, Naming.key, "t", "v"))
                WHERE t.\(quoted(value.column)) IS DISTINCT FROM v.value
                """)
        }
        draft.add(.verify, Verify(subject: "the rows of \(target)", queries: queries, tables: [target]))
    }

    /// Rows that are missing in the new table, and rows of it that hold something else than their source; one scan of
    /// both tables for all columns.
    private func verification(
        of values: [Value], _ insertion: RowInsertion, from source: String, ofClass: String?, to target: String,
        lateFrom own: String? = nil
    ) -> String {
        let sourceKey = names.key(ofOld: insertion.rows.old.table, isLate: own != nil)
        let targetKey = "t.\(quoted(insertion.target.column))"
        var columns = ["\(ofClass ?? "true") AS expected"]
        var differences: [String] = []
        var cases = ["WHEN \(targetKey) IS NULL THEN \(SQLFragment.literal("not copied to \(target)"))"]
        for value in values where value.source?.place.table == own ?? source {
            guard let flow = value.flow, let from = value.source,
                let text = try? expression(flow, from, isLate: own != nil)
            else { continue }
            let name = "v\(columns.count)"
            columns.append("\(text) AS \(name)")
            let difference = "t.\(quoted(value.column)) IS DISTINCT FROM s.\(name)"
            differences.append(difference)
            cases.append("WHEN \(difference) THEN t.\(quoted(value.column))::text")
        }
        let isDifferent =
            differences.isEmpty
            ? ""
            : " OR \(targetKey) IS NOT NULL\(own == nil ? "" : " AND s.expected") AND (\(differences.joined(separator: " OR ")))"
        return """
            SELECT s."pk"::text, CASE \(cases.joined(separator: " ")) END
            FROM (SELECT \(sql.selectedKey(sourceKey, of: "s")), \(columns.joined(separator: ", ")) FROM \(table(source)) AS s) AS s
            LEFT JOIN \(table(target)) AS t ON \(targetKey) = s."pk"
            WHERE \(targetKey) IS NULL AND s.expected\(isDifferent)
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

    /// A row for which the rule is no longer true keeps its part, and the values in it, once it is of the new class; before
    /// that the part goes. A part that the rule has made before new code inserts it is filled in.
    private mutating func addSplitSync(_ insertion: RowInsertion, _ values: [Value], target: String) {
        let (source, rows) = (insertion.rows.old.table, insertion.rows)
        let (sourceKey, targetKey) = (oldKey(source), quoted(insertion.target.column))
        let moved = values.filter { $0.source != nil }
        if !moved.isEmpty {
            let left = moved.map { "t.\(quoted($0.column))" }.joined(separator: ", ")
            let right = moved.indices.map { "v.c\($0)" }.joined(separator: ", ")
            let assignments = moved.enumerated().map { "\(quoted($1.column)) = v.c\($0)" }.joined(separator: ", ")
            let list = moved.enumerated().map { "\($1.sql) AS c\($0)" }.joined(separator: ", ")
            syncs[source, default: TableSync()].after.append(
                """
                IF TG_OP = 'UPDATE' AND NEW IS DISTINCT FROM OLD THEN
                    UPDATE \(table(target)) AS t SET \(assignments)
                    FROM (SELECT \(sql.selectedKey(names.key(ofOld: source), of: "s")), \(list) FROM \(table(source)) AS s WHERE s.\(sourceKey) = NEW.\(sourceKey)) AS v
                    WHERE t.\(targetKey) = v."pk" AND (\(left)) IS DISTINCT FROM (\(right));
                END IF;
                """)
        }
        let unruled = SchemaCorrespondence.RowClass(old: rows.old, new: rows.new)
        if let isOld = isOfClass(unruled, alias: "s"), let rule = rows.condition {
            syncs[source, default: TableSync()].after.append(
                """
                IF TG_OP = 'UPDATE' AND NEW IS DISTINCT FROM OLD THEN
                    DELETE FROM \(table(target)) WHERE \(targetKey) = NEW.\(sourceKey) AND EXISTS (
                        SELECT 1 FROM \(table(source)) AS s
                        WHERE s.\(sourceKey) = NEW.\(sourceKey) AND \(isOld) AND (\(rule)) IS NOT TRUE);
                END IF;
                """)
        }
        guard let columns = new.database.table(named: insertion.target.table)?.columns else { return }
        // The server takes no value for what it computes.
        let own = columns.filter { $0.generation == nil }.map(\.name).filter { $0 != insertion.target.column }
        let assignments = (own.isEmpty ? [insertion.target.column] : own)
            .map { "\(quoted($0)) = NEW.\(quoted($0))" }.joined(separator: ", ")
        syncs[target, default: TableSync()].before.append(
            """
            IF TG_OP = 'INSERT' AND pg_trigger_depth() = 1 THEN
                UPDATE \(table(target)) SET \(assignments) WHERE \(targetKey) = NEW.\(targetKey);
                IF FOUND THEN
                    RETURN NULL;
                END IF;
            END IF;
            """)
    }

    /// An object that one code deletes must not come back in the other's tables; the foreign keys that see to it later are
    /// not there yet.
    private mutating func addDeletionSync(_ insertion: RowInsertion, target: String) {
        guard let oldRoot = old.chain(of: insertion.rows.old).first,
            let newRoot = new.chain(of: insertion.rows.new).first
        else { return }
        let key = insertion.target.column
        addDeletion(from: target, column: key, with: oldRoot.table, key: names.key(ofOld: oldRoot.table))
        // The backfill locks the row that it copies: whoever deletes it waits, and then the copy is there to be deleted.
        addDeletion(
            from: target, column: key, with: insertion.rows.old.table, key: names.key(ofOld: insertion.rows.old.table))
        if newRoot == insertion.entity {
            addDeletion(from: oldRoot.table, column: names.key(ofOld: oldRoot.table), with: target, key: key)
        }
    }

    /// Deletes rows of a table together with the rows of another that have their keys.
    mutating func addDeletion(from name: String, column: String, with other: String, key: String) {
        let line = "DELETE FROM \(table(name)) WHERE \(quoted(column)) = OLD.\(quoted(key));"
        if syncs[other]?.deleted.contains(line) == true { return }
        syncs[other, default: TableSync()].deleted.append(line)
    }

    /// Both directions for a value that a new table has instead of an old one.
    private mutating func addInsertionSync(
        _ flow: ColumnFlow, _ source: ColumnFlow.Source, _ insertion: RowInsertion, target: String, column: String
    ) {
        guard let value = try? expression(flow, source) else { return }
        let (sourceKey, targetKey) = (oldKey(source.place.table), quoted(insertion.target.column))
        if source.place.table != insertion.rows.old.table {
            addMoveSync(flow, source, value: value, table: target, key: insertion.target.column, column: column)
        } else if !flows.isConverted(flow, source) {
            let (from, oldColumn) = (source.place.table, quoted(source.place.column))
            if insertion.rows.condition == nil {
                // New code inserts what is above first.
                syncs[from, default: TableSync()].before.append(
                    """
                    IF TG_OP = 'INSERT' AND NEW.\(oldColumn) IS NULL THEN
                        SELECT t.\(quoted(column)) INTO NEW.\(oldColumn) FROM \(table(target)) AS t WHERE t.\(targetKey) = NEW.\(sourceKey);
                    END IF;
                    """)
                if let line = broughtDefault(flow, source) { syncs[from, default: TableSync()].before.append(line) }
            }
            syncs[target, default: TableSync()].after.append(
                """
                UPDATE \(table(from)) SET \(oldColumn) = NEW.\(quoted(column))
                WHERE \(sourceKey) = NEW.\(targetKey) AND \(oldColumn) IS DISTINCT FROM NEW.\(quoted(column));
                """)
        }
    }

    // MARK: Into tables that old code reads

    private mutating func planLateInsertion(_ insertion: RowInsertion) {
        let source = names.lateTable(insertion.rows.old.table)
        let target = insertion.target.table
        let values = values(of: insertion, late: true)
        let ofClass = isOfClass(insertion.rows, alias: "s", isLate: true)
        let copy = RowCopy(
            source: source, sourceKey: names.key(ofOld: insertion.rows.old.table, isLate: true), target: target,
            targetKey: insertion.target.column, columns: values.map(\.column), condition: ofClass)
        draft.add(.moveRows, CopyRows(insertion: copy, values: values.map(\.sql)))
        let query = verification(
            of: values, insertion, from: source, ofClass: ofClass, to: target, lateFrom: insertion.rows.old.table)
        draft.add(.verifyMoved, Verify(subject: "the rows of \(target)", queries: [query], tables: [target]))
        refuseEmptyValues(of: insertion)
        if let oldTarget = flows.tables[target] {
            draft.checks.append(
                DataCheck(
                    code: "M301",
                    title: "\(insertion.rows.old.name) joins \(insertion.entity.name), and both have rows of one key",
                    remedy: "give these rows other keys",
                    query: """
                        SELECT s.\(oldKey(insertion.rows.old.table))::text, 'key of both' FROM \(table(insertion.rows.old.table)) AS s
                        JOIN \(table(oldTarget)) AS t \(sql.sameKey(names.key(ofOld: insertion.rows.old.table), names.key(ofOld: oldTarget)))\(isOfClass(insertion.rows, alias: "s").map { " WHERE \($0)" } ?? "")
                        """))
        }
        draft.notes.append(
            "old code must be stopped before contract: rows of \(insertion.rows.old.name) move to \(target)")
    }

    /// What the table requires already, these rows must bring along.
    private mutating func refuseEmptyValues(of insertion: RowInsertion) {
        for flow in flows.flows
        where flow.place.table == insertion.target.table && !flow.isOptional && flow.fill == nil
            && !flows.links.contains(where: { $0.to.isAt(flow.place) })
        {
            refuseEmpty(flow)
        }
    }

    // MARK: Out of tables

    /// Parts of rows in tables that their class no longer has, and rows of classes that are gone.
    private mutating func planDeletions() {
        for rows in match.rowClasses where rows.condition == nil {
            let kept = Set(new.chain(of: rows.new).compactMap { flows.tables[$0.table] })
            let left = old.chain(of: rows.old).filter { !kept.contains($0.table) }
            planDeletion(of: rows.old, classNow: classChange(of: rows)?.after, from: left)
            if flows.tables[rows.new.table] == rows.old.table, !left.isEmpty {
                draft.notes.append(
                    "old code must be stopped before contract, new code starts after it: rows of \(rows.old.name) leave "
                        + left.map(\.name).joined(separator: ", "))
            }
        }
        for entity in match.droppedEntities {
            planDeletion(of: entity, from: old.chain(of: entity))
        }
    }

    /// - Parameter classNow: the class that the rows have been given by then; `nil` where they keep their own.
    private mutating func planDeletion(
        of entity: FrozenEntity, classNow: String? = nil, from chain: [FrozenEntity]
    ) {
        guard let root = old.chain(of: entity).first else { return }
        for ancestor in chain where flows.tables.values.contains(ancestor.table) && ancestor.name != entity.name {
            let name = names.lateTable(ancestor.table)
            let literal = classNow ?? SQLFragment.literal(entity.discriminator)
            let key = names.key(ofOld: ancestor.table, isLate: true)
            let isSame = isSameKey(root.table, "r", ancestor.table, "t", isLate: true)
            let classColumn = quoted(names.classColumn(ofOld: root.table, isLate: true))
            let ofClass =
                ancestor.name == root.name
                ? "t.\(classColumn) = \(literal)"
                : "EXISTS (SELECT 1 FROM \(table(names.lateTable(root.table))) AS r WHERE \(isSame) AND r.\(classColumn) = \(literal))"
            draft.add(.deleteRows, DeleteRows(entity: entity.name, table: name, key: key, condition: ofClass))
        }
    }
}
