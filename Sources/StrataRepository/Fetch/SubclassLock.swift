package import StrataClient
package import StrataModels

/// The statements that lock the rows which subclasses have in tables of their own.
///
/// They stand on the nullable side of a join, which the server does not lock; nor are the values that it has read there those after
/// a wait. So where there may be subclasses, keys are locked first, and then, by key, these rows.
package enum SubclassLock {
    /// One for each class below `entity` that has a table of its own; its rows are the keys that it has locked.
    package static func statements(
        below entity: EntityMapping, keys: [RowKey], _ lock: RowLock
    ) throws -> [(entity: EntityMapping, statement: PostgresStatement)] {
        try entity.descendants.filter { $0.base === $0 }.map { descendant in
            let key = descendant.key
            let sql: SQLFragment =
                "SELECT \(key.value()) FROM \(descendant.table) WHERE \(key.isAmong(keys)) ORDER BY \(key.list())\(lock.clause(of: []))"
            return (descendant, try sql.statement(name: "lock \(descendant.name)", of: descendant.name).storingNothing)
        }
    }
}
