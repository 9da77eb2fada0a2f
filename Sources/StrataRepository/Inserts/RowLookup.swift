import StrataClient
import StrataModels

/// Asks the server which rows of a batch have the unique values of stored rows, and of each other. It compares as the database does.
struct RowLookup {
    private let batch: RowBatch
    private let findings: Findings

    /// What was found, by the place of the set.
    final class Findings {
        /// Rows that are equal to an earlier one, with the first of those.
        var duplicates: [[Int: Int]]
        /// The stored row of a row, and its class where there are several.
        var matches: [[Int: (key: Int64, className: String?)]]

        init(sets: Int) {
            duplicates = Array(repeating: [:], count: sets)
            matches = Array(repeating: [:], count: sets)
        }
    }

    init(_ batch: RowBatch, _ findings: Findings) {
        self.batch = batch
        self.findings = findings
    }

    /// Adds the queries; the rows that they find are locked until the transaction ends.
    func add(to statements: inout PostgresBatch) throws {
        for (place, compared) in batch.plan.uniqueSets.enumerated() {
            var parameters = PostgresParameters()
            var numbers = PostgresArray(elementType: .int8, reservingCapacity: batch.count)
            for index in 0..<batch.count { try numbers.append(Int64(index)) }
            try parameters.append(numbers)
            for buffer in compared.buffers { try parameters.append(batch.buffers[buffer]) }
            if batch.count > 1 { addDuplicates(compared.set, place, parameters, to: &statements) }
            addMatches(compared.set, place, parameters, to: &statements)
        }
    }

    private func addDuplicates(
        _ set: UniqueSet, _ place: Int, _ parameters: PostgresParameters, to statements: inout PostgresBatch
    ) {
        let values = set.columns.indices.map { value($0, set) }
        let text =
            "SELECT d.i, d.w FROM (SELECT u.i, min(u.i) OVER (PARTITION BY \(values.joined(separator: ", "))) AS w"
            + " FROM \(source(set)) WHERE \(values.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))) AS d WHERE d.i <> d.w"
        statements.add(
            PostgresStatement(
                PreparedSQL(text), parameters: parameters, name: "insert: compare rows of \(set.owner.table.name)",
                entity: set.owner.name),
            onRow: { [findings] row in
                findings.duplicates[place][Int(try row.decode(0, as: Int64.self))] =
                    Int(try row.decode(1, as: Int64.self))
            })
    }

    private func addMatches(
        _ set: UniqueSet, _ place: Int, _ parameters: PostgresParameters, to statements: inout PostgresBatch
    ) {
        let owner = set.owner
        let conditions = set.columns.enumerated().map { index, column in
            "t.\(SQLFragment.quoted(column.name)) = \(value(index, set))"
        }
        var columns = "u.i, t.\"pk\""
        var tables = "\(source(set)) JOIN \(owner.table.quoted) AS t ON \(conditions.joined(separator: " AND "))"
        if owner.hasDiscriminator {
            if owner.parent == nil {
                columns += ", t.\"class\""
            } else {
                columns += ", r.\"class\""
                tables += " JOIN \(owner.root.table.quoted) AS r ON r.\"pk\" = t.\"pk\""
            }
        }
        let hasClass = owner.hasDiscriminator
        // In the order of the keys: who looks for the same rows waits for the other instead of deadlocking.
        let text = "SELECT \(columns) FROM \(tables) ORDER BY t.\"pk\" FOR NO KEY UPDATE OF t"
        statements.add(
            PostgresStatement(
                PreparedSQL(text), parameters: parameters, name: "insert: find \(owner.table.name)",
                entity: owner.name),
            onRow: { [findings] row in
                let index = Int(try row.decode(0, as: Int64.self))
                findings.matches[place][index] = (
                    try row.decode(1, as: Int64.self), hasClass ? try row.decode(2, as: String.self) : nil
                )
            })
    }

    private func source(_ set: UniqueSet) -> String {
        let columns = set.columns.enumerated().map { (name: "c\($0)", type: $1.transportType) }
        return RowSource.rows([(name: "i", type: .int8)] + columns, firstParameter: 1)
    }

    private func value(_ index: Int, _ set: UniqueSet) -> String {
        let column = set.columns[index]
        return column.type == column.transportType ? "u.c\(index)" : "u.c\(index)::\(column.type)"
    }
}
