public import StrataMigrations
public import StrataModels

/// What leads from one version of a model to the next.
///
/// The statements are worked out from the two versions. `changes` says what they cannot: renames that
/// `@Attribute(originalName:)` does not say, what may be dropped, which rows become rows of a new subclass.
public enum MigrationStage: Sendable {
    /// A stage that SQL can do alone.
    case lightweight(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, changes: [SchemaChange] = [])
    /// A stage with code of its own, before the tables change, after it, or both.
    ///
    /// `willMigrate` gets a context with the classes of `fromVersion`; the tables are as that version left them.
    /// `didMigrate` gets one with the classes of `toVersion`; its tables are complete, and what is going to be dropped
    /// is not dropped yet. An object has the same identifier in both. Each closure runs on a thread of its own and may
    /// block; what it leaves unsaved is saved when it returns, and an error it throws ends the stage before anything
    /// was dropped. After an interruption it runs again: what a closure does must be right the second time too.
    case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: (@Sendable (ModelContext) throws -> Void)?,
        didMigrate: (@Sendable (ModelContext) throws -> Void)?, changes: [SchemaChange] = [])
}

extension MigrationStage {
    var fromVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(let from, _, _), .custom(let from, _, _, _, _): from
        }
    }

    var toVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(_, let to, _), .custom(_, let to, _, _, _): to
        }
    }

    /// Whether it has code of its own.
    var isCustom: Bool { closure(.willMigrate) != nil || closure(.didMigrate) != nil }

    /// The same stage with these changes.
    func with(_ changes: [SchemaChange]) -> MigrationStage {
        switch self {
        case .lightweight(let from, let to, _): .lightweight(fromVersion: from, toVersion: to, changes: changes)
        case .custom(let from, let to, let willMigrate, let didMigrate, _):
            .custom(
                fromVersion: from, toVersion: to, willMigrate: willMigrate, didMigrate: didMigrate, changes: changes)
        }
    }

    var changes: [SchemaChange] {
        switch self {
        case .lightweight(_, _, let changes), .custom(_, _, _, _, let changes): changes
        }
    }

    func closure(_ closure: StageClosure) -> (@Sendable (ModelContext) throws -> Void)? {
        switch (self, closure) {
        case (.lightweight, _): nil
        case (.custom(_, _, let willMigrate, _, _), .willMigrate): willMigrate
        case (.custom(_, _, _, let didMigrate, _), .didMigrate): didMigrate
        }
    }
}
