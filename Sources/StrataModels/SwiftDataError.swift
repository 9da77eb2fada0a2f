public import StrataClient

/// An error of Strata: what failed, where, and what to do now.
///
/// The names are SwiftData's where it has one. Compare with the static members, as with SwiftData:
///
/// ```swift
/// do { try await context.save() } catch SwiftDataError.conflict { … }
/// ```
public struct SwiftDataError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What kind of thing failed.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ name: String) { description = name }
    }

    public let code: Code
    /// What failed, where, and what to do now. Holds no stored values.
    public let message: String
    /// The objects concerned, where they are known.
    public var identifiers: [PersistentIdentifier]
    /// Values that help to understand the error; shown by `debugDescription` only.
    public var details: String?
    /// The server's error, when it came from PostgreSQL.
    public var underlying: PostgresError?

    public init(
        _ code: Code, _ message: String, identifiers: [PersistentIdentifier] = [], details: String? = nil,
        underlying: PostgresError? = nil
    ) {
        self.code = code
        self.message = message
        self.identifiers = identifiers
        self.details = details
        self.underlying = underlying
    }

    /// The SQLSTATE of the server's error (PostgreSQL manual, appendix A), if there was one.
    public var sqlState: String? { underlying?.sqlState }
    /// Whether the same work may succeed when done again from its beginning.
    public var isRetryable: Bool { underlying?.isRetryable ?? (code == .conflict) }

    public var description: String {
        var text = "\(code): \(message)"
        if let underlying { text += " [\(underlying)]" }
        return text
    }

    public var debugDescription: String {
        var text = "\(code): \(message)"
        if !identifiers.isEmpty { text += " Objects: \(identifiers.map(\.description).joined(separator: ", "))." }
        if let details { text += " \(details)" }
        if let underlying { text += " [\(String(reflecting: underlying))]" }
        return text
    }
}

extension SwiftDataError: Hashable {
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code && lhs.message == rhs.message }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SwiftDataError.Code {
    /// Lets `catch SwiftDataError.conflict` match by code.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? SwiftDataError)?.code == code }

    public static let includePendingChangesWithBatchSize = Self("includePendingChangesWithBatchSize")
    public static let unsupportedPredicate = Self("unsupportedPredicate")
    public static let unsupportedKeyPath = Self("unsupportedKeyPath")
    public static let sortingPendingChangesWithIdentifiers = Self("sortingPendingChangesWithIdentifiers")
    public static let unsupportedSortDescriptor = Self("unsupportedSortDescriptor")
    public static let duplicateConfiguration = Self("duplicateConfiguration")
    public static let configurationSchemaNotFoundInContainerSchema = Self("configurationSchemaNotFoundInContainerSchema")
    public static let loadIssueModelContainer = Self("loadIssueModelContainer")
    public static let modelValidationFailure = Self("modelValidationFailure")
    public static let missingModelContext = Self("missingModelContext")
    public static let backwardMigration = Self("backwardMigration")
    public static let unknownSchema = Self("unknownSchema")
    public static let historyTokenExpired = Self("historyTokenExpired")
    public static let invalidTransactionFetchRequest = Self("invalidTransactionFetchRequest")
    /// The schema itself is wrong; the message lists every finding, each with its remedy.
    ///
    /// Thrown when a container is made, before its tables are touched. Correct the classes.
    public static let invalidSchema = Self("invalidSchema")
    /// Existing tables do not fit the schema; the message lists every difference.
    ///
    /// Thrown when a container is made, and by a fetch whose column has changed its type since. Migrate the tables, or
    /// correct the models.
    public static let storeDoesNotFit = Self("storeDoesNotFit")
    /// Somebody else changed the same property since the object was read.
    ///
    /// Thrown by `save()` under `ConflictPolicy.throw`; nothing was written. ``SwiftDataError/identifiers`` holds the
    /// objects, `debugDescription` the values. Fetch again and repeat the change, or save with another policy.
    public static let conflict = Self("conflict")
    /// A unique constraint refused a row, or it is not clear which stored object a new one is to update.
    ///
    /// Thrown by `save()`; nothing was written. Change the value, or fetch the stored object and change that.
    public static let uniqueConstraint = Self("uniqueConstraint")
    /// A `.deny` rule, or a required relationship, refused a deletion.
    ///
    /// Thrown by `save()`; nothing was written. Delete the objects that refer to the deleted one too, or let them refer to
    /// another.
    public static let deleteDenied = Self("deleteDenied")
    /// The row of an object is not there any more, or never was.
    ///
    /// Thrown by `model(for:)`, and by `save()` when a changed object or the target of a relationship was deleted by
    /// somebody else; then nothing was written. Roll back, or delete the object here too.
    public static let modelNotFound = Self("modelNotFound")
    /// A stored value does not fit the property's type, or a new value does not fit the column.
    ///
    /// Thrown by fetches and saves; the message names property and column. Correct the row or the value.
    public static let invalidValue = Self("invalidValue")
    public static let invalidIdentifier = Self("invalidIdentifier")
    /// The configuration does not allow saving (`allowsSave: false`), but the context has changes.
    ///
    /// Thrown by `save()`, before anything is sent. Roll back, or use another configuration.
    public static let readOnly = Self("readOnly")
    /// An object was related to an object of another context, or passed to it.
    ///
    /// Setters cannot throw: the relationship stays as it was, and the next `save()` throws. Fetch the object in this
    /// context by its ``PersistentModel/persistentModelID``.
    public static let foreignObject = Self("foreignObject")
    /// A property could not be loaded when it was read, or the context forbids lazy loading.
    ///
    /// Getters cannot throw: they return a neutral value, and the next `save()` or `throwUnreportedErrors()` throws. Fetch
    /// the property, or load it with `load(_:_:)`, before you read it.
    public static let unfulfilledFault = Self("unfulfilledFault")
    /// The context had unsaved changes when it was enumerated, or got some from the block.
    ///
    /// Save before, or pass `allowEscapingMutations: true`.
    public static let mutationDuringEnumeration = Self("mutationDuringEnumeration")
    /// The server refused, or was not reached; ``SwiftDataError/underlying`` says why.
    ///
    /// When ``SwiftDataError/isRetryable`` is `true`, the same work may succeed when it is done again from its beginning.
    public static let storeFailure = Self("storeFailure")
    /// The connection was lost while committing: the transaction may have taken effect or not.
    ///
    /// Also thrown when one of several stores failed to commit after another had. Never repeat blindly: fetch the objects
    /// to find out what was stored, then save what is missing.
    public static let outcomeUnknown = Self("outcomeUnknown")
    /// Something that SwiftData or Strata does not support was asked for, such as a negative `fetchLimit`.
    ///
    /// Thrown before anything is sent; the message says what to do instead.
    public static let unsupportedFeature = Self("unsupportedFeature")
}

