package import StrataClient
import StrataModels

/// The statement that reads objects by their keys.
package enum KeyedFetch {
    package static func statement(
        _ entity: EntityMapping, keys: [Int64]
    ) throws -> (statement: PostgresStatement, list: SelectList) {
        let scope = TableScope(entity, aliases: AliasGenerator())
        let list = SelectList(entity, from: scope)
        var array = PostgresArray(elementType: .int8, reservingCapacity: keys.count)
        for key in keys { try array.append(key) }
        var parameter = SQLFragment()
        parameter.append(bind: array)
        let key = scope.key()
        let sql: SQLFragment =
            "SELECT \(list.fragments.joined(separator: ", ")) \(scope.from) WHERE \(key) = ANY(\(parameter))"
        return (try sql.statement(name: "fetch \(entity.name) by key"), list)
    }
}
