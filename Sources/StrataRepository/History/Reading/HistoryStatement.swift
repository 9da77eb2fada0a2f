import Foundation
import StrataClient
import StrataModels

/// The one statement that reads transactions with their changes, in order.
///
/// The headers that come into question are chosen by the key of their table, and one probe a transaction finds its last
/// change number, which gives the order; then the changes are read. The probe is an aggregate and what it finds is
/// materialised because the planner would otherwise walk the whole table of changes by number.
///
/// A row is a change. What there is once a transaction, or once a result, is one column, a record that is NULL in most
/// rows: every column more is sent and read with every change. Two results would cost a second reading of the headers,
/// and a snapshot of their own where the connection's transaction has none.
struct HistoryStatement {
    /// The columns of the result.
    enum Column: Int {
        case number, entity, operation, key, properties, tombstone
        /// A record: of the result in the first row, which has no change; of a transaction in the row of its last change.
        case header
    }

    /// The place after which is read, if the predicate names one.
    let start: HistoryPosition?
    /// Whether another statement of the same reading came to the end of its window.
    let goesOn: Bool
    /// Every place that the predicate names.
    let positions: [HistoryPosition]
    /// Whether every transaction after ``start`` is read, apart from the limit.
    let isComplete: Bool
    /// Whether the transactions come in the order in which a consumer can go on.
    let isInOrder: Bool
    private let condition: SQLFragment
    private let order: [SQLFragment]
    let request: HistoryRequest
    private let store: HistoryStore

    /// - Parameters:
    ///   - readsOn: whether reading begins after the token that the predicate names.
    ///   - place: where it begins instead: behind what was read already.
    init(
        _ request: HistoryRequest, store: HistoryStore, readsOn: Bool = true, from place: HistoryPosition? = nil
    ) throws {
        self.request = request
        self.store = store
        order = try Self.order(request.sortBy)
        isInOrder = order.isEmpty
        let named = request.predicate.flatMap(HistoryStart.token)?.positions[store.identifier]
        start = readsOn ? place ?? named : nil
        goesOn = place != nil
        guard let predicate = request.predicate else {
            (condition, positions, isComplete) = ("TRUE", place.map { [$0] } ?? [], true)
            return
        }
        let translation = Translation(mapping: store.mapping, store: store.identifier, aliases: AliasGenerator())
        translation.history = HistoryScope(
            storeIdentifier: store.identifier, entityNames: store.mapping.entities.map(\.name),
            namesKeys: store.mapping.entities.contains { $0.keyKind != .integer }, start: readsOn ? named : nil)
        let translated: SQLExpression
        do {
            translated = try translation.with(predicate.variable, as: .history(.transaction)) {
                try translation.condition(predicate.expression)
            }
        } catch let error as SwiftDataError {
            throw SwiftDataError(
                error.code, error.message + (translation.source.map { " The predicate: \($0)" } ?? ""))
        } catch let error as PostgresError {
            throw SwiftDataError(
                .invalidValue,
                "The predicate compares with a value that the database cannot hold: \(error.message)",
                underlying: error)
        }
        condition = translated.sql
        positions = place.map { [$0] } ?? translation.historyPositions
        isComplete = translated.isTrue
    }

    private static func order(_ sort: [SortDescriptor<DefaultHistoryTransaction>]) throws -> [SQLFragment] {
        // The order of tokens is the one without any.
        if sort.count == 1, sort[0].keyPath == \DefaultHistoryTransaction.token, sort[0].order == .forward { return [] }
        return try sort.map { descriptor in
            guard let keyPath = descriptor.keyPath,
                let column = HistoryColumn.all.first(where: { $0.isOf(keyPath) })
            else {
                throw SwiftDataError(
                    .unsupportedSortDescriptor,
                    "Transactions of the history are sorted by transactionIdentifier, timestamp, author, bundleIdentifier, "
                        + "processIdentifier, actor or role. Sort the fetched ones in memory by anything else.")
            }
            let isOptional = column.expression.isNullable
            switch descriptor.order {
            case .forward: return "\(column.order) ASC\(raw: isOptional ? " NULLS FIRST" : "")"
            case .reverse: return "\(column.order) DESC\(raw: isOptional ? " NULLS LAST" : "")"
            }
        }
    }

    /// Whether only the transactions after a token come into question.
    var isRange: Bool { start?.base != nil }

    // MARK: SQL

