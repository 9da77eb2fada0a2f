public import Foundation
import Logging
import StrataClient
public import StrataModels
import StrataRepository

extension ModelContainer {
    /// The partitions of a class that declares `#Partition`, in the order of time. One round trip.
    ///
    /// ```swift
    /// for partition in try await container.partitions(of: Reading.self) { print(partition.name, partition.bytes) }
    /// ```
    /// - Throws: ``SwiftDataError`` with the code `unsupportedFeature` for a class without `#Partition`, and `storeDoesNotFit` when its table is
    ///   none that is divided.
    public func partitions<T: PersistentModel>(of type: T.Type) async throws -> [ModelPartition] {
        let (store, table) = try partitioned(type)
        let inspection = PartitionInspection(table.table, measures: true)
        var batch = PostgresBatch()
        try inspection.add(to: &batch)
        do {
            try await store.pool.withConnection(for: "list the partitions") { [batch] in try await $0.run(batch) }
        } catch let error as PostgresError {
            throw SwiftDataError(
                .storeFailure, "The partitions of \(type) could not be listed: \(error.message)", underlying: error)
        }
        guard inspection.isPartitioned == true else {
            throw SwiftDataError(
                .storeDoesNotFit,
                "The table \(table.table.name) of \(type) is not there, or not divided by ranges. Apply the migration.")
        }
        return inspection.partitions.map { ModelPartition($0) }
    }

    /// Makes the partitions that a range of dates lacks: for rows of the past, or of a far future.
    ///
    /// ```swift
    /// try await container.makePartitions(of: Reading.self, covering: firstReading...lastReading)
    /// ```
    /// - Returns: what was made.
    /// - Throws: as ``maintainPartitions(ahead:keeping:of:)``; `storeFailure` when another process is at it, or holds a lock for longer than all
    ///   attempts wait; `invalidValue` for more than 5,000 partitions.
    @discardableResult
    public func makePartitions<T: PersistentModel>(
        of type: T.Type, covering dates: ClosedRange<Date>
    ) async throws -> [String] {
        let (store, table) = try partitioned(type)
        let goal = try PartitionCare.Goal.covering(Self.moment(dates.lowerBound), Self.moment(dates.upperBound))
        let outcome = try await look(after: [table], in: store, goal)
        guard outcome.postponed.isEmpty, !outcome.wasLeftToAnother else {
            let why =
                outcome.wasLeftToAnother
                ? "another process is at it"
                : "a lock was held for too long (\(outcome.postponed.joined(separator: ", ")))"
            throw SwiftDataError(.storeFailure, "Not all partitions of \(type) were made: \(why). Try again.")
        }
        return outcome.made
    }

    /// Makes the next partitions of classes that declare `#Partition`, and drops those that are too old.
    ///
    /// Others read and write meanwhile: a partition is made as a table of its own and attached, and detached `CONCURRENTLY` before it is dropped
    /// (PostgreSQL manual, 5.12.2.2). What waits for a lock waits for a second, and is tried again; what cannot be done now is
    /// ``PartitionMaintenance/postponed``. Of several processes that call this, one works on a store at a time. One that ends in the middle leaves
    /// nothing that the next one does not take up.
    ///
    /// Objects of a dropped partition are gone at once, without a trigger. The history has a reset of the class, as for TRUNCATE: consumers read it
    /// anew, and live results are fetched again.
    ///
    /// - Parameters:
    ///   - ahead: how many periods behind the present one have partitions.
    ///   - age: how long objects are kept: a partition is dropped when all of its dates are older, by the clock of the server. `nil` drops nothing but what an earlier
    ///     round has detached to drop it.
    ///   - types: the classes; all that declare `#Partition` without.
    /// A class whose table cannot be looked after keeps none of the others: the first reason is thrown when they are done.
    ///
    /// - Returns: what was done.
    /// - Throws: ``SwiftDataError``: `storeFailure`, with what to do, for a login that does not own the table; `storeDoesNotFit` for a table with a
    ///   default partition; `unsupportedFeature` for a class without `#Partition`; `invalidValue` for a negative number. `CancellationError`.
    @discardableResult
    public func maintainPartitions(
        ahead: Int = 3, keeping age: Duration? = nil, of types: any PersistentModel.Type...
    ) async throws -> PartitionMaintenance {
        try await maintainPartitions(ahead, age, types)
    }

