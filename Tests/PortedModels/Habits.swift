import Foundation
import SwiftData

enum HabitFrequency: String, Codable, CaseIterable, Identifiable {
    case daily, weekly, monthly

    var id: String { rawValue }
}

@Model
final class Habit {
    @Attribute(.unique) var id: UUID
    var name: String
    var symbol: String = "star"
    var frequency: HabitFrequency
    var createdAt: Date
    var archivedAt: Date?
    var order: Int = 0
    @Relationship(deleteRule: .cascade, inverse: \HabitEntry.habit) var entries: [HabitEntry] = []
    var category: HabitCategory?

    init(name: String, frequency: HabitFrequency = .daily, category: HabitCategory? = nil) {
        self.id = UUID()
        self.name = name
        self.frequency = frequency
        self.createdAt = .now
        self.category = category
    }

    var isArchived: Bool { archivedAt != nil }

    func isDone(on day: Date, calendar: Calendar = .current) -> Bool {
        entries.contains { calendar.isDate($0.date, inSameDayAs: day) }
    }

    func streak(until day: Date, calendar: Calendar = .current) -> Int {
        var streak = 0
        var current = day
        while isDone(on: current, calendar: calendar) {
            streak += 1
            guard let previous = calendar.date(byAdding: .day, value: -1, to: current) else { break }
            current = previous
        }
        return streak
    }
}

@Model
final class HabitEntry {
    var date: Date
    var note: String?
    var habit: Habit?

    init(date: Date = Date(), note: String? = nil) {
        self.date = date
        self.note = note
    }
}

@Model
final class HabitCategory {
    @Attribute(.unique) var name: String
    var colorHex: String
    @Relationship(deleteRule: .nullify, inverse: \Habit.category) var habits: [Habit]?

    init(name: String, colorHex: String = "#FF9500") {
        self.name = name
        self.colorHex = colorHex
    }
}

extension Habit {
    static var active: Predicate<Habit> {
        #Predicate<Habit> { $0.archivedAt == nil }
    }

    static func inCategory(named name: String) -> Predicate<Habit> {
        #Predicate<Habit> { habit in
            habit.category?.name == name && habit.archivedAt == nil
        }
    }
}

@ModelActor
actor HabitImporter {
    func importHabits(_ names: [String]) throws -> [PersistentIdentifier] {
        let habits = names.map { Habit(name: $0, frequency: .weekly) }
        for habit in habits { modelContext.insert(habit) }
        try modelContext.save()
        return habits.map(\.persistentModelID)
    }

    func rename(_ id: PersistentIdentifier, to name: String) throws {
        guard let habit = self[id, as: Habit.self] else { return }
        habit.name = name
        try modelContext.save()
    }

    func count() throws -> Int {
        try modelContext.fetchCount(FetchDescriptor<Habit>())
    }
}

final class HabitViewModel {
    private let modelContext: ModelContext
    private(set) var habits: [Habit] = []

    init(modelContext: ModelContext) {
        self.modelContext = modelContext
    }

    func load() throws {
        let descriptor = FetchDescriptor<Habit>(
            predicate: Habit.active,
            sortBy: [SortDescriptor(\.order), SortDescriptor(\.name)]
        )
        habits = try modelContext.fetch(descriptor)
    }

    func add(_ name: String, in category: HabitCategory? = nil) throws {
        let habit = Habit(name: name, category: category)
        habit.order = habits.count
        modelContext.insert(habit)
        try modelContext.save()
        try load()
    }

    func toggle(_ habit: Habit, on day: Date) throws {
        if let entry = habit.entries.first(where: { Calendar.current.isDate($0.date, inSameDayAs: day) }) {
            modelContext.delete(entry)
        } else {
            habit.entries.append(HabitEntry(date: day))
        }
        try modelContext.save()
    }

    func archive(_ habit: Habit) throws {
        habit.archivedAt = .now
        try modelContext.save()
        try load()
    }

    func habit(withID id: UUID) throws -> Habit? {
        var descriptor = FetchDescriptor<Habit>(predicate: #Predicate { $0.id == id })
        descriptor.fetchLimit = 1
        return try modelContext.fetch(descriptor).first
    }

    func habits(inCategory name: String) throws -> [Habit] {
        try modelContext.fetch(
            FetchDescriptor(predicate: Habit.inCategory(named: name), sortBy: [SortDescriptor(\.id)]))
    }
}
