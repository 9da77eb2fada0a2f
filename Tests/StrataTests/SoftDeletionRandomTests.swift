import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Random deletions and restorations, held against a model of a few lines; and what SQL finds, against what the same predicates find in memory.
@Suite struct SoftDeletionRandomTests {
    /// What is to be there: by name, whether it is deleted. What is deleted for good is in no list.
    private struct Expected {
        struct Part {
            var whole: String
            var isDeleted = false
            var wasDeleted = false
        }
        var journeys: [String: Part] = [:]
        var stages: [String: Part] = [:]
        var meals: [String: Part] = [:]

        /// A save: what was deleted since the last one takes along what is there.
        mutating func save() {
            for (code, journey) in journeys where journey.isDeleted && !journey.wasDeleted {
                for (name, stage) in stages where stage.whole == code { stages[name]?.isDeleted = true }
            }
            for (name, stage) in stages where stage.isDeleted && !stage.wasDeleted {
                for (dish, meal) in meals where meal.whole == name { meals[dish]?.isDeleted = true }
            }
            for parts in [\Expected.journeys, \.stages, \.meals] as [WritableKeyPath<Expected, [String: Part]>] {
                self[keyPath: parts] = self[keyPath: parts].mapValues {
                    Part(whole: $0.whole, isDeleted: $0.isDeleted, wasDeleted: $0.isDeleted)
                }
            }
        }

        mutating func remove(_ code: String) {
            journeys[code] = nil
            for (name, stage) in stages where stage.whole == code {
                stages[name] = nil
                meals = meals.filter { $0.value.whole != name }
            }
        }

        var texts: [String] {
            [journeys, stages, meals].flatMap { $0.map { "\($0) \($1.isDeleted)" } }.sorted()
        }
    }

    private static let table = """
        SELECT code || ' ' || (deleted_at IS NOT NULL)::text FROM journey UNION ALL
        SELECT name || ' ' || (removed_at IS NOT NULL)::text FROM stage UNION ALL
        SELECT dish || ' ' || (deleted_at IS NOT NULL)::text FROM meal ORDER BY 1
        """

    private func fill(_ context: ModelContext, _ random: inout SeededGenerator) async throws -> Expected {
        var expected = Expected()
        let tags = (0..<3).map { Bin.Tag("t\($0)") }
        for number in 0..<8 {
            let journey: Bin.Journey =
                number % 3 == 2
                ? Bin.GuidedJourney("j\(number)", guide: "x") : Bin.Journey("j\(number)", price: number)
            journey.price = number
            expected.journeys[journey.code] = Expected.Part(whole: "")
            for place in 0..<Int.random(in: 0...3, using: &random) {
                let stage = Bin.Stage("s\(number)\(place)", length: Int.random(in: 0...4, using: &random))
                expected.stages[stage.name] = Expected.Part(whole: journey.code)
                if Bool.random(using: &random) {
                    stage.meals = [Bin.Meal("m" + stage.name)]
                    expected.meals["m" + stage.name] = Expected.Part(whole: stage.name)
                }
                journey.stages.append(stage)
            }
            journey.tags = tags.filter { _ in Bool.random(using: &random) }
            context.insert(journey)
        }
        for tag in tags { context.insert(tag) }
        try await context.save()
        return expected
    }

