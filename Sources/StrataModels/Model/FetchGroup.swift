/// The objects that one fetch returned, for loading what is missing for all of them at once.
@usableFromInline package final class FetchGroup {
    // Without checks for overlapping access: appended to for every row.
    @usableFromInline @exclusivity(unchecked) var storedKeys: [Int64] = []
    package let root: ModelDescriptor

    package init(root: ModelDescriptor) {
        self.root = root
    }

    /// The keys of the objects, in the order of the result. An object that was freed is skipped when loading.
    @inlinable package var keys: [Int64] { storedKeys }

    @inlinable package func append(_ key: Int64) { storedKeys.append(key) }
}
