import Foundation
import Strata

/// A context that holds many objects nobody has changed: what one change, and none, cost.
enum CleanContext {
    static func measure(_ database: Database, sizes: [Int]) throws -> [Measurement] {
        var results: [Measurement] = []
        var first: (save: Double, idle: Double)?
        for size in sizes {
            let context = ModelContext(database.container)
            var descriptor = FetchDescriptor<Trip>()
            descriptor.fetchLimit = size
            let memory = ProcessMemory.current
            let trips = try context.fetch(descriptor)
            let growth = ProcessMemory.current - memory
            let saves = try (0..<41).map { round in
                trips[round].destination = "Changed \(round)"
                return try Sample.take {
                    try context.save()
                    return Outcome(count: 1)
                }.0
            }
            var save = Measurement(
                name: "G1", title: "save one change among clean objects", size: size,
                strata: Series(Array(saves.dropFirst(10))))
            save.notes.append("\(growth / size) bytes of memory an object")
            let idle = try idleNanoseconds(context)
            var nothing = Measurement(
                name: "G2", title: "hasChanges and save() without changes", size: size, unit: "ns",
                strata: Series(values: idle, best: idle.min() ?? 0))
            if let first {
                save.bars.append(
                    .init(
                        what: "times the time of \(sizes[0]) objects", value: save.strata.best / first.save, limit: 1.5)
                )
                nothing.bars.append(
                    .init(
                        what: "times the time of \(sizes[0]) objects", value: nothing.strata.best / first.idle,
                        limit: 1.5))
            }
            first = first ?? (save.strata.best, nothing.strata.best)
            results += [save, nothing]
        }
        return results
    }

    private static func idleNanoseconds(_ context: ModelContext) throws -> [Double] {
        try (0..<7).map { _ in
            let start = ProcessTime.nanoseconds
            for _ in 0..<10_000 where !context.hasChanges { try context.save() }
            return Double(ProcessTime.nanoseconds - start) / 10_000
        }
    }
}
