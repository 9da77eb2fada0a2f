extension MigrationOperation {
    /// How long a step of this kind waits for its lock, and how long a statement of it may take; milliseconds, 0 is without end.
    struct Limits: Hashable, Sendable {
        var lock = 2000
        var statement = 60_000
    }

    var limits: Limits {
        switch self {
        // They read a whole table under a lock that lets everybody work, and a concurrent build that gives up leaves an
        // invalid index.
        case .validateConstraint, .buildIndex, .buildUniqueIndex, .dropIndex: Limits(lock: 0, statement: 0)
        // What computes rows: a materialized view is filled when it is made. Behind a generated column others wait, and the stage was told so.
        case .fillColumn, .convertColumn, .copyColumn, .copyRows, .copyLinks, .orderLinks, .changeClass, .deleteRows,
            .createViews, .refreshViews, .addGeneratedColumn:
            Limits(statement: 600_000)
        case .verify, .verifyAgain, .runClosure: Limits(statement: 0)
        case .createVersion, .createTable, .dropTables, .dropViews, .replaceViews, .addColumn,
            .dropColumn, .setStorage, .setDefault,
            .setIdentity, .advanceKeys, .loosenColumn, .omitColumn, .forbidEmpty, .requireColumn, .dropConstraint,
            .addPolicy, .dropPolicy, .addUnique, .replacePrimaryKey, .addForeignKey, .replaceForeignKey, .addCheck,
            .allowClasses, .keepInStep,
            .endInStep,
            .endConversion, .switchNames, .switchHiddenNames, .recordHistory, .runStatement, .recordVersion, .custom:
            Limits()
        }
    }
}
