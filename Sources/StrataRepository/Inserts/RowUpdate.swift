import StrataClient
import StrataModels

/// Writes rows of a batch over rows that are stored.
struct RowUpdate {
    private let update: RowInsertPlan.Update
    private let batch: RowBatch

    init(_ update: RowInsertPlan.Update, _ batch: RowBatch) {
        self.update = update
        self.batch = batch
    }

    /// - Parameter targets: the stored rows, in the order of the rows of the batch that they get.
    func statement(_ targets: [RowTargets.Target]) throws -> PostgresStatement {
        let keys = try PostgresArray(targets.compactMap(\.key), of: update.entity.keyKind)
        var columns: [(name: String, values: PostgresArray)] = [("pk", keys)]
        for (index, column) in update.columns.enumerated() {
            columns.append(("c\(index)", values(column.buffer, targets)))
        }
        var parameters = PostgresParameters()
        let source = try RowSource.append(columns, to: &parameters)
        let set = update.columns.enumerated().flatMap { index, column in
            let value = "u.c\(index)"
            let cast = column.column.type == column.column.transportType ? value : "\(value)::\(column.column.type)"
            return column.column.assignments(update.entity.asWritten(cast, in: column.column)).map {
                "\($0.name) = \($0.value)"
            }
        }
        let (table, key) = (update.entity.table, update.entity.key)
        return PostgresStatement(
            .interned(
                "UPDATE \(table.quoted) AS t SET \(set.joined(separator: ", ")) FROM \(source) WHERE \(key.isEqual(to: "u.pk", of: "t"))"
            ),
            parameters: parameters, name: "insert: update \(table.name)", entity: update.entity.name)
    }

    private func values(_ buffer: Int, _ targets: [RowTargets.Target]) -> PostgresArray {
        let all = batch.buffers[buffer]
        if targets.count == batch.count { return all }
        var elements = PostgresArrayElements(all)
        var values = PostgresArray(elementType: all.elementType, reservingCapacity: targets.count)
        var row = 0
        for target in targets {
            while row < target.row {
                elements.skip()
                row += 1
            }
            values.append(nextOf: &elements)
            row += 1
        }
        return values
    }
}
