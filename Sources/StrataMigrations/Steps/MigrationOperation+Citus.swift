extension MigrationOperation {
    /// Whether a step of this kind does what Citus refuses for tables on its workers: triggers, another storage, a new identity.
    ///
    /// What somebody wrote or edited is not known from here: Citus says it when the step runs.
    var isRefusedByCitus: Bool {
        switch self {
        case .keepInStep, .recordHistory, .setStorage, .setIdentity: true
        case .createVersion, .createTable, .dropTables, .addColumn, .addGeneratedColumn, .dropColumn, .setDefault,
            .advanceKeys:
            false
        case .createViews, .dropViews, .replaceViews, .refreshViews: false
        case .loosenColumn, .omitColumn, .forbidEmpty, .requireColumn: false
        case .validateConstraint, .dropConstraint, .buildIndex, .buildUniqueIndex, .dropIndex, .addUnique: false
        case .replacePrimaryKey, .addForeignKey, .replaceForeignKey, .addCheck, .allowClasses: false
        case .fillColumn, .convertColumn, .copyColumn, .copyRows, .copyLinks, .orderLinks, .changeClass, .deleteRows:
            false
        case .endInStep, .endConversion, .switchNames, .switchHiddenNames, .addPolicy, .dropPolicy: false
        case .verify, .verifyAgain, .runClosure, .runStatement, .recordVersion, .custom: false
        }
    }
}
