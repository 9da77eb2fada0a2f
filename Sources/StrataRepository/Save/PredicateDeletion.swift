package import Foundation
package import StrataClient
package import StrataModels

/// A deletion of all rows that a predicate selects, with what delete rules take along.
package struct PredicateDeletion {
    package let statement: PostgresStatement
    /// A query for hierarchy and key of the rows that it deletes, over the tables as the aliases name them.
    package let seeds: (AliasGenerator, DoomedKeys) throws -> SQLFragment

    /// Throws ``SwiftDataError`` for what cannot be translated.
    package init<T: PersistentModel>(
        _ entity: EntityMapping, where predicate: Predicate<T>?, includeSubclasses: Bool, mapping: StoreMapping,
        store: String
    ) throws {
        let rows = MatchingRows(
            of: entity, where: predicate, includeSubclasses: includeSubclasses, mapping: mapping, store: store)
        let index = String(entity.root.index)
        seeds = { aliases, keys in
            let (key, source) = try rows.keys(aliases)
            return "SELECT \(raw: index), \(keys.values(key, entity.keyKind)) \(source)"
        }
        let plan = DeletePlan(deleting: [entity.root], mapping: mapping)
        let sql: SQLFragment
        if plan.isNeeded {
            sql = plan.sql(seeds: try seeds(AliasGenerator(), plan.keys))
        } else {
            // Rows of all tables of the hierarchy go with the root's row.
            let (key, source) = try rows.keys(AliasGenerator())
            let own: SQLFragment = "\(identifier: entity.key)"
            sql =
                "DELETE FROM \(entity.root.table) WHERE \(own) IN (SELECT \(key) \(source)) RETURNING \(raw: index), \(own)"
        }
        statement = try sql.statement(name: "delete \(entity.name) where", of: entity.name)
    }
}
