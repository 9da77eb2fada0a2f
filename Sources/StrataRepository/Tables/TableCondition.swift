import StrataClient
import StrataModels

/// What a class declares as the condition of an index or a check, or computes a property by, as SQL about the columns of one table.
struct TableCondition {
    let expression: ColumnExpression
    /// The classes whose tables the columns are in.
    let owners: [EntityMapping]

    /// - Parameters:
    ///   - entity: the class that declares it.
    ///   - purpose: what the condition is for.
    ///
    /// Throws `invalidSchema` with what no table can say.
    init(
        _ condition: any ModelCondition, of entity: EntityMapping, in mapping: StoreMapping,
        for purpose: TableTextPurpose
    ) throws(SwiftDataError) {
        try self.init(of: entity, in: mapping, for: purpose) { translator, scope, row in
            try Self.sql(condition, translator, scope, row, isExact: purpose == .check)
        }
    }

    /// What a property is computed by.
    init(
        _ argument: QueryTerm.Argument, for property: AnyAttributeProperty, _ column: Column, of entity: EntityMapping,
        in mapping: StoreMapping
    ) throws(SwiftDataError) {
        try self.init(of: entity, in: mapping, for: .generatedColumn) { translator, scope, row in
            let argument = try translator.argument(QueryTerm(argument, .value), on: scope)
            guard !row.hasDocument else {
                throw Self.refusal("looks into a value that is stored as JSON, where a part may be missing")
            }
            return try property.computed(argument, column)
        }
    }

    private init(
        of entity: EntityMapping, in mapping: StoreMapping, for purpose: TableTextPurpose,
        _ sql: (PredicateTranslator, TableScope, RowColumns) throws -> SQLFragment
    ) throws(SwiftDataError) {
        let row = RowColumns(purpose)
        let aliases = AliasGenerator()
        let scope = TableScope(entity, row: row, aliases: aliases)
        let translator = PredicateTranslator(mapping: mapping, store: nil, trace: nil, purpose: purpose)
        let text: ColumnExpression?
        do {
            text = try sql(translator, scope, row).columnExpression()
        } catch let error as SwiftDataError {
            throw error
        } catch {
            throw SwiftDataError(.invalidSchema, "\(error)")
        }
        if !aliases.namesNoTable { throw Self.refusal("asks for other rows than the object's own") }
        if !aliases.isUnused {
            throw Self.refusal(
                "has something that is written as a subquery, which PostgreSQL takes in no table: arithmetic with floating-point "
                    + "numbers, the number of a dictionary's values, or a look at each element of an array")
        }
        guard let text else { throw Self.refusal("has a value that SQL has no constant for") }
        let several = row.owners.flatMap(\.composedColumns).first { text.columns.contains($0.name) }
        if let several {
            throw Self.refusal(
                "names \(several.propertyName), whose foreign key has "
                    + (several.tableNames.count == 1 ? "the column of another property, " : "several columns, ")
                    + "\(several.tableNames.joined(separator: ", ")); name a property that has one of them")
        }
        expression = text
        owners = row.owners
    }

    private static func sql<C: ModelCondition>(
        _ condition: C, _ translator: PredicateTranslator, _ scope: TableScope, _ row: RowColumns, isExact: Bool
    ) throws -> SQLFragment {
        let condition = try translator.expression(condition.predicate, on: scope)
        guard isExact, condition.isNullable || !condition.requires.isEmpty || row.hasDocument else {
            return condition.sql
        }
        return "\(condition.operand) IS TRUE"
    }

    private static func refusal(_ what: String) -> SwiftDataError { SwiftDataError(.invalidSchema, what) }
}
