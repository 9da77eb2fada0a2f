import Foundation
import Strata

/// What it costs to start with a schema of 300 entities.
enum LargeSchema {
    static func measure(_ server: BenchmarkServer) throws -> [Measurement] {
        let clock = ProcessTime.now
        // The first time in this process: what is made once is made now.
        _ = Schema(ManyEntities.types)
        let first = (ProcessTime.now - clock) * 1000
        let database = try server.database("large_schema", ManyEntities.types)
        guard let url = URL(string: database.url) else { return [] }
        let schemas = Array(0..<11).map { _ in
            Sample.take { Outcome(count: 1, held: Schema(ManyEntities.types)) }.0
        }
        let openings = try (0..<5).map { _ in
            try Sample.take {
                var configuration = ModelConfiguration(url: url)
                configuration.recordsHistory = false
                return Outcome(
                    count: 1, held: try ModelContainer(for: ManyEntities.types, configurations: configuration))
            }.0
        }
        var schema = Measurement(
            name: "G6", title: "make a schema of 300 entities", size: 300, strata: Series(schemas))
        schema.bars.append(.init(what: "ms the first time in a process", value: first, limit: 50))
        var opening = Measurement(
            name: "G7", title: "open a container of 300 entities", size: 300, strata: Series(openings))
        opening.bars.append(
            .init(what: "ms of processor time", value: opening.strata.processor ?? 0, limit: 50))
        return [schema, opening]
    }
}
