import StrataRepository

extension MigrationPlanner {
    /// What a column holds from now on, where it is not what it held before.
    mutating func planValues(of flow: ColumnFlow) throws(MigrationError) {
        let target = names.table(flow.place.table)
        let column = names.column(flow.place)
        if flow.isSideBySide { try requireSideBySide(flow) }
        for source in flow.sources {
            if source.place.table == target, flows.tables[flow.place.table] != nil {
                // A new type under a new name has two columns anyway.
                if flow.isSideBySide || flows.isConverted(flow, source) && obstacleToSideBySide(flow) == nil {
                    try planSideBySide(flow, source, table: target, column: column)
                } else if flows.isConverted(flow, source) {
                    try planConversion(of: flow, source, table: target, column: column)
                }
            } else if flows.tables[flow.place.table] != nil, !isInserted(flow.place.table, for: source.rows) {
                try planMove(of: flow, source, table: target, column: column)
            } else {
                try requireLastingNames(flow, source)
                _ = try expression(flow, source)
                refuseUnconvertible(flow, source)
            }
            noteDocuments(flow, source)
        }
        refuseUnknownCases(of: flow)
        planFill(of: flow, table: target, column: column)
    }

    /// Rows that move behind the switch are read when their columns have their new names. What a user has written of them has the old ones.
    private func requireLastingNames(_ flow: ColumnFlow, _ source: ColumnFlow.Source) throws(MigrationError) {
        let late = insertions.first { $0.isLate && source.rows.contains($0.rows) }
        guard let late, flow.conversion != nil || late.rows.condition != nil,
            let table = old.database.table(named: source.place.table)
        else { return }
        let renamed = table.columns.map(\.name).filter {
            names.lateColumn(ColumnPlace(table: table.name, column: $0)) != $0
        }
        guard !renamed.isEmpty else { return }
        throw MigrationError(
            .planRefused,
            "Rows of \(late.rows.old.name) move to another hierarchy by SQL of the plan's own, and columns of \(table.name) get other names in the same stage: \(renamed.joined(separator: ", ")).",
            places: [flow.property], remedy: "give the new names a version of their own, before or after this one")
    }

    /// The new value over the source's columns, without a prefix. Throws when only the user can tell it.
    ///
    /// - Parameter isLate: whether the columns have their names of after the switch.
    func expression(
        _ flow: ColumnFlow, _ source: ColumnFlow.Source, isLate: Bool = false
    ) throws(MigrationError) -> String {
        var text: String
        if let conversion = flow.conversion {
            text = conversion
        } else if let conversion = conversion(flow, source, isLate: isLate) {
            text = conversion.expression
        } else {
            let isSame = source.type == flow.definition.type
            throw MigrationError(
                .planRefused,
                isSame
                    ? "\(flow.property) is stored by a transformer in one version, and not in the other."
                    : "\(flow.property) changes from \(source.type) to \(flow.definition.type), and there is no conversion between them.",
                places: [flow.property],
                remedy: "say it in SQL, over the old row's columns: .converted(\\\(flow.property), using: \"…\")")
        }
        if !flow.isOptional, let fill = flow.fill, emptiness(flow, source) != nil {
            let filled = "COALESCE(\(text), \(fill))"
            // Rows of other classes in the table have no value.
            let sharing = new.entity(named: flow.subject.entity).flatMap { new.sharesTable($0) ? $0 : nil }
            text = sharing.map { "CASE WHEN \(isOfClasses($0, row: "")) THEN \(filled) ELSE \(text) END" } ?? filled
        }
        return text
    }

    /// What the types alone say; `nil` when only the user can tell.
    func conversion(_ flow: ColumnFlow, _ source: ColumnFlow.Source, isLate: Bool = false) -> TypeConversion? {
        guard source.isTransformed == flow.isTransformed else { return nil }
        let column = isLate ? names.lateColumn(source.place) : source.place.column
        return TypeConversion(
            from: source.type, to: flow.definition.type, column: quoted(column),
            isSameValue: source.valueType == flow.valueType && !flow.isTransformed)
    }

    // MARK: What the data must allow

