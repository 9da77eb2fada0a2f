import Foundation
import StrataClient
import StrataModels

/// The one statement that reads transactions with their changes, in order.
///
/// The headers that come into question are chosen by the key of their table, and one probe a transaction finds its last
/// change number, which gives the order; then the changes are read. The probe is an aggregate and what it finds is
/// materialised because the planner would otherwise walk the whole table of changes by number.
struct HistoryStatement {
    /// The columns of the result.
    enum Column: Int {
        case snapshot, number, entity, operation, key, properties, tombstone
        // Of the transaction; NULL but for the row of its last change.
        case transaction, generation, isLater, timestamp, author, actor, role, application, process, context, isCut
    }

    /// The place after which is read, if the predicate names one.
    let start: HistoryPosition?
    /// Every place that the predicate names.
    let positions: [HistoryPosition]
    /// Whether every transaction after ``start`` is read, apart from the limit.
    let isComplete: Bool
    /// Whether the transactions come in the order in which a consumer can go on.
    let isInOrder: Bool
    private let condition: SQLFragment
    private let order: [SQLFragment]
    private let request: HistoryRequest
    private let store: HistoryStore

    /// - Parameter readsOn: whether reading begins after the token that the predicate names.
    init(_ request: HistoryRequest, store: HistoryStore, readsOn: Bool = true) throws {
        self.request = request
        self.store = store
        order = try Self.order(request.sortBy)
        isInOrder = order.isEmpty
        start = readsOn ? request.predicate.flatMap(HistoryStart.token)?.positions[store.identifier] : nil
        guard let predicate = request.predicate else {
            (condition, positions, isComplete) = ("TRUE", [], true)
            return
        }
        let translation = Translation(mapping: store.mapping, store: store.identifier, aliases: AliasGenerator())
        translation.history = HistoryScope(
            storeIdentifier: store.identifier, entityNames: store.mapping.entities.map(\.name), start: start)
        let translated: SQLExpression
        do {
            translated = try translation.with(predicate.variable.key, as: .history(.transaction)) {
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
        positions = translation.historyPositions
        isComplete = translated.isTrue
    }

    private static func order(_ sort: [SortDescriptor<DefaultHistoryTransaction>]) throws -> [SQLFragment] {
        // The order of tokens is the one without any.
        if sort.count == 1, sort[0].keyPath == \DefaultHistoryTransaction.token, sort[0].order == .forward { return [] }
        return try sort.map { descriptor in
            guard let keyPath = descriptor.keyPath,
                let column = HistoryColumn.all.first(where: { $0.keyPath == keyPath })
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
            pg_snapshot_xmin(n)::text || ':')::pg_snapshot ELSE n END AS sn FROM pg_current_snapshot() AS n)
            """
        // The snapshot is a row of its own: it comes also when no transaction does. OFFSET keeps the changes of one
        // transaction after the other: the plan is made for any token, and would else be to read the whole table.
        let sql: SQLFragment = """
            WITH \(snapshot), \(Self.store(store)), \(isInOrder ? ordered() : sorted()) \
            SELECT s.sn::text, NULL, NULL, NULL, NULL, NULL, NULL, \(Self.noHeader) FROM s UNION ALL \
            (SELECT NULL, c.seq, c.entity, c.op::text, c.pk, c.props, c.tomb, \(Self.header()) \
            FROM o CROSS JOIN LATERAL (SELECT x.seq, x.entity, x.op, x.pk, x.props, x.tomb \
            FROM \(HistorySchema.change) AS x WHERE x.xid = o.xid AND x.generation = o.generation \
            AND x.entity = ANY(\(HistoryScope.entities)) OFFSET 0) AS c\(chosen) \
            ORDER BY \(isInOrder ? Self.place("o") : "o.place"), c.seq)
            """
        return try sql.statement(name: "fetch history")
    }

    /// Deletes the first transactions that match, and tells how many.
    func deletion(slice: Int) throws -> PostgresStatement {
        let order = order.isEmpty ? "t.generation, t.xid" : order.joined(separator: ", ")
        let sql: SQLFragment = """
            WITH s AS MATERIALIZED (SELECT pg_current_snapshot() AS sn), \(Self.store(store)), \
            f AS MATERIALIZED (SELECT t.xid, t.generation FROM \(HistorySchema.transaction) AS t \
            WHERE \(candidates()) AND (t.generation < (SELECT generation FROM st) OR t.xid < pg_snapshot_xmin((SELECT sn FROM s))) \
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

    /// The columns of the header, on the row of the last change only.
    private static func header() -> SQLFragment {
        columns.map { "CASE WHEN c.seq = o.last THEN \($0) END" as SQLFragment }.joined(separator: ", ")
    }

    private static let noHeader: SQLFragment = columns.map { _ in "NULL" as SQLFragment }.joined(separator: ", ")

    private static let columns: [SQLFragment] = [
        "o.xid::text::bigint", "o.generation", "o.is_later", "o.at", "o.author", "o.actor", "o.role",
        "o.application", "o.process", "o.context", "o.is_cut",
    ]

    private var chosen: SQLFragment { request.limit > 0 ? " WHERE o.place <= \(raw: String(request.limit))" : "" }

    /// One more than asked for, to see whether there is more.
    ///
    /// A literal: for a parameter the planner would assume a tenth of the table.
    private var limit: SQLFragment { request.limit > 0 ? " LIMIT \(raw: String(request.limit + 1))" : "" }

    private var isCut: SQLFragment {
        request.limit > 0 ? "(SELECT count(*) FROM f) > \(raw: String(request.limit))" : "FALSE"
    }

    /// In the order in which the transactions took effect: those of the page that was begun, then the others.
    private func ordered() -> SQLFragment {
        let isLater: SQLFragment
        var isNew: SQLFragment = "l.last IS NOT NULL"
        if let page = start?.page {
            isLater = Self.isCovered(by: page.ceiling, not: true)
            isNew = "(l.last > \(bind: page.upto) OR (l.last IS NOT NULL AND \(isLater)))"
        } else {
            isLater = "FALSE"
        }
        // The outer order by the same columns finds the transactions in order, and sorts the changes of one at a time.
        return """
            f AS MATERIALIZED (SELECT t.*, \(isLater) AS is_later, l.last FROM \(HistorySchema.transaction) AS t \
            CROSS JOIN LATERAL (\(Self.last())) AS l WHERE \(candidates()) AND \(isNew) \
            ORDER BY \(start?.page == nil ? "l.last" : "is_later, l.last")\(limit)), \
            o AS (SELECT f.*, row_number() OVER (ORDER BY \(Self.place("f"))) AS place, \(isCut) AS is_cut \
            FROM f ORDER BY \(Self.place("f")))
            """
    }

    private static func place(_ alias: String) -> SQLFragment { "\(raw: alias).is_later, \(raw: alias).last" }

    /// In another order; the limit stops the reading where the key's index gives it.
    private func sorted() -> SQLFragment {
        // Transactions of earlier generations have numbers of their own; the key begins with the generation.
        var terms = order
        let isReverse = request.sortBy.last?.order == .reverse
        let byIdentifier = terms.count == 1 && terms[0].text.hasPrefix("t.xid ")
        let generation: SQLFragment = isReverse ? "t.generation DESC" : "t.generation ASC"
        if byIdentifier { terms.insert(generation, at: 0) } else { terms += [generation, "t.xid ASC"] }
        var seen: SQLFragment = "l.last IS NOT NULL"
        if let page = start?.page {
            seen =
                "(l.last > \(bind: page.upto) OR (l.last IS NOT NULL AND \(Self.isCovered(by: page.ceiling, not: true))))"
        }
        let order = terms.joined(separator: ", ")
        return """
            f AS MATERIALIZED (SELECT t.*, FALSE AS is_later, l.last, row_number() OVER (ORDER BY \(order)) AS place \
            FROM \(HistorySchema.transaction) AS t CROSS JOIN LATERAL (\(Self.last())) AS l \
            WHERE \(candidates()) AND \(seen) ORDER BY \(order)\(limit)), \
            o AS (SELECT f.*, \(isCut) AS is_cut FROM f ORDER BY f.place)
            """
    }

    private static func last() -> SQLFragment {
        """
        SELECT max(c.seq) AS last FROM \(HistorySchema.change) AS c WHERE c.xid = t.xid \
        AND c.generation = t.generation AND c.entity = ANY(\(HistoryScope.entities))
        """
    }

    private static func isCovered(by snapshot: HistorySnapshot, not isOpposite: Bool = false) -> SQLFragment {
        """
        \(raw: isOpposite ? "NOT " : "")\
        (t.generation < (SELECT generation FROM st) OR pg_visible_in_snapshot(t.xid, \(bind: snapshot.postgresText)::pg_snapshot))
        """
    }

    /// Which headers come into question.
    private func candidates() -> SQLFragment {
        let isOver: SQLFragment = "pg_visible_in_snapshot(t.xid, (SELECT sn FROM s))"
        var conditions: [SQLFragment] = ["t.store = \(HistoryScope.store)"]
        // What is as cheap as looking into a snapshot is asked first: it passes fewer.
        let asked: [SQLFragment] = condition.text == "TRUE" ? [] : ["(\(condition))"]
        if let base = start?.base {
            conditions.append("t.generation = (SELECT generation FROM st)")
            let end: SQLFragment = "t.xid >= \(bind: String(base.end))::xid8"
            if base.running.isEmpty {
                conditions.append(end)
            } else {
                let running = base.running.map(String.init)
                conditions.append("(\(end) OR t.xid = ANY(\(bind: running)::xid8[]))")
            }
            conditions += asked
            conditions.append(isOver)
        } else {
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
