package import Foundation
package import StrataClient

/// What deletes old history, slice by slice.
package struct HistoryPruningSlice {
    /// A transaction, by generation and number: what is older goes.
    package typealias Cutoff = (generation: Int16, transaction: String)

    private let schemaName: String

    package init(in schemaName: String) {
        self.schemaName = schemaName
    }

    /// Where the newest so many changes begin; no place when there are no more.
    package func counting(_ count: Int, _ take: @escaping (Cutoff) -> Void) throws -> PostgresBatch {
        let query: SQLFragment = """
            SELECT generation, xid::text FROM "strata"."history_cutoff"(\(bind: schemaName), \(bind: Int64(count)))
            """
        return PostgresBatch(try query.statement(name: "count the history")) { row in
            guard let generation = try row.decodeIfPresent(0, as: Int16.self) else { return }
            take((generation, try row.decode(1, as: String.self)))
        }
    }

    /// `NULL` when another process is at it. The lock ends with the statement's transaction, so it is fair between slices and
    /// nothing is left behind by a pooler.
    package func statement(before date: Date?, _ cutoff: Cutoff?) throws -> PostgresStatement {
        var sql: SQLFragment = """
            SELECT CASE WHEN pg_try_advisory_xact_lock(\(bind: Int32(0x5374_7270)), "number")
            THEN "strata"."history_prune_below"(\(bind: schemaName), 
            """
        if let date { sql.append("\(bind: date)") } else { sql.appendNull(.timestamptz) }
        sql.append(raw: ", ")
        if let cutoff {
            sql.append("\(bind: cutoff.generation), \(bind: cutoff.transaction)::xid8")
        } else {
            sql.append(raw: "NULL, NULL")
        }
        sql.append(") END FROM \(LibrarySchema.store) WHERE \"schema_name\" = \(bind: schemaName)")
        return try sql.statement(name: "prune the history")
    }
}
