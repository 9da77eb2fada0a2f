#if Hummingbird
import HTTPTypes
public import Strata

extension Problem {
    /// What a client is told of an error of Strata: the table of the article *Serving models over HTTP*.
    ///
    /// - Parameter isConditional: whether the request had an `If-Match`: a conflict is then 412 in place of 409.
    public init(_ error: SwiftDataError, isConditional: Bool = false) {
        switch error.code {
        case .modelNotFound, .invalidIdentifier:
            self.init(.notFound, detail: "There is no such object.", code: error)
        case .invalidPageCursor:
            self.init(
                .badRequest, detail: "The page's cursor is not one of this list. Begin with its first page.",
                code: error)
        case .conflict where isConditional:
            self.init(.preconditionFailed, detail: Self.changed, code: error, errors: Self.places(of: error.conflicts))
        case .conflict:
            self.init(.conflict, detail: Self.changed, code: error, errors: Self.places(of: error.conflicts))
        case .uniqueConstraint:
            self.init(.conflict, detail: "Another object has a value that must be unique.", code: error)
        case .deleteDenied:
            self.init(.conflict, detail: "Other objects refer to this one. Delete them first.", code: error)
        case .historyTokenExpired:
            self.init(.gone, detail: "The history before this place is gone. Read everything anew.", code: error)
        case .refusedPatch:
            self.init(
                .unprocessableContent, detail: "The body names what may not be written. Nothing was changed.",
                code: error,
                errors: error.refusedKeys.map { Place($0.pointer, $0.sentence) })
        case .invalidValue:
            self.init(.unprocessableContent, detail: "A value is missing, or cannot be stored.", code: error)
        case .checkConstraint:
            self.init(.unprocessableContent, detail: "A value breaks a rule that holds of all objects.", code: error)
        case .modelValidationFailure:
            self.init(
                .unprocessableContent,
                detail: "A required relationship is missing, or has too few or too many objects.",
                code: error)
        case .outcomeUnknown:
            self.init(
                .gatewayTimeout, detail: "It is not known whether this was stored. Read it before asking again.",
                code: error)
        case .storeFailure, .loadIssueModelContainer, .unfulfilledFault:
            self = error.underlying.map(Problem.init) ?? Problem(.internalServerError)
        default:
            self = error.isRetryable ? Self.unavailable : Problem(.internalServerError)
        }
    }

    /// What a client is told of a report of the server, or of a connection that failed.
    private init(_ error: PostgresError) {
        switch error.sqlState {
        case "42501":
            self.init(.forbidden, detail: "The database does not allow this.")
        // Class 53: resources; 57P: shutdown; 25006: a standby that takes no writes, as in a failover.
        case let state? where state.hasPrefix("53") || state.hasPrefix("57P") || state == "25006":
            self = Self.unavailable
        default:
            switch error.code {
            case .timeout: self.init(.gatewayTimeout, detail: "The database did not answer in time.")
            // The only text that cannot be sent: one with the character U+0000.
            case .encoding: self.init(.unprocessableContent, detail: "A value has a character that cannot be stored.")
            // Cancelled: by an administrator, or because the request is given up.
            case .cancelled, .poolClosed: self = Self.unavailable
            case _ where error.isRetryable || error.isConnectionLoss: self = Self.unavailable
            default: self.init(.internalServerError)
            }
        }
    }

    private init(_ status: HTTPResponse.Status, detail: String, code error: SwiftDataError, errors: [Place] = []) {
        self.init(status, detail: detail, code: error.code.description, errors: errors)
    }

    static let unavailable = Problem(
        .serviceUnavailable, detail: "The database cannot be reached at the moment. Nothing was changed.",
        retryAfter: .seconds(2))
    /// In place of ``unavailable`` where another piece of work of the same request has committed.
    static let partlyStored = Problem(
        .internalServerError,
        detail: "A part of this was stored, and then the database could not be reached. Read it before asking again.")
    static let changed = "Somebody else changed this meanwhile. Read it again before you change it."

    private static func places(of conflicts: [PropertyConflict]) -> [Place] {
        conflicts.map { Place("#/" + JSONPointer.escaped($0.propertyName), "was changed by somebody else") }
    }
}

extension RefusedKey {
    /// `#/bucketList/2/title`.
    fileprivate var pointer: String {
        let key = String(self.key.prefix(200))
        guard path.hasSuffix(self.key) else { return "#/" + JSONPointer.escaped(key) }
        // Names of properties have neither dots nor brackets; the key may be anything that the client sent.
        let owners = path.dropLast(self.key.count).split(whereSeparator: { ".[]".contains($0) }).map(String.init)
        return "#/" + (owners + [key]).map(JSONPointer.escaped).joined(separator: "/")
    }

    /// Does not tell a property that is there and not allowed from one that is not there.
    fileprivate var sentence: String {
        switch reason {
        case .unknown, .notAllowed: "cannot be written"
        case .newObject, .otherObject: reason.rawValue
        }
    }
}
#endif
