import StrataClient

extension ModelContainer {
    /// How the connections of each store are used at this moment, in the order of the stores' names; behind each store those to its replicas. No
    /// round trip.
    ///
    /// ```swift
    /// for pool in container.poolUse { print(pool.name, pool.inUse, pool.waiting) }
    /// ```
    public var poolUse: [PoolUse] {
        stores.sorted { $0.configuration.name < $1.configuration.name }.flatMap { store in
            ([store.pool] + (store.replicas?.pools ?? [])).enumerated().map { number, pool in
                let figures = pool.figures
                return PoolUse(
                    store: store.configuration.name, replica: number == 0 ? nil : number, open: figures.open,
                    inUse: figures.inUse, waiting: figures.waiting, maximum: pool.options.maximumConnections)
            }
        }
    }

    /// Asks the servers of all stores whether they answer; blocks this thread. Returns the time of the slowest, the wait for a
    /// connection included.
    ///
    /// One round trip a store, and another where no connection is open.
    /// - Throws: ``SwiftDataError`` (`storeFailure`), naming the store that does not answer.
    public func ping() throws -> Duration {
        try stores.map { store in
            try ContinuousClock().measure {
                do {
                    try store.pool.withConnection(for: "ping") { try $0.ping() }
                } catch let error as PostgresError {
                    throw unreachable(store, error)
                }
            }
        }.max() ?? .zero
    }

    /// Asks the servers of all stores whether they answer. Returns the time of the slowest, the wait for a connection included.
    ///
    /// ```swift
    /// router.get("health") { _, _ in
    ///     _ = try await container.ping()
    ///     return HTTPResponse.Status.ok
    /// }
    /// ```
    ///
    /// One round trip a store, and another where no connection is open.
    /// - Throws: ``SwiftDataError`` (`storeFailure`), naming the store that does not answer; `CancellationError`.
    public func ping() async throws -> Duration {
        var slowest = Duration.zero
        for store in stores {
            let time = try await ContinuousClock().measure {
                do {
                    try await store.pool.withConnection(for: "ping") { try await $0.ping() }
                } catch let error as PostgresError {
                    throw unreachable(store, error)
                }
            }
            slowest = max(slowest, time)
        }
        return slowest
    }

    private func unreachable(_ store: Store, _ error: PostgresError) -> SwiftDataError {
        SwiftDataError(
            .storeFailure, "The store \(store.configuration) does not answer: \(error)", underlying: error)
    }
}
