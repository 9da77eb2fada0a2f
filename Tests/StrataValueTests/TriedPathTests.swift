import Foundation
import Strata
import StrataModelTestSupport
import Testing

private enum Goal: Codable, Equatable {
    case distance(meters: Int)
    case time(seconds: Double, isTotal: Bool)
}

/// Neither `Codable` nor a list of its cases.
private enum Level: String { case easy, hard }

/// No empty text is one.
private struct Code: RawRepresentable, Codable {
    let rawValue: String
    init?(rawValue: String) {
        guard !rawValue.isEmpty else { return nil }
        self.rawValue = rawValue
    }
}

/// Nothing can stand in for one: no made-up text is taken.
private struct MailAddress: Codable {
    var text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text.contains("@") else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no address"))
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

@Model private final class Workout {
    var name: String
    var goal: Goal
    init(_ name: String, _ goal: Goal) { (self.name, self.goal) = (name, goal) }
}

@Model private final class Exercise {
    var name: String
    var goal: Goal
    var level: Level
    var code: Code
    init(_ name: String, _ goal: Goal) {
        (self.name, self.goal) = (name, goal)
        (level, code) = (.hard, Code(rawValue: name)!)
    }
}

@Model private final class WorkoutSet {
    var weight: Int
    var workout: Workout?
    var exercise: Exercise
    /// Stops where there is no workout: nobody may try it.
    var workoutID: PersistentIdentifier { workout!.persistentModelID }
    init(_ weight: Int, _ exercise: Exercise, in workout: Workout? = nil) {
        (self.weight, self.exercise, self.workout) = (weight, exercise, workout)
    }
}

@Model private final class Person {
    var name: String
    var address: MailAddress
    init(_ name: String, _ address: String) { (self.name, self.address) = (name, MailAddress(address)) }
}

@Model private final class Letter {
    var title: String
    var sender: Person
    var reader: Person?
    init(_ title: String, from sender: Person, to reader: Person? = nil) {
        (self.title, self.sender, self.reader) = (title, sender, reader)
    }
}

/// Key paths with a `?` are tried out on an object without values: what its properties give then is what stands in for a value that
/// could not be loaded.
@Suite struct TriedPathTests {
    @Test func `an enumeration with payloads closes no path`() async throws {
        try await withModelStore(Workout.self, Exercise.self, WorkoutSet.self) { store in
            let context = ModelContext(store.container)
            let (squat, run) = (
                Exercise("squat", .distance(meters: 0)), Exercise("run", .time(seconds: 60, isTotal: true))
            )
            let monday = Workout("monday", .distance(meters: 5))
            for exercise in [squat, run] { context.insert(exercise) }
            context.insert(WorkoutSet(80, squat, in: monday))
            context.insert(WorkoutSet(0, run))
            try await context.save()
            let sets = FetchDescriptor<WorkoutSet>(sortBy: [SortDescriptor(\.workout?.name), SortDescriptor(\.weight)])
            let rows = try await context.fetch(sets, selecting: \.weight, \.workout?.name)
            #expect(rows.map(\.0) == [0, 80] && rows.map(\.1) == [nil, "monday"])
            let groups = try await context.fetch(
                FetchDescriptor<WorkoutSet>(), selecting: .key(\WorkoutSet.workout?.name), .sum(\.weight),
                orderBy: [.forward(.sum(\.weight))])
            #expect(groups.map(\.0) == [nil, "monday"] && groups.map(\.1) == [0, 80])
            #expect(
                try await context.fetch(sets, selecting: \.exercise.persistentModelID)
                    == [run.persistentModelID, squat.persistentModelID])
            #expect(
                try await context.fetch(sets, selecting: \.workout?.persistentModelID)
                    == [nil, monday.persistentModelID])
            await #expect(throws: SwiftDataError.unsupportedKeyPath) {
                _ = try await context.fetch(sets, selecting: \.workoutID)
            }
            try await context.insert(
                into: WorkoutSet.self, \.weight, \.exercise.persistentModelID, \.workout?.persistentModelID,
                rows: [(100, squat.persistentModelID, monday.persistentModelID), (1, run.persistentModelID, nil)])
            let all = FetchDescriptor<WorkoutSet>(sortBy: [SortDescriptor(\.weight)])
            #expect(
                try await context.fetch(all, selecting: \.exercise.name) == ["run", "run", "squat", "squat"])
        }
    }

    @Test func `what nothing can stand in for is named, and closes no path without a question mark`() async throws {
        try await withModelStore(Person.self, Letter.self) { store in
            let context = ModelContext(store.container)
            let ada = Person("Ada", "ada@example.org")
            context.insert(Letter("there", from: ada, to: Person("Grace", "grace@example.org")))
            context.insert(Letter("away", from: ada))
            try await context.save()
            let letters = FetchDescriptor<Letter>(sortBy: [SortDescriptor(\.title)])
            #expect(try await context.fetch(letters, selecting: \.sender.name) == ["Ada", "Ada"])
            let sender = ada.persistentModelID
            #expect(try await context.fetch(letters, selecting: \.sender.persistentModelID) == [sender, sender])
            let reader = #Expression<Letter, String?> { $0.reader?.name }
            #expect(try await context.fetch(letters, selecting: .value(reader)) == [nil, "Grace"])
            try await context.insert(
                into: Letter.self, \.title, \.sender.persistentModelID, rows: [("new", sender)])
            let reason = """
                has a "?", and may lead through a class whose property Person.address has nothing that can stand in for a value, without which \
                it cannot be told where the path leads: give that property a default, or write the path in an #Expression, where that may stand
                """
            let selecting = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(letters, selecting: \.reader?.name)
            }
            #expect(selecting?.code == .unsupportedKeyPath)
            #expect(selecting?.message == "A key path of Letter to Optional<String> \(reason).")
            let sorting = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Letter>(sortBy: [SortDescriptor(\.reader?.name)]))
            }
            #expect(sorting?.code == .unsupportedSortDescriptor)
            #expect(
                sorting?.message == """
                    Letter cannot be sorted by a key path to Optional<String>, which \(reason). Sort by a stored property, or sort the fetched \
                    objects in memory.
                    """)
            let inserting = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Letter.self, \.title, \.sender.persistentModelID, \.reader?.persistentModelID,
                    rows: [("new", sender, nil)])
            }
            #expect(inserting?.message == "A key path of Letter to PersistentIdentifier \(reason).")
        }
    }
}
