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
    /// How long a job waits that somebody else had taken and gave back.
    private let interval: Duration

    init(
        _ container: ModelContainer, _ logger: Logger, pause: Duration = .seconds(1), interval: Duration = .seconds(10)
    ) {
        self.container = container
        self.logger = logger
        self.pause = pause
        self.interval = interval
    }

    /// Works off what there is, and again whenever a job is committed, until the service shuts down.
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

    /// Ends when the container is closed, and with an error of any of those who call or work.
    private func workAsJobsCome() async throws {
        // Taken before the first look: what is committed behind it calls.
        let start = try await container.currentHistoryToken()
        // Calls that come while jobs are worked off are one.
        let (calls, call) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            // Each commit counts. What is first in the queue may stay the same while others come behind it: somebody has it.
            group.addTask {
                for try await _ in container.history(after: start, of: Job.self) { call.yield() }
            }
            // A job that comes back from a worker that has died is no change, and nobody tells of it.
            group.addTask {
                while true {
                    call.yield()
                    try await Task.sleep(for: interval)
                }
            }
            group.addTask {
                for await _ in calls { try await WorkQueue(container).workOff(remind) }
            }
            try await group.next()
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
