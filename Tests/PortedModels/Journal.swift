import Foundation
import SwiftData

enum Mood: Int, Codable, CaseIterable, CustomStringConvertible {
    case awful = -2
    case bad, neutral, good, great

    var description: String { ["awful", "bad", "neutral", "good", "great"][rawValue + 2] }
}

struct Weather: Codable, Hashable, Sendable {
    enum Sky: String, Codable, Sendable { case clear, clouds, rain }
    var sky: Sky
    var temperature: Double
}

@Model
final class JournalEntry {
    var date: Date
    var text: String
    var mood: Mood = Mood.neutral
    var weather: Weather?
    var isLocked: Bool = false
    var prompt: JournalPrompt?
    @Relationship(deleteRule: .cascade, inverse: \JournalPhoto.entry) var photos: [JournalPhoto]? = []
    @Transient var draft: String = ""

    init(date: Date = .now, text: String, mood: Mood = .neutral, weather: Weather? = nil) {
        self.date = date
        self.text = text
        self.mood = mood
        self.weather = weather
    }

    var preview: String { String(text.prefix(40)) }

    static let placeholder = "What happened today?"
}

@Model
final class JournalPhoto {
    @Attribute(.externalStorage) var imageData: Data
    var caption: String?
    var entry: JournalEntry?

    init(imageData: Data, caption: String? = nil) {
        self.imageData = imageData
        self.caption = caption
    }
}

@Model
final class JournalPrompt {
    var question: String
    @Relationship(inverse: \JournalEntry.prompt) var answers: [JournalEntry] = []

    init(_ question: String) { self.question = question }
}

@MainActor
final class JournalData {
    static func makePreview() throws -> ModelContainer {
        let config = ModelConfiguration(isStoredInMemoryOnly: true)
        let container = try ModelContainer(
            for: JournalEntry.self, JournalPhoto.self, JournalPrompt.self, configurations: config)
        for (index, mood) in Mood.allCases.enumerated() {
            let day = Date(timeIntervalSince1970: Double(index) * 86_400)
            container.mainContext.insert(JournalEntry(date: day, text: "Day \(index + 1)", mood: mood))
        }
        try container.mainContext.save()
        return container
    }

    let context: ModelContext

    init(context: ModelContext) { self.context = context }

    func entries(on day: Date) throws -> [JournalEntry] {
        let calendar = Calendar.current
        let start = calendar.startOfDay(for: day)
        let end = calendar.date(byAdding: .day, value: 1, to: start) ?? start
        return try context.fetch(
            FetchDescriptor<JournalEntry>(predicate: #Predicate { $0.date >= start && $0.date < end }))
    }

    func entries(feeling mood: Mood) throws -> [JournalEntry] {
        try context.fetch(
            FetchDescriptor<JournalEntry>(
                predicate: #Predicate { $0.mood == mood }, sortBy: [SortDescriptor(\.date, order: .reverse)]))
    }

    func warmDays(above degrees: Double) throws -> [JournalEntry] {
        try context.fetch(
            FetchDescriptor<JournalEntry>(predicate: #Predicate { ($0.weather?.temperature ?? -100) > degrees }))
    }
}
