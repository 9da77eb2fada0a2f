import Synchronization

/// A value that several tasks of a test change.
package final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: Value) {
        mutex = Mutex(value)
    }

    package var value: Value { mutex.withLock { $0 } }

    package func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}
