import StrataClient
import StrataRepository

/// Why a look into a store, or an edit, failed.
///
/// The description never holds a password or a stored value.
public struct BrowsingError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure. More may be added, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for example `conflict`.
        public let description: String

        init(_ name: String) { description = name }

        /// There is no such schema, class, property or object.
        public static let notFound = Code("notFound")
        /// A value that was typed in is none of the property's type.
        public static let invalidValue = Code("invalidValue")
        /// What is stored is not what was shown.
        public static let conflict = Code("conflict")
        /// The browser, the role or a constraint of the database does not allow it.
        public static let refused = Code("refused")
        /// The server took longer than the browser waits.
        public static let timeout = Code("timeout")
        /// The server could not be reached, or reported something else.
        public static let server = Code("server")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, and what to do.
    public let message: String
    /// The five characters of the server's SQLSTATE, where it reported the failure.
    public let sqlState: String?

    init(_ code: Code, _ message: String, sqlState: String? = nil) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
    }

    /// The message, with the SQLSTATE where there is one.
    public var description: String { message + (sqlState.map { " (SQLSTATE \($0))" } ?? "") }
}

extension BrowsingError {
    /// What a failure of the client or the server is for somebody who looks into a store.
    init(_ error: any Error, doing what: String) {
        if let error = error as? BrowsingError {
            self = error
            return
        }
        let failure = error as? PostgresError
        let state = failure?.sqlState
        let text = failure?.serverMessage.map { Self.withoutValues($0, state) } ?? failure?.message ?? "\(error)"
        self.init(Self.code(failure), "The browser could not \(what): \(text)", sqlState: state)
    }

    private static func code(_ error: PostgresError?) -> Code {
        guard let error else { return .server }
        if error.code == .timeout || error.code == .cancelled { return .timeout }
        if error.code == .encoding { return .invalidValue }
        switch error.sqlState {
        case "57014", "55P03": return .timeout
        case "25006", "42501": return .refused
        case let state? where state.hasPrefix("23"): return .refused
        case let state? where state.hasPrefix("22"): return .invalidValue
        default: return .server
        }
    }

    /// The server quotes what it cannot read as a value of a type (class 22).
    private static func withoutValues(_ message: String, _ state: String?) -> String {
        guard state?.hasPrefix("22") == true else { return message }
        let words = message.prefix { $0 != ":" }
        return words.count < message.count && !words.contains("\"")
            ? String(words) : "the value is none of this type, or outside of its range"
    }
}
