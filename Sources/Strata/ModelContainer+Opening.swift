public import Logging
public import StrataContext

extension ModelContainer {
    /// Opens a container for these classes and those their relationships lead to.
    ///
    /// Subclasses are not inferred: name each. With a migration plan, one of its versions has exactly these classes.
    /// - Throws: as the form with a schema.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) async throws {
        try await self.init(
            for: Schema(types), migrationPlan: migrationPlan, migrations: migrations, configurations: configurations)
    }

    /// Opens a container for these classes and those their relationships lead to.
    ///
    /// The spelling of the first beta: the classes as an array.
    public convenience init(
        for types: [any PersistentModel.Type], migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) async throws {
        try await self.init(
            for: Schema(types), migrationPlan: migrationPlan, migrations: migrations, configurations: configurations)
    }

    /// Opens a container for the classes of a schema, and brings its databases to the version of it if there is a migration
    /// plan.
    ///
    /// As the form with an array of configurations.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) async throws {
        try await self.init(
            for: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations)
    }

    /// Opens a container for the classes of a schema, and brings its databases to the version of it if there is a migration
    /// plan.
    ///
    /// ```swift
    /// let container = try await ModelContainer(
    ///     for: Schema(versionedSchema: TripsV4.self), migrationPlan: TripsPlan.self)
    /// ```
    ///
    /// Without a plan, tables that are missing are created, and none is changed.
    ///
    /// With one, an empty database gets the tables of that version at once. A database that was made by a container without a plan
    /// is taken for the version whose tables it has. A database that is up to date costs one short connection more than opening
    /// without a plan; migrating takes as long as the stages take, on a thread of its own. A store in memory has nothing
    /// to migrate.
    ///
    /// With several configurations each store gets the tables of the classes that it keeps, in every version. They are migrated
    /// stage by stage, all to one version before any goes on; the code of a stage runs once, with the objects of all of them.
    ///
    /// - Parameters:
    ///   - schema: the classes; with a plan one of its versions, usually the newest.
    ///   - migrationPlan: all versions and stages; `nil` opens without one.
    ///   - migrations: whether pending stages are applied or an error.
    ///   - configurations: where. Each class is kept by one of them.
    ///   - logger: what is worth knowing goes there; statements, too, if its level is `debug` or lower.
    ///   - observers: are told of every statement; none costs nothing.
    /// - Throws: ``SwiftDataError``: `invalidSchema` with all findings, `storeDoesNotFit` with all differences,
    ///   `loadIssueModelContainer` when a server cannot be reached; `duplicateConfiguration` and
    ///   `configurationSchemaNotFoundInContainerSchema` when a class has several configurations or none; `unsupportedFeature` for a
    ///   stage that would move objects between them. With a plan `unknownSchema` for a database that is at no version of the
    ///   plan, or at one that was edited since; `backwardMigration` for one that is newer. ``MigrationError`` when the plan does
    ///   not hold together, when a stage failed or its data refused it, and under ``MigrationPolicy/verify`` when something is
    ///   pending.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply, configurations: [ModelConfiguration],
        logger: Logger = Logger(label: "strata"), observers: [any StatementObserver] = []
    ) async throws {
        try await self.init(
            opening: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: logger, observers: observers)
    }

    /// The spelling of the first beta: the configurations without a label.
    @available(*, deprecated, message: "write the label configurations:")
    public convenience init(
        for schema: Schema, _ configuration: ModelConfiguration, _ others: ModelConfiguration...
    ) async throws {
        try await self.init(for: schema, configurations: [configuration] + others)
    }

    /// The spelling of the first beta: the classes as an array, without a label.
    @available(*, deprecated, message: "write the label for:")
    public convenience init(_ types: [any PersistentModel.Type], configurations: ModelConfiguration...) async throws {
        try await self.init(for: Schema(types), configurations: configurations)
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
