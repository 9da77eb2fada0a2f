extension MigrationOperation {
    /// Whether a step of this kind changes rows that a view shows. Of code, of a statement of the plan's own, and of a step that
    /// somebody edited nobody can say that it does not.
    var changesRows: Bool {
        switch self {
        case .fillColumn, .convertColumn, .copyColumn, .copyRows, .copyLinks, .orderLinks, .changeClass, .deleteRows:
            true
        case .runClosure, .runStatement, .custom: true
        case .createVersion, .createTable, .dropTables, .addColumn, .addGeneratedColumn,
            .dropColumn, .setStorage, .setDefault, .setIdentity,
            .advanceKeys, .createViews, .dropViews, .replaceViews, .refreshViews, .loosenColumn, .omitColumn,
            .forbidEmpty, .requireColumn, .validateConstraint, .dropConstraint, .buildIndex, .buildUniqueIndex,
            .dropIndex, .addPolicy, .dropPolicy, .addUnique, .replacePrimaryKey, .addForeignKey, .replaceForeignKey,
            .addCheck, .allowClasses,
            .keepInStep,
            .endInStep, .endConversion, .switchNames, .switchHiddenNames, .recordHistory, .verify, .verifyAgain,
            .recordVersion:
            false
        }
    }
}
