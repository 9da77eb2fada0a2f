public import StrataModels

/// All released versions of a model, oldest first, and what leads from each to the next.
///
/// ```swift
/// enum TripsPlan: SchemaMigrationPlan {
///     static let schemas: [any VersionedSchema.Type] = [TripsV1.self, TripsV2.self]
///     static let stages: [MigrationStage] = [.lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self)]
/// }
/// let container = try await ModelContainer(for: Schema(versionedSchema: TripsV2.self), migrationPlan: TripsPlan.self)
/// ```
///
/// A released version is never edited: a change is a new version and a stage. The classes of old versions stay in the
/// program as long as there are databases that may be that old.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions, oldest first, each with a greater number than the one before. The last is what the program uses.
    static var schemas: [any VersionedSchema.Type] { get }
    /// A stage for every pair of neighbours in ``schemas``, in the same order.
    static var stages: [MigrationStage] { get }
    /// Whether migrated databases record their history; `true` unless the plan says otherwise.
    ///
    /// A configuration must not say something else. For databases that are there already, what changes here takes effect
    /// with `history sync` of the migration tool.
    static var recordsHistory: Bool { get }
}

extension SchemaMigrationPlan {
    /// History is recorded where the plan does not say otherwise.
    public static var recordsHistory: Bool { true }
}
