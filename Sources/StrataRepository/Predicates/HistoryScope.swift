import StrataModels

/// What a predicate over the history is about: the transactions of one store, in a statement with the names of
/// ``HistoryStatement``.
struct HistoryScope {
    let storeIdentifier: String
    /// The entities the container knows: changes of others take no part in predicates.
    let entityNames: [String]
    /// Whether objects have keys that are no numbers: changes have these among the preserved values.
    var namesKeys = false
    /// The place after which the statement reads anyway.
    let start: HistoryPosition?

    /// The row of the transaction.
    static let transaction: SQLFragment = "t"
    /// The number of the store, a scalar subquery.
    static let store: SQLFragment = "(SELECT number FROM st)"

    /// The numbers of all entities of the store, an array that is made once a statement: a transaction may have changed
    /// several stores, and what becomes of one's history must move nothing in another's.
    static let entities: SQLFragment =
        "ARRAY(SELECT e.id FROM \(HistorySchema.entity) AS e WHERE e.store = \(store))"

    /// The numbers of the entities with one of these names, as an array that is made once a statement.
    func entities(named names: [String]) -> SQLFragment {
        """
        ARRAY(SELECT e.id FROM \(HistorySchema.entity) AS e WHERE e.store = \(Self.store) \
        AND (e.name = ANY(\(bind: names)) OR e.next_name = ANY(\(bind: names))))
        """
    }
}

/// What a part of a predicate over the history stands for.
enum HistoryOperand {
    case transaction
    case token
    case context
    /// One element of `changes`.
    case change(HistoryRow)
    /// Its `changedPersistentIdentifier`.
    case identifier(HistoryRow)
}

/// One change as a row of a subquery.
final class HistoryRow {
    let alias: SQLFragment
    /// Whether the row is one of the table, of which an object can have several.
    let isRaw: Bool
    /// Whether the predicate asks for what only a whole change has.
    private(set) var needsWhole = false

    init(_ alias: SQLFragment, isRaw: Bool) {
        self.alias = alias
        self.isRaw = isRaw
    }

    var key: SQLFragment { "\(alias).pk" }
    /// A key that is no number.
    var namedKey: SQLFragment { "(\(alias).tomb ->> '\(raw: HistorySchema.keyMember)')" }
    var entity: SQLFragment { "\(alias).entity" }

    func number() -> SQLFragment {
        needsWhole = true
        return isRaw ? "\(alias).seq" : "\(alias).number"
    }
}
