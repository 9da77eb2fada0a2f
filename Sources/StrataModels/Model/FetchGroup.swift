public import StrataClient

/// The objects that one fetch returned, for loading what is missing for all of them at once.
@usableFromInline package final class FetchGroup {
    // Without checks for overlapping access: appended to for every row.
    @usableFromInline @exclusivity(unchecked) var storedKeys: [RowKey] = []
    package let root: ModelDescriptor

    package init(root: ModelDescriptor) {
        self.root = root
    }

    /// The keys of the objects, in the order of the result. An object that was freed is skipped when loading.
    @inlinable package var keys: [RowKey] { storedKeys }

    @inlinable package func append(_ key: RowKey) { storedKeys.append(key) }
}