    func reading() throws -> PostgresStatement {
        let snapshot: SQLFragment = """
            s AS MATERIALIZED (SELECT CASE WHEN pg_is_in_recovery() THEN (pg_snapshot_xmin(n)::text || ':' || \
            pg_snapshot_xmin(n)::text || ':')::pg_snapshot ELSE n END AS sn, pg_snapshot_xmin(n) AS low \
            FROM pg_current_snapshot() AS n)
            """
        // The snapshot has a row of its own: it comes also when no transaction does. OFFSET keeps the changes of one
        // transaction after the other: the plan is made for any token, and would else be to read the whole table. The
        // outer order by the same columns finds the transactions in order, and sorts the changes of one at a time.
        let (found, order) = isWindowed ? (foundInWindow(), "t.is_later, t.last") : isInOrder ? ordered() : sorted()
        let window: SQLFragment = isWindowed ? ", \(window())" : ", c AS (SELECT NULL::xid8 AS upto, s.sn FROM s)"
        let sql: SQLFragment = """
            WITH \(snapshot), \(Self.store(store))\(window), f AS MATERIALIZED (\(found)\(limit)), \
            o AS (SELECT * FROM f AS t ORDER BY \(order)\(chosen)) \
            SELECT NULL, NULL, NULL, NULL, NULL, NULL, ROW(c.sn, \(isCut), c.upto IS NOT NULL) FROM c UNION ALL \
            (SELECT c.seq, c.entity, c.op, c.pk, c.props, c.tomb, CASE WHEN c.seq = t.last THEN \(Self.header) END \
            FROM o AS t CROSS JOIN LATERAL (SELECT x.seq, x.entity, x.op, x.pk, x.props, x.tomb \
            FROM \(HistorySchema.change) AS x WHERE x.xid = t.xid AND x.generation = t.generation \
            AND x.entity = ANY(\(HistoryScope.entities)) OFFSET 0) AS c \
            ORDER BY \(order), c.seq)
            """
        return try sql.statement(name: "fetch history").storingNothing
    }

    /// Deletes the first transactions that match, and tells how many. Of a statement that does not read on: a token is only a condition.
    func deletion(slice: Int) throws -> PostgresStatement {
        let order = order.isEmpty ? "t.generation, t.xid" : order.joined(separator: ", ")
        let sql: SQLFragment = """
            WITH s AS MATERIALIZED (SELECT n AS sn, pg_snapshot_xmin(n) AS low FROM pg_current_snapshot() AS n), \
            \(Self.store(store)), \
            f AS MATERIALIZED (SELECT t.xid, t.generation FROM \(HistorySchema.transaction) AS t \
            WHERE \(candidates()) AND (t.generation < (SELECT generation FROM st) OR t.xid < (SELECT low FROM s)) \
            ORDER BY \(order) LIMIT \(bind: Int64(slice))) \
            SELECT \(identifier: LibrarySchema.name).history_delete(\(bind: store.mapping.schemaName), \
            ARRAY(SELECT f.xid FROM f), ARRAY(SELECT f.generation FROM f))
            """
        return try sql.statement(name: "delete history")
    }

    static func store(_ store: HistoryStore) -> SQLFragment {
        """
        st AS MATERIALIZED (SELECT number, generation FROM \(LibrarySchema.store) \
        WHERE schema_name = \(bind: store.mapping.schemaName))
        """
    }

    private static let header: SQLFragment = """
        ROW(t.xid, t.generation, t.is_later, t.at, t.author, t.actor, t.role, t.application, t.process, t.context)
        """

    private var chosen: SQLFragment { request.limit > 0 ? " LIMIT \(raw: String(request.limit))" : "" }

    /// One more than asked for, to see whether there is more.
    ///
    /// A literal: for a parameter the planner would assume a tenth of the table.
    private var limit: SQLFragment { request.limit > 0 ? " LIMIT \(raw: String(request.limit + 1))" : "" }

    private var isCut: SQLFragment {
        request.limit > 0 ? "(SELECT count(*) FROM f) > \(raw: String(request.limit))" : "FALSE"
    }

    /// In the order in which the transactions took effect: those of the page that was begun, then the others.
    private func ordered() -> (found: SQLFragment, order: SQLFragment) {
        let isLater: SQLFragment = start?.page.map { Self.isCovered(by: $0.ceiling, not: true) } ?? "FALSE"
        return (found(isLater: isLater, by: start?.page == nil ? "l.last" : "is_later, l.last"), "t.is_later, t.last")
    }

