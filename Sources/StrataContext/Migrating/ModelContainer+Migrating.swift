public import Logging
public import StrataModels

extension ModelContainer {
    /// Opens a container and brings its database to the version of `schema`; blocks this thread.
    ///
    /// As the asynchronous form, see there.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, migrations: MigrationPolicy = .apply,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(
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

    /// Opens a container that logs to `logger`, and brings its database to the version of `schema`; blocks this thread.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, migrations: MigrationPolicy = .apply,
        configurations: [ModelConfiguration], logger: Logger
    ) throws {
        try self.init(
            for: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: logger, observer: nil)
    }
}
