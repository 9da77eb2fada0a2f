package import StrataClient
import StrataModels

/// Where new keys come from.
package struct KeySource {
    let take: (Int) -> [RowKey]?
    let reserve: (Int) throws -> PostgresBatch

    /// - Parameters:
    ///   - take: so many keys in ascending order; `nil` when fewer are at hand.
    ///   - reserve: what makes so many be at hand, in one round trip.
    package init(take: @escaping (Int) -> [RowKey]?, reserve: @escaping (Int) throws -> PostgresBatch) {
        self.take = take
        self.reserve = reserve
    }
}

/// One batch of rows on its way into the tables, within a transaction: look, update what is there, then load what is new.
package final class RowBatchExecution {
    /// What is to be done next.
    package enum Step {
        case batch(PostgresBatch)
        case copy(RowCopy)
    }

    private enum Place {
        case beginning, found, keys, update
        case copy(Int)
        case done
    }

    private let batch: RowBatch
    private let keys: KeySource
    private var plan: RowInsertPlan { batch.plan }
    private var place = Place.beginning
    private var findings: RowLookup.Findings
    private var targets: RowTargets
    /// The keys of the rows that are new.
    private var newKeys: [RowKey] = []
    /// The key of each target.
    private var targetKeys: [RowKey] = []
    private var attempts = 0

    private static let savepoint = "strata_rows"

    package init(_ batch: RowBatch, keys: KeySource) {
        self.batch = batch
        self.keys = keys
        findings = RowLookup.Findings(sets: batch.plan.uniqueSets.count)
        targets = RowTargets(allNew: batch.count, of: batch)
    }

    package func next() throws -> Step? {
        while true {
            switch place {
            case .beginning:
                if attempts == 0 {
                    try batch.checkPrecision()
                    try batch.checkSharedColumns()
                    try batch.checkTenants()
                }
                place = .found
                if !plan.uniqueSets.isEmpty { return .batch(try look()) }
            case .found:
                place = .keys
                if !plan.uniqueSets.isEmpty { targets = try RowTargets(batch, findings) }
            case .keys:
                let count = newTargets.count
                if !plan.keyBuffers.isEmpty {
                    settle(try batch.keys(of: newRows))
                    place = .update
                    continue
                }
                guard let taken = keys.take(count) else { return .batch(try keys.reserve(count)) }
                settle(taken)
                place = .update
            case .update:
                place = .copy(0)
                if let updates = try updates() { return .batch(updates) }
            case .copy(let table):
                guard table < plan.tables.count, !newKeys.isEmpty else {
                    place = .done
                    continue
                }
                place = .copy(table + 1)
                if plan.insertsArrays {
                    let arrays = RowArrays(batch, plan.tables[table], rows: newRows, keys: newKeys)
                    return .batch(PostgresBatch(try arrays.statement()))
                }
                return .copy(RowCopy(batch, plan.tables[table], rows: newRows, keys: newKeys))
            case .done: return nil
            }
        }
    }

    /// Whether the COPY that was handed out last is the last step.
    package var isAtLastCopy: Bool {
        if case .copy(let next) = place { next == plan.tables.count } else { false }
    }

    // MARK: Steps

    private func look() throws -> PostgresBatch {
        var statements = PostgresBatch()
        if attempts > 0 {
            statements.rollback(to: Self.savepoint)
        } else {
            // That of the last batch ends with the transaction.
            if batch.first > 0 { statements.release(Self.savepoint) }
            statements.savepoint(Self.savepoint)
        }
        findings = RowLookup.Findings(sets: plan.uniqueSets.count)
        try RowLookup(batch, findings).add(to: &statements)
        return statements
    }

    private var newTargets: [Int] { targets.targets.indices.filter { targets.targets[$0].key == nil } }

    /// The rows of the batch that are loaded, in the order of their keys; `nil` for all.
    private var newRows: [Int]? {
        guard !plan.uniqueSets.isEmpty else { return nil }
        return targets.targets.filter { $0.key == nil }.map(\.row).sorted()
    }

    private func settle(_ taken: [RowKey]) {
        newKeys = taken
        targetKeys = targets.targets.map { $0.key ?? 0 }
        // Rows are loaded in their order in the batch, and have keys in that order.
        let inOrder = newTargets.sorted { targets.targets[$0].row < targets.targets[$1].row }
        for (target, key) in zip(inOrder, taken) { targetKeys[target] = key }
    }

    /// The stored rows that are written, with the row of the batch that each gets.
    private var updated: [RowTargets.Target] {
        plan.policy.writesRows ? targets.targets.filter { $0.key != nil } : []
    }

    private func updates() throws -> PostgresBatch? {
        let updated = updated.sorted { $0.row < $1.row }
        guard !updated.isEmpty, !plan.updates.isEmpty else { return nil }
        var statements = PostgresBatch()
        for update in plan.updates {
            statements.add(try RowUpdate(update, batch).statement(updated))
        }
        return statements
    }

    // MARK: Afterwards

    /// How many objects are new.
    package var insertedCount: Int { newKeys.count }
    /// The keys of the stored rows that were written.
    package var updatedKeys: [RowKey] { updated.compactMap(\.key) }
    /// The key of the object that each row of the batch has become.
    package var keysOfRows: [RowKey] { targets.places.map { targetKeys[$0] } }

    // MARK: Failure

    /// Goes back to the beginning where the batch has lost a race for a unique value: it finds the row that won.
    ///
    /// Throws what the error means where that is of no use.
    package func recover(from error: any Error, during step: Step?) throws {
        guard let error = error as? PostgresError else { throw error }
        attempts += 1
        if error.sqlState == "23505", attempts < SaveAttempts.limit,
            plan.uniqueSets.contains(where: { compared in
                compared.set.owner.table.isNamed(by: error)
                    && compared.set.isViolated(by: error)
            })
        {
            place = .beginning
            return
        }
        throw RowRefusal(error, step, batch, rows: newRows, targets: targets.targets).explained
    }
}
