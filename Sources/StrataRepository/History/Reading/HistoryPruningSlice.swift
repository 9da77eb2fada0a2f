package import Foundation
package import StrataClient

/// What deletes old history, slice by slice, the oldest first.
///
/// Each slice begins behind the one before it. What was deleted stays in the index until it is vacuumed: a slice that began at the beginning
/// of the history would walk over all of it, and the last of a thousand slices over a thousand.
package struct HistoryPruningSlice {
    /// A transaction, by generation and number.
    package typealias Place = (generation: Int16, transaction: String)

    /// What is old.
    package enum Age {
        case before(Date)
        /// By the clock of the server.
        case hours(Int32)
    }

    /// What came of a slice.
    package struct Outcome {
        /// Transactions that were deleted; `nil` when another process is at it.
        package var deleted: Int64?
        /// The newest that was to be deleted.
        package var end: Place?

        package init() {}

        package mutating func take(_ row: PostgresRow) throws {
            deleted = try row.decodeIfPresent(0)
            guard let generation = try row.decodeIfPresent(1, as: Int16.self) else { return }
            end = (generation, try row.decode(2, as: String.self))
        }
    }

    private let schemaName: String

    package init(in schemaName: String) {
        self.schemaName = schemaName
    }

    /// Where the newest so many changes begin; no place when there are no more.
    package func counting(_ count: Int64, _ take: @escaping (Place) -> Void) throws -> PostgresBatch {
        let query: SQLFragment = """
            SELECT generation, xid::text FROM "strata"."history_cutoff"(\(bind: schemaName), \(bind: count))
            """
        return PostgresBatch(try query.statement(name: "count the history")) { row in
            guard let generation = try row.decodeIfPresent(0, as: Int16.self) else { return }
            take((generation, try row.decode(1, as: String.self)))
        }
    }

    /// A statement whose row is an ``Outcome``.
    ///
    /// The lock ends with the statement's transaction, so it is fair between slices and nothing is left behind by a pooler.
    /// - Parameters:
    ///   - age: what goes by its age.
    ///   - cutoff: what is older than this goes, too.
    ///   - place: the end of the slice before; `nil` for the first.
    ///   - end: the transaction from which on none goes, whatever its age; `nil` for no end.
    ///   - count: how many transactions a slice looks at, whether they may go or not.
    package func statement(
        _ age: Age?, _ cutoff: Place?, after place: Place?, below end: String? = nil, count: Int32
    ) throws -> PostgresStatement {
        let isBefore: SQLFragment = if let end { "o.\"xid\" < \(bind: end)::xid8 AND (FALSE" } else { "FALSE" }
        var sql: SQLFragment = """
            SELECT CASE WHEN pg_try_advisory_xact_lock(\(bind: Int32(0x5374_7270)), s."number")
            THEN "strata"."history_delete"(\(bind: schemaName), d.xids, d.generations) END,
            d.generations[cardinality(d.generations)], d.xids[cardinality(d.xids)]::text
            FROM \(LibrarySchema.store) AS s, LATERAL (
                SELECT coalesce(array_agg(o."xid" ORDER BY o."generation", o."xid"), '{}') AS xids,
                    coalesce(array_agg(o."generation" ORDER BY o."generation", o."xid"), '{}') AS generations
                FROM (
                    SELECT x."generation", x."xid", x."at" FROM \(HistorySchema.transaction) AS x
                    WHERE x."store" = (SELECT "number" FROM \(LibrarySchema.store) WHERE "schema_name" = \(bind: schemaName))
                    AND (x."generation", x."xid") > (\(bind: place?.generation ?? 0), \(bind: place?.transaction ?? "0")::xid8)
                    ORDER BY x."store", x."generation", x."xid" LIMIT \(bind: count)) AS o
                WHERE \(isBefore)
            """
        switch age {
        case .before(let date): sql.append(" OR o.\"at\" < \(bind: date)")
        case .hours(let hours):
            sql.append(" OR o.\"at\" < pg_catalog.now() - pg_catalog.make_interval(hours => \(bind: hours))")
        case nil: break
        }
        if let cutoff {
            sql.append(
                " OR (o.\"generation\", o.\"xid\") < (\(bind: cutoff.generation), \(bind: cutoff.transaction)::xid8)")
        }
        if end != nil { sql.append(")") }
        sql.append(") AS d WHERE s.\"schema_name\" = \(bind: schemaName)")
        return try sql.statement(name: "prune the history")
    }
}
