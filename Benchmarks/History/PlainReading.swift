import StrataClient

/// A transaction with its changes as somebody would write it who needs no more.
struct PlainTransaction {
    struct Change {
        let number: Int64
        let key: Int64
        let properties: Int64
        let entity: Int16
        let operation: UInt8
        let tombstone: [UInt8]?
    }

    let number: Int64
    let microseconds: Int64
    let author: String?
    let actor: String
    let role: String?
    let application: String?
    var changes: [Change] = []
}

/// The recommended design's statement, on tables by hand: one row a change, decoded into structs.
struct PlainReading {
    let statement: PostgresStatement

    init(_ question: Question, after transaction: Int64, rare: Int64) throws {
        var parameters = PostgresParameters()
        try parameters.append(String(transaction))
        try parameters.append([String]())
        var conditions = "xid >= $1::xid8 OR xid = ANY($2::xid8[])"
        conditions = "generation = 1 AND (\(conditions)) AND pg_visible_in_snapshot(xid, (SELECT sn FROM s))"
        var (hit, isHit) = ("", "last_seq > 0")
        switch question.filter {
        case .none: break
        case .author:
            try parameters.append("import")
            conditions += " AND author = $3"
        case .entity:
            try parameters.append([Int16(rare)])
            (hit, isHit) = (", bool_or(c.entity = ANY($3)) AS hit", "l.hit AND last_seq > 0")
        }
        let order = question.isNewestFirst ? "xid DESC" : "last_seq"
        // What is sorted by the key is cut before the changes are looked at.
        let cut = question.isNewestFirst ? " ORDER BY xid DESC LIMIT \(question.limit)" : ""
        let limit = question.limit > 0 ? " LIMIT \(question.limit + 1)" : ""
        statement = PostgresStatement(
            PreparedSQL(
                """
                WITH s AS MATERIALIZED (SELECT pg_current_snapshot() AS sn),
                t AS MATERIALIZED (SELECT * FROM recorded.txn WHERE \(conditions)\(cut)),
                o AS MATERIALIZED (
                    SELECT t.*, l.last_seq FROM t CROSS JOIN LATERAL (
                        SELECT max(c.seq) AS last_seq\(hit) FROM recorded.change AS c
                        WHERE c.xid = t.xid AND c.generation = t.generation) AS l
                    WHERE \(isHit) ORDER BY \(order)\(limit))
                SELECT (SELECT sn::text FROM s), o.xid, o.at, o.author, o.actor, o.role, o.app, o.last_seq,
                    c.seq, c.pk, c.props, c.entity, c.op::text, c.tomb
                FROM o CROSS JOIN LATERAL (
                    SELECT * FROM recorded.change AS c WHERE c.xid = o.xid AND c.generation = o.generation) AS c
                ORDER BY \(order), seq
                """), parameters: parameters)
    }

    func fetch(through connection: PostgresConnection) throws -> [PlainTransaction] {
        var transactions: [PlainTransaction] = []
        try connection.run(
            PostgresBatch(statement) { row in
                let number = row.int64(1)
                if transactions.last?.number != number {
                    transactions.append(
                        PlainTransaction(
                            number: number, microseconds: row.timestamp(2), author: Self.text(row, 3),
                            actor: row.string(4), role: Self.text(row, 5), application: Self.text(row, 6)))
                }
                transactions[transactions.count - 1].changes.append(
                    PlainTransaction.Change(
                        number: row.int64(8), key: row.int64(9), properties: row.int64(10), entity: row.int16(11),
                        operation: row.bytes(12)?.first ?? 0, tombstone: row.bytes(13).map { Array($0) }))
            })
        return transactions
    }

    private static func text(_ row: PostgresRow, _ column: Int) -> String? {
        row.isNull(column) ? nil : row.string(column)
    }
}
