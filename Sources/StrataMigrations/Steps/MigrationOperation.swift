/// The kinds of things that a step of a stage does: a closed list.
///
/// The planner makes a ``PlannedOperation`` of a kind, the file names the kind (`-- operation: add-column …`), and whoever asks
/// about a step asks its kind. SQL, titles and notes are written for PostgreSQL and for people; nobody reads them back.
package enum MigrationOperation: String, CaseIterable, Codable, Hashable, Sendable {
    // MARK: Tables and columns
    /// All tables of a version, in an empty database.
    case createVersion = "create-version"
    case createTable = "create-table"
    case dropTables = "drop-tables"
    case addColumn = "add-column"
    /// Columns that the server computes: the table is written anew.
    case addGeneratedColumn = "add-generated-column"
    case dropColumn = "drop-column"
    case setStorage = "set-storage"
    case setDefault = "set-default"
    case setIdentity = "set-identity"
    /// Lets a sequence go on after the keys in use.
    case advanceKeys = "advance-keys"

    // MARK: Views
    case createViews = "create-views"
    case dropViews = "drop-views"
    /// Where both versions of a program can read the new form.
    case replaceViews = "replace-views"
    /// Behind changes of the rows that a materialized view was filled from.
    case refreshViews = "refresh-views"

    // MARK: Required columns
    /// Lets a column be empty.
    case loosenColumn = "loosen-column"
    /// Lets new code insert without a column that it does not know.
    case omitColumn = "omit-column"
    /// A check, not yet validated, that a column is not empty.
    case forbidEmpty = "forbid-empty"
    case requireColumn = "require-column"

    // MARK: Constraints and indexes
    case validateConstraint = "validate-constraint"
    case dropConstraint = "drop-constraint"
    case buildIndex = "build-index"
    case buildUniqueIndex = "build-unique-index"
    case dropIndex = "drop-index"
    /// Makes a unique index a constraint.
    case addUnique = "add-unique"
    case replacePrimaryKey = "replace-primary-key"
    case addForeignKey = "add-foreign-key"
    /// Adds one behind the switch, in the place of another or of none.
    case replaceForeignKey = "replace-foreign-key"
    /// A rule of a class, not yet validated.
    case addCheck = "add-check"
    /// The values that the column with the class may have.
    case allowClasses = "allow-classes"

    // MARK: Tenants
    /// Lets each tenant see its rows of a table, and nobody else.
    case addPolicy = "add-policy"
    /// Lets everybody see all rows of a table.
    case dropPolicy = "drop-policy"

    // MARK: Rows
    /// Values for rows that have none.
    case fillColumn = "fill-column"
    /// Values of another type or meaning, beside the older ones.
    case convertColumn = "convert-column"
    /// Values in a second column, or in another table of the object.
    case copyColumn = "copy-column"
    /// Rows in another table of the object.
    case copyRows = "copy-rows"
    case copyLinks = "copy-links"
    /// Positions for links that had none.
    case orderLinks = "order-links"
    case changeClass = "change-class"
    case deleteRows = "delete-rows"

    // MARK: Two versions at once
    /// Triggers that carry over what old and new code write.
    case keepInStep = "keep-in-step"
    case endInStep = "end-in-step"
    /// The same where some of them convert what old code writes, and nothing back: they overwrite what new code writes.
    case endConversion = "end-conversion"
    /// Names that statements of a program use: of columns, tables, sequences.
    case switchNames = "switch-names"
    /// Names of indexes and constraints alone.
    case switchHiddenNames = "switch-hidden-names"
    /// What the history records from now on.
    case recordHistory = "record-history"

    // MARK: Proof and record
    /// Queries whose rows are what was not carried over.
    case verify
    /// A check of before the stage, asked once more.
    case verifyAgain = "verify-again"
    case runClosure = "run-closure"
    /// A statement of the plan's own.
    case runStatement = "run-statement"
    case recordVersion = "record-version"

    /// What somebody wrote or edited, and what a file of an earlier release has: only its SQL tells what it does.
    case custom
}
