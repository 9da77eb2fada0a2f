@testable import StrataMigrations

extension MigrationOperation {
    /// The stage that stands for steps of this kind. A new kind has one before it compiles.
    var example: OperationExample {
        switch self {
        case .createVersion: .creation
        case .createTable: .addedClass
        case .addColumn, .dropColumn, .forbidEmpty, .requireColumn, .omitColumn, .fillColumn, .convertColumn,
            .validateConstraint, .keepInStep, .endInStep, .switchNames, .verify, .recordVersion:
            .conversion
        case .addGeneratedColumn: .computed
        case .endConversion: .oneWay
        case .dropConstraint, .dropIndex, .replaceForeignKey, .copyLinks, .buildIndex, .verifyAgain, .recordHistory:
            .hiddenLinks
        case .addUnique, .buildUniqueIndex, .addForeignKey: .oneToOne
        case .allowClasses, .changeClass, .dropTables: .merged
        case .setIdentity, .advanceKeys, .copyRows: .joined
        case .addCheck: .ruled
        case .addPolicy, .dropPolicy: .divided
        case .loosenColumn: .loosened
        case .setStorage: .external
        case .setDefault: .newDefault
        case .deleteRows: .droppedSubclass
        case .orderLinks: .ordered
        case .replacePrimaryKey: .named
        case .copyColumn: .sideBySide
        case .runStatement: .own
        case .runClosure: .closures
        case .replaceViews: .grownView
        case .refreshViews: .keptView
        case .createViews, .dropViews: .renamedBelowView
        case .switchHiddenNames: .hiddenNames
        case .custom: .custom
        }
    }
}
