public import Strata

/// Jobs in a table, taken by any number of workers in any number of processes.
public struct WorkQueue: Sendable {
    private let container: ModelContainer

    /// The queue in the tables of a container that has the class ``Job``.
    public init(_ container: ModelContainer) {
        self.container = container
    }

    /// Does the next job that nobody else is doing; false when there is none.
    ///
    /// Taking the job, what `work` writes through the context, and finishing the job are one transaction. A worker that dies gives
    /// the job back with its connection, and has written nothing.
    public func workOnce(_ work: (Job, ModelContext) async throws -> Void) async throws -> Bool {
        try await container.withContext(isolation: .readCommitted, attempts: 10) { context in
            var next = FetchDescriptor<Job>(
                predicate: #Predicate { $0.finishedAt == nil }, sortBy: [SortDescriptor(\.createdAt)])
            next.fetchLimit = 1
            next.lock = .skipLocked
            guard let job = try await context.fetch(next).first else { return false }
            try await work(job, context)
            job.finishedAt = .now
            return true
        }
    }

    /// Does jobs until there is none that nobody else is doing.
    public func workOff(_ work: (Job, ModelContext) async throws -> Void) async throws {
        while true {
            do {
                guard try await workOnce(work) else { return }
            } catch SwiftDataError.outcomeUnknown {
                // The connection was lost while this was committed: the job is done, or it is still there.
                continue
            }
        }
    }
}
