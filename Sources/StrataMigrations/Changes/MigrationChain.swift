package import StrataRepository

/// The versions of a plan, oldest first, and what leads from one to the next; without types or closures.
package struct MigrationChain: Sendable {
    package struct Stage: Hashable, Sendable {
        package var changes: [SchemaChange]
        package var hasWillMigrate: Bool
        package var hasDidMigrate: Bool
        /// What the program calls the older version's classes, by entity: `TripsV2.Trip`. For messages.
        package var oldTypeNames: [String: String]
        /// The same of the newer version.
        package var newTypeNames: [String: String]

        package init(
            changes: [SchemaChange] = [], hasWillMigrate: Bool = false, hasDidMigrate: Bool = false,
            oldTypeNames: [String: String] = [:], newTypeNames: [String: String] = [:]
        ) {
            self.changes = changes
            self.hasWillMigrate = hasWillMigrate
            self.hasDidMigrate = hasDidMigrate
            self.oldTypeNames = oldTypeNames
            self.newTypeNames = newTypeNames
        }

        package var isCustom: Bool { hasWillMigrate || hasDidMigrate }
    }

    /// Strictly ascending by version.
    package var versions: [FrozenSchema]
    /// One fewer than versions: `stages[n]` leads from `versions[n]` to `versions[n + 1]`.
    package var stages: [Stage]
    /// Whether the database records what happens to its objects.
    package var recordsHistory: Bool

    package init(versions: [FrozenSchema], stages: [Stage], recordsHistory: Bool = true) {
        self.versions = versions
        self.stages = stages
        self.recordsHistory = recordsHistory
    }
}

extension MigrationChain {
    /// What is recorded of a version; nothing where the plan says so.
    package func history(of version: FrozenSchema) -> HistoryDescription {
        recordsHistory ? HistoryDescription(version).withoutFormerNames : HistoryDescription(entities: [], links: [])
    }
}
