import Dispatch
import Foundation
package import Logging
package import StrataClient
package import StrataMigrations
import StrataModels
import StrataRepository
import Synchronization

/// Runs the closures of a plan's stages, each with a context of its version's classes.
///
/// The store's identifier and the keys are the same in every version, so identifiers of `willMigrate` are equal to those of
/// `didMigrate`.
package struct PlanClosures: StageClosures {
    /// What one store keeps of the plan, and where.
    struct Part: Sendable {
        let contents: PlanContents
        let server: PostgresConfiguration
        let schemaName: String
    }

    /// One for each store of the container; they have the same versions and stages.
    private let parts: [Part]
    /// The closures that are not another store's to run.
    private let moments: Set<StageClosure>
    private let logger: Logger

    /// Throws `usage` when the plan does not hold together.
    package init(
        plan: any SchemaMigrationPlan.Type, configuration: PostgresConfiguration, schemaName: String,
        logger: Logger = Logger(label: "strata")
    ) throws(MigrationError) {
        self.init(
            [Part(contents: try PlanContents(plan), server: configuration, schemaName: schemaName)],
            moments: [.willMigrate, .didMigrate], logger: logger)
    }

    init(_ parts: [Part], moments: Set<StageClosure>, logger: Logger) {
        self.parts = parts
        self.moments = moments
        self.logger = logger
    }

    package func perform(_ closure: StageClosure, stage number: Int) throws {
        // Script 1 creates the first version; script 2 is the first stage.
        let index = number - 2
        guard moments.contains(closure) else { return }
        guard let contents = parts.first?.contents, contents.stages.indices.contains(index),
            let body = contents.stages[index].closure(closure)
        else {
            throw MigrationError(
                .usage, "The plan has no \(closure.rawValue) for stage \(number).",
                remedy: "bring it back, or generate the files of this stage anew if it was never applied")
        }
        let stage = contents.stages[index]
        let version = closure == .willMigrate ? index : index + 1
        do {
            let author = "migration \(contents.schemas[index].version) -> \(contents.schemas[index + 1].version)"
            try onThreadOfItsOwn("strata.\(closure.rawValue)") { try run(body, at: version, author: author) }
        } catch {
            throw MigrationError(
                .stepFailed, "\(closure.rawValue) from \(stage.fromVersion) to \(stage.toVersion) failed: \(error)",
                remedy: "remove the cause and apply again: the closure runs again from its beginning",
                underlying: error)
        }
    }

    private func run(_ body: (ModelContext) throws -> Void, at version: Int, author: String) throws {
        let container = try ModelContainer(
            unverified: parts.map { ($0.contents.schemas[version], $0.server, $0.schemaName) }, logger: logger)
        defer { container.close() }
        let context = ModelContext(container)
        context.author = author
        try body(context)
        try context.throwUnreportedErrors()
        if context.hasChanges { try context.save() }
    }

    /// The caller may be a thread with a small stack, or one that must not see blocking calls of a user's.
    private func onThreadOfItsOwn(_ name: String, _ work: @escaping @Sendable () throws -> Void) throws {
        let outcome = Outcome()
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            do { try work() } catch { outcome.error.withLock { $0 = error } }
            isDone.signal()
        }
        thread.name = name
        thread.start()
        isDone.wait()
        if let error = outcome.error.withLock({ $0 }) { throw error }
    }

    private final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }
}
