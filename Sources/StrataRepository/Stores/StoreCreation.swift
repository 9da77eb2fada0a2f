import StrataClient
import StrataModels

/// Creates what a store lacks, inside a transaction that its driver has begun. The last batch ends the transaction.
struct StoreCreation: StoreOperation {
    private enum Step { case lock, vacancy, create, done }

    /// "Strata" in ASCII: one lock a database for everything that creates tables of stores.
    static let lockKey: Int64 = 0x5374_7261_7461

    private let findings: StoreFindings
    /// Asked where the store has to be new: nobody's tables are completed then, and no record is taken over.
    private let vacancy: TenantVacancy?
    private var step = Step.lock
    private var advice: [String] = []
    private var isNew = false

    init(_ mapping: StoreMapping, onlyNew: Bool = false) {
        findings = StoreFindings(mapping)
        vacancy = onlyNew ? TenantVacancy(mapping.schemaName) : nil
    }

    mutating func next() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        switch step {
        case .lock:
            let lock: SQLFragment = "SELECT pg_catalog.pg_advisory_xact_lock(\(bind: Self.lockKey))"
            batch.add(try lock.statement(name: "wait for other creators"))
            // Each statement sees what was committed before it began: whoever waited sees the other's tables.
            try findings.addInspection(to: &batch)
            step = vacancy == nil ? .create : .vacancy
        case .vacancy:
            try vacancy?.addReading(to: &batch, hasStores: findings.hasStoreTable)
            step = .create
        case .create:
            if let vacancy, vacancy.isTaken {
                throw SwiftDataError(.tenantExists, "Nothing was created: \(vacancy.reason).")
            }
            let difference = findings.differenceOfExisting
            guard difference.misfits.isEmpty else { throw findings.misfit(difference.misfits) }
            advice = difference.advice
            isNew = findings.isNew
            for statement in findings.missing {
                batch.add(
                    PostgresStatement(PreparedSQL(statement.text, isCached: false), name: "create what is missing"))
            }
            try findings.row.addInsertion(to: &batch)
            try findings.row.addReading(to: &batch)
            try findings.addDescription(to: &batch)
            batch.commit()
            step = .done
        case .done:
            return nil
        }
        return batch
    }

    func identity() throws(SwiftDataError) -> StoreIdentity {
        guard let identifier = findings.row.identifier else {
            throw findings.misfit(["the row in \(LibrarySchema.name).\(LibrarySchema.store.name) cannot be read"])
        }
        return StoreIdentity(identifier: identifier, number: findings.row.number, advice: advice, isNew: isNew)
    }
}
