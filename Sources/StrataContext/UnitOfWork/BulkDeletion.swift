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
        try entity.requireTable(to: "be deleted")
        self.session = session
        self.entity = entity
        let store = session.store
        let rows = MatchingRows(
            of: entity, where: predicate, includeSubclasses: includeSubclasses, mapping: store.mapping,
            store: store.identifier)
        let index = String(entity.root.index)
        seeds = { aliases in
            let (key, source) = try rows.keys(aliases)
            return "SELECT \(raw: index), \(key) \(source)"
        }
        let plan = DeletePlan(deleting: [entity.root], mapping: store.mapping)
        let sql: SQLFragment
        if plan.isNeeded {
            sql = plan.sql(seeds: try seeds(AliasGenerator()))
        } else {
            // Rows of all tables of the hierarchy go with the root's row.
            let (key, source) = try rows.keys(AliasGenerator())
            sql =
                "DELETE FROM \(entity.root.table) WHERE \(identifier: ReservedColumn.key) IN (SELECT \(key) \(source)) RETURNING \(raw: index), \(identifier: ReservedColumn.key)"
        }
        statement = try sql.statement(name: "delete \(entity.name) where", of: entity.name)
    }
}
