import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport

/// A container for the models of ``Graph`` on a database of its own, and what was sent to it.
struct GraphStore {
    let container: ModelContainer
    let recorder: StatementRecorder
    let database: TestDatabase

    private let readers = Readers()

    init(_ store: ModelStore) {
        container = store.container
        recorder = store.recorder
        database = store.database
    }

    func context() -> ModelContext { ModelContext(container) }

    /// A fresh context that lives as long as the store: its objects can load what is read of them.
    func reader() -> ModelContext {
        let context = ModelContext(container)
        readers.contexts.append(context)
        return context
    }

    private final class Readers {
        var contexts: [ModelContext] = []
    }

    /// Inserts and saves objects through a context that is gone afterwards.
    func save(_ models: any PersistentModel...) async throws {
        let context = ModelContext(container)
        for model in models { insert(model, in: context) }
        try await context.save()
        recorder.reset()
    }

    private func insert<M: PersistentModel>(_ model: M, in context: ModelContext) { context.insert(model) }

    /// What a fresh context finds.
    func count<M: PersistentModel>(_: M.Type) async throws -> Int {
        try await ModelContext(container).fetchCount(FetchDescriptor<M>())
    }

    /// The statements that read or wrote rows, without those that begin and end transactions or belong to the history.
    var work: [String] {
        recorder.statements.filter { sql in
            ![
                "BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT set_config",
                "SELECT pg_current_snapshot()",
            ].contains { sql.hasPrefix($0) }
        }
    }
}

/// Runs `body` with a fresh store that is gone afterwards.
func withGraphStore(_ label: String = "", _ body: (GraphStore) async throws -> Void) async throws {
    try await withModelStore(of: Graph.schema, label) { try await body(GraphStore($0)) }
}

extension ModelContext {
    /// All objects of a class, in the order of their insertion.
    func all<M: PersistentModel>(_: M.Type = M.self) async throws -> [M] {
        var descriptor = FetchDescriptor<M>()
        descriptor.fetchOffset = 0
        return try await fetch(descriptor)
    }

    /// The only object of a class.
    func only<M: PersistentModel>(_: M.Type = M.self) async throws -> M {
        let objects = try await all(M.self)
        guard objects.count == 1, let object = objects.first else {
            throw SwiftDataError(.modelNotFound, "There are \(objects.count) objects, not one.")
        }
        return object
    }
}
