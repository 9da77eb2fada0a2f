import StrataRepository

extension MigrationPlanner {
    /// Relationships whose links lie elsewhere now: to-one, to-many, many-to-many in any direction.
    mutating func planLinks() {
        for flow in flows.links {
            if flow.to.isJoinTable, !flow.from.isJoinTable { planPairs(flow) } else { planReferences(flow) }
        }
    }

    /// References become pairs: while both codes run, a trigger follows the references.
    private mutating func planPairs(_ flow: LinkFlow) {
        let (source, target) = (flow.from.table, names.table(flow.to.table))
        let reference = quoted(flow.from.reference)
        let columns = "\(quoted(flow.to.own)), \(quoted(flow.to.other))"
        let pair = "s.\(quoted(flow.from.own)), s.\(quoted(flow.from.other))"
        draft.add(
            .copyLinks, "copy \(source).\(flow.from.reference) to \(target)",
            [
                """
                INSERT INTO \(table(target)) (\(columns))
                SELECT \(pair) FROM \(table(source)) AS s
                WHERE \(range("s.\"pk\"")) AND s.\(reference) IS NOT NULL
                FOR SHARE OF s
                ON CONFLICT DO NOTHING
                """
            ], execution: batches(source), lock: .rowExclusive, on: [target])
        let key = flow.from.own == ReservedColumn.key ? flow.to.own : flow.to.other
        let other = flow.from.own == ReservedColumn.key ? flow.to.other : flow.to.own
        let (oldPair, newPair) = (
            "\(quoted(key)) = OLD.\"pk\" AND \(quoted(other)) = OLD.\(reference)",
            flow.from.own == ReservedColumn.key ? "NEW.\"pk\", NEW.\(reference)" : "NEW.\(reference), NEW.\"pk\""
        )
        syncs[source, default: TableSync()].after.append(
            """
            IF TG_OP = 'UPDATE' AND NEW.\(reference) IS DISTINCT FROM OLD.\(reference) THEN
                DELETE FROM \(table(target)) WHERE \(oldPair);
            END IF;
            IF NEW.\(reference) IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.\(reference) IS DISTINCT FROM OLD.\(reference)) THEN
                INSERT INTO \(table(target)) (\(columns)) VALUES (\(newPair)) ON CONFLICT DO NOTHING;
            END IF;
            """)
        draft.add(
            .verify, "verify \(flow.property)",
            [
                """
                SELECT s."pk"::text, s.\(reference)::text FROM \(table(source)) AS s
                WHERE s.\(reference) IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM \(table(target)) AS t WHERE (t.\(quoted(flow.to.own)), t.\(quoted(flow.to.other))) = (\(pair)))
                """
            ], execution: .verify, on: [target])
    }

    /// Pairs become references: each row can hold one, so two for one row are refused beforehand.
    private mutating func planReferences(_ flow: LinkFlow) {
        let source = names.lateTable(flow.from.table)
        func late(_ column: String) -> String { names.lateColumn(ColumnPlace(table: flow.from.table, column: column)) }
        if flow.to.isJoinTable {
            // From one join table to another that is not the same: both have rows of pairs.
            draft.add(
                .moveLinks, "copy \(source) to \(flow.to.table)",
                [
                    """
                    INSERT INTO \(table(flow.to.table)) (\(quoted(flow.to.own)), \(quoted(flow.to.other)))
                    SELECT s.\(quoted(late(flow.from.own))), s.\(quoted(late(flow.from.other))) FROM \(table(source)) AS s
                    WHERE \(range("s.\(quoted(late(flow.from.own)))"))
                    ON CONFLICT DO NOTHING
                    """
                ], execution: batches(source, late(flow.from.own)), lock: .rowExclusive, on: [flow.to.table])
            return
        }
        let isOwnKey = flow.to.own == ReservedColumn.key
        let (key, value) = isOwnKey ? (flow.from.own, flow.from.other) : (flow.from.other, flow.from.own)
        let batchKey = flow.from.isJoinTable ? flow.from.own : ReservedColumn.key
        draft.checks.append(
            DataCheck(
                code: "M401", title: "\(flow.property): one object has several where it can have one now",
                remedy: "remove all links but one of these objects",
                query: """
                    SELECT s.\(quoted(key))::text, string_agg(s.\(quoted(value))::text, ', ') FROM \(table(flow.from.table)) AS s
                    WHERE s.\(quoted(key)) IS NOT NULL AND s.\(quoted(value)) IS NOT NULL
                    GROUP BY s.\(quoted(key)) HAVING count(*) > 1
                    """))
        draft.add(
            .moveLinks, "copy \(source) to \(flow.to.table).\(flow.to.reference)",
            [
                """
                UPDATE \(table(flow.to.table)) AS t SET \(quoted(flow.to.reference)) = s.\(quoted(late(value)))
                FROM \(table(source)) AS s
                WHERE \(range("s.\(quoted(late(batchKey)))")) AND t."pk" = s.\(quoted(late(key)))
                    AND s.\(quoted(late(value))) IS NOT NULL AND t.\(quoted(flow.to.reference)) IS DISTINCT FROM s.\(quoted(late(value)))
                """
            ], execution: batches(source, late(batchKey)), lock: .rowExclusive, on: [flow.to.table])
        draft.add(
            .verifyMoved, "verify \(flow.property)",
            [
                """
                SELECT s.\(quoted(late(key)))::text, s.\(quoted(late(value)))::text FROM \(table(source)) AS s
                WHERE s.\(quoted(late(key))) IS NOT NULL AND s.\(quoted(late(value))) IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM \(table(flow.to.table)) AS t
                    WHERE t."pk" = s.\(quoted(late(key))) AND t.\(quoted(flow.to.reference)) = s.\(quoted(late(value))))
                """
            ], execution: .verify, on: [flow.to.table])
        draft.notes.append("old code must be stopped before contract: the links of \(flow.property) move")
    }
}