    /// Makes the next partitions, and drops old ones, again and again until the task is cancelled or the container is closed: a task for a service.
    ///
    /// ```swift
    /// group.addTask { try await container.keepPartitions(ahead: 3, for: .seconds(400 * 86_400), of: Reading.self) }
    /// ```
    /// Every process of a service may run it: one at a time works. What fails and may pass, such as a lost connection, is tried again at the next
    /// round. See ``maintainPartitions(ahead:keeping:of:)``.
    /// - Parameters:
    ///   - ahead: how many periods behind the present one have partitions.
    ///   - age: how long objects are kept; `nil` for ever.
    ///   - types: the classes; all that declare `#Partition` without.
    ///   - interval: the time from one round to the next.
    /// - Throws: ``SwiftDataError`` for what does not pass, such as a login that does not own the table. Not `CancellationError`: it returns when
    ///   the task is cancelled.
    public func keepPartitions(
        ahead: Int = 3, for age: Duration? = nil, of types: any PersistentModel.Type...,
        every interval: Duration = .seconds(3600)
    ) async throws {
        try await keepPartitions(ahead, age, types, every: interval)
    }

    package func keepPartitions(
        _ ahead: Int, _ age: Duration?, _ types: [any PersistentModel.Type], every interval: Duration
    ) async throws {
        try await inRounds(every: interval, unlessItPasses: "Partitions could not be looked after now.") {
            let outcome = try await maintainPartitions(ahead, age, types)
            guard !outcome.isEmpty else { return }
            logger.info(
                "Partitions were looked after.",
                metadata: [
                    "made": "\(outcome.made)", "dropped": "\(outcome.dropped)", "postponed": "\(outcome.postponed)",
                ])
        }
    }

    private func maintainPartitions(
        _ ahead: Int, _ age: Duration?, _ types: [any PersistentModel.Type]
    ) async throws -> PartitionMaintenance {
        guard (0...PartitionCare.mostPartitions).contains(ahead) else {
            throw SwiftDataError(
                .invalidValue,
                "\(ahead) partitions cannot be made ahead: name a number from 0 to \(PartitionCare.mostPartitions).")
        }
        if let age, age < .zero {
            throw SwiftDataError(.invalidValue, "Objects cannot be kept for \(age): the time must not be negative.")
        }
        let chosen = try types.map { try partitioned($0).table }
        var maintenance = PartitionMaintenance()
        for store in stores {
            try Task.checkCancellation()
            try store.requireLife()
            guard store.mapping.tables == .own else { continue }
            let tables = store.mapping.entities.compactMap(store.partitionedTable)
                .filter { types.isEmpty || chosen.contains($0) }
            guard !tables.isEmpty else { continue }
            let goal = PartitionCare.Goal.keeping(ahead: ahead, age: age.map { Int64($0.inSeconds) * 1_000_000 })
            let outcome = try await look(after: tables, in: store, goal)
            maintenance.made += outcome.made
            maintenance.dropped += outcome.dropped
            maintenance.postponed += outcome.postponed
            if outcome.wasLeftToAnother { maintenance.wasLeftToAnother = true }
        }
        return maintenance
    }

    /// On a connection that is nobody else's: it waits for locks in its own way, and the lock by name ends with it.
    private func look(
        after tables: [PartitionedTable], in store: Store, _ goal: PartitionCare.Goal
    ) async throws -> PartitionCare.Outcome {
        let connection: PostgresConnection
        do {
            connection = try await PostgresConnection.connect(
                store.feed.configuration.withoutLimits, logger: store.feed.logger, observer: store.pool.observer)
        } catch let error as PostgresError {
            throw SwiftDataError(
                .storeFailure, "Partitions could not be looked after: \(error.message)", underlying: error)
        }
        defer { connection.close() }
        var care = try PartitionCare(
            of: tables, in: store.mapping.schemaName, goal, process: connection.backendID)
        try await connection.perform(&care)
        return care.outcome
    }

    private static func moment(_ date: Date) throws -> PostgresTimestamp {
        do { return PostgresTimestamp(microseconds: try date.postgresMicroseconds) } catch {
            throw SwiftDataError(.invalidValue, "\(error.message)", underlying: error)
        }
    }

    /// The class's place, if its table is divided.
    private func partitioned(_ type: any PersistentModel.Type) throws -> (store: Store, table: PartitionedTable) {
        for store in stores {
            if let entity = store.mapping.entity(for: type), let table = store.partitionedTable(entity),
                store.mapping.tables == .own
            {
                return (store, table)
            }
        }
        throw SwiftDataError(
            .unsupportedFeature,
            "\(type) has no partitions that Strata looks after: its class declares no #Partition, or it does not belong to this container, or somebody else "
                + "makes its table (tables: .external), and its partitions.")
    }
}

extension Store {
    /// `nil` for a class whose table is one.
    fileprivate func partitionedTable(_ entity: EntityMapping) -> PartitionedTable? {
        PartitionedTable(
            entity.name, entity.table, entity.partitioning, isRecorded: recordsHistory && entity.entity.recordsHistory)
    }
}
