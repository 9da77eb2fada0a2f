import StrataClient
import Synchronization

/// Work that several tasks wait for and that is done once.
///
/// A task that is cancelled stops waiting at once; when nobody waits any more, the work is cancelled.
final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var result: Result<Value, any Error>?
        var nextWaiter = 0
        var waiting: [Int: UnsafeContinuation<Value, any Error>] = [:]
    }

    private let state = Mutex(State())

    init(_ work: @escaping @Sendable () async throws -> Value) {
        let task = Task.detached { [self] in
            do { finish(.success(try await work())) } catch { finish(.failure(error)) }
        }
        state.withLock { $0.task = task }
    }

    func value() async throws -> Value {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let early = state.withLock { state in
                    if state.result == nil { state.waiting[waiter] = continuation }
                    return state.result
                }
                if let early { continuation.resume(with: early) }
                // A cancellation before the registration found no one to resume.
                if Task.isCancelled { abandon(waiter) }
            }
        } onCancel: {
            abandon(waiter)
        }
    }

    private func finish(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            state.result = result
            state.task = nil
            defer { state.waiting.removeAll() }
            return state.waiting.values.map { $0 }
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    private func abandon(_ waiter: Int) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: waiter)
            return (continuation, state.waiting.isEmpty ? state.task : nil)
        }
        guard let continuation else { return }
        continuation.resume(throwing: CancellationError())
        task?.cancel()
    }
}
