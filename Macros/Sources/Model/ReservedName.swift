/// Names a persisted property cannot have.
enum ReservedName {
    /// Why the name is taken, if it is.
    static func reason(_ name: String) -> String? {
        switch name {
        case "persistentModelID", "modelContext", "hasChanges", "isDeleted", "persistentBackingData", "schemaMetadata":
            "every model has this property already"
        case _ where name.hasPrefix("_$"): "names that begin with '_$' belong to '@Model'"
        default: nil
        }
    }
}
