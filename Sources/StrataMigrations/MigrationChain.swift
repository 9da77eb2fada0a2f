package import StrataRepository

/// The versions of a plan, oldest first, and what leads from one to the next; without types or closures.
package struct MigrationChain: Sendable {
    package struct Stage: Hashable, Sendable {
        package var changes: [SchemaChange]
        package var hasWillMigrate: Bool
        package var hasDidMigrate: Bool

        package init(changes: [SchemaChange] = [], hasWillMigrate: Bool = false, hasDidMigrate: Bool = false) {
            self.changes = changes
            self.hasWillMigrate = hasWillMigrate
            self.hasDidMigrate = hasDidMigrate
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
