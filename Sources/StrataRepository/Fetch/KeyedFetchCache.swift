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
        let start: SQLFragment = "SELECT \(list.columns) \(scope.from) WHERE \(scope.key())"
        let made = Statements(
            list: list, one: PreparedSQL("\(start.text) = $1::\(entity.keyKind.type)"),
            many: PreparedSQL("\(start.text) = ANY($1::\(entity.keyKind.type.array))"))
        statements.withLock { $0[entity.index] = made }
        return made
    }
}
