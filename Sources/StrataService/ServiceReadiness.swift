#if Service
import StrataClient
public import StrataContext
import StrataModels

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

extension ServiceReadiness: CustomStringConvertible, CustomDebugStringConvertible {
    /// What was found, in words that anybody may read: no host, no user, no text of an error.
    public var description: String {
        switch self {
        case .opening: "opening"
        case .failed(let error): "not opened: \(Self.kind(of: error))"
        case .open(let readiness): readiness.description
        case .ended: "shutting down"
        }
    }

    /// What was found with the errors in full: for logs.
    public var debugDescription: String {
        switch self {
        case .opening, .ended: description
        case .failed(let error): "not opened: \(error)"
        case .open(let readiness): readiness.debugDescription
        }
    }

    private static func kind(of error: any Error) -> String {
        guard let error = error as? SwiftDataError else { return "\(type(of: error))" }
        guard let underlying = error.underlying else { return "\(error.code)" }
        return "\(error.code) (\(underlying.sqlState ?? underlying.code.description))"
    }
}
#endif
