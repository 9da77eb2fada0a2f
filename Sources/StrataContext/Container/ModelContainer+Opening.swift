public import Logging
public import StrataClient
public import StrataModels

extension ModelContainer {
    /// Opens a container for these classes and those their relationships lead to; blocks this thread.
    ///
    /// Subclasses are not inferred: name each. With a migration plan, its newest version has exactly these classes.
    /// - Throws: as the form with a schema.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) throws {
        try self.init(
            for: Schema(types), migrationPlan: migrationPlan, migrations: migrations, configurations: configurations)
    }

    /// Opens a container for these classes and those their relationships lead to; blocks this thread.
    ///
    /// The spelling of the first beta: the classes as an array.
    public convenience init(
        for types: [any PersistentModel.Type], migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) throws {
        try self.init(
            for: Schema(types), migrationPlan: migrationPlan, migrations: migrations, configurations: configurations)
    }

    /// The spelling of the first beta: the classes as an array, without a label.
    @available(*, deprecated, message: "write the label for:")
    public convenience init(_ types: [any PersistentModel.Type], configurations: ModelConfiguration...) throws {
        try self.init(for: Schema(types), configurations: configurations)
    }

    /// Opens a container for the classes of a schema, and brings its databases to the version of it if there is a migration
    /// plan; blocks this thread.
    ///
    /// As the form with an array of configurations.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply, configurations: ModelConfiguration...
    ) throws {
        try self.init(
            for: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations)
    }

    /// The spelling of the first beta: the configurations without a label.
    @available(*, deprecated, message: "write the label configurations:")
    public convenience init(
        for schema: Schema, _ configuration: ModelConfiguration, _ others: ModelConfiguration...
    ) throws {
        try self.init(for: schema, configurations: [configuration] + others)
    }

    /// Opens a container for the classes of a schema, and brings its databases to the version of it if there is a migration
    /// plan; blocks this thread.
    ///
    /// As the asynchronous form, see there.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply, configurations: [ModelConfiguration],
        logger: Logger = Logger(label: "strata"), observers: [any StatementObserver] = []
    ) throws {
        try self.init(
            for: schema, migrationPlan: migrationPlan, migrations: migrations, configurations: configurations,
            logger: logger, observers: observers, observer: nil)
    }
}
