import StrataClient
import Synchronization

/// The statements that read objects by their keys: made once a class.
final class KeyedFetchCache: Sendable {
    struct Statements: Sendable {
        let list: SelectList
        /// The statement for one key. PostgreSQL keeps one plan for it (PostgreSQL manual, PREPARE), which it does not for an
        /// array of unknown length.
        let one: PreparedSQL
        /// The statement for an array of keys.
        let many: PreparedSQL
    }

    private let statements = Mutex<[Int: Statements]>([:])

    func statements(of entity: EntityMapping) -> Statements {
        if let known = statements.withLock({ $0[entity.index] }) { return known }
        let scope = TableScope(entity, .stored, aliases: AliasGenerator())
        let list = SelectList(entity, from: scope)
        let start: SQLFragment = "SELECT \(list.columns) \(scope.from) WHERE "
        // The other parameter is what stands in the class column of the objects.
        let condition = entity.ownRows.map { " AND \($0.isMet(by: scope.table(of: entity).text, parameter: 2))" } ?? ""
        let made = Statements(
            list: list,
            one: PreparedSQL(
                start.text + scope.isKey("$1::\(raw: entity.keyKind.type.description)" as SQLFragment).text + condition),
            many: PreparedSQL(
                start.text + scope.isKey(among: "$1::\(raw: entity.keyKind.type.array.description)" as SQLFragment).text
                    + condition))
        statements.withLock { $0[entity.index] = made }
        return made
    }
}
