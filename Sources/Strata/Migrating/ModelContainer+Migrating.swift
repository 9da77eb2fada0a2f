public import Logging
public import StrataModels

extension ModelContainer {
    /// Opens a container and brings its database to the version of `schema`; blocks this thread.
    ///
    /// As ``init(for:migrationPlan:migrations:configurations:)-1bbw3``.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, migrations: MigrationPolicy = .apply,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(
            for: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: Logger(label: "strata"))
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
            for: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// Opens a container for the classes of one of the plan's versions, and brings its database to it; blocks this thread.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)?,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) throws {
        try self.init(
            for: Schema(types), migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// Opens a container for the classes of one of the plan's versions, and brings its database to it.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)?,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) async throws {
        try await self.init(
            for: Schema(types), migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: Logger(label: "strata"))
    }

    /// Opens a container that logs to `logger`, and brings its database to the version of `schema`; blocks this thread.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, migrations: MigrationPolicy = .apply,
        configurations: [ModelConfiguration], logger: Logger
    ) throws {
        try self.init(
            for: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: logger, observer: nil)
    }

    /// Opens a container that logs to `logger`, and brings its database to the version of `schema`.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, migrations: MigrationPolicy = .apply,
        configurations: [ModelConfiguration], logger: Logger
    ) async throws {
        try await self.init(
            for: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: logger, observer: nil)
    }
}
