package import Foundation
package import StrataClient
package import StrataModels

/// A deletion of all rows that a predicate selects, with what delete rules take along.
package struct PredicateDeletion {
    /// A query for hierarchy and key of the rows that it deletes, over the tables as the aliases name them.
    package let seeds: (AliasGenerator, DoomedKeys) throws -> SQLFragment
    /// How rows get a date; `nil` where they are deleted for good.
    package let softly: SoftDeletePlan?
    private let name: String
    private let entityName: String
    private let sql: (Date) -> SQLFragment

    /// Throws ``SwiftDataError`` for what cannot be translated.
    ///
    /// - Parameter permanently: whether rows of a class with a date of deletion are deleted all the same, those that have one included.
    package init<T: PersistentModel>(
        _ entity: EntityMapping, where predicate: Predicate<T>?, includeSubclasses: Bool, permanently: Bool,
        mapping: StoreMapping, store: String
    ) throws {
        name = "delete \(entity.name) where"
        entityName = entity.name
        let rows = MatchingRows(
            of: entity, where: predicate, permanently ? .stored : .present, includeSubclasses: includeSubclasses,
            mapping: mapping, store: store)
        let index = String(entity.root.index)
        let seeds = { (aliases: AliasGenerator, keys: DoomedKeys) -> SQLFragment in
            let (key, source) = try rows.keys(aliases)
            return "SELECT \(raw: index), \(keys.values(key, entity.keyKind)) \(source)"
        }
        self.seeds = seeds
        if !permanently, entity.descriptor.dates.deletion != nil {
            let plan = SoftDeletePlan(deleting: [entity.root], mapping: mapping)
            softly = plan
            let seeds = try seeds(AliasGenerator(), plan.keys)
            sql = { plan.sql(seeds: plan.dated(seeds, $0), date: $0) }
            return
        }
        softly = nil
        let plan = DeletePlan(deleting: [entity.root], mapping: mapping)
        let sql: SQLFragment
        if plan.isNeeded {
            sql = plan.sql(seeds: try seeds(AliasGenerator(), plan.keys))
        } else {
            // Rows of all tables of the hierarchy go with the root's row.
            let (key, source) = try rows.keys(AliasGenerator())
            let own = entity.key
            sql =
                "DELETE FROM \(entity.root.table) WHERE \(own.isIn("SELECT \(key) \(source)")) RETURNING \(raw: index), \(own.value())"
        }
        self.sql = { _ in sql }
    }

    /// The statement. It returns hierarchy and key of each row.
    ///
    /// - Parameter date: when the rows are deleted.
    package func statement(at date: Date) throws -> PostgresStatement {
        try sql(date).statement(name: name, of: entityName)
    }
}
