import StrataMigrations
import StrataModels

/// Versions of one class, each with an attribute more; two branches add different ones.
enum FolderModels {
    enum Named {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
    }
    enum Rated {
        @Model class Trip {
            var name: String = ""
            var rating: Int?
            init() {}
        }
    }
    enum Noted {
        @Model class Trip {
            var name: String = ""
            var rating: Int?
            var notes: String?
            init() {}
        }
    }
    enum Budgeted {
        @Model class Trip {
            var name: String = ""
            var rating: Int?
            var budget: Int?
            init() {}
        }
    }
    enum NotedAndBudgeted {
        @Model class Trip {
            var name: String = ""
            var rating: Int?
            var notes: String?
            var budget: Int?
            init() {}
        }
    }

    static let all: [any PersistentModel.Type] = [Named.Trip.self, Rated.Trip.self, Noted.Trip.self]

    /// Version 1 is the first class, version 2 the second …; or the numbers that are given.
    static func chain(
        _ types: [any PersistentModel.Type], numbers: [Int]? = nil, stages: [MigrationChain.Stage]? = nil
    ) throws -> MigrationChain {
        var versions: [FrozenSchema] = []
        for (index, type) in types.enumerated() {
            let version = Schema.Version(numbers?[index] ?? index + 1, 0, 0)
            versions.append(try FrozenSchema(freezing: Schema([type], version: version)))
        }
        return MigrationChain(
            versions: versions, stages: stages ?? types.dropFirst().map { _ in MigrationChain.Stage() })
    }
}
