import Foundation
import Logging
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

/// Keeps what is logged at error level.
private final class ErrorLog: LogHandler {
    private let lines = Mutex<[String]>([])
    var logged: [String] { lines.withLock { $0 } }
    var logLevel: Logger.Level {
        get { .error }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.message) \(event.metadata?["property"] ?? "")") }
    }
}

@Suite struct OrphanReadTests {
    @Test func `an unloaded relationship of an object whose context is gone reads as empty, and is reported`()
        async throws
    {
        try await withTestDatabase("orphan", template: .tables(of: Schema(Trip.self))) { database in
            let (log, otherLog) = (ErrorLog(), ErrorLog())
            let url = try #require(database.foundationURL)
            func open(_ log: ErrorLog) async throws -> ModelContainer {
                try await ModelContainer(
                    for: Schema(Trip.self), configurations: [ModelConfiguration(url: url)],
                    logger: Logger(label: "orphan") { _ in log })
            }
            let container = try await open(log)
            do {
                let context = ModelContext(container)
                let trip = Trip(name: "A", destination: "B", startDate: day(0), endDate: day(1))
                trip.bucketList = [BucketListItem(title: "C")]
                context.insert(trip)
                try await context.save()
            }
            // The logger is that of the object's own container, not of the latest, and not of one that is closed.
            let other = try await open(otherLog)
            let orphan = try await ModelContext(container).fetch(FetchDescriptor<Trip>())[0]
            #expect(orphan.name == "A")
            #expect(orphan.bucketList.isEmpty)
            #expect(log.logged.contains { $0.contains("context is gone") && $0.contains("Trip.bucketList") })
            #expect(otherLog.logged.isEmpty)
            await other.close()
            await container.close()
        }
    }
}
