import Foundation
import Synchronization

/// Runs work that blocks on a thread of its own.
///
/// Not on a dispatch queue: on Linux the threads of dispatch's global queues are also those of Swift's concurrency, so a few
/// attempts to reach a dead server would hold up every task of the process. A thread per job costs little beside the work
/// itself: connecting, cancelling, rolling back what someone left open, reading a piece of a file.
package enum BlockingThread {
    static func run(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.name = name
        thread.start()
    }

    /// What the work gives. Waits for it, also in a task that is cancelled.
    package static func value<Value: Sendable>(
        _ name: String, of work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            run(name) { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// What the work gives. A cancelled caller does not wait for it: `CancellationError`.
    package static func valueUnlessCancelled<Value: Sendable>(
        _ name: String, of work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let attempt = Attempt<Value>()
        return try await withCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                attempt.start(continuation)
                run(name) { attempt.finish(Result(catching: work)) }
            }
        } onCancel: {
            attempt.finish(.failure(CancellationError()))
        }
    }

    /// The first of result and cancellation resumes the caller; the other is dropped.
    private final class Attempt<Value: Sendable>: Sendable {
        private struct State {
            var continuation: UnsafeContinuation<Value, any Error>?
            var early: Result<Value, any Error>?
            var isFinished = false
        }

        private let state = Mutex(State())

        func start(_ continuation: UnsafeContinuation<Value, any Error>) {
            let early = state.withLock { state -> Result<Value, any Error>? in
                if state.early == nil { state.continuation = continuation }
                return state.early
            }
            if let early { continuation.resume(with: early) }
        }

        func finish(_ result: Result<Value, any Error>) {
            let continuation = state.withLock { state -> UnsafeContinuation<Value, any Error>? in
                guard !state.isFinished else { return nil }
                state.isFinished = true
                if state.continuation == nil { state.early = result }
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume(with: result)
        }
    }
}
