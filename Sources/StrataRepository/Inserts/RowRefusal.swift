import StrataClient
import StrataModels

/// What the server has refused of a batch of rows, in the words of the model.
struct RowRefusal {
    private let error: PostgresError
    private let step: RowBatchExecution.Step?
    private let batch: RowBatch
    private let rows: [Int]?
    private let targets: [RowTargets.Target]

    /// - Parameter rows: which rows of the batch are new, ascending; `nil` for all.
    init(
        _ error: PostgresError, _ step: RowBatchExecution.Step?, _ batch: RowBatch, rows: [Int]?,
        targets: [RowTargets.Target]
    ) {
        self.error = error
        self.step = step
        self.batch = batch
        self.rows = rows
        self.targets = targets
    }

    var explained: SwiftDataError {
        let place = row.map(batch.name) ?? batch.nameOfAll
        func refusal(_ code: SwiftDataError.Code, _ reason: String) -> SwiftDataError {
            SwiftDataError(code, "\(place): \(reason)", details: error.detail, underlying: error)
        }
        switch error.sqlState {
        case "23505":
            return refusal(
                .uniqueConstraint,
                "an object with the same \(names ?? "unique value")\(error.isRegardlessOfCase ? ", regardless of case," : "") is there already. Leave the row out"
                    + (batch.plan.policy == .fail ? ", or choose a uniquePolicy that updates or ignores." : "."))
        case "23503":
            return refusal(
                .modelNotFound,
                "\(names ?? "a relationship") refers to an object that is not in the database. Save it first, or set the relationship to nil."
            )
        case _ where error.saysInvalidValue:
            if let rule = BrokenRule(error, mapping: batch.plan.mapping) { return rule.error(of: place) }
            if let missing = MissingPartition(error, mapping: batch.plan.mapping) { return missing.error(of: place) }
            return refusal(
                .invalidValue,
                "\(names ?? "a value") is refused by the database\(error.constraint.map { " (constraint \($0))" } ?? ""). Change the value, or "
                    + "leave the row out.")
        default:
            var explained = SaveExecution.explain(error, mapping: batch.plan.mapping)
            if explained.code == .storeFailure {
                explained = SwiftDataError(
                    .storeFailure, "Rows were not inserted into \(batch.plan.entity.name): \(error.message)",
                    underlying: error)
            }
            return explained
        }
    }

    // MARK: Which row

    /// The place of the row in the batch, where the server says it.
    private var row: Int? {
        if batch.count == 1 { return 0 }
        switch step {
        case .copy(let copy):
            guard let line = line(copy.table.entity.table.name) else { return nil }
            guard let rows else { return line <= batch.count ? line - 1 : nil }
            return line <= rows.count ? rows[line - 1] : nil
        case .batch, nil:
            guard let values = failingValues else { return nil }
            let kind = batch.plan.entity.keyKind
            guard kind == .text else {
                let key = RowKey(values.prefix { $0.isASCII && ($0.isHexDigit || $0 == "-") }, of: kind)
                return key.flatMap { key in targets.first { $0.key == key }?.row }
            }
            // A text may have commas of its own.
            let fitting = targets.filter { target in target.key?.text.map { values.hasPrefix($0 + ", ") } == true }
            return fitting.count == 1 ? fitting[0].row : nil
        }
    }

    /// The number in `COPY trips, line 12`: the server writes it in its own language, in this order as a rule.
    private func line(_ table: String) -> Int? {
        guard let context = error.serverContext, let start = context.firstRange(of: "COPY \(table), ")?.upperBound
        else {
            return nil
        }
        let rest = context[start...].drop { !$0.isASCII || !$0.isNumber }
        return Int(rest.prefix { $0.isASCII && $0.isNumber }).flatMap { $0 > 0 ? $0 : nil }
    }

    /// `12, …)` of `Failing row contains (12, …)`: the key is each table's first column.
    private var failingValues: Substring? {
        guard ["23514", "23502"].contains(error.sqlState), let detail = error.detail,
            let start = detail.firstIndex(of: "(")
        else { return nil }
        return detail[detail.index(after: start)...]
    }

    // MARK: Which property

    /// The properties that the error is about, where the server says it.
    private var names: String? {
        let family = batch.plan.entity.layers
        guard let owner = family.first(where: { $0.table.isNamed(by: error) }) ?? copied else { return nil }
        let columns = owner.base.tableColumns
        if let name = error.column ?? columnOfContext { return owner.propertyName(ofColumn: name) }
        if let named = keyColumns {
            return named.compactMap { owner.propertyName(ofColumn: $0) }.joined(separator: ", ")
        }
        guard let constraint = error.constraint else { return nil }
        // A check's own name says which columns it is about, where it was made from them.
        let mentioned = columns.filter { constraint.contains($0.name) }
        return mentioned.count == 1 ? mentioned[0].propertyName : nil
    }

    private var copied: EntityMapping? {
        if case .copy(let copy)? = step { copy.table.entity } else { nil }
    }

    /// The column at the end of `COPY trips, line 12, column Trip Name`: the longest, as names may have blanks.
    private var columnOfContext: String? {
        guard let copied, let context = error.serverContext,
            let start = context.firstRange(of: "COPY \(copied.table.name), ")?.upperBound
        else { return nil }
        let line = context[start...].prefix { $0 != "\n" && $0 != ":" }
        return copied.base.tableColumns.map(\.name).filter { line.hasSuffix(" \($0)") }.max { $0.count < $1.count }
    }

    /// The columns in `Key (name, start_date)=(…)`.
    private var keyColumns: [String]? {
        guard ["23505", "23503"].contains(error.sqlState) else { return nil }
        let columns = error.keyColumns
        return columns.isEmpty ? nil : columns
    }
}
