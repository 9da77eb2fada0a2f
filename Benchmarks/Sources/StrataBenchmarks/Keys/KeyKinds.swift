import Foundation
import Strata

/// K1 to K4: work with objects whose keys are UUIDs beside the same with keys that are numbers, both through Strata. In the table, the columns of
/// the C program are those of the numbers.
final class KeyKinds: Workload {
    enum Work: CaseIterable {
        case fetch, lookUp, insert, change
    }

    let work: Work
    let size: Int
    let limit: Double? = 1.15
    /// The objects of each class, and identifiers spread over them.
    private let total: Int
    private var identifiers: [ObjectIdentifier: [PersistentIdentifier]] = [:]

    init(_ work: Work, total: Int) {
        self.work = work
        self.total = total
        size = work == .fetch ? total : min(10_000, total)
    }

    var name: String {
        switch work {
        case .fetch: "K1"
        case .lookUp: "K2"
        case .insert: "K3"
        case .change: "K4"
        }
    }

    var title: String {
        switch work {
        case .fetch: "UUIDs beside numbers: fetch"
        case .lookUp: "the same: look-ups, a context each"
        case .insert: "the same: insert"
        case .change: "the same: load, change, save"
        }
    }

    var operations: Int { work == .lookUp ? size : 1 }

    /// Makes the objects that are read and changed.
    static func fill(_ database: Database, count: Int) throws {
        func fill<M: Article>(_ type: M.Type) throws {
            let context = ModelContext(database.container)
            for number in 0..<count { context.insert(M(number)) }
            try context.save()
        }
        try fill(NumberedArticle.self)
        try fill(IdentifiedArticle.self)
        try database.admin.execute("VACUUM ANALYZE")
    }

    func plain(_ database: Database) throws -> () throws -> Outcome { try run(NumberedArticle.self, database) }
    func strata(_ database: Database) throws -> () throws -> Outcome { try run(IdentifiedArticle.self, database) }

    private func run<M: Article>(_ type: M.Type, _ database: Database) throws -> () throws -> Outcome {
        switch work {
        case .fetch: { try self.fetch(type, database) }
        case .lookUp: try lookUp(type, database)
        case .insert: try insert(type, database)
        case .change: { try self.change(type, database) }
        }
    }

    private func fetch<M: Article>(_ type: M.Type, _ database: Database) throws -> Outcome {
        let context = ModelContext(database.container)
        let objects = try context.fetch(FetchDescriptor<M>())
        return Outcome(count: objects.count, held: (context, objects))
    }

    private func lookUp<M: Article>(_ type: M.Type, _ database: Database) throws -> () throws -> Outcome {
        let all =
            try identifiers[ObjectIdentifier(type)]
            ?? ModelContext(database.container).fetchIdentifiers(FetchDescriptor<M>())
        identifiers[ObjectIdentifier(type)] = all
        let chosen = (0..<size).map { all[($0 * 7919 + 13) % all.count] }
        return {
            var found = 0
            for identifier in chosen {
                let context = ModelContext(database.container)
                if try context.model(for: identifier) is M { found += 1 }
            }
            return Outcome(count: found)
        }
    }

    /// New objects, each of which refers to the one before. What the run before has added is deleted first.
    private func insert<M: Article>(_ type: M.Type, _ database: Database) throws -> () throws -> Outcome {
        try database.admin.execute("DELETE FROM \(type.tableName) WHERE title LIKE 'New %'", "VACUUM")
        return { [size] in
            let context = ModelContext(database.container)
            var previous: M?
            for number in 0..<size {
                let object = M(number)
                object.title = "New \(number)"
                object.previous = previous
                context.insert(object)
                previous = object
            }
            try context.save()
            return Outcome(count: size, held: context)
        }
    }

    private func change<M: Article>(_ type: M.Type, _ database: Database) throws -> Outcome {
        let context = ModelContext(database.container)
        var descriptor = FetchDescriptor<M>()
        descriptor.fetchLimit = size
        let objects = try context.fetch(descriptor)
        for object in objects { object.title += "." }
        try context.save()
        return Outcome(count: objects.count, held: (context, objects))
    }
}
