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
        let values = try UpdateValues(group, &parameters)
        let text = group.keepsStore(policy) ? keepingStore(group, values) : failing(group, values)
        return SaveStatement(
            kind: .update(group), text: text, parameters: parameters, name: "save: update \(group.label)",
            rows: group.models.count)
    }

    private static func failing(_ group: UpdateGroup, _ values: UpdateValues) -> String {
        let assignments = group.columns.enumerated().map { index, column in
            "\(SQLFragment.quoted(column.name)) = \(values.new[index])"
        }
        let conditions = checks(group, values).map { " AND \($0.stored) IS NOT DISTINCT FROM \($0.old)" }.joined()
        let count = group.models.count == 1 ? "1" : "cardinality($1)"
        return "WITH written AS (UPDATE \(group.owner.table.quoted) AS t SET \(assignments.joined(separator: ", "))"
            + "\(values.source) WHERE t.\"pk\" = \(values.key)\(conditions) RETURNING t.\"pk\")"
            + " SELECT 1 FROM written HAVING 1 / (count(*) = \(count))::int = 0"
    }

    /// Writes what is not in conflict; returns a row for each object with a conflict, with one flag a checked column, and for
    /// each whose row is gone.
    private static func keepingStore(_ group: UpdateGroup, _ values: UpdateValues) -> String {
        let checks = checks(group, values)
        let assignments = zip(group.slots, group.columns).enumerated().map { index, entry in
            let (slot, column) = entry
            let name = SQLFragment.quoted(column.name)
            guard let check = group.checked.firstIndex(of: slot).map({ checks[$0] }) else {
                return "\(name) = \(values.new[index])"
            }
            return "\(name) = CASE WHEN \(check.stored) IS NOT DISTINCT FROM \(check.old) THEN \(values.new[index])"
                + " ELSE \(check.stored) END"
        }
        let flags = zip(group.slots, group.columns).enumerated().filter { group.checked.contains($0.element.0) }
            .map { index, entry in "t.\(SQLFragment.quoted(entry.1.name)) IS DISTINCT FROM \(values.new[index])" }
        let keys = group.models.count == 1 ? "(SELECT $1::bigint) AS k(pk)" : "unnest($1::bigint[]) AS k(pk)"
        return "WITH written AS (UPDATE \(group.owner.table.quoted) AS t SET \(assignments.joined(separator: ", "))"
            + "\(values.source) WHERE t.\"pk\" = \(values.key) RETURNING t.\"pk\", ARRAY[\(flags.joined(separator: ", "))]::boolean[] AS lost)"
            + " SELECT k.pk, w.lost FROM \(keys) LEFT JOIN written AS w ON w.pk = k.pk"
            + " WHERE w.pk IS NULL OR true = ANY (w.lost)"
    }

    private static func checks(_ group: UpdateGroup, _ values: UpdateValues) -> [(stored: String, old: String)] {
        group.checked.enumerated().compactMap { index, slot in
            guard let column = group.owner.columns[slot] else { return nil }
            return ("t.\(SQLFragment.quoted(column.name))", values.old[index])
        }
    }
}