    /// Rows whose value cannot be converted, counted before anything runs.
    mutating func refuseUnconvertible(_ flow: ColumnFlow, _ source: ColumnFlow.Source) {
        let name = quoted(source.place.column)
        let from = self.table(source.place.table)
        if let conversion = flow.conversion {
            // Never true: the question is whether the expression fails on any row.
            draft.checks.append(
                DataCheck(
                    code: "M204", title: "\(flow.property): its conversion would fail",
                    remedy: "correct these rows, or the expression of .converted(\\\(flow.property), using: …)",
                    query: """
                        SELECT \(oldKey(source.place.table))::text, 'fails' FROM \(from) WHERE pg_column_size((\(conversion))::\(flow.definition.type)) < 0
                        """))
        } else if let obstacle = conversion(flow, source)?.obstacle {
            draft.checks.append(
                DataCheck(
                    code: "M204", title: "\(flow.property): \(source.type) → \(flow.definition.type) would fail",
                    remedy: "correct these rows, or say how: .converted(\\\(flow.property), using: \"…\")",
                    query: """
                        SELECT \(oldKey(source.place.table))::text, \(name)::text FROM \(from) WHERE \(name) IS NOT NULL AND (\(obstacle))
                        """))
        }
    }

    /// A raw value that the enum does not have cannot be read: no row may hold it.
    private mutating func refuseUnknownCases(of flow: ColumnFlow) {
        guard let cases = flow.cases else { return }
        for source in flow.sources {
            let removed = source.cases.map { $0.filter { !cases.contains($0) } }
            let isSame = flow.conversion == nil && source.type == flow.definition.type
            if isSame, removed?.isEmpty == true { continue }
            let column = quoted(source.place.column)
            // As texts where the type changes: what cannot be converted is another check's.
            let isText = flow.conversion == nil && !isSame
            let value = flow.conversion.map { "(\($0))::\(flow.definition.type)" } ?? column
            let isList = (isText ? source.type : flow.definition.type).isList
            let type: ColumnType = isText ? .text : flow.definition.type.element ?? flow.definition.type
            let list = cases.map { "\(SQLFragment.literal($0))::\(type)" }.joined(separator: ", ")
            let isUnknown = { (value: String) in "\(value)\(isText ? "::text" : "") NOT IN (\(list))" }
            let condition =
                isList
                ? "EXISTS (SELECT FROM unnest(\(value)) AS u(e) WHERE \(isUnknown("e")))" : isUnknown(value)
            draft.checks.append(
                DataCheck(
                    code: "M205",
                    title: isSame && removed != nil
                        ? "\(flow.property): rows hold cases that are gone: \((removed ?? []).joined(separator: ", "))"
                        : "\(flow.property): rows hold what is no case of \(flow.valueType)",
                    remedy:
                        "change these rows, or say what becomes of them: .converted(\\\(flow.property), using: \"CASE …\")",
                    query:
                        "SELECT \(oldKey(source.place.table))::text, \(column)::text FROM \(self.table(source.place.table)) WHERE \(condition)"
                ))
        }
    }

    /// What a document or a transformed value holds is known to its Swift type alone.
    private mutating func noteDocuments(_ flow: ColumnFlow, _ source: ColumnFlow.Source) {
        let isOpaque = flow.definition.type == .jsonb || flow.isTransformed
        guard isOpaque, source.type == flow.definition.type, flow.conversion == nil,
            source.valueType != flow.valueType
        else { return }
        draft.notes.append(
            "\(flow.property) was \(source.valueType) and is \(flow.valueType): the stored values stay as they are")
    }

    // MARK: Steps

