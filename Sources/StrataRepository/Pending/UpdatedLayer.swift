import StrataClient
import StrataModels

/// What an update by predicate changes, as queries.
final class UpdatedLayer: PendingLayer {
    private let update: PredicateUpdate
    private let mapping: StoreMapping

    init(_ update: PredicateUpdate, mapping: StoreMapping) {
        self.update = update
        self.mapping = mapping
    }

    func touches(_ table: OverlaidTable) -> Bool {
        guard case .entity(let index) = table else { return false }
        return update.sets(in: mapping.entities[index])
    }

    /// The name of the query for the rows that are changed, with their new values.
    private func updated(_ below: PendingView) -> String { "updated\(below.level)" }

    func common(over below: PendingView) throws -> (query: SQLFragment, isRecursive: Bool)? {
        let columns = (["pk"] + update.valueNames).joined(separator: ", ")
        return ("\(raw: updated(below))(\(raw: columns)) AS (\(try update.matches(AliasGenerator(below))))", false)
    }

    func rows(of request: TableRequest, over below: PendingView) throws -> SQLFragment {
        guard case .entity(let index) = request.table else { return "" }
        let entity = mapping.entities[index]
        let tables = AliasGenerator(below)
        let item = tables.item(entity)
        var isChanged = false
        let compared = request.compared.map { name -> SQLFragment in
            let stored = entity.asRead(tables.column(name, of: entity, in: "t"), named: name)
            guard let position = update.position(ofColumn: name, in: entity) else { return stored }
            isChanged = true
            return "CASE WHEN m.pk IS NULL THEN \(stored) ELSE m.v\(raw: String(position)) END"
        }
        let shown = request.shown.map { tables.shownColumn($0, of: entity, in: "t") }
        var sql: SQLFragment =
            "SELECT \((entity.key.columns(of: "t") + compared + shown).joined(separator: ", ")) FROM \(item) AS t"
        if isChanged { sql.append(" LEFT JOIN \(raw: updated(below)) AS m ON m.pk = \(entity.key.value(of: "t"))") }
        return sql
    }
}
