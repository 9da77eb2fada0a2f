import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// A `delete(model:where:)`: carried out by the server with the next save.
final class BulkDeletion {
    let session: StoreSession
    let entity: EntityMapping
    let statement: PostgresStatement

    /// Plans the deletion, so that what cannot be translated is refused at once.
    init<T: PersistentModel>(
        _ type: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool, session: StoreSession,
        entity: EntityMapping
    ) throws {
        self.session = session
        self.entity = entity
        let scope = TableScope(entity, aliases: AliasGenerator())
        var conditions: [SQLFragment] = []
        if let predicate {
            conditions.append(
                try PredicateTranslator(mapping: session.store.mapping, store: session.store.identifier).condition(
                    predicate, on: scope))
        }
        if !includeSubclasses, entity.hasDiscriminator {
            conditions.append("\(scope.discriminator()) = \(bind: entity.discriminator)")
        }
        let mapping = session.store.mapping
        let plan = DeletePlan(deleting: [entity.root], mapping: mapping)
        let key = scope.key()
        let condition: SQLFragment =
            conditions.isEmpty ? "" : " WHERE \(conditions.map { "(\($0))" as SQLFragment }.joined(separator: " AND "))"
        let index = String(entity.root.index)
        let sql: SQLFragment
        if plan.isNeeded {
            sql = plan.sql(seeds: "SELECT \(raw: index), \(key) \(scope.from)\(condition)")
        } else {
            // Rows of all tables of the hierarchy go with the root's row.
            sql =
                "DELETE FROM \(entity.root.table) WHERE \(identifier: ReservedColumn.key) IN (SELECT \(key) \(scope.from)\(condition)) RETURNING \(raw: index), \(identifier: ReservedColumn.key)"
        }
        statement = try sql.statement(name: "delete \(entity.name) where")
    }
}
