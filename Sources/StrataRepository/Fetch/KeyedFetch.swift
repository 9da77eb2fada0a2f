package import StrataClient
import StrataModels

/// The statement that reads objects by their keys.
package enum KeyedFetch {
    package static func statement(
        _ entity: EntityMapping, keys: [RowKey], mapping: StoreMapping
    ) throws -> (statement: PostgresStatement, list: SelectList) {
        let statements = mapping.keyedFetches.statements(of: entity)
        var parameters = PostgresParameters()
        if keys.count == 1 {
            try parameters.append(keys[0])
        } else {
            try parameters.append(PostgresArray(keys, of: entity.keyKind))
        }
        if let ownRows = entity.ownRows { try parameters.append(ownRows.values) }
        let statement = PostgresStatement(
            keys.count == 1 ? statements.one : statements.many, parameters: parameters,
            name: "fetch \(entity.name) by key", entity: entity.name)
        return (entity.reading(statement), statements.list)
    }
}
