public import StrataModels

/// What became of rows that were inserted without objects.
public struct InsertedRows: Hashable, Sendable {
    /// How many objects are new.
    public package(set) var insertedCount = 0
    /// How many stored objects were updated, because a row had their unique values. Each counts once a batch of rows.
    public package(set) var updatedCount = 0
    /// The object that each row has become, or was found to be, in the order of the rows; `nil` where `reportsIdentifiers` was not
    /// asked for.
    public package(set) var identifiers: [PersistentIdentifier]?

    /// - Parameter reportsIdentifiers: whether identifiers are wanted.
    init(reportsIdentifiers: Bool = false) { identifiers = reportsIdentifiers ? [] : nil }
}
