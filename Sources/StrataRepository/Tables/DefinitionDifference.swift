/// Where a database does not fit the definition a schema wants, one readable line each.
///
/// Names of constraints and indexes do not matter, nor does what others have added, unless it would make an insert fail.
package struct DefinitionDifference {
    /// Differences with which Strata would read or write wrongly, or not at all.
    package internal(set) var misfits: [String] = []
    /// Differences that cost time only.
    package internal(set) var advice: [String] = []

    private let expected: DatabaseDefinition
    private let found: DatabaseInspection.Contents
    private let otherSchemas: [String: DatabaseDefinition]
    private let properties: [String: [String: String]]
    let remedy: String
    private let unsettled: [String: Set<String>]
    let tables: TableOwnership
    private let enumerations: Set<String>
    private let parts: [String: Set<String>]

    /// - Parameters:
    ///   - properties: table → column → property (`Trip.name`), for the messages.
    ///   - remedy: what to do about a table or column that is not there.
    ///   - otherSchemas: what was found in other PostgreSQL schemas, to which foreign keys may lead.
    ///   - enumerations: the names of enum types, whose values are texts of the models'.
    ///   - parts: table → columns in which parts of keys stand and nothing else of keys.
    ///   - tables: who makes the tables. Of somebody else's, only that is a misfit with which rows would be read or written wrongly.
    ///   - unsettled: what a migration under way keeps fit for code of both its versions: of tables the columns, of which whether they may be
    ///     NULL and where their foreign keys lead is the migration's business; of views the definition.
    package init(
        _ expected: DatabaseDefinition, found: DatabaseInspection.Contents,
        properties: [String: [String: String]] = [:],
        remedy: String = "write a migration", unsettled: [String: Set<String>] = [:], tables: TableOwnership = .own,
        enumerations: Set<String> = [], parts: [String: Set<String>] = [:],
        otherSchemas: [String: DatabaseDefinition] = [:]
    ) {
        self.enumerations = enumerations
        self.parts = parts
        self.otherSchemas = otherSchemas
        self.tables = tables
        self.expected = expected
        self.found = found
        self.properties = properties
        self.remedy = remedy
        self.unsettled = unsettled
        for table in expected.tables { compare(table) }
        for view in expected.views { compare(view) }
        for sequence in expected.sequences where found.definition.sequence(named: sequence.name) == nil {
            misfits.append("sequence \(sequence.name) is missing: \(remedy) that creates it")
        }
    }

    package var isEmpty: Bool { misfits.isEmpty && advice.isEmpty }

    private mutating func compare(_ table: TableDefinition) {
        guard let actual = found.definition.table(named: table.name) else {
            if let kind = found.otherRelations[table.name] {
                misfits.append("\(table.name) is \(kind), the schema needs a table of that name: rename one of the two")
            } else {
                misfits.append("table \(table.name) is missing: \(remedy) that creates it")
            }
            return
        }
        for column in table.columns {
            if let actualColumn = actual.column(named: column.name) {
                compare(column, with: actualColumn, in: table)
            } else {
                misfits.append(
                    "column \(table.name).\(column.name) is missing, \(wanting(column, in: table)) "
                        + "\(column.type)\(column.isNullable ? "" : " NOT NULL"): \(remedy) that adds it")
            }
        }
        for extra in actual.columns where table.column(named: extra.name) == nil { checkExtra(extra, in: table) }
        comparePartitioning(table, with: actual)
        compareConstraints(table, with: actual)
        if tables == .own { comparePolicy(table, with: actual) }
        // Who may not make an index need not be told at each start that there could be one.
        if tables == .own { compareIndexes(table, with: actual) }
    }

    private mutating func compare(_ view: ViewDefinition) {
        guard let actual = found.definition.view(named: view.name) else {
            if found.definition.table(named: view.name) != nil {
                misfits.append("\(view.name) is a table, the schema needs a view of that name: rename one of the two")
            } else {
                misfits.append("view \(view.name) is missing: \(remedy) that creates it")
            }
            return
        }
        for column in view.columns {
            guard let actualColumn = actual.column(named: column.name) else {
                misfits.append("column \(view.name).\(column.name) is missing in the view: \(remedy) that replaces it")
                continue
            }
            if actualColumn.type != column.type {
                misfits.append(
                    "column \(view.name).\(column.name) of the view is \(actualColumn.type), not \(column.type): "
                        + "\(remedy) that replaces it")
            }
        }
        if view.isInvokers, !actual.isInvokers, tables == .own {
            misfits.append(
                "view \(view.name) shows what its owner may see, and not its reader, so that a tenant could see the rows of others: "
                    + "ALTER VIEW \(SQLFragment.quoted(view.name)) SET (security_invoker = true)")
        }
        switch found.marks[view.name] {
        case view.mark: break
        case _ where unsettled[view.name] != nil: break
        case nil:
            advice.append(
                "view \(view.name) does not say that it was made of this definition: drift compares what it shows")
        case .some: misfits.append("view \(view.name) was made of another definition: \(remedy) that replaces it")
        }
        let hasKeyIndex = found.uniqueColumns[view.name]?.contains(Set(view.key)) == true
        if let index = view.keyIndex, actual.isMaterialized, !hasKeyIndex {
            advice.append(
                "view \(view.name) has no unique index of its key, so it cannot be refreshed while others read it: "
                    + "CREATE UNIQUE INDEX \(SQLFragment.quoted(index)) ON \(SQLFragment.quoted(view.name)) "
                    + "(\(view.key.map(SQLFragment.quoted).joined(separator: ", ")))")
        }
    }

    private func isUnsettled(_ columns: [String], in table: TableDefinition) -> Bool {
        unsettled[table.name].map { $0.isSuperset(of: columns) } ?? false
    }

    // MARK: Columns

    /// `the property Trip.name needs`.
    private func wanting(_ column: ColumnDefinition, in table: TableDefinition) -> String {
        if let property = properties[table.name]?[column.name] { return "the property \(property) needs" }
        if column.name == table.classColumn { return "the hierarchy needs it to tell its classes apart:" }
        return "the schema needs"
    }

    private mutating func compare(_ column: ColumnDefinition, with actual: ColumnDefinition, in table: TableDefinition)
    {
        let place = "column \(table.name).\(column.name)"
        let isSameType = isStored(column, as: actual.type, in: table)
        if !isSameType {
            misfits.append(
                "\(place) is \(actual.type), \(wanting(column, in: table)) \(column.type): "
                    + "write a migration that changes the column, or give the property a type that fits")
        }
        if column.type == .text, holdsKeys(column.name, in: table) {
            // Which text it is that stands for an object has to be one question, here and on the server.
            if found.looseColumns[table.name]?.contains(column.name) == true {
                misfits.append(
                    "\(place) has keys, and its collation \(actual.collation ?? "") takes different texts for the same "
                        + "(deterministic = false): give it another collation")
            } else if !isSameType {
                misfits.append(
                    "\(place) has keys: of texts these can be text or varchar, which neither pad nor fold; in tables of others char(n) is a part of a key, "
                        + "#PrimaryKey instead of .primaryKey"
                )
            }
        }
        if actual.isGenerated, !column.isGenerated {
            misfits.append(
                "\(place) is computed by the server and takes no value: drop GENERATED, or mark the property .generated"
            )
        } else if column.isGenerated, !actual.isGenerated {
            misfits.append(
                "\(place) is not computed by the server, and nobody would write it: \(wanting(column, in: table)) GENERATED ALWAYS AS (…) STORED, "
                    + (column.generation == nil ? "or remove .generated" : "which a migration makes of #Generated"))
        } else if let mark = column.mark, actual.isGenerated {
            compare(mark, with: found.columnMarks[table.name]?[column.name], place, column, in: table)
        }
        if actual.identity?.isAlways == true, tables == .own {
            misfits.append(
                "\(place) is GENERATED ALWAYS and refuses the keys Strata gives: "
                    + "ALTER TABLE … ALTER COLUMN \(column.name) SET GENERATED BY DEFAULT")
        }
        if tables == .external, let expression = column.defaultExpression, table.hasServerDefault(column),
            actual.defaultExpression == nil
        {
            advice.append(
                "\(place) has no default, and .serverDefault gives other programs one: ALTER TABLE … ALTER COLUMN \(column.name) "
                    + "SET DEFAULT \(expression)")
        }
        if isUnsettled([column.name], in: table) {
            // A migration under way loosens or tightens it.
        } else if column.isNullable, !actual.isNullable {
            // Rows are read as they are; the server refuses nil by itself.
            if tables == .external { return }
            misfits.append(
                "\(place) is NOT NULL, \(wanting(column, in: table)) NULL for nil: "
                    + "write a migration that drops NOT NULL, or make the property not optional")
        } else if !column.isNullable, actual.isNullable {
            // A row without a class is refused when it is read.
            if tables == .external, column.name == table.classColumn { return }
            misfits.append(
                "\(place) may be NULL, \(wanting(column, in: table)) NOT NULL: "
                    + "write a migration that fills and sets it, or make the property optional")
        }
        guard isSameType, tables == .own else { return }
        if column.collation != actual.collation {
            advice.append(
                "\(place) has the collation \(actual.collation ?? "of the database"), not \(column.collation ?? "the database's"): "
                    + "its indexes do not serve sorted fetches")
        }
        if let storage = column.storage, storage != actual.storage {
            advice.append(
                "\(place) is stored \((actual.storage ?? .extended).rawValue), the property asks for \(storage.rawValue): "
                    + "ALTER TABLE … ALTER COLUMN \(column.name) SET STORAGE \(storage.rawValue.uppercased())")
        }
    }

    /// Memory computes the property by what the class says: with another expression a query would find other rows than it.
    private mutating func compare(
        _ mark: DefinitionMark, with actual: DefinitionMark?, _ place: String, _ column: ColumnDefinition,
        in table: TableDefinition
    ) {
        guard let actual else {
            advice.append(
                "\(place) does not say by which expression it is computed. Where drift finds nothing: "
                    + "COMMENT ON COLUMN … \(column.name) IS '\(mark)'")
            return
        }
        guard actual != mark else { return }
        misfits.append(
            "\(place) is computed by another expression than \(wanting(column, in: table)): \(remedy) that makes it of this one, or open the store "
                + "with the models that it was made of. Another version of Strata may write the same expression in other words: where drift finds "
                + "nothing, COMMENT ON COLUMN … \(column.name) IS '\(mark)'")
    }

    /// Whether the values of a property, or the keys, can be read and written as they are.
    private func isStored(_ column: ColumnDefinition, as actual: ColumnType, in table: TableDefinition) -> Bool {
        if actual == column.type || column.type == .text && actual == "varchar" { return true }
        if column.type == .text, holdsKeys(column.name, in: table) {
            return tables == .external && !actual.isList
                && (actual.base == .other("varchar") || actual.isPadded && holdsParts(column.name, in: table))
        }
        guard tables == .external, actual.isList == column.type.isList else { return false }
        if column.name == table.classColumn, actual.isInteger { return table.classesAreNumbers }
        let isEnumeration = enumerations.contains(actual.base.name)
        if ColumnConversion(of: column.type, in: actual, isEnumeration: isEnumeration) != nil {
            return true
        }
        switch (column.type.base, actual.base) {
        // With limits of the server's: a longer text, or a number with more digits, is refused or rounded there.
        case (.numeric, .numeric), (.time, .time), (.interval, .interval): return true
        // The server rounds a date to the digits of `timestamptz(3)`: a key would not be the object's any more.
        case (.timestamptz, .timestamptz):
            return [[], ["6"]].contains(actual.parameters) || !holdsKeys(column.name, in: table)
        // An array is sent with the type of its elements, which is this one then and no other.
        case _ where actual.isList: return false
        case (.text, .other("varchar")), (.text, .other("character")), (.text, .other("bpchar")): return true
        // The sessions of such a store are in UTC.
        case (.timestamptz, .other("timestamp")):
            return !holdsKeys(column.name, in: table)
                || ([[], ["6"]].contains(actual.parameters) && holdsParts(column.name, in: table))
        case (.bigint, .integer), (.bigint, .smallint):
            return holdsKeys(column.name, in: table)
        default: return false
        }
    }

    /// Whether nothing but parts of keys stand in a column.
    private func holdsParts(_ column: String, in table: TableDefinition) -> Bool {
        parts[table.name]?.contains(column) == true
    }

    /// Whether the keys of objects stand in a column.
    private func holdsKeys(_ column: String, in table: TableDefinition) -> Bool {
        table.primaryKey?.columns.contains(column) == true || table.foreignKeys.contains { $0.columns.contains(column) }
    }

    /// Others may add columns, as long as a row can be inserted without knowing of them.
    private mutating func checkExtra(_ column: ColumnDefinition, in table: TableDefinition) {
        let isFilled =
            column.isNullable || column.defaultExpression != nil || column.identity != nil || column.isGenerated
        // The triggers of a migration under way fill what they have made required.
        guard !isFilled, !isUnsettled([column.name], in: table) else { return }
        guard tables == .own else {
            advice.append(
                "column \(table.name).\(column.name) is NOT NULL without a default and belongs to no property: rows are read and "
                    + "changed, and the server refuses new ones")
            return
        }
        misfits.append(
            "column \(table.name).\(column.name) is NOT NULL without a default and belongs to no property, so every insert would "
                + "fail: give it a default, or declare the property")
    }

    // MARK: Partitions

    /// A table that somebody has divided by hand is read and written as one. How long partitions are is nobody's matter but of whoever makes the
    /// next one.
    private mutating func comparePartitioning(_ table: TableDefinition, with actual: TableDefinition) {
        guard tables == .own, let wanted = table.partitioning, wanted.column != actual.partitioning?.column else {
            return
        }
        let what = actual.partitioning.map { "is divided by \($0.column)" } ?? "is not divided by ranges"
        misfits.append(
            "table \(table.name) \(what), and #Partition asks for PARTITION BY RANGE (\(wanted.column)): make a table that is, copy the rows, and "
                + "let the two exchange their names; or remove #Partition")
    }

    // MARK: Constraints and indexes

    private mutating func compareConstraints(_ table: TableDefinition, with actual: TableDefinition) {
        if let key = table.primaryKey, Set(key.columns) != Set(actual.primaryKey?.columns ?? []),
            tables == .own || !actual.uniqueSets.contains(where: { Set($0.columns) == Set(key.columns) })
        {
            let what = actual.primaryKey.map { "is (\($0.columns.joined(separator: ", ")))" } ?? "is missing"
            misfits.append(
                "the primary key of \(table.name) \(what), the schema needs (\(key.columns.joined(separator: ", "))): write a migration"
            )
        }
        for unique in table.uniques { compare(unique, in: table, with: actual) }
        for index in table.indexes where index.isUnique { compare(unique: index, in: table, with: actual) }
        for foreignKey in table.foreignKeys { compare(foreignKey, in: table, with: actual) }
        checkUnwantedForeignKeys(table, with: actual)
        for check in table.checks { compare(check, in: table, with: actual) }
    }

    private mutating func compare(
        _ foreignKey: ForeignKeyDefinition, in table: TableDefinition, with actual: TableDefinition
    ) {
        let columns = foreignKey.columns.joined(separator: ", ")
        compareTypes(of: foreignKey, in: table, with: actual)
        // Of somebody else's, one that compares more columns leads to the same row.
        var all = actual.foreignKeys.filter(foreignKey.refersAs)
        if all.isEmpty, tables == .external {
            all = actual.foreignKeys.compactMap { $0.narrowed(to: foreignKey.referencedColumns, in: actual) }
                .filter(foreignKey.refersAs)
        }
        // Of several the one that does something else.
        guard let same = all.first(where: { !$0.onDelete.isEquivalent(to: foreignKey.onDelete) }) ?? all.first else {
            if tables == .external {
                advice.append(
                    "\(table.name) (\(columns)) has no foreign key to \(foreignKey.referencedTable): nobody keeps a reference from "
                        + "leading to nothing")
                return
            }
            misfits.append(
                "\(table.name) (\(columns)) has no foreign key to \(foreignKey.referencedTable): "
                    + "write a migration that adds REFERENCES \(foreignKey.referencedTable) ON DELETE \(foreignKey.onDelete.rawValue)"
            )
            return
        }
        // Of somebody else's tables: where the server refuses a deletion that a rule expects to go on, nothing is written wrongly.
        // SET NULL where nothing may be NULL refuses as well.
        let isRequired = foreignKey.columns.contains { actual.column(named: $0)?.isNullable == false }
        let isRefused =
            tables == .external
            && (same.onDelete.refuses || same.onDelete == .setDefault || same.onDelete == .setNull && isRequired)
        if !same.onDelete.isEquivalent(to: foreignKey.onDelete), !isRefused {
            misfits.append(
                "the foreign key \(table.name) (\(columns)) is ON DELETE \(same.onDelete.rawValue), the delete rule needs "
                    + "\(foreignKey.onDelete.rawValue): write a migration, or change the rule")
        } else if same.onDelete == .setNull, foreignKey.onDelete == .setNull,
            Set(same.emptied ?? same.columns) != Set(foreignKey.emptied ?? foreignKey.columns)
        {
            misfits.append(
                "the foreign key \(table.name) (\(columns)) is ON DELETE SET NULL of (\((same.emptied ?? same.columns).joined(separator: ", "))), "
                    + "and other properties have columns of it: the delete rule needs SET NULL "
                    + "(\((foreignKey.emptied ?? foreignKey.columns).joined(separator: ", "))): write a migration, or change the rule"
            )
        }
    }

    /// Keys of several columns are told apart by what is read of each column, which depends on its type.
    private mutating func compareTypes(
        of foreignKey: ForeignKeyDefinition, in table: TableDefinition, with actual: TableDefinition
    ) {
        let place = foreignKey.referencedSchema.map { otherSchemas[$0] } ?? found.definition
        guard tables == .external,
            let target = place?.table(named: foreignKey.referencedTable)
        else { return }
        for (name, referenced) in zip(foreignKey.columns, foreignKey.referencedColumns) {
            guard let own = actual.column(named: name)?.type, let other = target.column(named: referenced)?.type,
                own.isPadded != other.isPadded
                    || (own.base == .other("timestamp")) != (other.base == .other("timestamp"))
            else { continue }
            misfits.append(
                "column \(table.name).\(name) is \(own) and leads to \(target.name).\(referenced), which is \(other): one key would be read as two. "
                    + "Give both the same type, or the class two properties instead of the relationship")
        }
    }

    /// A foreign key where the schema wants none, or one to another table, would refuse what Strata writes.
    private mutating func checkUnwantedForeignKeys(_ table: TableDefinition, with actual: TableDefinition) {
        guard tables == .own else { return }
        for foreignKey in actual.foreignKeys {
            // Columns of others are not written by Strata.
            guard foreignKey.columns.allSatisfy({ table.column(named: $0) != nil }) else { continue }
            let isWanted = table.foreignKeys.contains {
                Set($0.columns) == Set(foreignKey.columns) && $0.referencedTable == foreignKey.referencedTable
                    && $0.referencedSchema == foreignKey.referencedSchema
            }
            guard !isWanted, !isUnsettled(foreignKey.columns, in: table) else { continue }
            let columns = foreignKey.columns.joined(separator: ", ")
            misfits.append(
                "\(table.name) (\(columns)) has a foreign key to \(foreignKey.referencedTable) that the schema does not have: "
                    + "write a migration that drops it, or change the delete rule .noAction")
        }
    }

    private mutating func compare(_ check: CheckDefinition, in table: TableDefinition, with actual: TableDefinition) {
        guard case .isOneOf(let column, let values) = check.condition else {
            // Whether it says the same, only the server can tell: `drift` asks it.
            if !actual.checks.contains(where: { $0.name == check.name }) {
                missing(check, in: table, unlessCalled: namesake(of: check, table, actual))
            }
            return
        }
        for case .isOneOf(column, let allowed) in actual.checks.map(\.condition) {
            let missing = values.filter { !allowed.contains($0) }
            guard !missing.isEmpty else { continue }
            misfits.append(
                "the check of \(table.name).\(column) does not allow \(missing.joined(separator: ", ")): "
                    + "write a migration that adds the class to it")
        }
    }

    /// A check that says the same under a name which the model does not have: a stage may have given it one, or be about to. It has to be printed word
    /// for word as it was written; only the server could tell whether others say the same.
    private func namesake(of check: CheckDefinition, _ table: TableDefinition, _ actual: TableDefinition) -> String? {
        guard case .expression(let expected) = check.condition else { return nil }
        return actual.checks.first { other in
            guard case .expression(let found) = other.condition else { return false }
            return found.words == expected.words && !table.checks.contains { $0.name == other.name }
        }?.name
    }

    /// Of somebody else's tables: nothing is read or written wrongly without it.
    private mutating func missing(_ check: CheckDefinition, in table: TableDefinition, unlessCalled name: String?) {
        let text = "\(table.name) has no check \(check.name), which the model declares: \(remedy) that adds it"
        if let name {
            advice.append(
                "the check \(check.name) of \(table.name), which the model declares, is called \(name) there")
        } else if tables == .external {
            advice.append(text)
        } else if !isUnsettled(check.columns, in: table) {
            misfits.append(text)
        }
    }

    /// A table that shows all tenants' rows must not be used; one that hides rows which the schema takes for everybody's would seem empty.
    private mutating func comparePolicy(_ table: TableDefinition, with actual: TableDefinition) {
        // A stage that is under way may yet come to it: no tenant's container is given out until then.
        guard unsettled.isEmpty, table.policy != actual.policy else { return }
        if table.policy == nil {
            misfits.append(
                "\(table.name) has the policy \(RowPolicyDefinition.name), by which a tenant sees its rows only, and the schema has no tenant there: "
                    + "write a migration that drops it")
        } else if actual.policy == nil {
            misfits.append(
                "\(table.name) has no policy \(RowPolicyDefinition.name), by which a tenant sees its rows only: \(remedy) that adds it"
            )
        } else {
            misfits.append(
                "the policy \(RowPolicyDefinition.name) of \(table.name) does not keep tenants apart as the schema says, or row-level security is not "
                    + "enabled and forced, or another policy permits more: write a migration")
        }
    }

    private mutating func compareIndexes(_ table: TableDefinition, with actual: TableDefinition) {
        for index in table.indexes where !index.isUnique {
            let serves = actual.indexes.contains {
                // Of full text all columns are one value.
                // One of all rows serves for some of them; whether two conditions say the same, only the server can tell.
                $0.method == index.method && ($0.predicate == nil || index.predicate != nil)
                    && (index.fullText == nil ? $0.keys.starts(with: index.keys) : $0.keys == index.keys)
                    && Set(index.included).isSubset(of: $0.included)
            }
            let keys = actual.uniques.map(\.columns) + [actual.primaryKey?.columns ?? []]
            let isKey = index.isPlain && keys.contains { $0.starts(with: index.columns) }
            guard !serves, !isKey else { continue }
            advice.append(
                "\(table.name) has no \(index.method) index on (\(index.keys.map(\.description).joined(separator: ", "))): create it, "
                    + "CONCURRENTLY on a table in use")
        }
    }
}

extension ColumnType {
    /// Whether it is `char(n)`: texts are filled up with blanks, which say nothing.
    package var isPadded: Bool { !isList && [.other("character"), .other("bpchar")].contains(base) }
}

extension ForeignKeyDefinition.Action {
    /// RESTRICT and NO ACTION refuse the same deletions as long as the constraint is not deferred (manual, 5.4.5).
    fileprivate func isEquivalent(to other: Self) -> Bool { self == other || refuses && other.refuses }

    /// Whether the referenced row stays.
    fileprivate var refuses: Bool { self == .noAction || self == .restrict }
}

extension ColumnExpression {
    /// What it is written in, without blanks, quotes around names, and the parentheses that the server adds.
    fileprivate var words: String { sql.filter { !" \"()".contains($0) } }
}
