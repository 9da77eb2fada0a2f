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
        /// The name of the code, such as `conflict`.
        public let description: String
        init(_ name: String) { description = name }
    }

    /// What kind of thing failed; compare it with ``Code``'s members, or `catch SwiftDataError.conflict`.
    public let code: Code
    /// What failed, where, and what to do now. Holds no stored values.
    public let message: String
    /// The objects concerned, where they are known.
    public var identifiers: [PersistentIdentifier]
    /// Values that help to understand the error; shown by `debugDescription` only.
    public var details: String?
    /// The server's error, when it came from PostgreSQL.
    public var underlying: PostgresError?

    /// An error from its parts.
    ///
    /// - Parameters:
    ///   - message: what failed, where, and what to do now; without stored values.
    ///   - details: values that help to understand the error.
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
        if let details { text += " \(details)" }
        if let underlying { text += " [\(String(reflecting: underlying))]" }
        return text
    }
}

extension SwiftDataError: Hashable {
    /// Errors are equal when code and message are.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code && lhs.message == rhs.message }
    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SwiftDataError.Code {
    /// Lets `catch SwiftDataError.conflict` match by code.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? SwiftDataError)?.code == code }

    /// SwiftData's code for enumerating in batches while pending changes take part in the result.
    ///
    /// For source compatibility: Strata throws ``mutationDuringEnumeration`` instead.
    public static let includePendingChangesWithBatchSize = Self("includePendingChangesWithBatchSize")
    /// A predicate has a part that no SQL means exactly, or that no store could know.
    ///
    /// Thrown by fetches and `delete(model:where:)` before anything is sent; the message names operator and key path.
    /// Write that part differently, or fetch more and filter in memory.
    public static let unsupportedPredicate = Self("unsupportedPredicate")
    /// A key path in a predicate, in `propertiesToFetch` or in a list of relationships to load leads to nothing that is
    /// stored there.
    ///
    /// Thrown before anything is sent. Name a stored property; relationships with many objects belong in
    /// `relationshipKeyPathsForPrefetching`.
    public static let unsupportedKeyPath = Self("unsupportedKeyPath")
    /// SwiftData's code for sorted fetches of identifiers that pending changes take part in.
    ///
    /// For source compatibility: Strata can do that.
    public static let sortingPendingChangesWithIdentifiers = Self("sortingPendingChangesWithIdentifiers")
    /// A sort descriptor has a comparator of its own, or a key path to something that has no column or no order.
    ///
    /// Thrown before anything is sent. Sort by a stored property, or sort the fetched objects in memory.
    public static let unsupportedSortDescriptor = Self("unsupportedSortDescriptor")
    /// Two configurations of a container have the same name and place, or would keep the same entities.
    ///
    /// Thrown when a container is made. Give each a name and a schema of its own; classes that are related live in one
    /// store.
    public static let duplicateConfiguration = Self("duplicateConfiguration")
    /// A configuration keeps an entity that the container's schema does not have, or no configuration keeps one that it
    /// has.
    ///
    /// Thrown when a container is made. Name the class in the container's schema, or in a configuration's.
    public static let configurationSchemaNotFoundInContainerSchema = Self(
        "configurationSchemaNotFoundInContainerSchema")
    /// A store could not be opened: its server was not reached, refused the connection, or failed while tables were
    /// made.
    ///
    /// Thrown when a container is made, with the server's error in ``SwiftDataError/underlying``. The message says
    /// which store; check its URL and that its server runs.
    public static let loadIssueModelContainer = Self("loadIssueModelContainer")
    /// An object cannot be saved as it is: a required relationship has no target that is stored, or a to-many
    /// relationship has fewer or more objects than it declares.
    ///
    /// Thrown by `save()`, before anything is written; ``SwiftDataError/identifiers`` holds the object. Complete it, or
    /// delete it too.
    public static let modelValidationFailure = Self("modelValidationFailure")
    /// SwiftData's code for an object that no context can take.
    ///
    /// For source compatibility: an object of a class that is not part of the container's schema is ``unknownSchema``.
    public static let missingModelContext = Self("missingModelContext")
    /// SwiftData's code for a store that a newer version of the schema has written.
    ///
    /// For source compatibility: opening a container compares tables with models and throws ``storeDoesNotFit``.
    public static let backwardMigration = Self("backwardMigration")
    /// A class, an identifier or the class named in a row belongs to no entity of this container.
    ///
    /// Name the class (subclasses too) in `ModelContainer(for:)`, or take the identifier to the container it came from.
    public static let unknownSchema = Self("unknownSchema")
    /// The changes after a history token are not all known any more: some were deleted, or the database was restored from
    /// a backup, copied, or taken over by a standby since the token was made.
    ///
    /// Thrown by `fetchHistory`. Fetch what you need anew, and go on from a token that was taken before that.
    public static let historyTokenExpired = Self("historyTokenExpired")
    /// A fetch or deletion of history cannot be carried out as it was described, because of its limit.
    ///
    /// Thrown before anything is sent; the message says what to do instead.
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
    /// Thrown by `save()`; nothing was written. Delete the objects that refer to the deleted one too, or let them refer
    /// to another.
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
    /// The parts given for an identifier do not make one.
    ///
    /// Thrown by ``PersistentIdentifier/identifier(for:entityName:primaryKey:)`` for a key that is not a positive
    /// integer.
    public static let invalidIdentifier = Self("invalidIdentifier")
    /// The context has changes and may not save: its configuration does not allow it (`allowsSave: false`), or it is the context of
    /// `ModelContainer.read`.
    ///
    /// Thrown by `save()`, before anything is sent. Roll back, or use another configuration, or `withContext`.
    public static let readOnly = Self("readOnly")
    /// An object was related to an object of another context, or passed to it.
    ///
    /// Setters cannot throw: the relationship stays as it was, and the next `save()` throws. Fetch the object in this
    /// context by its ``PersistentModel/persistentModelID``.
    public static let foreignObject = Self("foreignObject")
    /// A property could not be loaded when it was read, or when a relationship was set whose former objects had to be known;
    /// or the context forbids lazy loading.
    ///
    /// Getters and setters cannot throw: a neutral value is returned, the relationship stays as it was, a new object does not
    /// have what its initializer had stored there, and the next `save()` or `throwUnreportedErrors()` throws.
    /// Fetch the property, or load it with `load(_:_:)`, before you read it.
    public static let unfulfilledFault = Self("unfulfilledFault")
    /// The context had unsaved changes when it was enumerated, or got some from the block.
    ///
    /// Save before, or pass `allowEscapingMutations: true`.
    public static let mutationDuringEnumeration = Self("mutationDuringEnumeration")
    /// The server refused, or was not reached; ``SwiftDataError/underlying`` says why.
    ///
    /// When ``SwiftDataError/isRetryable`` is `true`, the same work may succeed when it is done again from its
    /// beginning.
    public static let storeFailure = Self("storeFailure")
    /// The connection was lost while committing: the transaction may have taken effect or not.
    ///
    /// Also thrown when one of several stores failed to commit after another had. Never repeat blindly: fetch the
    /// objects to find out what was stored, then save what is missing.
    public static let outcomeUnknown = Self("outcomeUnknown")
    /// Something that SwiftData or Strata does not support was asked for, such as a negative `fetchLimit`.
    ///
    /// Thrown before anything is sent; the message says what to do instead.
    public static let unsupportedFeature = Self("unsupportedFeature")
}

/// SwiftData's spelling, `catch SwiftDataError.historyTokenExpired`: the codes by their names.
extension SwiftDataError {
    /// SwiftData's code for enumerating with pending changes; Strata throws ``mutationDuringEnumeration``. See
    /// ``Code/includePendingChangesWithBatchSize``.
    public static let includePendingChangesWithBatchSize = Code.includePendingChangesWithBatchSize
    /// A predicate cannot be translated to SQL. See ``Code/unsupportedPredicate``.
    public static let unsupportedPredicate = Code.unsupportedPredicate
    /// A key path leads to nothing that is stored. See ``Code/unsupportedKeyPath``.
    public static let unsupportedKeyPath = Code.unsupportedKeyPath
    /// SwiftData's code for sorting identifiers of pending changes, which Strata can do. See
    /// ``Code/sortingPendingChangesWithIdentifiers``.
    public static let sortingPendingChangesWithIdentifiers = Code.sortingPendingChangesWithIdentifiers
    /// A sort descriptor cannot be translated to SQL. See ``Code/unsupportedSortDescriptor``.
    public static let unsupportedSortDescriptor = Code.unsupportedSortDescriptor
    /// Two configurations of a container would keep the same entities, or are the same. See
    /// ``Code/duplicateConfiguration``.
    public static let duplicateConfiguration = Code.duplicateConfiguration
    /// The configurations of a container do not cover its schema, or go beyond it. See
    /// ``Code/configurationSchemaNotFoundInContainerSchema``.
    public static let configurationSchemaNotFoundInContainerSchema = Code.configurationSchemaNotFoundInContainerSchema
    /// A store could not be opened. See ``Code/loadIssueModelContainer``.
    public static let loadIssueModelContainer = Code.loadIssueModelContainer
    /// An object cannot be saved as it is: a required relationship is empty, or a count is out of bounds. See
    /// ``Code/modelValidationFailure``.
    public static let modelValidationFailure = Code.modelValidationFailure
    /// SwiftData's code for an object that no context can take. See ``Code/missingModelContext``.
    public static let missingModelContext = Code.missingModelContext
    /// SwiftData's code for a store that is newer than the app's schema. See ``Code/backwardMigration``.
    public static let backwardMigration = Code.backwardMigration
    /// A class, an identifier or a row belongs to no entity of the container. See ``Code/unknownSchema``.
    public static let unknownSchema = Code.unknownSchema
    /// The changes after a history token are not all known any more. See ``Code/historyTokenExpired``.
    public static let historyTokenExpired = Code.historyTokenExpired
    /// A fetch or deletion of history makes no sense. See ``Code/invalidTransactionFetchRequest``.
    public static let invalidTransactionFetchRequest = Code.invalidTransactionFetchRequest
    /// The schema itself is wrong. See ``Code/invalidSchema``.
    public static let invalidSchema = Code.invalidSchema
    /// Existing tables do not fit the models. See ``Code/storeDoesNotFit``.
    public static let storeDoesNotFit = Code.storeDoesNotFit
    /// Somebody else changed the same property since the object was read. See ``Code/conflict``.
    public static let conflict = Code.conflict
    /// A unique constraint refused an object. See ``Code/uniqueConstraint``.
    public static let uniqueConstraint = Code.uniqueConstraint
    /// A `.deny` rule, or a required relationship, refused a deletion. See ``Code/deleteDenied``.
    public static let deleteDenied = Code.deleteDenied
    /// A row is not there any more, or never was. See ``Code/modelNotFound``.
    public static let modelNotFound = Code.modelNotFound
    /// A value does not fit the property's type, or the column. See ``Code/invalidValue``.
    public static let invalidValue = Code.invalidValue
    /// Parts do not make an identifier. See ``Code/invalidIdentifier``.
    public static let invalidIdentifier = Code.invalidIdentifier
    /// The configuration does not allow saving. See ``Code/readOnly``.
    public static let readOnly = Code.readOnly
    /// An object of another context was inserted, or related to one of this context. See ``Code/foreignObject``.
    public static let foreignObject = Code.foreignObject
    /// A property that was needed could not be loaded. See ``Code/unfulfilledFault``.
    public static let unfulfilledFault = Code.unfulfilledFault
    /// The context has unsaved changes while it is being enumerated. See ``Code/mutationDuringEnumeration``.
    public static let mutationDuringEnumeration = Code.mutationDuringEnumeration
    /// The server refused, or was not reached. See ``Code/storeFailure``.
    public static let storeFailure = Code.storeFailure
    /// The connection was lost while committing. See ``Code/outcomeUnknown``.
    public static let outcomeUnknown = Code.outcomeUnknown
    /// Something that SwiftData or Strata does not support was asked for. See ``Code/unsupportedFeature``.
    public static let unsupportedFeature = Code.unsupportedFeature
}
