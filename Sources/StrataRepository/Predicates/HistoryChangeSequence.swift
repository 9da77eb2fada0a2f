/// The changes of the transaction at hand, in SQL: one an object, as they are made of its rows.
struct HistoryChangeSequence {
    let scope: HistoryScope

    /// Whether there is a change that passes; `filter` gives the condition on a row.
    ///
    /// Looking for a row of the table is cheap, and without a deletion as good as looking for a whole change: only then
    /// can an object have rows that make no change, or one under another name.
    func exists(
        _ translation: Translation, _ filter: (PredicateOperand) throws -> SQLExpression
    ) throws -> SQLExpression {
        let row = HistoryRow(translation.aliases.alias(), isRaw: true)
        let rowCondition = try filter(.history(.change(row)))
        let whole = try "EXISTS (SELECT \(wholeChanges(translation, filter)))" as SQLFragment
        if row.needsWhole { return .condition(whole, opposite: "NOT \(whole)", shape: .atom) }
        // OFFSET: one probe of the key a transaction, where all changes there ever were might be collected first.
        let found: SQLFragment = "EXISTS (SELECT \(rows(row)) AND \(rowCondition.operand) OFFSET 0)"
        let gone = translation.aliases.alias()
        let deletes: SQLFragment = """
            EXISTS (SELECT FROM \(HistorySchema.change) AS \(gone) WHERE \(gone).xid = \(HistoryScope.transaction).xid \
            AND \(gone).generation = \(HistoryScope.transaction).generation AND \(gone).op = 'D' OFFSET 0)
            """
        // CASE: what is dear is asked only where there is a row.
        let all: SQLFragment = """
            CASE WHEN \(found) THEN CASE WHEN \(deletes) THEN \(whole) ELSE TRUE END ELSE FALSE END
            """
        return .condition(all, opposite: "NOT \(all)", shape: .atom)
    }

    /// How many changes pass.
    func count(
        _ translation: Translation, _ filter: (PredicateOperand) throws -> SQLExpression
    ) throws -> SQLFragment {
        "(SELECT count(*) \(try wholeChanges(translation, filter)))"
    }

    /// Whether the row is about an object: one that tells to read a class again is not.
    private func hasKey(_ row: HistoryRow) -> SQLFragment {
        scope.namesKeys
            ? "(\(row.alias).pk IS NOT NULL OR \(row.namedKey) IS NOT NULL)" : "\(row.alias).pk IS NOT NULL"
    }

    /// A key that is no number, where there may be some, as a row of the table has it.
    private func named(_ alias: String) -> SQLFragment {
        guard scope.namesKeys else { return "" }
        let member = SQLFragment.literal(HistorySchema.keyMember)
        return ", jsonb_build_object(\(raw: member), \(raw: alias).tomb ->> \(raw: member)) AS tomb"
    }

    private func rows(_ row: HistoryRow) -> SQLFragment {
        """
        FROM \(HistorySchema.change) AS \(row.alias) WHERE \(row.alias).xid = \(HistoryScope.transaction).xid \
        AND \(row.alias).generation = \(HistoryScope.transaction).generation AND \(hasKey(row)) \
        AND \(row.alias).entity = ANY(\(scope.entities(named: scope.entityNames)))
        """
    }

    /// As ``HistoryCoalescing`` makes changes of rows.
    private func wholeChanges(
        _ translation: Translation, _ filter: (PredicateOperand) throws -> SQLExpression
    ) throws -> SQLFragment {
        let whole = HistoryRow(translation.aliases.alias(), isRaw: false)
        let row = HistoryRow(translation.aliases.alias(), isRaw: true)
        let condition = try filter(.history(.change(whole)))
        let objects: SQLFragment = """
            SELECT n.root, o.pk\(named("o")), min(o.seq) AS number, array_agg(o.entity ORDER BY o.seq) AS entities, \
            array_agg(o.op::text ORDER BY o.seq) FILTER (WHERE o.op IN ('I', 'U', 'D')) AS ops, \
            array_agg(o.entity ORDER BY o.seq) FILTER (WHERE o.op IN ('I', 'U', 'D')) AS roots \
            FROM (SELECT \(row.alias).* \(rows(row))) AS o JOIN \(HistorySchema.entity) AS n ON n.id = o.entity \
            GROUP BY n.root, o.pk\(raw: scope.namesKeys ? ", o.tomb ->> '\(HistorySchema.keyMember)'" : "")
            """
        return """
            FROM (SELECT w.pk\(raw: scope.namesKeys ? ", w.tomb" : ""), w.number, v.entity FROM (\(objects)) AS w CROSS JOIN LATERAL \
            (SELECT w.ops[1] AS first, w.ops[cardinality(w.ops)] AS last, w.roots[1] AS before, \
            w.roots[cardinality(w.roots)] AS after) AS f CROSS JOIN LATERAL (VALUES \
            (coalesce(f.after, w.entities[cardinality(w.entities)]), f.last IS DISTINCT FROM 'D'), \
            (f.before, f.first <> 'I' AND (f.last = 'D' OR (SELECT b.name <> a.name FROM \(HistorySchema.entity) AS b, \
            \(HistorySchema.entity) AS a WHERE b.id = f.before AND a.id = f.after))) \
            ) AS v(entity, is_change) WHERE v.is_change) AS \(whole.alias) WHERE \(condition.operand)
            """
    }
}
