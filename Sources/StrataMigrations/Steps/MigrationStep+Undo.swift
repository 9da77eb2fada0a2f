extension MigrationStep {
    /// Whether something stays behind for good when the step is taken back: it changes tables or rows, and says nothing that undoes it.
    var isIrreversible: Bool {
        guard undo.isEmpty else { return false }
        return switch execution {
        case .closure, .verify: false
        case .transaction, .alone, .batches: !operation.followsOthers
        }
    }
}

extension MigrationOperation {
    /// Whether all that a step of this kind leaves follows from what others leave: it has nothing of its own to undo.
    ///
    /// Views that are refreshed are those that the stage has made. When it is taken back they go, and those that come back in their places
    /// are computed when the steps that changed rows are undone already.
    fileprivate var followsOthers: Bool {
        switch self {
        case .refreshViews: true
        case .createVersion, .createTable, .dropTables, .addColumn, .addGeneratedColumn, .dropColumn, .setStorage,
            .setDefault, .setIdentity,
            .advanceKeys, .createViews, .dropViews, .replaceViews, .loosenColumn, .omitColumn, .forbidEmpty,
            .requireColumn, .validateConstraint, .dropConstraint, .buildIndex, .buildUniqueIndex, .dropIndex,
            .addPolicy, .dropPolicy, .addUnique, .replacePrimaryKey, .addForeignKey, .replaceForeignKey, .addCheck,
            .allowClasses, .fillColumn,
            .convertColumn, .copyColumn, .copyRows, .copyLinks, .orderLinks, .changeClass, .deleteRows, .keepInStep,
            .endInStep, .endConversion, .switchNames, .switchHiddenNames, .recordHistory, .verify, .verifyAgain,
            .runClosure, .runStatement, .recordVersion, .custom:
            false
        }
    }
}