    /// Another type or meaning under the same or a new name: a second column beside the old one, filled row by row.
    private mutating func planConversion(
        of flow: ColumnFlow, _ source: ColumnFlow.Source, table: String, column: String
    ) throws(MigrationError) {
        refuseUnconvertible(flow, source)
        let (name, older) = (quoted(column), quoted(source.place.column))
        let obstacle = flow.conversion == nil ? conversion(flow, source)?.obstacle : nil
        var value = try expression(flow, source)
        // Old code goes on writing what cannot be converted: verification finds it, and names the row.
        if let obstacle { value = "CASE WHEN \(obstacle) THEN NULL ELSE \(value) END" }
        if column == flow.place.column {
            syncs[table, default: TableSync()].isOneWay = true
            draft.notes.append(
                "new code must not start before contract: \(flow.property) is converted from \(source.property), not back"
            )
        }
        // A value that is there was written by the trigger, and is right.
        let sharing = new.entity(named: flow.subject.entity).flatMap { new.sharesTable($0) ? $0 : nil }
        let ofClass = sharing.map { " AND (\(older) IS NOT NULL OR \(isOfClasses($0, row: "")))" } ?? ""
        let isMissing =
            flow.conversion != nil
            ? "\(name) IS DISTINCT FROM \(value)"
            : "\(name) IS NULL" + (flow.isOptional || flow.fill == nil ? " AND \(older) IS NOT NULL" : ofClass)
        draft.add(
            .fillColumns,
            ConvertColumn(
                column: column, older: source.place.column, table: table, key: names.key(ofNew: flow.place.table),
                type: flow.definition.type, value: value,
                isMissing: isMissing))
        // What the user says may read any column of the row.
        let isChanged =
            flow.conversion == nil ? "NEW.\(older) IS DISTINCT FROM OLD.\(older)" : "NEW IS DISTINCT FROM OLD"
        if let line = broughtDefault(flow, source) { syncs[table, default: TableSync()].before.append(line) }
        // A row that the backfill has not reached must not get the default for rows without a value, which comes behind this.
        syncs[table, default: TableSync()].before.append(
            """
            IF TG_OP = 'INSERT' OR NEW.\(name) IS NULL OR \(isChanged) THEN
                SELECT \(value) INTO NEW.\(name) FROM \(obstacle == nil ? "(SELECT NEW.*)" : Self.unfoldedRow) AS s;
            END IF;
            """)
        let isUnconvertible = obstacle.map { "\(older) IS NOT NULL AND (\($0)) OR " } ?? ""
        let query = """
            SELECT \(newKey(flow.place.table))::text, \(older)::text FROM \(self.table(table))
            WHERE \(isUnconvertible)\(name) IS DISTINCT FROM \(value)
            """
        draft.add(.verify, Verify(subject: flow.property, queries: [query], tables: [table]))
    }

    /// The new row for an expression that asks first whether a value can be converted: constants would be converted when
    /// the statement is planned, before that question (PostgreSQL manual, 4.2.14), and OFFSET keeps the row's from being
    /// constants.
    static let unfoldedRow = "(SELECT NEW.* OFFSET 0)"

    /// Values that go to another table of the object: up or down the hierarchy.
    private mutating func planMove(
        of flow: ColumnFlow, _ source: ColumnFlow.Source, table: String, column: String
    ) throws(MigrationError) {
        refuseUnconvertible(flow, source)
        let value = try expression(flow, source)
        let from = source.place.table
        let (key, olderKey) = (names.key(ofNew: flow.place.table), names.key(ofOld: from))
        draft.add(
            .fillColumns,
            MoveColumn(
                column: column, table: table, key: key, older: source.place, olderKey: olderKey, value: value))
        addMoveSync(flow, source, value: value, table: table, key: key, column: column)
        let query = """
            SELECT t.\(quoted(key))::text, t.\(quoted(column))::text FROM \(self.table(table)) AS t
            JOIN (SELECT \(sql.selectedKey(olderKey)), \(value) AS value FROM \(self.table(from))) AS s \(sql.sameKey(key, Naming.key, "t", "s"))
            WHERE t.\(quoted(column)) IS DISTINCT FROM s.value
            """
        draft.add(.verify, Verify(subject: flow.property, queries: [query], tables: [table]))
    }

