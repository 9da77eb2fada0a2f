import Foundation
import Strata

/// A class whose table is divided by time.
enum Weather {
    @Model
    final class Reading {
        #PrimaryKey<Reading>([\.id, \.takenAt])
        #Partition<Reading>(by: \.takenAt, every: .month)
        var id: UUID
        var takenAt: Date
        var value: Double

        init(id: UUID = .v7(), takenAt: Date = .now, value: Double) {
            self.id = id
            self.takenAt = takenAt
            self.value = value
        }
    }

    static func today(_ context: ModelContext) async throws -> [Reading] {
        let midnight = Calendar.current.startOfDay(for: .now)
        let readings = try await context.fetch(
            FetchDescriptor<Reading>(predicate: #Predicate { $0.takenAt >= midnight }))
        return readings
    }

    static func keep(_ container: ModelContainer) async throws {
        try await container.keepPartitions(ahead: 3, for: .seconds(400 * 86_400), of: Reading.self)
    }

    static func load(_ container: ModelContainer, _ firstReading: Date, _ lastReading: Date) async throws {
        try await container.makePartitions(of: Reading.self, covering: firstReading...lastReading)
    }

    static func show(_ container: ModelContainer) async throws {
        for partition in try await container.partitions(of: Reading.self) { print(partition.name, partition.bytes) }
    }
}
