public import StrataModels

extension ModelContext {
    /// Where a context reads.
    public struct Reading: Sendable {
        let isFromReplica: Bool
        /// What was committed by then is to be seen.
        let since: ContinuousClock.Instant?

        /// From the server that takes writes; what every context does by default.
        public static let primary = Reading(isFromReplica: false, since: nil)

        /// From one of the replicas (``ModelConfiguration/replicas``), which is behind by at most
        /// ``ModelConfiguration/Replication-swift.struct/maximumLag``; from the primary where there is none that is.
        ///
        /// One round trip to a connection of the replica that was not asked within that time how far it is, and, once in a quarter of that time for
        /// all contexts of the container, one to the primary; else none but those of the reads.
        public static let replica = Reading(isFromReplica: true, since: nil)

        /// From a replica that has everything that was committed before the token, which a save gave
        /// (``ModelContext/historyToken``, in this process or another one): who has saved reads what he wrote.
        ///
        /// The context's first read asks the primary how far it is, and the replica until it is as far, for at most
        /// ``ModelConfiguration/Replication-swift.struct/catchUpTimeout``; then it reads from the primary. So that read takes two further round trips
        /// where the replica has followed, and those after it mostly none: one to each connection of the replica that was not asked since.
        /// Contexts that were given the same value share the question to the primary.
        public static func replica(after token: DefaultHistoryToken) -> Reading {
            // There is a token: all that it covers was committed by now.
            Reading(isFromReplica: true, since: .now)
        }
    }

    /// A new context that reads from somewhere else than the primary. No I/O.
    ///
    /// ```swift
    /// let context = ModelContext(container, reading: .replica)
    /// return try await context.fetchCount(FetchDescriptor<Trip>())
    /// ```
    /// Fetches, counts, values, pages, streams, enumerations, snapshots, loading, lazy loading and SQL that only reads go to one replica, which the
    /// first of them chooses: in turn, without those that have failed or lagged a moment ago. The context stays with it, so it never sees less than it
    /// has seen. Where the replica fails or falls behind, the context goes to the primary and stays there; a call that
    /// was under way is made again, except enumerations, applying snapshots and the calls of a transaction, which throw.
    ///
    /// Always at the primary are: saves and everything else that writes, SQL that may write, transactions (except those of
    /// `ModelContainer.read`, which only reads), history, `mergeHistory(after:)` and live results. From the first of these on a context
    /// reads from the primary: it sees what it has written, and what it has seen there. SQL that only reads and calls a function that writes
    /// is refused (`readOnly`), also where there are no replicas.
    public convenience init(_ container: ModelContainer, reading: Reading) {
        self.init(container)
        unit.reading = reading
    }

    /// Where this context reads, as it was made; ``Reading-swift.struct/primary`` by default.
    public var reading: Reading { unit.reading }
}