/// SwiftData's spelling, `catch SwiftDataError.historyTokenExpired`: the codes by their names.
extension SwiftDataError {
    public static let includePendingChangesWithBatchSize = Code.includePendingChangesWithBatchSize
    public static let unsupportedPredicate = Code.unsupportedPredicate
    public static let unsupportedKeyPath = Code.unsupportedKeyPath
    public static let sortingPendingChangesWithIdentifiers = Code.sortingPendingChangesWithIdentifiers
    public static let unsupportedSortDescriptor = Code.unsupportedSortDescriptor
    public static let duplicateConfiguration = Code.duplicateConfiguration
    public static let configurationSchemaNotFoundInContainerSchema = Code.configurationSchemaNotFoundInContainerSchema
    public static let loadIssueModelContainer = Code.loadIssueModelContainer
    public static let modelValidationFailure = Code.modelValidationFailure
    public static let missingModelContext = Code.missingModelContext
    public static let backwardMigration = Code.backwardMigration
    public static let unknownSchema = Code.unknownSchema
    public static let historyTokenExpired = Code.historyTokenExpired
    public static let invalidTransactionFetchRequest = Code.invalidTransactionFetchRequest
    public static let invalidSchema = Code.invalidSchema
    public static let storeDoesNotFit = Code.storeDoesNotFit
    public static let conflict = Code.conflict
    public static let uniqueConstraint = Code.uniqueConstraint
    public static let deleteDenied = Code.deleteDenied
    public static let modelNotFound = Code.modelNotFound
    public static let invalidValue = Code.invalidValue
    public static let invalidIdentifier = Code.invalidIdentifier
    public static let readOnly = Code.readOnly
    public static let foreignObject = Code.foreignObject
    public static let unfulfilledFault = Code.unfulfilledFault
    public static let mutationDuringEnumeration = Code.mutationDuringEnumeration
    public static let storeFailure = Code.storeFailure
    public static let outcomeUnknown = Code.outcomeUnknown
    public static let unsupportedFeature = Code.unsupportedFeature
}
