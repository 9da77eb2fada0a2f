import Foundation
import SwiftData

// Values of all shapes: option sets, enumerations with payloads, nested and generic structs, dictionaries.

struct Weekdays: OptionSet, Codable, Hashable {
    let rawValue: Int
    static let weekend = Weekdays(rawValue: 1 << 0)
    static let workdays = Weekdays(rawValue: 1 << 1)
}

enum Answer: Codable, Hashable {
    case text(String)
    case number(Double, tolerance: Double)
    case choice(Set<Int>)
    indirect case oneOf([Answer])
    case open
}

struct Scored<Content: Codable & Sendable>: Codable, Sendable {
    var content: Content
    var points: Int
}

struct Level: RawRepresentable, Codable, Hashable {
    var rawValue: Int
    static let beginner = Level(rawValue: 0)
    static let expert = Level(rawValue: 9)
}

protocol Titled { var title: String { get } }

@Model
final class Quiz: Titled {
    private(set) var title: String
    var level: Level
    var level2: Level?
    var days: Weekdays = []
    var hints: [Scored<String>] = []
    var best: Scored<[Int]>?
    var translations: [String: [String: String]] = [:]
    var bytes: [UInt8] = []
    var tags: [String]?
    var optionalDates: [Date?] = []
    var settings: Settings = Settings()
    var pinned: PersistentIdentifier?
    var identifier: UUID?
    var language: Locale.Language?
    @Relationship(deleteRule: .cascade, inverse: \Question.quiz) var questions: [Question] = []
    static let maximum = 20
    static var shared: [String] { ["a"] }

    struct Settings: Codable, Equatable {
        var shuffles = true
        var seconds: Int? = nil
        var theme: Theme = .light
        enum Theme: String, Codable { case light, dark }
    }

    init(title: String, level: Level = .beginner) {
        self.title = title
        self.level = level
    }

    func rename(_ transform: (inout String) -> Void) {
        transform(&title)
    }
}

@Model
final class Question {
    var text: String
    var answer: Answer
    var wrong: [Answer] = []
    var difficulty: Difficulty?
    var quiz: Quiz?

    enum Difficulty: Int, Codable, Comparable, CaseIterable {
        case low, middle, high
        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    init(_ text: String, answer: Answer, difficulty: Difficulty? = nil) {
        self.text = text
        self.answer = answer
        self.difficulty = difficulty
    }
}

struct QuizStore {
    let context: ModelContext

    func hard() throws -> [Question] {
        let high: Question.Difficulty? = .high
        return try context.fetch(
            FetchDescriptor<Question>(predicate: #Predicate { $0.difficulty == high }, sortBy: [.init(\.text)]))
    }

    func dark() throws -> [Quiz] {
        let dark = Quiz.Settings.Theme.dark
        let expert = Level.expert
        return try context.fetch(
            FetchDescriptor<Quiz>(
                predicate: #Predicate { $0.settings.theme == dark && $0.level == expert && !$0.settings.shuffles }))
    }

    func tagged(_ tag: String) throws -> [Quiz] {
        try context.fetch(
            FetchDescriptor<Quiz>(
                predicate: #Predicate { quiz in quiz.tags?.contains(tag) ?? false }, sortBy: [SortDescriptor(\.title)]))
    }

    func unanswered(_ quizzes: [Quiz]) throws -> [Question] {
        let ids = quizzes.map(\.persistentModelID)
        let open = Answer.open
        return try context.fetch(
            FetchDescriptor<Question>(
                predicate: #Predicate { question in
                    question.answer == open
                        && question.quiz.flatMap { ids.contains($0.persistentModelID) } == true
                }))
    }
}
