import Foundation
import SampleTripsModels
import Strata

/// Another process for the tests of history: `StrataTestProcess <command> <url> <argument>`.
@main enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let url = URL(string: arguments[2]) else { throw CocoaError(.featureUnsupported) }
        let schema = Schema(Trip.self, BusinessTrip.self, PersonalTrip.self)
        let container = try await ModelContainer(for: schema, configurations: [ModelConfiguration(url: url)])
        switch arguments[1] {
        case "write": try await write(Int(arguments[3]) ?? 0, in: container)
        case "consume": try await consume(arguments[3], in: container)
        case "notifications": try await listen(Int(arguments[3]) ?? 0, in: container)
        default: throw CocoaError(.featureUnsupported)
        }
        await container.close()
    }

    /// Saves trips named 0, 1, 2 …, each in a transaction of its own.
    private static func write(_ count: Int, in container: ModelContainer) async throws {
        for number in 0..<count {
            let context = ModelContext(container)
            context.author = "other process"
            context.insert(
                Trip(name: "\(number)", destination: "Rome", startDate: .distantPast, endDate: .distantFuture))
            try await context.save()
        }
    }

    /// Returns after so many notifications of what others have committed: this process commits nothing.
    private static func listen(_ count: Int, in container: ModelContainer) async throws {
        let (notifications, continuation) = AsyncStream<Bool>.makeStream()
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContainer.remoteChange, object: container, queue: nil
        ) { notification in
            let tokens = notification.userInfo?[ModelContext.NotificationKey.historyTokens.rawValue]
            continuation.yield((tokens as? [DefaultHistoryToken])?.count == 1)
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        var heard = 0
        for await isComplete in notifications {
            guard isComplete else { throw CocoaError(.coderInvalidValue) }
            heard += 1
            if heard == count { return }
        }
    }

    /// Writes one bucket-list item for each change of a trip, until the process is killed.
    private static func consume(_ name: String, in container: ModelContainer) async throws {
        let consumer = container.historyConsumer(name, of: Trip.self, limit: 3)
        try await consumer.run { transactions, context in
            for change in transactions.flatMap(\.changes) where change.changedPersistentIdentifier.entityName == "Trip"
            {
                context.insert(BucketListItem(title: "\(change.changeIdentifier)"))
                // A wider window for a kill between two writes.
                try await context.save()
            }
        }
    }
}
