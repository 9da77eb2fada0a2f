import Foundation
import Strata
import StrataTestSupport
import Synchronization
import Testing

@Model private final class Slip {
    var text: String
    init(text: String) { self.text = text }
}

/// Eight tasks save while the server ends backends that are at work: nothing that is stored is reported as not saved, and nothing
/// is done twice.
@Suite(.serialized, .enabled(if: isSoak, "make soak")) struct TerminatedBackendSoakTests {
    /// The saves that failed, by their texts; and whether the tasks are to end.
    private final class Book: Sendable {
        private let failed = Mutex<[String: SwiftDataError]>([:])
        private let closed = Atomic(false)

        var errors: [String: SwiftDataError] { failed.withLock { $0 } }
        var isClosed: Bool { closed.load(ordering: .relaxed) }
        func note(_ text: String, _ error: SwiftDataError) { failed.withLock { $0[text] = error } }
        func close() { closed.store(true, ordering: .relaxed) }
    }

    @Test(.timeLimit(.minutes(5)), arguments: 1...5)
    func `what is stored is not reported as failed, and not stored twice`(run: Int) async throws {
        try await withModelStore(Slip.self) { store in
            let (container, book) = (store.container, Book())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask { try await Self.save("\(task)", in: container, book) }
                }
                for _ in 0..<150 {
                    try await store.database.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                            + "AND state = 'active' AND pid <> pg_backend_pid() LIMIT 1")
                    try await Task.sleep(for: .milliseconds(100))
                }
                book.close()
                try await group.waitForAll()
            }
            var stored: [String: Int] = [:]
            for slip in try await ModelContext(container).fetch(FetchDescriptor<Slip>()) {
                stored[slip.text, default: 0] += 1
            }
            let errors = book.errors
            let ghosts = errors.filter { stored[$0.key] != nil && $0.value.code != .outcomeUnknown }
            print("\(stored.count) texts stored, \(errors.count) saves failed, \(ghosts.count) of them stored")
            #expect(ghosts.isEmpty)
            #expect(stored.filter { $0.value > 1 }.isEmpty)
            // Else no backend was ended at work, and the run says nothing.
            #expect(stored.count > 1000 && !errors.isEmpty)
        }
    }

    /// Saves one object after another, and does work that may be done again.
    private static func save(_ task: String, in container: ModelContainer, _ book: Book) async throws {
        var number = 0
        while !book.isClosed, !Task.isCancelled {
            number += 1
            let text = "\(task) \(number)"
            let context = ModelContext(container)
            context.insert(Slip(text: text))
            do { try await context.save() } catch let error as SwiftDataError { book.note(text, error) }
            // A failure of the last attempt is no concern of this test: nothing of it is stored, or the outcome is unknown.
            try? await container.withContext { $0.insert(Slip(text: text + " once")) }
        }
    }
}
