#if Service
import ServiceLifecycle
import StrataContext
import StrataModels
import Synchronization

/// Opens a container once, for everybody who waits for it.
///
/// The opening is nobody's own: it inherits neither the shutdown nor the cancellation of who asked first, and who waits for it may leave
/// while it goes on.
final class SharedOpening: Sendable {
    enum State {
        case idle
        case opening
        case open(ModelContainer)
        case failed(any Error)
        /// The service closes its container, or has closed it.
        case ended
    }

    private typealias Waiting = CheckedContinuation<ModelContainer, any Error>

    private struct Books {
        var state = State.idle
        var container: ModelContainer?
        var task: Task<Void, Never>?
        var waiting: [Int: Waiting] = [:]
        var nextWaiting = 0
    }

    private let open: @Sendable () async throws -> ModelContainer
    private let books: Mutex<Books>

    init(_ open: @escaping @Sendable () async throws -> ModelContainer) {
        self.open = open
        books = Mutex(Books())
    }

    init(_ container: ModelContainer) {
        open = { container }
        books = Mutex(Books(state: .open(container), container: container))
    }

    var state: State { books.withLock { $0.state } }

    /// The container, as soon as it is open. The first who asks begins to open it.
    ///
    /// Throws what opening has thrown, and `CancellationError` when the task is cancelled, or shuts down gracefully, before that.
    func container() async throws -> ModelContainer {
        let number = books.withLock { books in
            books.nextWaiting += 1
            return books.nextWaiting
        }
        return try await withTaskCancellationOrGracefulShutdownHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let result = enter(number, continuation) {
                    continuation.resume(with: result)
                } else if Task.isCancelled || Task.isShuttingDownGracefully {
                    // A shutdown before the entry found nobody to wake.
                    leave(number)
                }
            }
        } onCancelOrGracefulShutdown: { [self] in
            leave(number)
        }
    }

    /// What is known already; `nil` for who has to wait.
    private func enter(_ number: Int, _ continuation: Waiting) -> Result<ModelContainer, any Error>? {
        books.withLock { books in
            if let container = books.container { return .success(container) }
            switch books.state {
            case .failed(let error): return .failure(error)
            case .ended: return .failure(Self.ended)
            case .idle:
                books.state = .opening
                books.task = Task.detached { [self] in await openForAll() }
            case .opening, .open: break
            }
            books.waiting[number] = continuation
            return nil
        }
    }

    private func leave(_ number: Int) {
        books.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
    }

    private func openForAll() async {
        let result: Result<ModelContainer, any Error>
        do { result = .success(try await open()) } catch { result = .failure(error) }
        let waiting = books.withLock { books -> [Waiting]? in
            if case .ended = books.state { return nil }
            switch result {
            case .success(let container):
                books.container = container
                books.state = .open(container)
            case .failure(let error):
                books.state = .failed(error)
            }
            defer { books.waiting = [:] }
            return Array(books.waiting.values)
        }
        if let waiting {
            for continuation in waiting { continuation.resume(with: result) }
        } else if case .success(let late) = result {
            // Nobody knows it, and nobody else would close it.
            await late.close()
        }
    }

    /// The service ends: an opening under way is cancelled, and what it opens all the same is closed. A container that is open can be had
    /// until it is closed, for what is under way.
    func end() {
        let (task, waiting) = books.withLock { books in
            if case .failed = books.state { return (nil as Task<Void, Never>?, [] as [Waiting]) }
            books.state = .ended
            defer { books.waiting = [:] }
            return (books.container == nil ? books.task : nil, Array(books.waiting.values))
        }
        task?.cancel()
        for continuation in waiting { continuation.resume(throwing: Self.ended) }
    }

    /// Whether the service has ended before there was a container.
    var hasEnded: Bool {
        books.withLock { books in
            if case .ended = books.state { books.container == nil } else { false }
        }
    }

    /// Waits until an opening that was cancelled has come to its end, and no longer than that.
    func settle(within limit: Duration) async {
        guard let task = books.withLock({ $0.task }) else { return }
        await withCheckedContinuation { continuation in
            let first = FirstToCome(continuation)
            let timer = Task.detached {
                try? await Task.sleep(for: limit)
                first.come()
            }
            Task.detached {
                await task.value
                timer.cancel()
                first.come()
            }
        }
    }

    private static var ended: SwiftDataError {
        SwiftDataError(
            .storeFailure,
            "The container was not opened: its ModelContainerService has ended. Ask for it while the service runs.")
    }
}

/// Goes on with whoever comes first.
private final class FirstToCome: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Mutex(continuation)
    }

    func come() {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?.resume()
    }
}
#endif
