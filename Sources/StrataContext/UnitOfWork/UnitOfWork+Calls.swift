import StrataClient
import StrataModels

extension UnitOfWork {
    /// What getters and setters could not throw, of the task that asks.
    var reported: [SwiftDataError] { errors.of(isBeside: isBesideTransaction) }

    /// Notes an error that a getter or setter cannot throw.
    func report(_ error: SwiftDataError) { errors.append(error, isBeside: isBesideTransaction) }

    func forgetReported() { errors.removeAll(isBeside: isBesideTransaction) }

    /// What observers and logs are told of a call; `nil` where nobody asks.
    func begin(_ kind: ObservedCall.Kind, _ name: @autoclosure () -> String) -> CallsInProgress? {
        if let calls = container.calls { return calls.begin(kind, name(), logger: ownLogger) }
        return unobservedCall
    }

    /// What is no call for observers, such as an enumeration, has the context's logger all the same.
    var unobservedCall: CallsInProgress? { ownLogger.map { CallsInProgress(logger: $0) } }

    /// The descriptor with a limit that lets the server stop when there are too many rows. Which are too many is seen when they come.
    func limitingRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> FetchDescriptor<T> {
        guard let limit = try place(of: T.self).session.rowLimit, limit < .max,
            descriptor.fetchLimit.map({ $0 > limit }) ?? true
        else { return descriptor }
        var limited = descriptor
        limited.fetchLimit = limit + 1
        return limited
    }
}
