import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// A `delete(model:where:)`: carried out by the server with the next save.
final class BulkDeletion {
    let session: StoreSession
    let entity: EntityMapping
    let statement: PostgresStatement
    /// A query for hierarchy and key of the rows that it deletes, over the tables as the aliases name them.
    let seeds: (AliasGenerator) throws -> SQLFragment

    /// Plans the deletion, so that what cannot be translated is refused at once.
    init<T: PersistentModel>(
        _ type: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool, session: StoreSession,
        entity: EntityMapping
    ) throws {
        self.session = session
        self.entity = entity
        let store = session.store
        let mapping = store.mapping
        func rows(_ aliases: AliasGenerator) throws -> (key: SQLFragment, source: SQLFragment) {
            let scope = TableScope(entity, aliases: aliases)
            var conditions: [SQLFragment] = []
            if let predicate {
                let translator = PredicateTranslator(mapping: mapping, store: store.identifier)
                conditions.append(try translator.condition(predicate, on: scope))
            }
            if !includeSubclasses, entity.hasDiscriminator {
                conditions.append("\(scope.discriminator()) = \(bind: entity.discriminator)")
            }
            let all = conditions.map { "(\($0))" as SQLFragment }.joined(separator: " AND ")
            return (scope.key(), conditions.isEmpty ? scope.from : "\(scope.from) WHERE \(all)")
        }
        let index = String(entity.root.index)
        seeds = { aliases in
            let (key, source) = try rows(aliases)
            return "SELECT \(raw: index), \(key) \(source)"
        }
        let plan = DeletePlan(deleting: [entity.root], mapping: mapping)
        let sql: SQLFragment
        if plan.isNeeded {
            sql = plan.sql(seeds: try seeds(AliasGenerator()))
        } else {
            // Rows of all tables of the hierarchy go with the root's row.
            let (key, source) = try rows(AliasGenerator())
            sql =
                "DELETE FROM \(entity.root.table) WHERE \(identifier: ReservedColumn.key) IN (SELECT \(key) \(source)) RETURNING \(raw: index), \(identifier: ReservedColumn.key)"
        }
        statement = try sql.statement(name: "delete \(entity.name) where")
    }
}
