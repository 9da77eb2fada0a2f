import Logging
import SampleTripsModels
import ServiceLifecycle
import Strata
import StrataHummingbird
import WorkQueue

/// Does the jobs of the queue: puts "Pack for …" on a trip's list. Any number of processes may run it.
struct Reminders: Service {
    private let container: ModelContainer
    private let logger: Logger
    /// How long jobs wait after an error.
    private let pause: Duration

    init(_ container: ModelContainer, _ logger: Logger, pause: Duration = .seconds(1)) {
        self.container = container
        self.logger = logger
        self.pause = pause
    }

    /// Works off what there is, and again whenever that changes, until the service shuts down.
    ///
    /// A service that ends takes the whole process with it. No error is a reason for that: jobs wait, and requests are answered meanwhile.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    do { return try await workAsJobsCome() } catch let error where !(error is CancellationError) {
                        logger.error("Jobs wait", metadata: ["error": "\(error)"])
                        try await Task.sleep(for: pause)
                    }
                }
            }
        } catch is CancellationError {
            // The service is going.
        }
    }

    /// Ends when the container is closed.
    private func workAsJobsCome() async throws {
        var next = FetchDescriptor<Job>(
            predicate: #Predicate { $0.finishedAt == nil }, sortBy: [SortDescriptor(\.createdAt)])
        next.fetchLimit = 1
        for try await jobs in container.results(of: next) where !jobs.isEmpty {
            try await WorkQueue(container).workOff(remind)
        }
    }

    private func remind(_ job: Job, _ models: ModelContext) async throws {
        let trip: Trip
        do {
            trip = try await models.model(Trip.self, named: job.payload)
        } catch let error as SwiftDataError where [.modelNotFound, .invalidIdentifier].contains(error.code) {
            // A trip that is gone needs no reminder, and a job that nobody can do must not keep the others waiting.
            return logger.notice("A job has no trip", metadata: ["error": "\(error)"])
        }
        models.author = "reminders"
        _ = try await models.snapshots(of: [trip], only: \.bucketList)
        trip.bucketList.append(BucketListItem(title: "Pack for \(trip.destination)"))
    }
}
