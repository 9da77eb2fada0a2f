import Foundation
import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository

extension ModelContainer {
    /// Whether the container can serve now: whether its servers answer, its tables are still those of its models, and how far
    /// consumers are behind.
    ///
    /// ```swift
    /// let readiness = await container.readiness(of: [index], maximumLag: .seconds(60))
    /// return Response(status: readiness.isReady ? 200 : 503, lines: ["\(readiness)"])
    /// ```
    ///
    /// Up to four round trips a store, which read the catalogs, and two a consumer: for a probe every few seconds. Whether the
    /// process is alive is another question, which needs no server.
    /// - Parameters:
    ///   - consumers: those whose lag is of interest.
    ///   - maximumLag: the longest that one of them may be behind; `nil` when that keeps the container from nothing.
    public func readiness(of consumers: [HistoryConsumer] = [], maximumLag: Duration? = nil) async -> Readiness {
        var found: [Readiness.Store] = []
        for store in stores {
            found.append(Readiness.Store(name: store.configuration.name, state: await state(of: store)))
        }
        var states: [Readiness.Consumer] = []
        for consumer in consumers {
            states.append(Readiness.Consumer(name: consumer.name, state: await consumer.readiness()))
        }
        return Readiness(
            stores: found.sorted { $0.name < $1.name }, consumers: states, maximumLag: maximumLag)
    }

    private func state(of store: Store) async -> Readiness.StoreState {
        let start = ContinuousClock.now
        do {
            let stage = try await store.stageOfFittingTables()
            if let stage { return .migrating(stage: stage.stage.recorded, phase: stage.phase) }
            return .ready(start.duration(to: .now))
        } catch let error as SwiftDataError {
            return .incompatible(error)
        } catch {
            return .unreachable(unreachable(store, error))
        }
    }

    private func unreachable(_ store: Store, _ error: any Error) -> SwiftDataError {
        SwiftDataError(
            .storeFailure, "The store \(store.configuration) does not answer: \(error)",
            underlying: error as? PostgresError)
    }
}

extension Store {
    /// The stage of a migration that is under way, if there is one. Throws ``SwiftDataError`` when the tables do not fit, and
    /// what the server and the pool throw.
    fileprivate func stageOfFittingTables() async throws -> StageUnderWay? {
        try await pool.withConnection(for: "readiness") { connection in
            var query = MigrationRecordQuery(mapping.schemaName)
            do {
                try await connection.perform(&query)
            } catch let error as PostgresError where error.lacksRight {
                // Whoever may not read the ledger sees by the tables whether they fit.
            }
            _ = try await StorePreparation.prepare(
                mapping, on: connection, mode: .verifyOnly, unsettled: query.stage?.unsettled ?? [:])
            return query.stage
        }
    }
}

extension HistoryConsumer {
    /// How far it is behind. Two round trips.
    fileprivate func readiness() async -> Readiness.ConsumerState {
        do {
            guard let token = try await HistoryConsumerPlace.read(name, in: store).token else { return .new }
            let next = try await ModelContext(container).fetchHistory(after: token, limit: 1).transactions.first
            guard let next else { return .upToDate }
            return .behind(.seconds(max(0, Date.now.timeIntervalSince(next.timestamp))))
        } catch SwiftDataError.historyTokenExpired {
            return .expired
        } catch let error as SwiftDataError {
            return .unknown(error)
        } catch {
            return .unknown(SwiftDataError(.storeFailure, "The history could not be read: \(error)"))
        }
    }
}
