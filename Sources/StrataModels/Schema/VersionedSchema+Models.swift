extension [any PersistentModel.Type] {
    /// These classes, with the given ones in the place of those of the same name; one whose name is not there is added.
    ///
    /// For a version of which most classes are those of another version:
    ///
    /// ```swift
    /// enum TripsV1: VersionedSchema {
    ///     static let versionIdentifier = Schema.Version(1, 0, 0)
    ///     static var models: [any PersistentModel.Type] { TripsV2.models.replacing(Trip.self) }
    ///     @Model final class Trip { … }
    /// }
    /// ```
    /// What the others refer to as `Trip` is then this one in this version's tables.
    public func replacing(_ types: any PersistentModel.Type...) -> Self {
        let names = Set(types.map { $0._$descriptor.entityName })
        return filter { !names.contains($0._$descriptor.entityName) } + types
    }

    /// These classes without those of the names of the given ones.
    public func removing(_ types: any PersistentModel.Type...) -> Self {
        let names = Set(types.map { $0._$descriptor.entityName })
        return filter { !names.contains($0._$descriptor.entityName) }
    }
}
