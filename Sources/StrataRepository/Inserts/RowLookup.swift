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
        var matches: [[Int: (key: RowKey, className: String?)]]

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
            let query = UniqueQuery(of: compared.set)
            if batch.count > 1 { addDuplicates(query, compared.set, place, parameters, to: &statements) }
            addMatches(query, compared.set, place, parameters, to: &statements)
        }
    }

    private func addDuplicates(
        _ query: UniqueQuery, _ set: UniqueSet, _ place: Int, _ parameters: PostgresParameters,
        to statements: inout PostgresBatch
    ) {
        let text = query.duplicates(winner: "min")
        statements.add(
            PostgresStatement(
                .interned(text), parameters: parameters, name: "insert: compare rows of \(set.owner.table.name)",
                entity: set.owner.name),
            onRow: { [findings] row in
                findings.duplicates[place][Int(try row.decode(0, as: Int64.self))] =
                    Int(try row.decode(1, as: Int64.self))
            })
    }

    private func addMatches(
        _ query: UniqueQuery, _ set: UniqueSet, _ place: Int, _ parameters: PostgresParameters,
        to statements: inout PostgresBatch
    ) {
        let text = query.matches(where: nil, locksRows: true)
        let (owner, hasClass) = (set.owner, query.hasClass)
        let statement = PostgresStatement(
            .interned(text), parameters: parameters, name: "insert: find \(owner.table.name)", entity: owner.name)
        if owner.readsClassOfTables { statements.add(statement) }
        statements.add(
            statement,
            onRow: { [findings] row in
                let index = Int(try row.decode(0, as: Int64.self))
                findings.matches[place][index] = (
                    row.key(1, owner.keyKind), hasClass ? try row.decode(2, as: String.self) : nil
                )
            })
    }
}