    /// Old code writes the source, new code the target: each sees what the other writes.
    mutating func addMoveSync(
        _ flow: ColumnFlow, _ source: ColumnFlow.Source, value: String, table: String, key: String, column: String
    ) {
        let (from, old) = (source.place.table, quoted(source.place.column))
        let (key, olderKey) = (quoted(key), oldKey(from))
        syncs[from, default: TableSync()].after.append(
            """
            IF TG_OP = 'INSERT' AND NEW.\(old) IS NOT NULL OR TG_OP = 'UPDATE' AND NEW.\(old) IS DISTINCT FROM OLD.\(old) THEN
                UPDATE \(self.table(table)) AS t SET \(quoted(column)) = s.value
                FROM (SELECT \(sql.selectedKey(names.key(ofOld: from))), \(value) AS value FROM \(self.table(from)) WHERE \(olderKey) = NEW.\(olderKey)) AS s
                WHERE t.\(key) = s."pk" AND t.\(quoted(column)) IS DISTINCT FROM s.value;
            END IF;
            """)
        // Old code inserts the superclass's part first: by then there was nothing to write the value to. A required value that
        // the backfill has not copied yet must not get the default, which comes behind this and would be carried back.
        let moment = flow.isOptional ? "TG_OP = 'INSERT' AND " : ""
        syncs[table, default: TableSync()].before.append(
            """
            IF \(moment)NEW.\(quoted(column)) IS NULL THEN
                SELECT s.value INTO NEW.\(quoted(column))
                FROM (SELECT \(value) AS value FROM \(self.table(from)) WHERE \(olderKey) = NEW.\(key)) AS s;
            END IF;
            """)
        guard !flows.isConverted(flow, source) else { return }
        syncs[from, default: TableSync()].before.append(
            """
            IF TG_OP = 'INSERT' AND NEW.\(old) IS NULL THEN
                SELECT t.\(quoted(column)) INTO NEW.\(old) FROM \(self.table(table)) AS t WHERE t.\(key) = NEW.\(olderKey);
            END IF;
            """)
        if let line = broughtDefault(flow, source) { syncs[from, default: TableSync()].before.append(line) }
        syncs[table, default: TableSync()].after.append(
            """
            IF TG_OP = 'INSERT' AND NEW.\(quoted(column)) IS NOT NULL
                OR TG_OP = 'UPDATE' AND NEW.\(quoted(column)) IS DISTINCT FROM OLD.\(quoted(column)) THEN
                UPDATE \(self.table(from)) SET \(old) = NEW.\(quoted(column))
                WHERE \(olderKey) = NEW.\(key) AND \(old) IS DISTINCT FROM NEW.\(quoted(column));
            END IF;
            """)
    }

    /// Whether every row has a value to convert, in the same table, and every value has a counterpart.
    private func isConvertedWhole(_ flow: ColumnFlow, table: String) -> Bool {
        guard flow.conversion == nil, flow.unfed.isEmpty, !flow.sources.isEmpty else { return false }
        return flow.sources.allSatisfy { $0.place.table == table && emptiness(flow, $0) == nil }
    }

    /// Rows without a value for a required property get the declared one, and so do rows that old code writes meanwhile.
    private mutating func planFill(of flow: ColumnFlow, table: String, column: String) {
        guard !flow.isOptional, flows.tables[flow.place.table] != nil else { return }
        let entity = new.entity(named: flow.subject.entity).flatMap { new.sharesTable($0) ? $0 : nil }
        guard let fill = flow.fill else {
            // No column says it where classes share the table: a check does.
            if entity != nil, !stage.isCustom { refuseEmpty(flow) }
            return
        }
        let kept = flows.kept(flow.place).flatMap { place in
            old.database.table(named: place.table)?.column(named: place.column)
        }
        if let kept, !kept.isNullable { return }
        if isConvertedWhole(flow, table: table) { return }
        if FillExpression(fill).isMoment {
            draft.notes.append(
                "\(flow.property): the rows without a value all get one instant, that of the migration")
        }
        if kept == nil, flow.sources.isEmpty, !flow.definition.isNullable, FillExpression(fill).isConstant { return }
        let key = names.key(ofNew: flow.place.table)
        draft.add(
            .fillColumns,
            FillColumn(
                column: column, table: table, key: key, value: fill, condition: entity.map { isOfClasses($0, row: "") })
        )
        if followsFormerlyComputed(flow, column: column) {
            let ofClass = entity.map { isOfClasses($0, row: "NEW.") } ?? "true"
            syncs[table, default: TableSync()].before.append(
                """
                IF \(ofClass) THEN
                    SELECT \(fill) INTO NEW.\(quoted(column)) FROM (SELECT NEW.*) AS s;
                END IF;
                """)
            let condition = entity.map { " AND " + isOfClasses($0, row: "") } ?? ""
            let query = """
                SELECT \(quoted(key))::text, \(quoted(column))::text FROM \(self.table(table))
                WHERE \(quoted(column)) IS DISTINCT FROM (\(fill))\(condition)
                """
            draft.add(.verify, Verify(subject: flow.property, queries: [query], tables: [table]))
            return
        }
        syncs[table, default: TableSync()].before.append(
            """
            IF NEW.\(quoted(column)) IS NULL\(entity.map { " AND " + isOfClasses($0, row: "NEW.") } ?? "") THEN
                SELECT \(fill) INTO NEW.\(quoted(column)) FROM (SELECT NEW.*) AS s;
            END IF;
            """)
    }
}
