import Foundation
import SwiftData

// Foundation's values: measurements, intervals, components, durations, ranges, zones, small numbers.

@Model
final class TrainingPlan {
    var name: String = ""
    var starts: DateComponents
    var season: DateInterval?
    var timeZone: TimeZone
    var locale: Locale = Locale(identifier: "en_US")
    var calendar: Calendar.Identifier?
    var goal: Measurement<UnitLength>
    var weight: Measurement<UnitMass>? = nil
    var heartRate: ClosedRange<Int> = 90...150
    var pace: Range<Double>?
    var pause: Duration = Duration.seconds(90)
    var rest: IndexSet = IndexSet()
    var age: Int8 = 0
    var laps: UInt32 = 0
    var steps: Int64 = 0
    var ratio: Float = 0.5
    var cost: Decimal = Decimal(string: "0.10")!
    var price: Decimal?
    var file: URL = URL(fileURLWithPath: "/")
    var checksum: Data = Data()
    var created: Date = Date(timeIntervalSinceReferenceDate: 0)
    var uuids: [UUID] = []
    var byDay: [Int: String] = [:]
    var byKind: [String: [Double]] = [:]
    var unique: Set<Int> = []
    var nested: Int? = nil
    @Relationship(deleteRule: .cascade, inverse: \TrainingSession.plan) var sessions: [TrainingSession] = []

    init(name: String, starts: DateComponents, goal: Measurement<UnitLength>, timeZone: TimeZone = .gmt) {
        self.name = name
        self.starts = starts
        self.goal = goal
        self.timeZone = timeZone
    }

    @Transient var goalInKilometers: Double { goal.converted(to: .kilometers).value }
    @Transient private let formatter = ISO8601DateFormatter()
    @Transient var isSelected = false

    static let example = "Marathon"
}

@Model
final class TrainingSession {
    var date: Date
    var distance: Double
    var seconds: TimeInterval
    var kind: Kind
    var intensity: Intensity = Intensity.easy
    var track: [Position] = []
    var plan: TrainingPlan?

    enum Kind: String, Codable, CaseIterable, Sendable { case run, ride, swim }

    enum Intensity: UInt8, Codable, Sendable {
        case easy = 1
        case hard = 5
    }

    struct Position: Codable, Hashable, Sendable {
        var x = 0.0
        var y = 0.0
        var time: Date?
    }

    init(_ kind: Kind, date: Date, distance: Double, seconds: TimeInterval) {
        self.kind = kind
        self.date = date
        self.distance = distance
        self.seconds = seconds
    }

    var speed: Double { distance / seconds }
}

struct TrainingLog {
    let context: ModelContext

    func sessions(in interval: DateInterval, kind: TrainingSession.Kind? = nil) throws -> [TrainingSession] {
        let (start, end) = (interval.start, interval.end)
        let predicate: Predicate<TrainingSession>
        if let kind {
            predicate = #Predicate { $0.date >= start && $0.date < end && $0.kind == kind }
        } else {
            predicate = #Predicate { start <= $0.date && end > $0.date }
        }
        return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.date)]))
    }

    func fast(over speed: Double) throws -> [TrainingSession] {
        try context.fetch(
            FetchDescriptor<TrainingSession>(
                predicate: #Predicate { $0.seconds > 0 && $0.distance / $0.seconds > speed },
                sortBy: [SortDescriptor(\.distance, order: .reverse)]))
    }

    func long(_ minimum: Double) throws -> [String] {
        try context.fetch(
            FetchDescriptor<TrainingPlan>(
                predicate: #Predicate { plan in plan.sessions.allSatisfy { $0.distance >= minimum } },
                sortBy: [SortDescriptor(\.name)])
        ).map(\.name)
    }

    func small(_ age: Int8) throws -> Int {
        let even = #Predicate<TrainingPlan> { $0.age < age && $0.laps % 2 == 0 }
        let many = #Predicate<TrainingPlan> { ($0.steps + 1) * 2 > 4 && $0.nested == nil }
        let free = #Predicate<TrainingPlan> { ($0.price ?? 0) == 0 }
        return try context.fetchCount(
            FetchDescriptor<TrainingPlan>(
                predicate: #Predicate { even.evaluate($0) && many.evaluate($0) && free.evaluate($0) }))
    }

    func weeks() throws -> [Int: [TrainingSession]] {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return Dictionary(grouping: try context.fetch(FetchDescriptor<TrainingSession>())) {
            calendar.component(.weekOfYear, from: $0.date)
        }
    }
}
