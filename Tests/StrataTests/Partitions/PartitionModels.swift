import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataRepository
import StrataTestSupport

/// Readings of sensors, divided by month.
enum Divided {
    static let schema = Schema(Sensor.self, Reading.self)

    @Model final class Sensor {
        @Attribute(.unique) var name: String
        @Relationship(deleteRule: .cascade, inverse: \Reading.sensor) var readings: [Reading] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Reading {
        #PrimaryKey<Reading>([\.id, \.takenAt])
        #Partition<Reading>(by: \.takenAt, every: .month)
        #Unique<Reading>([\.takenAt, \.serial])
        #Index<Reading>([\.value])
        #Check<Reading>("positive") { $0.value >= 0 }
        var id: UUID
        var takenAt: Date
        var serial: Int
        var value: Int
        var sensor: Sensor?
        init(_ takenAt: Date, _ serial: Int, value: Int = 0, id: UUID = .v7(), sensor: Sensor? = nil) {
            self.id = id
            self.takenAt = takenAt
            self.serial = serial
            self.value = value
            self.sensor = sensor
        }
    }

    /// A moment in a month, counted from this one: 3.5 days after its beginning, and a microsecond.
    static func date(_ month: Int, plus seconds: Double = 302_400.000001) -> Date {
        Date(postgresMicroseconds: start(month).microseconds).addingTimeInterval(seconds)
    }

    static func start(_ month: Int) -> PostgresTimestamp {
        let period = Schema.PartitionPeriod.month
        var moment = period.start(of: PostgresTimestamp(microseconds: (try? Date.now.postgresMicroseconds) ?? 0))
        for _ in 0..<max(0, month) { moment = period.end(of: moment) }
        for _ in 0..<max(0, -month) {
            moment = period.start(of: PostgresTimestamp(microseconds: moment.microseconds - 1))
        }
        return moment
    }

    /// What the partition of a month is called.
    static func partition(_ month: Int) -> String { PartitionName.name(of: "reading", from: start(month)) }
}

extension ModelStore {
    /// The names of the partitions that the catalogs have.
    func partitions() async throws -> [String] {
        try await database.texts(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'reading'::regclass ORDER BY 1")
    }

    func readings() async throws -> [String] {
        try await database.texts("SELECT serial || ' ' || value FROM reading ORDER BY serial")
    }
}
