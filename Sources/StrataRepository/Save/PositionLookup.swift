import StrataClient
import StrataModels

/// Finds the positions in the lists that a save changes, and plans those that it writes.
///
/// They are read when the save begins, in its transaction: memory keeps none, so nothing of them has to be put back when
/// something is undone. Lists of new owners have none yet: they need no query.
final class PositionLookup {
    private let collector: OrderCollector
    /// The rows that were found, by relationship and owner.
    private var rows: [[RowKey: [ListPositions.Row]]]
    private(set) var statements: [SaveStatement] = []

    /// `nil` when the order of nothing changes.
    init?(_ context: SaveContext) throws {
        guard !context.mapping.orderedRelationships.isEmpty else { return nil }
        collector = OrderCollector(context)
        guard !collector.lists.isEmpty else { return nil }
        rows = collector.lists.map { _ in [:] }
        for (index, lists) in collector.lists.enumerated() {
            let stored = lists.lists.filter { !$0.isNew }
            let whole = stored.filter(\.isWhole).map(\.owner)
            let ends = stored.filter { !$0.isWhole }.map(\.owner)
            if !whole.isEmpty { try add(Self.all(of: lists.order), whole, lists.order, index) }
            if !ends.isEmpty { try add(Self.end(of: lists.order), ends, lists.order, index) }
        }
    }

    private func add(_ text: String, _ owners: [RowKey], _ order: ListOrder, _ index: Int) throws {
        var parameters = PostgresParameters()
        try parameters.append(PostgresArray(owners, of: order.owner.kind))
        var statement = SaveStatement(
            kind: .lookup, text: text, parameters: parameters, name: "save: positions of \(order.position.propertyName)"
        )
        statement.onRow = { [unowned self] row in
            let position = try row.decodeIfPresent(2, as: Int64.self)
            rows[index][row.key(0, order.owner.kind), default: []].append(
                ListPositions.Row(key: row.key(1, order.target.kind), position: position))
        }
        statements.append(statement)
    }

    private static func all(of order: ListOrder) -> String {
        "SELECT \(columns(of: order, "t")) FROM \(order.table.quoted) AS t WHERE \(isOfOwner(order))"
            + (order.target.isSingle ? "" : " ORDER BY \(readOrder(order))")
    }

    /// What something that is appended comes behind: the last row, and those without a position. All rows where the positions
    /// come near their end.
    private static func end(of order: ListOrder) -> String {
        let position = SQLFragment.quoted(order.position.name)
        return
            "SELECT \(columns(of: order, "r")) FROM (SELECT \(columns(of: order, "t")), max(t.\(position)) OVER w AS last,"
            + " row_number() OVER (w ORDER BY t.\(position) DESC NULLS LAST) AS place"
            + (order.target.isSingle ? "" : ", row_number() OVER (w ORDER BY \(readOrder(order))) AS number")
            + " FROM \(order.table.quoted) AS t"
            + " WHERE \(isOfOwner(order)) WINDOW w AS (PARTITION BY \(order.owner.list(of: "t")))) AS r"
            + " WHERE r.place = 1 OR r.\(position) IS NULL OR r.last > \(Int64.max / 2)"
            + (order.target.isSingle ? "" : " ORDER BY r.number")
    }

    /// The order in which a list is read. Of a key of several columns only the server knows it: memory has their array.
    private static func readOrder(_ order: ListOrder) -> String {
        "t.\(SQLFragment.quoted(order.position.name)), \(order.target.list(of: "t"))"
    }

    private static func isOfOwner(_ order: ListOrder) -> String {
        order.owner.isAmong("$1::\(order.owner.kind.type.array)", of: "t")
    }

    /// The owner, the target and the position in `t`, or in a query `r` over them: of several columns a key is one value there.
    private static func columns(of order: ListOrder, _ row: String) -> String {
        func key(_ columns: KeyColumns, _ name: String) -> String {
            if columns.isSingle { return columns.value(of: row) }
            // No column of the table is called so.
            let carried = SQLFragment.quoted("\(name), key")
            return row == "t" ? "\(columns.value(of: row)) AS \(carried)" : "\(row).\(carried)"
        }
        return [
            key(order.owner, "owner"), key(order.target, "target"), "\(row).\(SQLFragment.quoted(order.position.name))",
        ]
        .joined(separator: ", ")
    }

    /// What is to be written, once the statements have answered.
    var positions: PlannedPositions {
        var planned = PlannedPositions()
        for (index, lists) in collector.lists.enumerated() {
            for list in lists.lists {
                var stored = rows[index][list.owner] ?? []
                if lists.order.target.isSingle { stored.sort(by: ListPositions.precedes) }
                // Of an end, the last row tells where it is, even if it leaves.
                if list.isWhole { stored.removeAll { list.removed.contains($0.key) } }
                let keys = Set(stored.map(\.key))
                for (key, position) in ListPositions(list.wanted, stored: stored).written {
                    planned.add(
                        PlannedPositions.Position(
                            owner: list.owner, target: key, value: position, isStored: keys.contains(key)),
                        to: lists.relationship, lists.order)
                }
            }
        }
        return planned
    }
}
