extension MigrationOperation {
    /// Whether code of the new version can do its work while a step of this kind is pending in phase contract.
    ///
    /// It can where the step only verifies, takes away or declares. It cannot where names change, rows move or get
    /// another class, views do not show the rows yet, triggers overwrite what it writes, or a key or unique index is missing that its statements
    /// rely on; nor where a foreign key gets another delete rule, by which the server treats rows that are not in memory. Nor can anybody say
    /// what it needs of code, of a statement of the plan's own, and of a step that somebody edited.
    package var mayWaitForOldCode: Bool {
        switch self {
        case .verify, .verifyAgain, .recordHistory, .recordVersion: true
        case .dropTables, .dropViews, .dropColumn, .dropConstraint, .dropIndex, .endInStep: true
        case .setStorage, .setDefault, .loosenColumn, .omitColumn, .forbidEmpty, .requireColumn, .addCheck,
            .allowClasses,
            .validateConstraint:
            true
        case .buildIndex, .switchHiddenNames: true
        case .endConversion: false
        case .switchNames, .fillColumn, .convertColumn, .copyColumn, .copyRows, .copyLinks, .orderLinks, .changeClass,
            .deleteRows:
            false
        case .buildUniqueIndex, .addUnique, .replacePrimaryKey, .addForeignKey, .replaceForeignKey, .setIdentity,
            .advanceKeys:
            false
        case .createViews, .replaceViews, .refreshViews: false
        case .createVersion, .createTable, .addColumn, .addGeneratedColumn, .keepInStep: false
        // A tenant's container is refused while a table shows it the rows of others; one without tenants would see none.
        case .addPolicy, .dropPolicy: false
        case .runClosure, .runStatement, .custom: false
        }
    }
}

extension Sequence<MigrationStep> {
    /// The steps of phase contract that code of the new version cannot do without.
    package var neededByNewCode: [MigrationStep] {
        filter { $0.phase == .contract && !$0.operation.mayWaitForOldCode }
    }
}
