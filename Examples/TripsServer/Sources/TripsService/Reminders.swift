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

    init(_ container: ModelContainer, _ logger: Logger) {
        self.container = container
        self.logger = logger
    }

    /// Works off what there is, and again whenever a job is committed, until the service shuts down.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await workOff()
                for try await _ in container.history(after: .beginning, of: Job.self) { try await workOff() }
            }
        } catch is CancellationError {
            // The service is going.
        }
    }

    /// Waits while the database is away.
    private func workOff() async throws {
        while true {
            do {
                return try await WorkQueue(container).workOff { job, models in
                    let trip: Trip
                    do {
                        trip = try await models.model(Trip.self, named: job.payload)
                    } catch SwiftDataError.modelNotFound {
                        // A trip that is gone needs no reminder.
                        return
                    }
                    models.author = "reminders"
                    _ = try await models.snapshots(of: [trip], only: \.bucketList)
                    trip.bucketList.append(BucketListItem(title: "Pack for \(trip.destination)"))
                }
            } catch let error as SwiftDataError {
                logger.warning("Jobs wait", metadata: ["error": "\(error)"])
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
