#if Service
public import StrataContext

/// Whether a ``ModelContainerService`` can serve now.
public enum ServiceReadiness: Sendable {
    /// The container is not open yet: its databases are migrated, for instance.
    case opening
    /// It could not be opened. The group learns the same error.
    case failed(any Error)
    /// It is open: what was found of its stores and of the service's consumers.
    case open(Readiness)
    /// The service is shutting down, or has ended.
    case ended

    /// Whether requests can be answered.
    public var isReady: Bool {
        if case .open(let readiness) = self { readiness.isReady } else { false }
    }
}

extension ServiceReadiness: CustomStringConvertible {
    /// What was found, in words.
    public var description: String {
        switch self {
        case .opening: "opening"
        case .failed(let error): "not opened: \(error)"
        case .open(let readiness): readiness.description
        case .ended: "shutting down"
        }
    }
}
#endif