    /// In another order; the limit stops the reading where the key's index gives it: behind a place that names transactions which ran then it gives
    /// none, and all that come into question are sorted.
    private func sorted() -> (found: SQLFragment, order: SQLFragment) {
        // Transactions of earlier generations have numbers of their own; the key begins with the generation.
        var terms = order
        let isReverse = request.sortBy.last?.order == .reverse
        let byIdentifier = terms.count == 1 && terms[0].text.hasPrefix("t.xid ")
        let generation: SQLFragment = isReverse ? "t.generation DESC" : "t.generation ASC"
        if byIdentifier { terms.insert(generation, at: 0) } else { terms += [generation, "t.xid ASC"] }
        let order = terms.joined(separator: ", ")
        return (found(isLater: "FALSE", by: order), order)
    }

    /// The headers, with the number of the last change; without those that the page which was begun has delivered.
    private func found(isLater: SQLFragment, by order: SQLFragment) -> SQLFragment {
        """
        SELECT t.*, \(isLater) AS is_later, l.last FROM \(headers()) AS t \
        CROSS JOIN LATERAL (\(Self.last())) AS l WHERE \(candidates()) AND \(isNew("l.last")) ORDER BY \(order)
        """
    }

    /// Whether a transaction has changes, and the page that was begun has not delivered it.
    func isNew(_ last: SQLFragment) -> SQLFragment {
        guard let page = start?.page else { return "\(last) IS NOT NULL" }
        let isLater = Self.isCovered(by: page.ceiling, not: true)
        return "(\(last) > \(bind: page.upto) OR (\(last) IS NOT NULL AND \(isLater)))"
    }

    static func last() -> SQLFragment {
        """
        SELECT max(c.seq) AS last FROM \(HistorySchema.change) AS c WHERE c.xid = t.xid \
        AND c.generation = t.generation AND c.entity = ANY(\(HistoryScope.entities))
        """
    }

    static func isCovered(by snapshot: HistorySnapshot, not isOpposite: Bool = false) -> SQLFragment {
        """
        \(raw: isOpposite ? "NOT " : "")\
        (t.generation < (SELECT generation FROM st) OR pg_visible_in_snapshot(t.xid, \(bind: snapshot)))
        """
    }

    /// The headers behind the place, or all.
    ///
    /// Where the place names transactions that ran then, each of these is a probe of the key. With `OR` between the two conditions the
    /// planner walks through all that the store has, and each look takes longer than the one before; with `ANY` too, as long as it
    /// takes the table for small. OFFSET keeps the probe what it is.
    private func headers() -> SQLFragment {
        guard let base = start?.base, !base.running.isEmpty else { return "\(HistorySchema.transaction)" }
        let running = base.running.map(String.init)
        // All of them are below the end, so no header is in both.
        return """
            (SELECT x.* FROM \(HistorySchema.transaction) AS x WHERE \(Self.newest("x")) \
            AND x.xid >= \(bind: String(base.end))::xid8 UNION ALL \
            SELECT y.* FROM unnest(\(bind: running)::xid8[]) AS r(xid) CROSS JOIN LATERAL (\
            SELECT x.* FROM \(HistorySchema.transaction) AS x WHERE \(Self.newest("x")) AND x.xid = r.xid OFFSET 0) AS y)
            """
    }

    /// What is of this store, and of the generation in which a place with a snapshot is.
    static func newest(_ alias: String) -> SQLFragment {
        """
        \(raw: alias).store = \(HistoryScope.store) AND \(raw: alias).generation = (SELECT generation FROM st)
        """
    }

    /// Which headers come into question.
    private func candidates() -> SQLFragment {
        // Most are older than all that runs; looking into the snapshot costs as much as all else that is asked of a header.
        let isOver: SQLFragment = "(t.xid < (SELECT low FROM s) OR pg_visible_in_snapshot(t.xid, (SELECT sn FROM s)))"
        var conditions: [SQLFragment] = []
        // What is as cheap as looking into a snapshot is asked first: it passes fewer.
        let asked: [SQLFragment] = condition.text == "TRUE" ? [] : ["(\(condition))"]
        if let base = start?.base {
            if base.running.isEmpty {
                conditions += [Self.newest("t"), "t.xid >= \(bind: String(base.end))::xid8"]
            }
            conditions += asked
            conditions.append(isOver)
        } else {
            conditions.append("t.store = \(HistoryScope.store)")
            conditions += asked
            // What is of an earlier generation was over before this one began.
            conditions.append("(t.generation < (SELECT generation FROM st) OR \(isOver))")
        }
        if request.isInsideTransaction {
            conditions.append("t.xid IS DISTINCT FROM pg_current_xact_id_if_assigned()")
        }
        return conditions.joined(separator: " AND ")
    }
}
