public import StrataClient

/// An error of Strata: what failed, where, and what to do now.
///
/// The names are SwiftData's where it has one. Compare with the static members, as with SwiftData:
///
/// ```swift
/// do { try await context.save() } catch SwiftDataError.conflict { … }
/// ```
public struct SwiftDataError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What kind of thing failed. The error itself compares by it too: `error == .conflict`.
    public let code: Code
    /// What failed, where, and what to do now. Holds no stored values.
    public let message: String
    /// The objects concerned, where they are known.
    public var identifiers: [PersistentIdentifier]
    /// Values that help to understand the error; shown by `debugDescription` only.
    public var details: String?
    /// The server's error, when it came from PostgreSQL.
    public var underlying: PostgresError?
    /// Of a ``conflict``: each property that somebody else changed too, with its values; shown by `debugDescription` only.
    ///
    /// Empty for a conflict that is not about a property: an object that has another class by now, or was moved away from a
    /// delete rule, and a save that failed again before the server could be asked.
    public package(set) var conflicts: [PropertyConflict] = []
    /// Of a ``refusedPatch``: each key that was refused, with its place and the reason.
    public package(set) var refusedKeys: [RefusedKey] = []

    /// An error from its parts.
    ///
    /// - Parameters:
    ///   - message: what failed, where, and what to do now; without stored values. Without it, what the code means.
    ///   - details: values that help to understand the error.
    public init(
        _ code: Code, _ message: String? = nil, identifiers: [PersistentIdentifier] = [], details: String? = nil,
        underlying: PostgresError? = nil
    ) {
        self.code = code
        self.message = message ?? code.summary
        self.identifiers = identifiers
        self.details = details
        self.underlying = underlying
    }

    /// The same error with words before its message.
    package func preceded(by text: String) -> SwiftDataError {
        var error = SwiftDataError(
            code, text + message, identifiers: identifiers, details: details, underlying: underlying)
        (error.conflicts, error.refusedKeys) = (conflicts, refusedKeys)
        return error
    }

    /// The SQLSTATE of the server's error (PostgreSQL manual, appendix A), if there was one.
    public var sqlState: String? { underlying?.sqlState }
    /// Whether the same work may succeed when done again from its beginning, and cannot be done twice by that: never when the
    /// outcome is unknown, whatever ``underlying`` says.
    public var isRetryable: Bool {
        code != .outcomeUnknown && (underlying?.isRetryable ?? (code == .conflict))
    }

    /// Code, message and the server's error in one line. Holds no stored values, so it may be logged.
    public var description: String {
        var text = "\(code): \(message)"
        if let underlying {
            text += isToldAlready(underlying) ? " [PostgreSQL \(underlying.code)]" : " [\(underlying)]"
        }
        return text
    }

    /// Whether the message says all that the error says: one that no server sent.
    private func isToldAlready(_ error: PostgresError) -> Bool {
        error.sqlState == nil && error.statementName == nil && error.hint == nil && message.contains(error.message)
    }

    /// The description with the objects' identifiers and values that help to understand the error: not for public logs.
    public var debugDescription: String {
        var text = "\(code): \(message)"
        if !identifiers.isEmpty { text += " Objects: \(identifiers.map(\.description).joined(separator: ", "))." }
        if !conflicts.isEmpty { text += " \(conflictsInWords)" }
        if let details { text += " \(details)" }
        if let underlying { text += " [\(String(reflecting: underlying))]" }
        return text
    }

    private var conflictsInWords: String {
        conflicts.prefix(20).map(\.sentence).joined(separator: " ")
    }
}

extension SwiftDataError: Hashable {
    /// Errors are equal when their codes are, as SwiftData's: `error == .conflict`.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
