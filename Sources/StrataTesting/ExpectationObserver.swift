package import StrataClient
public import StrataContext
import Synchronization

/// Tells expectations what the connections of a container do.
///
/// A container of `withTestStore` has one. Give one to a container that a test opens itself:
///
/// ```swift
/// let container = try await ModelContainer(
///     for: Schema([Trip.self]), configurations: [configuration], observers: [ExpectationObserver()])
/// ```
public final class ExpectationObserver: StatementObserver {
    private let recordings = Mutex<[Int: ContainerRecording]>([:])
    private let lastNumber = Atomic<Int>(0)

    /// An observer for one container.
    public init() {}

    /// A statement has been answered, or has failed.
    public func didComplete(_ statement: ObservedStatement) {
        update { $0.statements.append(statement) }
    }

    /// Begins a recording, which ends with ``end(_:)``.
    func begin() -> Int {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        recordings.withLock { $0[number] = ContainerRecording() }
        return number
    }

    func end(_ number: Int) -> ContainerRecording {
        recordings.withLock { $0.removeValue(forKey: number) } ?? ContainerRecording()
    }

    private func update(_ change: (inout ContainerRecording) -> Void) {
        recordings.withLock { recordings in
            for number in recordings.keys { change(&recordings[number, default: ContainerRecording()]) }
        }
    }
}

extension ExpectationObserver: PostgresObserver {
    package func connection(_ id: Int, didSend statements: [String]) {
        update { $0.roundTrips += 1 }
    }
}

extension ExpectationObserver: CallObserver {
    package func didBegin(_ call: ObservedCall) -> any CallInProgress {
        if case .lazyLoad = call.kind { update { $0.lazyLoads.append(call.name) } }
        return RecordedCall(observer: self)
    }

    package func willRepeat(after error: any Error) {}

    /// Of how a call goes on, an expectation asks for its statements only.
    private struct RecordedCall: CallInProgress {
        let observer: ExpectationObserver

        var comment: String? { nil }
        func didConnect() {}
        func didComplete(_ statement: ObservedStatement) { observer.didComplete(statement) }
        func didEnd(_ error: (any Error)?) {}
    }
}
