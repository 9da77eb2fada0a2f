extension SwiftDataError {
    /// What kind of thing failed.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, such as `conflict`.
        public let description: String
        /// What the code means, in a sentence: the message of an error that has no other.
        package let summary: String

        init(_ name: String, _ summary: String) {
            description = name
            self.summary = summary
        }

        /// Codes are equal when their names are.
        public static func == (lhs: Self, rhs: Self) -> Bool { lhs.description == rhs.description }
        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }
}

extension SwiftDataError.Code {
    /// Lets `catch SwiftDataError.conflict` match by code.
    @_disfavoredOverload
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? SwiftDataError)?.code == code }

    /// SwiftData's code for enumerating in batches while pending changes take part in the result.
    ///
    /// For source compatibility: Strata throws ``mutationDuringEnumeration`` instead.
    public static let includePendingChangesWithBatchSize = Self(
        "includePendingChangesWithBatchSize", "Pending changes cannot take part in an enumeration by batches.")
    /// A predicate has a part that no SQL means exactly, or that no store could know.
    ///
    /// Thrown by fetches, `delete(model:where:)` and `update(model:where:)` before anything is sent; the message names operator and key path.
    /// Write that part differently, or fetch more and filter in memory.
    public static let unsupportedPredicate = Self("unsupportedPredicate", "A predicate cannot be translated to SQL.")
    /// A key path in a predicate, in `propertiesToFetch` or in a list of relationships to load leads to nothing that is
    /// stored there.
    ///
    /// Thrown before anything is sent. Name a stored property; relationships with many objects belong in
    /// `relationshipKeyPathsForPrefetching`.
    public static let unsupportedKeyPath = Self("unsupportedKeyPath", "A key path leads to nothing that is stored.")
    /// SwiftData's code for sorted fetches of identifiers that pending changes take part in.
    ///
    /// For source compatibility: Strata can do that.
    public static let sortingPendingChangesWithIdentifiers = Self(
        "sortingPendingChangesWithIdentifiers", "Pending changes cannot take part in a sorted fetch of identifiers.")
    /// A sort descriptor has a comparator of its own, or a key path to something that has no column or no order.
    ///
    /// Thrown before anything is sent. Sort by a stored property, or sort the fetched objects in memory.
    public static let unsupportedSortDescriptor = Self(
        "unsupportedSortDescriptor", "A sort descriptor cannot be translated to SQL.")
    /// Two configurations of a container have the same name and place, or would keep the same entities.
    ///
    /// Thrown when a container is made. Give each a name and a schema of its own; classes that are related live in one
    /// store.
    public static let duplicateConfiguration = Self(
        "duplicateConfiguration", "Two configurations of a container would keep the same entities, or are the same.")
    /// A configuration keeps an entity that the container's schema does not have, or no configuration keeps one that it
    /// has.
    ///
    /// Thrown when a container is made. Name the class in the container's schema, or in a configuration's.
    public static let configurationSchemaNotFoundInContainerSchema = Self(
        "configurationSchemaNotFoundInContainerSchema",
        "The configurations of a container do not cover its schema, or go beyond it.")
    /// SwiftData's code for a configuration whose file name is too long.
    ///
    /// For source compatibility: a store of Strata has no file.
    public static let configurationFileNameTooLong = Self(
        "configurationFileNameTooLong", "The file name of a configuration is too long.")
    /// SwiftData's code for a configuration whose file name has characters that it must not have.
    ///
    /// For source compatibility: a store of Strata has no file.
    public static let configurationFileNameContainsInvalidCharacters = Self(
        "configurationFileNameContainsInvalidCharacters",
        "The file name of a configuration has characters that it must not have.")
    /// A store could not be opened: its server was not reached, refused the connection, or failed while tables were
    /// made.
    ///
    /// Thrown when a container is made, with the server's error in ``SwiftDataError/underlying``. The message says
    /// which store; check its URL and that its server runs.
    public static let loadIssueModelContainer = Self("loadIssueModelContainer", "A store could not be opened.")
    /// An object cannot be saved as it is: a required relationship has no target that is stored, or a to-many
    /// relationship has fewer or more objects than it declares.
    ///
    /// Thrown by `save()`, before anything is written; ``SwiftDataError/identifiers`` holds the object. Complete it, or
    /// delete it too.
    public static let modelValidationFailure = Self(
        "modelValidationFailure",
        "An object cannot be saved as it is: a required relationship is empty, or a count is out of bounds.")
    /// SwiftData's code for an object that no context can take.
    ///
    /// For source compatibility: an object of a class that is not part of the container's schema is ``unknownSchema``.
    public static let missingModelContext = Self("missingModelContext", "An object has no context.")
    /// SwiftData's code for a store that a newer version of the schema has written.
    ///
    /// For source compatibility: opening a container compares tables with models and throws ``storeDoesNotFit``.
    public static let backwardMigration = Self("backwardMigration", "The database is newer than the models.")
    /// A class, an identifier or the class named in a row belongs to no entity of this container.
    ///
    /// Name the class (subclasses too) in `ModelContainer(for:)`, or take the identifier to the container it came from.
    public static let unknownSchema = Self(
        "unknownSchema", "A class, an identifier or a row belongs to no entity of the container.")
    /// SwiftData's code for a store that does not know the schema.
    ///
    /// For source compatibility: Strata throws ``unknownSchema`` or ``storeDoesNotFit``.
    public static let unknownDataStoreSchema = Self("unknownDataStoreSchema", "A store does not know the schema.")
    /// The changes after a history token are not all known any more: some were deleted, or the database was restored from
    /// a backup, copied, or taken over by a standby since the token was made.
    ///
    /// Thrown by `fetchHistory`. Fetch what you need anew, and go on from a token that was taken before that.
    public static let historyTokenExpired = Self(
        "historyTokenExpired", "The changes after a history token are not all known any more.")
    /// A fetch or deletion of history cannot be carried out as it was described, because of its limit.
    ///
    /// Thrown before anything is sent; the message says what to do instead.
    public static let invalidTransactionFetchRequest = Self(
        "invalidTransactionFetchRequest", "A fetch or deletion of history cannot be carried out as it was described.")
    /// The schema itself is wrong; the message lists every finding, each with its remedy.
    ///
    /// Thrown when a container is made, before its tables are touched. Correct the classes.
    public static let invalidSchema = Self("invalidSchema", "The schema itself is wrong.")
    /// Existing tables do not fit the schema; the message lists every difference.
    ///
    /// Thrown when a container is made, and by a fetch whose column has changed its type since. Migrate the tables, or
    /// correct the models.
    public static let storeDoesNotFit = Self("storeDoesNotFit", "Existing tables do not fit the models.")
    /// Somebody else changed the same property since the object was read.
    ///
    /// Thrown by `save()` under `ConflictPolicy.throw`; nothing was written. ``SwiftDataError/identifiers`` holds the
    /// objects, `debugDescription` the values. Fetch again and repeat the change, or save with another policy.
    public static let conflict = Self("conflict", "Somebody else changed the same property since the object was read.")
    /// A unique constraint refused a row, or it is not clear which stored object a new one is to update.
    ///
    /// Thrown by `save()`; nothing was written. Change the value, or fetch the stored object and change that.
    public static let uniqueConstraint = Self("uniqueConstraint", "A unique constraint refused an object.")
    /// A rule of a class (`#Check`) refused a row.
    ///
    /// The message names class and rule, and what it says. Thrown by `save()`, by insertions of rows and updates by predicate; nothing was
    /// written. Change the object so that the rule holds.
    public static let checkConstraint = Self("checkConstraint", "A rule of a class refused an object.")
    /// There is no partition for the date of an object whose class has a `#Partition`.
    ///
    /// Thrown by saves and by rows without objects; nothing was saved. Let a service keep partitions ahead of time, or make those of the
    /// dates that are written.
    public static let missingPartition = Self(
        "missingPartition", "There is no partition for the date of an object.")
    /// A `.deny` rule, or a required relationship, refused a deletion.
    ///
    /// Thrown by `save()`; nothing was written. Delete the objects that refer to the deleted one too, or let them refer
    /// to another.
    public static let deleteDenied = Self(
        "deleteDenied", "A `.deny` rule, or a required relationship, refused a deletion.")
    /// The row of an object is not there any more, or never was.
    ///
    /// Thrown by `model(for:)`, and by `save()` when a changed object or the target of a relationship was deleted by
    /// somebody else; then nothing was written. Roll back, or delete the object here too.
    public static let modelNotFound = Self("modelNotFound", "A row is not there any more, or never was.")
    /// A stored value does not fit the property's type, or a new value does not fit the column.
    ///
    /// Thrown by fetches and saves; the message names property and column. Correct the row or the value.
    public static let invalidValue = Self("invalidValue", "A value does not fit the property's type, or the column.")
    /// The parts given for an identifier do not make one.
    ///
    /// Thrown by ``PersistentIdentifier/identifier(for:entityName:primaryKey:)`` and for a key that is not a
    /// positive integer, and by ``PersistentIdentifier/init(urlPathComponent:)``.
    public static let invalidIdentifier = Self("invalidIdentifier", "Parts do not make an identifier.")
    /// A text is not a page cursor, or the cursor belongs to another class or order.
    ///
    /// Thrown by ``PageCursor/init(_:)``, and by `fetchPage` before anything is sent. Begin with the first page.
    public static let invalidPageCursor = Self(
        "invalidPageCursor", "A text is not a page cursor, or the cursor belongs to another class or order.")
    /// A patch names keys that it may not write, or that are no properties.
    ///
    /// Thrown before anything is changed; ``SwiftDataError/refusedKeys`` holds each. Allow the property in the call, leave the
    /// key out of the body, or pass `otherKeys: .ignored`.
    public static let refusedPatch = Self("refusedPatch", "A patch names keys that it may not write.")
    /// The context has changes and may not save: its configuration does not allow it (`allowsSave: false`), or it is the context of
    /// `ModelContainer.read`.
    ///
    /// Thrown by `save()`, before anything is sent. Roll back, or use another configuration, or `withContext`.
    public static let readOnly = Self("readOnly", "The context may not save.")
    /// An object was related to an object of another context, or passed to it.
    ///
    /// Setters cannot throw: the relationship stays as it was, and the next `save()` throws. Fetch the object in this
    /// context by its ``PersistentModel/persistentModelID``.
    public static let foreignObject = Self(
        "foreignObject", "An object of another context was inserted, or related to one of this context.")
    /// A property could not be loaded when it was read, or when a relationship was set whose former objects had to be known;
    /// or the context forbids lazy loading.
    ///
    /// Getters and setters cannot throw: a neutral value is returned, the relationship stays as it was, a new object does not
    /// have what its initializer had stored there, and the next `save()` or `throwUnreportedErrors()` throws.
    /// Fetch the property, or load it with `load(_:_:)`, before you read it.
    public static let unfulfilledFault = Self("unfulfilledFault", "A property that was needed could not be loaded.")
    /// The context had unsaved changes when it was enumerated, or got some from the block.
    ///
    /// Save before, or pass `allowEscapingMutations: true`.
    public static let mutationDuringEnumeration = Self(
        "mutationDuringEnumeration", "The context has unsaved changes while it is being enumerated.")
    /// The server refused, or was not reached; ``SwiftDataError/underlying`` says why.
    ///
    /// When ``SwiftDataError/isRetryable`` is `true`, the same work may succeed when it is done again from its
    /// beginning.
    public static let storeFailure = Self("storeFailure", "The server refused, or was not reached.")
    /// A fetch would give more rows than the context or its configuration allows (`rowLimit`, `limits.rows`).
    ///
    /// Nothing is returned. Ask for fewer with `fetchLimit` or pages, enumerate, or set a higher limit for this context.
    public static let rowLimitExceeded = Self(
        "rowLimitExceeded", "A fetch would give more rows than the context allows.")
    /// The connection was lost while committing: the transaction may have taken effect or not.
    ///
    /// Also thrown when one of several stores failed to commit after another had. Never repeat blindly: fetch the
    /// objects to find out what was stored, then save what is missing.
    public static let outcomeUnknown = Self("outcomeUnknown", "The connection was lost while committing.")
    /// There is no tenant of this name: it was never created, is being created, or was deleted.
    ///
    /// Thrown by `ModelContainer.tenant(_:)` and by the calls of its contexts; the message names the tenant. Create it with
    /// `ModelContainer.createTenant(_:)` or the command `tenants create`.
    public static let unknownTenant = Self("unknownTenant", "There is no tenant of this name.")
    /// There is a tenant of this name already.
    ///
    /// Thrown by `ModelContainer.createTenant(_:)`; nothing was changed. Choose another name, or use the tenant that is there.
    public static let tenantExists = Self("tenantExists", "There is a tenant of this name already.")
    /// A text cannot be the name of a tenant.
    ///
    /// Thrown before anything is sent. Names have small letters, digits, `_` and `-`, and begin with a letter or a digit.
    public static let invalidTenantName = Self("invalidTenantName", "A text cannot be the name of a tenant.")
    /// A class has rows of many tenants (`@Attribute(.tenant)`), and the context is of none.
    ///
    /// Thrown before anything is sent; the message names the class. Make the context of the container that `ModelContainer.tenant(_:)` gives.
    public static let missingTenant = Self(
        "missingTenant", "A class has rows of many tenants, and the context is of none.")
    /// An object names another tenant than that of its context, or none.
    ///
    /// Thrown by `save()`, before anything is sent; ``SwiftDataError/identifiers`` holds the object. Whose row an object is is final from insert on: insert it
    /// into a context of its tenant.
    public static let otherTenant = Self("otherTenant", "An object names another tenant than that of its context.")
    /// Something that SwiftData or Strata does not support was asked for, such as a negative `fetchLimit`.
    ///
    /// Thrown before anything is sent; the message says what to do instead.
    public static let unsupportedFeature = Self(
        "unsupportedFeature", "Something that SwiftData or Strata does not support was asked for.")
}