    /// One change of the context, and of what is expected.
    private func change(
        _ context: ModelContext, _ expected: inout Expected, _ random: inout SeededGenerator
    ) async throws {
        func every<T: PersistentModel>(_ type: T.Type, by order: SortDescriptor<T>) async throws -> [T] {
            var descriptor = FetchDescriptor<T>(sortBy: [order])
            descriptor.includeDeleted = true
            return try await context.fetch(descriptor)
        }
        let journeys = try await every(Bin.Journey.self, by: SortDescriptor(\.code))
        let stages = try await every(Bin.Stage.self, by: SortDescriptor(\.name))
        let kind = Int.random(in: 0..<9, using: &random)
        guard let journey = journeys.randomElement(using: &random), let stage = stages.randomElement(using: &random)
        else { return }
        switch kind {
        case 0, 1:
            context.delete(journey)
            expected.journeys[journey.code]?.isDeleted = true
        case 2:
            context.delete(stage)
            expected.stages[stage.name]?.isDeleted = true
        case 3:
            journey.deletedAt = nil
            expected.journeys[journey.code]?.isDeleted = false
        case 4:
            stage.removedAt = nil
            expected.stages[stage.name]?.isDeleted = false
        case 5:
            let price = Int.random(in: 0...7, using: &random)
            try await context.save()
            expected.save()
            try context.delete(model: Bin.Journey.self, where: #Predicate { $0.price == price })
            try await context.save()
            expected.journeys["j\(price)"]?.isDeleted = true
            expected.save()
        case 6:
            try await context.save()
            expected.save()
            context.delete(journey, permanently: true)
            expected.remove(journey.code)
        case 7 where !stage.isDeleted:
            stage.journey = journey
            expected.stages[stage.name]?.whole = journey.code
        default: _ = (journey.stages.count, stage.journey?.code, journey.tags.map { $0.journeys.count })
        }
    }

    private static let journeys: [Predicate<Bin.Journey>] = [
        #Predicate { $0.stages.count > 1 },
        #Predicate { $0.stages.isEmpty || $0.price > 5 },
        #Predicate { $0.stages.contains { $0.length > 2 } },
        #Predicate { $0.stages.allSatisfy { $0.meals.isEmpty } },
        #Predicate { $0.stages.filter { $0.length < 3 }.count == 1 },
        #Predicate { $0.tags.contains { $0.journeys.count == 2 } },
    ]
    private static let tags: [Predicate<Bin.Tag>] = [
        #Predicate { $0.journeys.count == 2 },
        #Predicate { $0.journeys.contains { $0.price > 4 } },
    ]
    private static let stages: [Predicate<Bin.Stage>] = [
        #Predicate { ($0.journey?.price ?? 0) > 3 },
        #Predicate { $0.journey?.deletedAt != nil },
    ]

    /// Each predicate in SQL and in memory: with and without what is deleted, and as a fetch before the save has it.
    private func compare<T: PersistentModel>(
        _ predicates: [Predicate<T>], _ context: ModelContext, _ name: (T) -> String, _ seed: UInt64
    ) async throws {
        for (number, predicate) in predicates.enumerated() {
            for includeDeleted in [false, true] {
                var all = FetchDescriptor<T>()
                all.includeDeleted = includeDeleted
                var some = FetchDescriptor<T>(predicate: predicate)
                some.includeDeleted = includeDeleted
                let found = try await context.fetch(some).map(name).sorted()
                let evaluated = try await context.fetch(all).filter { try predicate.evaluate($0) }.map(name).sorted()
                #expect(found == evaluated, "\(T.self) \(number), seed \(seed), deleted ones: \(includeDeleted)")
                #expect(try await context.fetchCount(some) == found.count)
            }
            let there = try await context.fetch(FetchDescriptor<T>())
            #expect(there.allSatisfy { !$0.isDeleted }, "seed \(seed)")
        }
    }

    private func compareAll(_ context: ModelContext, _ seed: UInt64) async throws {
        try await compare(Self.journeys, context, { $0.code }, seed)
        try await compare(Self.tags, context, { $0.name }, seed)
        try await compare(Self.stages, context, { $0.name }, seed)
    }

    @Test(arguments: 1...(isSoak ? 200 : 6) as ClosedRange<UInt64>)
    func `what is there is what was expected, in SQL as in memory`(_ seed: UInt64) async throws {
        try await withModelStore(of: Schema(Bin.all)) { store in
            var random = SeededGenerator(seed)
            let context = ModelContext(store.container)
            var expected = try await fill(context, &random)
            for _ in 0..<4 {
                for _ in 0..<Int.random(in: 1...4, using: &random) { try await change(context, &expected, &random) }
                // What a query shows of unsaved changes is what it shows when they are saved.
                let before = try await shown(context)
                try await context.save()
                expected.save()
                #expect(try await shown(context) == before, "seed \(seed)")
                #expect(try await store.database.texts(Self.table) == expected.texts, "seed \(seed)")
                try await compareAll(ModelContext(store.container), seed)
                try await compareAll(context, seed)
            }
        }
    }

    private func shown(_ context: ModelContext) async throws -> [[String]] {
        var result: [[String]] = []
        for includeDeleted in [false, true] {
            var journeys = FetchDescriptor<Bin.Journey>(sortBy: [SortDescriptor(\.code)])
            var stages = FetchDescriptor<Bin.Stage>(sortBy: [SortDescriptor(\.name)])
            var meals = FetchDescriptor<Bin.Meal>(sortBy: [SortDescriptor(\.dish)])
            journeys.includeDeleted = includeDeleted
            stages.includeDeleted = includeDeleted
            meals.includeDeleted = includeDeleted
            result.append(try await context.fetch(journeys).map(\.code))
            result.append(try await context.fetch(stages).map(\.name))
            result.append(try await context.fetch(meals).map(\.dish))
            journeys.predicate = Self.journeys[2]
            result.append(try await context.fetch(journeys).map(\.code))
        }
        return result
    }
}
