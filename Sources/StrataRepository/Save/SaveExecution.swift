package import StrataClient
import StrataModels

/// One save: a transaction in one round trip, or in two when rows may exist that new objects are equal to or the order of a
/// stored relationship changes. One more for each level of unique values that refer to objects which turned out to be rows.
///
/// Models are only read. What changed for them is in ``result`` after the last batch; after an error nothing did.
package final class SaveExecution: StoreOperation {
    private enum Step {
        /// Asks for rows that new objects are equal to, and for the positions in ordered relationships.
        case lookUp(SaveContext, UniqueLookup, PositionLookup?)
        case resolve(SaveContext, UniqueLookup, PositionLookup?)
        /// Asks for the positions in ordered relationships.
        case locate(SaveContext, PositionLookup)
        case order(SaveContext, PositionLookup)
        case write
        /// Sends a statement that decides by the number of rows it wrote.
        case writeAlone(SaveStatement)
        case done
    }

    let request: SaveRequest
    let mapping: StoreMapping
    private(set) var plan: SavePlan
    private var upserts: [(model: any PersistentModel, key: RowKey)] = []
    private var step: Step
    /// Whether a transaction (or savepoint) of this save was begun in an earlier batch.
    private(set) var hasBegun = false
    private(set) var hadLookup = false
    /// The tables whose unique values were looked up.
    private(set) var lookedUp = Set<TableName>()
    /// The rows that were found to have the values of new objects.
    private(set) var found = Set<RowKey>()
    /// What the save did; complete when the last batch was carried out.
    package let result = SaveResult()

    /// Checks and encodes everything before anything is sent.
    ///
    /// - Throws: ``SwiftDataError``, naming entity and property, for a required relationship without a target, a number of
    ///   objects outside its limits, a value that is not loaded or cannot be encoded.
    package init(_ request: SaveRequest, mapping: StoreMapping) throws {
        self.request = request
        self.mapping = mapping
        if let update = try LoneUpdate.statement(request, mapping) {
            plan = SavePlan(update)
            step = request.insideTransaction ? .write : .writeAlone(update)
            return
        }
        let (context, plan, lookup, positions) = try request.asItBegan {
            var context = try SaveContext(request, mapping: mapping)
            try SaveValidation.check(context)
            let positions = try PositionLookup(context)
            if let positions, positions.statements.isEmpty { context.positions = positions.positions }
            let plan = try SavePlan(context)
            return (context, plan, plan.isEmpty ? nil : try UniqueLookup(context), positions)
        }
        self.plan = plan
        let isLocated = positions?.statements.isEmpty ?? true
        if let lookup {
            step = .lookUp(context, lookup, positions)
            lookedUp = lookup.tables
        } else if let positions, !isLocated {
            step = .locate(context, positions)
        } else {
            step = plan.isEmpty ? .done : .write
        }
        hadLookup = lookup != nil || !isLocated
    }

    /// The name of the savepoint that stands for the transaction when one is open already.
    static let savepoint = "strata_save"

    package func next() throws -> PostgresBatch? {
        while true {
            switch step {
            case .lookUp(let context, let lookup, let positions):
                step = .resolve(context, lookup, positions)
                return try ask(lookup.statements + (positions?.statements ?? []))
            case .resolve(let context, let lookup, let positions):
                try request.asItBegan { try resolve(context, lookup, positions) }
            case .locate(let context, let positions):
                step = .order(context, positions)
                return try ask(positions.statements)
            case .order(var context, let positions):
                context.positions = positions.positions
                try request.asItBegan { plan = try SavePlan(context, upserts: upserts) }
                step = .write
            case .write:
                step = .done
                return try writeBatch()
            case .writeAlone(let statement):
                step = .done
                result.updatedCount = statement.rows
                var batch = PostgresBatch()
                // Without BEGIN and COMMIT: what is sent together is one transaction (manual, 55.2.4).
                try batch.set(request.authorship)
                addCounted(statement, to: &batch)
                return batch
            case .done:
                return nil
            }
        }
    }

    private func ask(_ questions: [SaveStatement]) throws -> PostgresBatch {
        var batch = PostgresBatch()
        if !hasBegun { try begin(&batch, needsSavepoint: needsSavepoint) }
        for statement in questions { batch.add(statement.statement, onRow: statement.onRow) }
        return batch
    }

    private func begin(_ batch: inout PostgresBatch, needsSavepoint: Bool) throws {
        hasBegun = true
        if needsSavepoint { batch.savepoint(Self.savepoint) } else if !request.insideTransaction { batch.begin() }
        try batch.set(request.authorship)
    }

    /// Whether a transaction around this save outlives it when it fails: its block goes on, or the save is done again, or what the
    /// transaction has written before must be there still when it is asked what stood in the way.
    ///
    /// Otherwise there is no savepoint. A row that the transaction locked and a savepoint changes has two lockers for the server, which
    /// each later look at it must tell apart (PostgreSQL, 25.1.5.1, multixacts): a queue is five times as slow by that.
    var needsSavepoint: Bool {
        request.insideTransaction
            && (!request.commitsTransaction || request.followsWrites || hadLookup
                || plan.statements.contains(where: ConflictQuery.mayHealForms))
    }

    private func writeBatch() throws -> PostgresBatch {
        var batch = PostgresBatch()
        let (isAlone, needsSavepoint) = (needsNoTransaction, needsSavepoint)
        if !hasBegun, !isAlone { try begin(&batch, needsSavepoint: needsSavepoint) }
        result.taken = plan.taken
        for statement in plan.statements {
            switch statement.kind {
            case .insert: result.insertedCount += statement.rows
            case .update, .classChange: result.updatedCount += statement.rows
            case .delete: result.deletedCount += statement.rows
            case .softDelete, .link, .lookup, .setting: break
            }
        }
        if isAlone, let statement = plan.statements.first {
            try addAlone(statement, to: &batch)
            return batch
        }
        for statement in plan.statements {
            batch.add(
                statement.statement, onRow: rowHandler(of: statement),
                onComplete: countHandler(of: statement))
        }
        if needsSavepoint { batch.release(Self.savepoint) }
        if !request.insideTransaction || request.commitsTransaction {
            // The transaction goes back to the savepoint, whatever the batch was to end.
            batch.keepsFailedTransaction = needsSavepoint
            if request.asksForMoment {
                batch.add(
                    try HistoryMoment.ofTransaction(in: mapping.schemaName),
                    onRow: { [unowned self] in try result.moment.take($0) })
            }
            batch.commit()
        }
        return batch
    }

    private func addAlone(_ statement: SaveStatement, to batch: inout PostgresBatch) throws {
        guard let plain = try UpdateStatement.alone(statement, request.conflictPolicy) else {
            return batch.addCommitting(statement.statement, onRow: rowHandler(of: statement))
        }
        addCounted(plain, to: &batch)
    }

    private func addCounted(_ update: SaveStatement, to batch: inout PostgresBatch) {
        batch.addCommitting(
            update.statement,
            onRow: update.returnsMoment ? { [unowned self] in try result.moment.take($0) } : nil,
            onComplete: countHandler(of: update))
    }

    private func countHandler(of statement: SaveStatement) -> ((Int) throws -> Void)? {
        guard statement.isCounted else { return nil }
        return { count in if count != 1 { throw UpdateMismatch() } }
    }

    /// Whether there is one statement and nothing that it depends on: it is all or nothing by itself.
    private var needsNoTransaction: Bool {
        !hasBegun && plan.statements.count == 1 && !request.insideTransaction && !request.asksForMoment
            && request.authorship.isEmpty && !mapping.defersUniqueValues
    }

    /// Rows come back of what was deleted by rules, and where the policy lets the database win.
    private func rowHandler(of statement: SaveStatement) -> ((PostgresRow) throws -> Void)? {
        if statement.returnsKeys {
            return { [unowned self] row in result.doomed.append(try mapping.doomed(row)) }
        }
        if case .softDelete = statement.kind {
            return { [unowned self] row in result.softlyDeleted.append(try mapping.softlyDeleted(row)) }
        }
        guard case .update(let group) = statement.kind, group.keepsStore(request.conflictPolicy) else { return nil }
        return { [unowned self] row in try collectLost(row, group) }
    }

    private func collectLost(_ row: PostgresRow, _ group: UpdateGroup) throws {
        let key = row.key(0, group.owner.keyKind)
        guard let model = group.model(key: key) else { return }
        guard let lost = try row.decodeIfPresent(1, as: [Bool].self) else {
            // Each of its tables says so.
            if !result.gone.contains(where: { $0 === model }) { result.gone.append(model) }
            return
        }
        let slots = zip(group.checked, lost).compactMap { $1 ? $0 : nil }
        result.stale.append((model, SlotSet(slots)))
    }

    /// Rows that exist take the place of new objects: plans again with their keys.
    private func resolve(_ context: SaveContext, _ lookup: UniqueLookup, _ positions: PositionLookup?) throws {
        found.formUnion(lookup.findings.matches.map(\.key))
        let resolution = try lookup.resolution()
        if let further = try lookup.further(after: resolution) {
            // The positions come with the first look; whose they are is decided after the last.
            step = .lookUp(context, further, nil)
            return
        }
        guard !resolution.rewriting.isEmpty else {
            // Without a question, the plan has the positions already.
            step = positions.map { $0.statements.isEmpty ? .write : .order(context, $0) } ?? .write
            return
        }
        result.rekeyed = resolution.rekeyed
        result.merged = resolution.merged
        result.stale = resolution.stale
        var context = context
        context.rewriting = resolution.rewriting
        upserts = request.uniquePolicy.writesRows ? resolution.rekeyed : []
        // Other owners, and other objects, than was thought.
        let positions = try PositionLookup(context)
        context.positions = PlannedPositions()
        if let positions {
            step = positions.statements.isEmpty ? .order(context, positions) : .locate(context, positions)
        } else {
            plan = try SavePlan(context, upserts: upserts)
            step = .write
        }
    }
}
