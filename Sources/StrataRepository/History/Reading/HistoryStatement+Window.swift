import StrataClient
import StrataModels

// Pages of a long way: each looks at a window of the transactions behind its place (``HistoryWindow``).
//
// The page is one of an earlier moment: of the snapshot in which what the window covers has ended, and nothing else. Everything that is said of
// pages holds for it, and tokens have the form that they had.

extension HistoryStatement {
    /// Whether the way is long for all that is known: from the beginning, or behind a page that did not hold all.
    ///
    /// Not where something is left out by a condition: the window could be empty of what is asked for.
    var isWindowed: Bool {
        isInOrder && isComplete && request.limit > 0 && (goesOn || start?.base == nil || start?.page != nil)
    }

    /// The common table expressions that say what is read: `h`, the headers of the window with their last changes; `w`, the transaction before
    /// which the window ends, no row where all there is lies in it (`q` leaves out what the place names as running, so that each window moves on);
    /// `b`, the last change before which it ends; `c`, the snapshot of the page.
    func window() -> SQLFragment {
        let covered = request.window.covered + request.limit
        let size = covered + request.window.overlapping
        return """
            h AS MATERIALIZED (SELECT t.*, l.last FROM (\(windowHeaders(size))) AS t \
            CROSS JOIN LATERAL (\(Self.last())) AS l), \
            q AS MATERIALIZED (SELECT h.xid FROM h, st WHERE h.generation = st.generation AND h.xid >= \(beginning)), \
            w AS MATERIALIZED (SELECT q.xid AS upto FROM q WHERE (SELECT count(*) FROM q) >= \(raw: String(size)) \
            ORDER BY q.xid OFFSET \(raw: String(covered)) LIMIT 1), \
            b AS MATERIALIZED (SELECT coalesce(min(h.last), \(raw: String(Int64.max))) AS last FROM h, st, w \
            WHERE h.generation = st.generation AND h.xid >= w.upto), \
            r AS MATERIALIZED (SELECT h.xid FROM h, st, w, b WHERE h.generation = st.generation AND h.xid < w.upto \
            AND h.last >= b.last UNION SELECT x.xid FROM s, w, pg_snapshot_xip(s.sn) AS x(xid) \
            WHERE x.xid < w.upto\(runningAtCeiling())), \
            c AS MATERIALIZED (SELECT w.upto, CASE WHEN w.upto IS NULL THEN s.sn ELSE \
            (coalesce((SELECT min(r.xid::text::bigint) FROM r)::text, w.upto::text) || ':' || w.upto::text || ':' || \
            coalesce((SELECT string_agg(r.xid::text, ',' ORDER BY r.xid) FROM r), ''))::pg_snapshot END AS sn \
            FROM s LEFT JOIN w ON TRUE)
            """
    }

    /// The number from which on nothing is covered.
    private var beginning: SQLFragment { "\(bind: String(start?.base?.end ?? 0))::xid8" }

    /// What is delivered of the window.
    func foundInWindow() -> SQLFragment {
        let isLater: SQLFragment = start?.page.map { Self.isCovered(by: $0.ceiling, not: true) } ?? "FALSE"
        var conditions: [SQLFragment] = [
            isNew("t.last"),
            """
            (c.upto IS NULL OR t.generation < (SELECT generation FROM st) OR (t.xid < c.upto \
            AND t.last < (SELECT b.last FROM b)))
            """,
        ]
        if let page = start?.page {
            // The page that was begun is read to its end before what ended later.
            conditions.append(
                "(c.upto IS NULL OR c.upto >= \(bind: String(page.ceiling.end))::xid8 OR NOT \(isLater))")
        }
        return """
            SELECT t.*, \(isLater) AS is_later FROM h AS t CROSS JOIN c WHERE \(conditions.joined(separator: " AND ")) \
            ORDER BY is_later, t.last
            """
    }

    /// The transactions that began first behind the place; all that have ended of those that the place names as running, and all of earlier
    /// generations.
    private func windowHeaders(_ size: Int) -> SQLFragment {
        var isOver: SQLFragment = "(x.xid < (SELECT low FROM s) OR pg_visible_in_snapshot(x.xid, (SELECT sn FROM s)))"
        if request.isInsideTransaction {
            isOver.append(" AND x.xid IS DISTINCT FROM pg_current_xact_id_if_assigned()")
        }
        let first: SQLFragment = """
            (SELECT x.* FROM \(HistorySchema.transaction) AS x WHERE \(Self.newest("x")) \
            AND x.xid >= \(beginning) AND \(isOver) \
            ORDER BY x.store, x.generation, x.xid LIMIT \(raw: String(size)))
            """
        guard let base = start?.base else {
            return """
                \(first) UNION ALL (SELECT x.* FROM \(HistorySchema.transaction) AS x \
                WHERE x.store = \(HistoryScope.store) AND x.generation < (SELECT generation FROM st))
                """
        }
        guard !base.running.isEmpty else { return first }
        return """
            \(first) UNION ALL (SELECT y.* FROM unnest(\(bind: base.running.map(String.init))::xid8[]) AS n(xid) \
            CROSS JOIN LATERAL (SELECT x.* FROM \(HistorySchema.transaction) AS x WHERE \(Self.newest("x")) \
            AND x.xid = n.xid AND \(isOver) OFFSET 0) AS y)
            """
    }

    /// What ran when the page was begun that is read to its end first: it has not ended for a page that ends before it.
    private func runningAtCeiling() -> SQLFragment {
        guard let ceiling = start?.page?.ceiling, !ceiling.running.isEmpty else { return "" }
        return """
             UNION SELECT n.xid FROM w, unnest(\(bind: ceiling.running.map(String.init))::xid8[]) AS n(xid) \
            WHERE n.xid < w.upto AND w.upto < \(bind: String(ceiling.end))::xid8
            """
    }
}
