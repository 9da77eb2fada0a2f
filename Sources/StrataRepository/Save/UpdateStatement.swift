import StrataClient
import StrataModels

/// Renders `UPDATE … FROM unnest(…)`, for a single row without arrays.
///
/// The statement fails, and with it the transaction, when a row is missing or holds other values than the object knew: the
/// COMMIT that follows in the same flush then does nothing. A division by zero is the one error that plain SQL can raise at
/// will; ``SaveRecovery`` turns it into what it means.
enum UpdateStatement {
    /// What the server reports when fewer rows were written than asked for.
    static let mismatch = "22012"

    static func render(_ group: UpdateGroup, _ policy: ConflictPolicy) throws -> SaveStatement {
        var parameters = PostgresParameters()
        let source = try source(group, &parameters)
        let text =
            policy == .keepStore && !group.checked.isEmpty ? keepingStore(group, source) : failing(group, source)
        return SaveStatement(
            kind: .update(group), text: text, parameters: parameters, name: "save: update \(group.label)",
            rows: group.models.count)
    }

    private static func failing(_ group: UpdateGroup, _ source: String) -> String {
        let assignments = group.columns.enumerated().map { index, column in
            "\(SQLFragment.quoted(column.name)) = \(new(index, column))"
        }
        let conditions = checks(group).map { " AND \($0.stored) IS NOT DISTINCT FROM \($0.old)" }.joined()
        let count = group.models.count == 1 ? "1" : "cardinality($1)"
        return "WITH written AS (UPDATE \(group.owner.table.quoted) AS t SET \(assignments.joined(separator: ", "))"
            + " FROM \(source) WHERE t.\"pk\" = u.pk\(conditions) RETURNING t.\"pk\")"
            + " SELECT 1 FROM written HAVING 1 / (count(*) = \(count))::int = 0"
    }

    /// Writes what is not in conflict; returns a row for each object with a conflict, with one flag a checked column.
    private static func keepingStore(_ group: UpdateGroup, _ source: String) -> String {
        let checks = checks(group)
        let assignments = zip(group.slots, group.columns).enumerated().map { index, entry in
            let (slot, column) = entry
            let name = SQLFragment.quoted(column.name)
            guard let check = group.checked.firstIndex(of: slot).map({ checks[$0] }) else {
                return "\(name) = \(new(index, column))"
            }
            return "\(name) = CASE WHEN \(check.stored) IS NOT DISTINCT FROM \(check.old) THEN \(new(index, column))"
                + " ELSE \(check.stored) END"
        }
        let flags = zip(group.slots, group.columns).enumerated().filter { group.checked.contains($0.element.0) }
            .map { index, entry in "t.\(SQLFragment.quoted(entry.1.name)) IS DISTINCT FROM \(new(index, entry.1))" }
        let keys = group.models.count == 1 ? "(SELECT $1::bigint) AS k(pk)" : "unnest($1::bigint[]) AS k(pk)"
        return "WITH written AS (UPDATE \(group.owner.table.quoted) AS t SET \(assignments.joined(separator: ", "))"
            + " FROM \(source) WHERE t.\"pk\" = u.pk RETURNING t.\"pk\", ARRAY[\(flags.joined(separator: ", "))] AS lost)"
            + " SELECT k.pk, w.lost FROM \(keys) LEFT JOIN written AS w ON w.pk = k.pk"
            + " WHERE w.pk IS NULL OR true = ANY (w.lost)"
    }

    /// The new value of the column at `index`, in the column's own type.
    private static func new(_ index: Int, _ column: Column) -> String {
        column.type == column.transportType ? "u.n\(index)" : "u.n\(index)::\(column.type)"
    }

    private static func checks(_ group: UpdateGroup) -> [(stored: String, old: String)] {
        group.checked.enumerated().compactMap { index, slot in
            guard let column = group.owner.columns[slot] else { return nil }
            let old = column.type == column.transportType ? "u.o\(index)" : "u.o\(index)::\(column.type)"
            return ("t.\(SQLFragment.quoted(column.name))", old)
        }
    }

    /// `unnest($1::bigint[], $2::text[]) AS u(pk, n0)`: the key, the new values, then the old ones.
    static func source(_ group: UpdateGroup, _ parameters: inout PostgresParameters) throws -> String {
        let names =
            ["pk"] + group.slots.indices.map { "n\($0)" } + group.checked.indices.map { "o\($0)" }
        return try RowSource.append(names.enumerated().map { ($1, group.buffers[$0]) }, to: &parameters)
    }
}
