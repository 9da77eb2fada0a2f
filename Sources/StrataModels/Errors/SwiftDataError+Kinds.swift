/// SwiftData's names: an error of each code, to compare with, to catch, and to throw.
///
/// ```swift
/// catch SwiftDataError.historyTokenExpired { … }
/// catch let error as SwiftDataError where error == .conflict { … }
/// throw SwiftDataError.unknownSchema
/// ```
extension SwiftDataError {
    /// Lets `catch SwiftDataError.conflict` match by code.
    public static func ~= (kind: Self, error: any Error) -> Bool { kind.code ~= error }
    /// Lets `switch error { case .conflict: … }` match by code.
    public static func ~= (kind: Self, error: Self) -> Bool { kind == error }

    /// Pending changes cannot take part in an enumeration by batches.
    /// See ``Code/includePendingChangesWithBatchSize``.
    public static var includePendingChangesWithBatchSize: Self { Self(.includePendingChangesWithBatchSize) }
    /// A predicate cannot be translated to SQL. See ``Code/unsupportedPredicate``.
    public static var unsupportedPredicate: Self { Self(.unsupportedPredicate) }
    /// A key path leads to nothing that is stored. See ``Code/unsupportedKeyPath``.
    public static var unsupportedKeyPath: Self { Self(.unsupportedKeyPath) }
    /// Pending changes cannot take part in a sorted fetch of identifiers.
    /// See ``Code/sortingPendingChangesWithIdentifiers``.
    public static var sortingPendingChangesWithIdentifiers: Self { Self(.sortingPendingChangesWithIdentifiers) }
    /// A sort descriptor cannot be translated to SQL. See ``Code/unsupportedSortDescriptor``.
    public static var unsupportedSortDescriptor: Self { Self(.unsupportedSortDescriptor) }
    /// Two configurations of a container would keep the same entities, or are the same.
    /// See ``Code/duplicateConfiguration``.
    public static var duplicateConfiguration: Self { Self(.duplicateConfiguration) }
    /// The configurations of a container do not cover its schema, or go beyond it.
    /// See ``Code/configurationSchemaNotFoundInContainerSchema``.
    public static var configurationSchemaNotFoundInContainerSchema: Self {
        Self(.configurationSchemaNotFoundInContainerSchema)
    }
    /// The file name of a configuration is too long. See ``Code/configurationFileNameTooLong``.
    public static var configurationFileNameTooLong: Self { Self(.configurationFileNameTooLong) }
    /// The file name of a configuration has characters that it must not have.
    /// See ``Code/configurationFileNameContainsInvalidCharacters``.
    public static var configurationFileNameContainsInvalidCharacters: Self {
        Self(.configurationFileNameContainsInvalidCharacters)
    }
    /// A store could not be opened. See ``Code/loadIssueModelContainer``.
    public static var loadIssueModelContainer: Self { Self(.loadIssueModelContainer) }
    /// An object cannot be saved as it is: a required relationship is empty, or a count is out of bounds.
    /// See ``Code/modelValidationFailure``.
    public static var modelValidationFailure: Self { Self(.modelValidationFailure) }
    /// An object has no context. See ``Code/missingModelContext``.
    public static var missingModelContext: Self { Self(.missingModelContext) }
    /// The database is newer than the models. See ``Code/backwardMigration``.
    public static var backwardMigration: Self { Self(.backwardMigration) }
    /// A class, an identifier or a row belongs to no entity of the container. See ``Code/unknownSchema``.
    public static var unknownSchema: Self { Self(.unknownSchema) }
    /// A store does not know the schema. See ``Code/unknownDataStoreSchema``.
    public static var unknownDataStoreSchema: Self { Self(.unknownDataStoreSchema) }
    /// The changes after a history token are not all known any more. See ``Code/historyTokenExpired``.
    public static var historyTokenExpired: Self { Self(.historyTokenExpired) }
    /// A fetch or deletion of history cannot be carried out as it was described.
    /// See ``Code/invalidTransactionFetchRequest``.
    public static var invalidTransactionFetchRequest: Self { Self(.invalidTransactionFetchRequest) }
    /// The schema itself is wrong. See ``Code/invalidSchema``.
    public static var invalidSchema: Self { Self(.invalidSchema) }
    /// Existing tables do not fit the models. See ``Code/storeDoesNotFit``.
    public static var storeDoesNotFit: Self { Self(.storeDoesNotFit) }
    /// Somebody else changed the same property since the object was read. See ``Code/conflict``.
    public static var conflict: Self { Self(.conflict) }
    /// A unique constraint refused an object. See ``Code/uniqueConstraint``.
    public static var uniqueConstraint: Self { Self(.uniqueConstraint) }
    /// A rule of a class refused an object. See ``Code/checkConstraint``.
    public static var checkConstraint: Self { Self(.checkConstraint) }
    /// There is no partition for the date of an object. See ``Code/missingPartition``.
    public static var missingPartition: Self { Self(.missingPartition) }
    /// A `.deny` rule, or a required relationship, refused a deletion. See ``Code/deleteDenied``.
    public static var deleteDenied: Self { Self(.deleteDenied) }
    /// A row is not there any more, or never was. See ``Code/modelNotFound``.
    public static var modelNotFound: Self { Self(.modelNotFound) }
    /// A value does not fit the property's type, or the column. See ``Code/invalidValue``.
    public static var invalidValue: Self { Self(.invalidValue) }
    /// Parts do not make an identifier. See ``Code/invalidIdentifier``.
    public static var invalidIdentifier: Self { Self(.invalidIdentifier) }
    /// A text is not a page cursor, or the cursor belongs to another class or order. See ``Code/invalidPageCursor``.
    public static var invalidPageCursor: Self { Self(.invalidPageCursor) }
    /// A patch names keys that it may not write. See ``Code/refusedPatch``.
    public static var refusedPatch: Self { Self(.refusedPatch) }
    /// The context may not save. See ``Code/readOnly``.
    public static var readOnly: Self { Self(.readOnly) }
    /// An object of another context was inserted, or related to one of this context.
    /// See ``Code/foreignObject``.
    public static var foreignObject: Self { Self(.foreignObject) }
    /// A property that was needed could not be loaded. See ``Code/unfulfilledFault``.
    public static var unfulfilledFault: Self { Self(.unfulfilledFault) }
    /// The context has unsaved changes while it is being enumerated. See ``Code/mutationDuringEnumeration``.
    public static var mutationDuringEnumeration: Self { Self(.mutationDuringEnumeration) }
    /// The server refused, or was not reached. See ``Code/storeFailure``.
    public static var storeFailure: Self { Self(.storeFailure) }
    /// A fetch would give more rows than the context allows. See ``Code/rowLimitExceeded``.
    public static var rowLimitExceeded: Self { Self(.rowLimitExceeded) }
    /// The connection was lost while committing. See ``Code/outcomeUnknown``.
    public static var outcomeUnknown: Self { Self(.outcomeUnknown) }
    /// There is no tenant of this name. See ``Code/unknownTenant``.
    public static var unknownTenant: Self { Self(.unknownTenant) }
    /// There is a tenant of this name already. See ``Code/tenantExists``.
    public static var tenantExists: Self { Self(.tenantExists) }
    /// A text cannot be the name of a tenant. See ``Code/invalidTenantName``.
    public static var invalidTenantName: Self { Self(.invalidTenantName) }
    /// A class has rows of many tenants, and the context is of none. See ``Code/missingTenant``.
    public static var missingTenant: Self { Self(.missingTenant) }
    /// An object names another tenant than that of its context. See ``Code/otherTenant``.
    public static var otherTenant: Self { Self(.otherTenant) }
    /// Something that SwiftData or Strata does not support was asked for. See ``Code/unsupportedFeature``.
    public static var unsupportedFeature: Self { Self(.unsupportedFeature) }
}
