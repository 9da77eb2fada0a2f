public import Logging
public import StrataContext

extension ModelContainer {
    /// Opens a container for these classes and those their relationships lead to.
    ///
    /// Subclasses are not inferred: name each.
    /// - Throws: ``SwiftDataError``: `invalidSchema` with all findings, `storeDoesNotFit` with all differences,
    ///   `loadIssueModelContainer` when the server cannot be reached.
    public convenience init(for types: any PersistentModel.Type..., configurations: ModelConfiguration...) async throws
    {
        try await self.init(
            opening: Schema(types), configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// The spelling of the first beta: the classes as an array.
    public convenience init(for types: [any PersistentModel.Type], configurations: ModelConfiguration...) async throws {
        try await self.init(
            opening: Schema(types), configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// Opens a container for the classes of a schema.
    ///
    /// ```swift
    /// let container = try await ModelContainer(for: Schema(versionedSchema: TripsV2.self))
    /// ```
    /// - Throws: ``SwiftDataError``: `invalidSchema` with all findings, `storeDoesNotFit` with all differences,
    ///   `loadIssueModelContainer` when the server cannot be reached.
    public convenience init(for schema: Schema, configurations: ModelConfiguration...) async throws {
        try await self.init(
            opening: schema, configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// Opens a container.
    public convenience init(for schema: Schema, configurations: [ModelConfiguration]) async throws {
        try await self.init(
            opening: schema, configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// Opens a container that logs to `logger`.
    public convenience init(for schema: Schema, configurations: [ModelConfiguration], logger: Logger) async throws {
        try await self.init(
            opening: schema, configurations: configurations,
            logger: logger)
    }

    /// Opens a container and brings its database to the version of `schema`.
    ///
    /// ```swift
    /// let container = try await ModelContainer(
    ///     for: Schema(versionedSchema: TripsV4.self), migrationPlan: TripsPlan.self)
    /// ```
    ///
    /// An empty database gets the tables of that version at once. One that was made by a container without a plan is taken
    /// for the version whose tables it has. A database that is up to date costs one short connection more than opening
    /// without a plan; migrating takes as long as the stages take, on a thread of its own. A store in memory has nothing
    /// to migrate.
    ///
    /// - Parameters:
    ///   - schema: a version of the plan, usually the newest.
    ///   - migrationPlan: all versions and stages; `nil` opens without one.
    ///   - migrations: whether pending stages are applied or an error.
    ///   - configurations: where; with a plan, one at most.
    /// - Throws: ``SwiftDataError``: `unknownSchema` for a database that is at no version of the plan, or at one that was
    ///   edited since; `backwardMigration` for one that is newer; and what opening without a plan throws.
    ///   ``MigrationError`` when the plan does not hold together, when a stage failed or its data refused it, and under
    ///   ``MigrationPolicy/verify`` when something is pending.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, migrations: MigrationPolicy = .apply,
        configurations: ModelConfiguration...
    ) async throws {
        try await self.init(
            opening: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// Opens a container for the classes of one of the plan's versions, and brings its database to it.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)?,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) async throws {
        try await self.init(
            opening: Schema(types), migrationPlan: migrationPlan, migrations: migrations,
            configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// Opens a container that logs to `logger`, and brings its database to the version of `schema`.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, migrations: MigrationPolicy = .apply,
        configurations: [ModelConfiguration], logger: Logger
    ) async throws {
        try await self.init(
            opening: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: logger)
    }

    /// Deletes every object of every class in this container's schema, in one statement a store.
    ///
    /// As the blocking form.
    /// - Throws: ``SwiftDataError``: `readOnly` before anything is deleted, when a configuration does not allow saving;
    ///   `storeFailure` when the server refuses, for instance because a table of somebody else refers to one of these.
    public func erase() async throws {
        try await suspendingErase()
    }
}
