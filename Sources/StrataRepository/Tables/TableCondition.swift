import StrataClient
import StrataModels

/// What a class declares as the condition of an index or a check, as SQL about the columns of one table.
struct TableCondition {
    let expression: ColumnExpression
    /// The classes whose tables the columns are in.
    let owners: [EntityMapping]

    /// - Parameters:
    ///   - entity: the class that declares it.
    ///   - isExact: whether NULL counts as true where it stands, as in a check; it then says FALSE where Swift says `false`.
    ///
    /// Throws `invalidSchema` with what no table can say.
    init(
        _ condition: any ModelCondition, of entity: EntityMapping, in mapping: StoreMapping, isExact: Bool
    ) throws(SwiftDataError) {
        let row = RowColumns()
        let aliases = AliasGenerator()
        let scope = TableScope(entity, row: row, aliases: aliases)
        let translator = PredicateTranslator(mapping: mapping)
        let text: ColumnExpression?
        do {
            text = try Self.sql(condition, translator, scope, row, isExact: isExact).columnExpression()
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
