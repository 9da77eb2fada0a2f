import StrataClient
import StrataModels

/// Renders `UPDATE … FROM unnest(…)`, for a single row without arrays.
///
/// Mostly the statement fails, and with it the transaction, when a row is missing or holds other values than the object knew: the
/// COMMIT that follows in the same flush then does nothing. A division by zero is the one error that plain SQL can raise at
/// will; ``SaveRecovery`` turns it into what it means.
enum UpdateStatement {
    /// What the server reports when fewer rows were written than asked for.
    static let mismatch = "22012"

    /// What there is a text of for each shape.
    struct Kind: Hashable {
        let form: Form
        let isSingle: Bool
    }

    /// What becomes of a row that is not as it was.
    enum Form: Hashable {
        /// The statement fails.
        case failing
        /// The statement returns it.
        case keepingStore
        /// Nothing is written.
        case alone
        /// Nothing is written. The statement returns the place in the history.
        case recorded
    }

    static func render(
        _ group: UpdateGroup, _ policy: ConflictPolicy
    ) throws -> SaveStatement {
        let keepsStore = group.keepsStore(policy)
        let (sql, name) = text(of: group, keepsStore ? .keepingStore : .failing) {
            let values = UpdateValues(group)
            return keepsStore ? keepingStore(group, values) : failing(group, values)
        }
        return SaveStatement(
            kind: .update(group), sql: sql, parameters: try group.parameters(), name: name,
            rows: group.shape.phase.counts ? group.models.count : 0)
    }

    /// The plain `UPDATE` of a single row, for a save that has nothing else to do: whoever sends it counts what was written, and
    /// when that is nothing, nothing is to be undone. `nil` for what needs the server to decide.
    ///
    /// To fail on its own, the statement costs the server half as much again. What triggers of others do for a statement that
    /// writes no row stays done.
    static func alone(
        _ statement: SaveStatement, _ policy: ConflictPolicy
    ) throws -> SaveStatement? {
        guard case .update(let group) = statement.kind, group.models.count == 1, !group.keepsStore(policy) else {
            return nil
        }
        return alone(group, statement.parameters)
    }

    /// The same for a group of one row.
    static func alone(_ group: UpdateGroup) throws -> SaveStatement {
        alone(group, try group.parameters())
    }

    /// The same for a table with a history: the place after it comes with the row.
    static func recorded(_ group: UpdateGroup, in schemaName: String) throws -> SaveStatement {
        var parameters = try group.parameters()
        try parameters.append(schemaName)
        let (sql, name) = text(of: group, .recorded) {
            let name = "$\(1 + group.parameterCount)"
            let store = "FROM \(LibrarySchema.store.quoted) AS st WHERE st.schema_name = \(name)"
            let generation = "(SELECT st.generation \(store))"
            return plain(group, UpdateValues(group)) + " RETURNING " + HistoryMoment.columns(generation: generation)
        }
        var statement = SaveStatement(kind: .update(group), sql: sql, parameters: parameters, name: name, rows: 1)
        (statement.returnsMoment, statement.isCounted) = (true, true)
        return statement
    }

    private static func alone(_ group: UpdateGroup, _ parameters: PostgresParameters) -> SaveStatement {
        let (sql, name) = text(of: group, .alone) { plain(group, UpdateValues(group)) }
        var statement = SaveStatement(
            kind: .update(group), sql: sql, parameters: parameters, name: name, rows: 1)
        statement.isCounted = true
        return statement
    }

    private static func text(of group: UpdateGroup, _ form: Form, _ make: () -> String) -> UpdateLayout.Text {
        group.layout.text(Kind(form: form, isSingle: group.models.count == 1), make)
    }

    private static func plain(_ group: UpdateGroup, _ values: UpdateValues) -> String {
        let assignments = zip(group.written, values.written).flatMap { column, value in
            column.assignments(value).map { "\($0.name) = \($0.value)" }
        }
        let conditions = checks(group, values).map { " AND \($0.isSame)" }.joined()
        return "UPDATE \(group.owner.table.quoted) AS t SET \(assignments.joined(separator: ", "))"
            + "\(values.source) WHERE \(row(of: group, values))\(conditions)"
    }

    /// The row `t` of an object. One that others have made an object of another class has no such columns.
    private static func row(of group: UpdateGroup, _ values: UpdateValues) -> String {
        let key = group.owner.key.isEqual(to: values.key, of: "t")
        guard let rows = group.layout.rows else { return key }
        return "\(key) AND \(rows.isMet(by: "t", parameter: group.parameterCount))"
    }

    private static func failing(_ group: UpdateGroup, _ values: UpdateValues) -> String {
        failing(plain(group, values), of: group.owner, count: group.models.count == 1 ? "1" : "cardinality($1)")
    }

    /// The `UPDATE` of a table `t`, so that it fails unless it writes as many rows as it should.
    static func failing(_ update: String, of owner: EntityMapping, count: String) -> String {
        "WITH written AS (\(update) RETURNING \(owner.key.value(of: "t")))"
            + " SELECT 1 FROM written HAVING 1 / (count(*) = \(count))::int = 0"
    }

    /// Writes what is not in conflict; returns a row for each object with a conflict, with one flag a checked column, and for
    /// each whose row is gone. Of rows that are parked nothing: the update that follows says it.
    private static func keepingStore(_ group: UpdateGroup, _ values: UpdateValues) -> String {
        let checks = checks(group, values)
        let written = zip(group.layout.written, values.written)
        let assignments = written.flatMap { target, value in
            let check = group.checked.firstIndex(of: target.slot).map { checks[$0] }
            return target.column.assignments(value).map { name, value in
                guard let check else { return "\(name) = \(value)" }
                return "\(name) = CASE WHEN \(check.isSame) THEN \(value) ELSE t.\(name) END"
            }
        }
        let update =
            "UPDATE \(group.owner.table.quoted) AS t SET \(assignments.joined(separator: ", "))"
            + "\(values.source) WHERE \(row(of: group, values))"
        if group.shape.phase == .parking { return update }
        let flags = zip(group.layout.written, values.rounded).filter { group.checked.contains($0.0.slot) }
            .map { target, value in
                let stored = group.owner.asRead(target.column.value(of: "t"), in: target.column)
                return "\(stored) IS DISTINCT FROM \(value)"
            }
        let kind = group.owner.keyKind.type
        let keys = group.models.count == 1 ? "(SELECT $1::\(kind)) AS k(pk)" : "unnest($1::\(kind.array)) AS k(pk)"
        let lost = "ARRAY[\(flags.joined(separator: ", "))]::boolean[]"
        return "WITH written (pk, lost) AS (\(update) RETURNING \(group.owner.key.value(of: "t")), \(lost))"
            + " SELECT k.pk, w.lost FROM \(keys) LEFT JOIN written AS w ON w.pk = k.pk"
            + " WHERE w.pk IS NULL OR true = ANY (w.lost)"
    }

    private static func checks(_ group: UpdateGroup, _ values: UpdateValues) -> [(stored: String, isSame: String)] {
        group.checked.enumerated().compactMap { index, slot in
            guard let column = group.owner.columns[slot] else { return nil }
            let stored = group.owner.asRead(column.value(of: "t"), in: column)
            return (stored, isSame(stored, values.old[index], isReleased: group.shape.released.contains(slot)))
        }
    }

    /// Whether a row has what its object knew.
    static func isSame(_ stored: String, _ old: String, isReleased: Bool) -> String {
        let isSame = "\(stored) IS NOT DISTINCT FROM \(old)"
        return isReleased ? "(\(isSame) OR \(stored) IS NULL)" : isSame
    }
}
