package import StrataClient
import StrataModels

/// Makes and drops partitions of some tables on a connection of its own, which holds a lock by name for as long: of several that are at the partitions
/// of a schema, one works.
///
/// The plan is asked again after each action. So what another has done meanwhile, or an earlier one has left in the middle, it sees. What waits for
/// a lock in vain is tried again after a pause, and postponed in the end. A table that cannot be looked after keeps none of the others: why is thrown when
/// they are done.
///
/// Its errors are ``SwiftDataError``.
package struct PartitionCare: StoreOperation {
    package enum Goal: Hashable, Sendable {
        /// That the present and so many periods behind it have partitions, and that nothing is kept for longer than so many microseconds, by
        /// the clock of the server.
        case keeping(ahead: Int, age: Int64?)
        /// That all moments between two have a partition.
        case covering(PostgresTimestamp, PostgresTimestamp)
    }

    /// What was done.
    package struct Outcome: Hashable, Sendable {
        package var made: [String] = []
        package var dropped: [String] = []
        package var postponed: [String] = []
        package var wasLeftToAnother = false
    }

    private enum Step {
        case begin, lock, prepare
        case look(Int)
        case decide(Int)
        case act(Int, PartitionPlan.Action, [PartitionPlan.Action.Part], next: Int)
        case pause(Int, milliseconds: Int, isOpen: Bool)
        case done
    }

    /// How long a statement waits for a lock. Whoever comes behind one that waits for a strong lock waits as well.
    package static let patience = "1s"
    /// How often an action is tried, with pauses between that grow from 0.1 to 1.6 seconds.
    package static let attempts = 5
    /// More than that, and planning a statement takes longer than a partition saves (PostgreSQL manual, 5.12.6).
    package static let mostPartitions = 5_000

    private let tables: [PartitionedTable]
    private let goal: Goal
    private let process: Int32
    private let lock: AdvisorySessionLock
    private var step = Step.begin
    private var inspection: PartitionInspection?
    /// How often an action has waited in vain.
    private var failures: [PartitionPlan.Action: Int] = [:]
    /// Why the first table was left that could not be looked after.
    private var failure: SwiftDataError?
    package private(set) var outcome = Outcome()

    /// - Parameters:
    ///   - schema: the PostgreSQL schema of the tables.
    ///   - process: the server's, as the connection was told when it was opened.
    package init(of tables: [PartitionedTable], in schema: String, _ goal: Goal, process: Int32) throws {
        self.tables = tables
        self.goal = goal
        self.process = process
        lock = try AdvisorySessionLock("partitions", of: schema, waits: false)
    }

    package mutating func next() throws -> PostgresBatch? {
        while true {
            switch step {
            case .begin:
                step = .lock
                // A pooler may hand the second statement to another connection than the first, which shows it.
                return PostgresBatch(PostgresStatement("SELECT"))
            case .lock:
                step = .prepare
                return try lock.taking(on: process)
            case .prepare:
                try requireServer()
                guard lock.isTaken else {
                    outcome.wasLeftToAnother = true
                    step = .done
                    continue
                }
                step = .look(0)
                let setting: SQLFragment = "SELECT set_config('lock_timeout', \(bind: Self.patience), false)"
                return PostgresBatch(try setting.statement(name: "wait for locks"))
            case .look(let place):
                guard place < tables.count else {
                    step = .done
                    return lock.givingBack()
                }
                step = .decide(place)
                let inspection = PartitionInspection(tables[place].table)
                self.inspection = inspection
                var batch = PostgresBatch()
                try inspection.add(to: &batch)
                return batch
            case .decide(let place):
                let table = tables[place]
                let next: PartitionPlan.Action?
                do { next = try action(for: table) } catch {
                    failure = failure ?? error
                    next = nil
                }
                guard let action = next else {
                    outcome.postponed += given.map { $0.description(of: table.table.name) }.sorted()
                    failures = [:]
                    step = .look(place + 1)
                    continue
                }
                step = .act(place, action, action.parts(of: table, hasHistory: inspection?.hasHistory == true), next: 0)
            case .act(let place, let action, let parts, let next):
                guard next < parts.count else {
                    note(action, of: tables[place])
                    step = .look(place)
                    continue
                }
                step = .act(place, action, parts, next: next + 1)
                return try Self.batch(parts[next])
            case .pause(let place, let milliseconds, let isOpen):
                step = .look(place)
                var batch = PostgresBatch()
                if isOpen { batch.rollback() }
                let pause: SQLFragment = "SELECT pg_catalog.pg_sleep(\(bind: Double(milliseconds) / 1000))"
                batch.add(try pause.statement(name: "wait before the next attempt"))
                return batch
            case .done:
                if let failure { throw failure }
                return nil
            }
        }
    }

    package mutating func recover(from error: any Error, in transaction: TransactionState) throws {
        guard let error = error as? PostgresError else { throw error }
        guard case .act(let place, let action, _, _) = step else { throw explained(error, tables) }
        guard ["55P03", "40P01"].contains(error.sqlState) else {
            // Behind a lost connection there is nothing to go on with.
            guard error.code == .server else { throw explained(error, tables) }
            failure = failure ?? explained(error, [tables[place]])
            failures = [:]
            step = .pause(place + 1, milliseconds: 0, isOpen: transaction.isOpen)
            return
        }
        // A detachment that has waited in vain may be an interrupted one now, which the next plan sees.
        let count = failures[action, default: 0] + 1
        failures[action] = count
        step = .pause(place, milliseconds: 50 << count, isOpen: transaction.isOpen)
    }

    // MARK: What is next

    /// What was tried as often as it is.
    private var given: Set<PartitionPlan.Action> { Set(failures.filter { $0.value >= Self.attempts }.keys) }

    private func action(for table: PartitionedTable) throws(SwiftDataError) -> PartitionPlan.Action? {
        guard let inspection, inspection.isPartitioned == true else {
            throw SwiftDataError(
                .storeDoesNotFit,
                "The partitions of \(table.entityName) were not found: the table \(table.table.name) "
                    + "\(inspection?.isPartitioned == nil ? "is missing" : "is not divided by ranges"). Apply the migration that makes it."
            )
        }
        let plan = PartitionPlan(inspection.partitions, every: table.period)
        if let name = plan.defaultPartition {
            throw SwiftDataError(
                .storeDoesNotFit,
                "The partitions of \(table.entityName) cannot be looked after: \(name.name) is a DEFAULT partition, beside which none is detached while "
                    + "others read, and which is scanned under a lock for each that is attached. Move its rows into partitions of their own, and "
                    + "drop it.")
        }
        let given = given
        let action = try actions(of: plan, table).first { !given.contains($0) }
        // One table has one partition on its way out at a time.
        if case .detach = action, given.contains(where: \.isFinish) { return nil }
        return action
    }

    private func actions(
        of plan: PartitionPlan, _ table: PartitionedTable
    ) throws(SwiftDataError) -> [PartitionPlan.Action] {
        switch goal {
        case .keeping(let ahead, let age):
            let now = inspection?.now ?? PostgresTimestamp(microseconds: 0)
            let before = age.map { PostgresTimestamp(microseconds: now.microseconds - $0) }
            return plan.maintenance(now: now, ahead: ahead, dropping: before)
        case .covering(let first, let last):
            let missing = plan.missing(from: first, through: last, atMost: Self.mostPartitions + 1)
            guard missing.count <= Self.mostPartitions else {
                throw SwiftDataError(
                    .invalidValue,
                    "\(table.entityName) was asked for more than \(Self.mostPartitions) partitions: name fewer dates, or a longer period in its "
                        + "#Partition.")
            }
            return missing.map { .make($0) }
        }
    }

    private mutating func note(_ action: PartitionPlan.Action, of table: PartitionedTable) {
        failures[action] = nil
        switch action {
        case .make(let bounds): outcome.made.append(PartitionName.name(of: table.table.name, from: bounds.lower))
        case .drop(let partition): outcome.dropped.append(partition.name)
        case .detach, .finish, .unmark: break
        }
    }

    private static func batch(_ part: PartitionPlan.Action.Part) throws -> PostgresBatch {
        var batch = PostgresBatch()
        if part.isTransaction { batch.begin(.readCommitted) }
        for sql in part.statements { batch.add(try sql.statement(name: "look after partitions")) }
        if part.isTransaction { batch.commit() }
        return batch
    }

    // MARK: What goes wrong

    private func requireServer() throws {
        guard lock.isOfServer else {
            throw SwiftDataError(
                .unsupportedFeature,
                "Partitions were not looked after: a pooler stands before the server, and would hand the connection that detaches one to others. Give "
                    + "the configuration a directURL.")
        }
    }

    private func explained(_ error: PostgresError, _ tables: [PartitionedTable]) -> SwiftDataError {
        let names = tables.map(\.entityName).joined(separator: ", ")
        // The name is that of the period: somebody has kept a table that was its partition.
        let taken = error.sqlState == "42P07"
        let remedy =
            taken
            ? " A table that was detached, and is kept, has the name of the new partition: rename it."
            : error.lacksRight
                ? " Whoever makes and drops partitions owns the table: run it as the role that migrates, with `partitions maintain`."
                : ""
        return SwiftDataError(
            .storeFailure, "Looking after the partitions of \(names): \(error.message)\(remedy)", underlying: error)
    }
}

extension PartitionPlan.Action {
    /// Whether it ends what was interrupted.
    fileprivate var isFinish: Bool {
        if case .finish = self { true } else { false }
    }

    fileprivate func description(of table: String) -> String {
        switch self {
        case .make(let bounds): "make \(PartitionName.name(of: table, from: bounds.lower))"
        case .detach(let partition): "detach \(partition.name)"
        case .finish(let partition): "finish detaching \(partition.name)"
        case .drop(let partition): "drop \(partition.name)"
        case .unmark(let partition): "take the mark from \(partition.name)"
        }
    }
}
