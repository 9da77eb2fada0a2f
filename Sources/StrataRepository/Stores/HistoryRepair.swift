package import StrataClient
import StrataModels

/// Makes a store's history as it must be, inside a transaction that its driver has begun. The last batch ends it.
package struct HistoryRepair: StoreOperation {
    private enum Step { case lock, repair, done }

    private let findings: StoreFindings
    private var step = Step.lock

    package init(_ mapping: StoreMapping) {
        findings = StoreFindings(mapping)
    }

    package mutating func next() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        switch step {
        case .lock:
            let lock: SQLFragment = "SELECT pg_catalog.pg_advisory_xact_lock(\(bind: StoreCreation.lockKey))"
            batch.add(try lock.statement(name: "wait for other creators"))
            try findings.addInspection(to: &batch)
            step = .repair
        case .repair:
            for statement in findings.historyRepair {
                batch.add(PostgresStatement(PreparedSQL(statement.text, isCached: false), name: "repair the history"))
            }
            try findings.addDescription(to: &batch, always: true)
            batch.commit()
            step = .done
        case .done:
            return nil
        }
        return batch
    }
}
