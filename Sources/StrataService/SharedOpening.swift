#if Service
import StrataContext
import Synchronization

/// Opens a container once, for everybody who waits for it.
final class SharedOpening: Sendable {
    enum State {
        case idle
        case opening(Task<ModelContainer, any Error>)
        case open(ModelContainer)
        case failed(any Error)
        /// The service closes its container, or has closed it.
        case ended
    }

    private struct Books {
        var state = State.idle
        var task: Task<ModelContainer, any Error>?
    }

    private let open: @Sendable () async throws -> ModelContainer
    private let books = Mutex(Books())

    init(_ open: @escaping @Sendable () async throws -> ModelContainer) {
        self.open = open
    }

    var state: State { books.withLock { $0.state } }

    /// The opening under way, or the one that was.
    func begin() -> Task<ModelContainer, any Error> {
        books.withLock { books in
            if let task = books.task { return task }
            let task = Task { [self, open] in
                do {
                    let container = try await open()
                    note(.open(container))
                    return container
                } catch {
                    note(.failed(error))
                    throw error
                }
            }
            books.task = task
            books.state = .opening(task)
            return task
        }
    }

    func end() {
        books.withLock { $0.state = .ended }
    }

    private func note(_ state: State) {
        books.withLock { books in
            if case .ended = books.state { return }
            books.state = state
        }
    }
}
#endif
