import Foundation
import SwiftData

enum ExerciseGoal: Codable, Equatable {
    case repetitions(Int)
    case duration(seconds: Double)
    case distance(meters: Double, pace: Double?)
    case untilFailure
}

enum MuscleGroup: String, Codable, CaseIterable {
    case chest, back, legs, core
}

@Model
final class Workout {
    var name: String
    var startedAt: Date
    var endedAt: Date?
    var notes: String = ""
    @Relationship(deleteRule: .cascade, inverse: \WorkoutSet.workout)
    var sets: [WorkoutSet] = []

    init(name: String, startedAt: Date = .now) {
        self.name = name
        self.startedAt = startedAt
    }

    @Transient var restTimerIsRunning = false

    var duration: TimeInterval? {
        guard let endedAt else { return nil }
        return endedAt.timeIntervalSince(startedAt)
    }

    var volume: Double {
        sets.reduce(0) { $0 + $1.weight * Double($1.repetitions) }
    }
}

@Model
final class WorkoutSet {
    var index: Int
    var weight: Double
    var repetitions: Int
    var isWarmup: Bool = false
    var workout: Workout?
    var exercise: Exercise

    init(index: Int, weight: Double, repetitions: Int, exercise: Exercise) {
        self.index = index
        self.weight = weight
        self.repetitions = repetitions
        self.exercise = exercise
    }
}

@Model
final class Exercise {
    @Attribute(.unique) var name: String
    var muscles: [MuscleGroup]
    var goal: ExerciseGoal
    var personalBests: [Double] = []
    var settings: [String: Int] = [:]
    @Relationship(deleteRule: .cascade, inverse: \WorkoutSet.exercise)
    var sets: [WorkoutSet] = []

    init(name: String, muscles: [MuscleGroup], goal: ExerciseGoal = .repetitions(10)) {
        self.name = name
        self.muscles = muscles
        self.goal = goal
    }

    convenience init(plankFor seconds: Double) {
        self.init(name: "Plank", muscles: [.core], goal: .duration(seconds: seconds))
    }
}

extension Workout {
    static var finished: FetchDescriptor<Workout> {
        var descriptor = FetchDescriptor<Workout>(
            predicate: #Predicate { $0.endedAt != nil },
            sortBy: [SortDescriptor(\.startedAt, order: .reverse)])
        descriptor.relationshipKeyPathsForPrefetching = [\.sets]
        return descriptor
    }
}

final class WorkoutLog {
    let context: ModelContext

    init(context: ModelContext) {
        self.context = context
    }

    func start(_ name: String) -> Workout {
        let workout = Workout(name: name)
        context.insert(workout)
        return workout
    }

    func log(_ exercise: Exercise, weight: Double, repetitions: Int, in workout: Workout) {
        let set = WorkoutSet(
            index: workout.sets.count, weight: weight, repetitions: repetitions, exercise: exercise)
        workout.sets.append(set)
        if weight > exercise.personalBests.max() ?? 0 {
            exercise.personalBests.append(weight)
        }
    }

    func finish(_ workout: Workout, after duration: TimeInterval) throws {
        workout.endedAt = workout.startedAt.addingTimeInterval(duration)
        try context.save()
    }

    func finishedWorkouts() throws -> [Workout] { try context.fetch(Workout.finished) }

    func workouts(using exerciseName: String) throws -> [Workout] {
        let predicate = #Predicate<Workout> { workout in
            workout.sets.contains { $0.exercise.name == exerciseName }
        }
        return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]))
    }

    func heavy(over weight: Double) throws -> [Workout] {
        try context.fetch(
            FetchDescriptor<Workout>(
                predicate: #Predicate { $0.sets.filter { $0.weight > weight && !$0.isWarmup }.count >= 2 }))
    }
}
