import StrataClient
import StrataModels

/// The positions in ordered relationships that a save writes: those of new rows come with the rows, the others by an
/// `UPDATE` a relationship.
struct PlannedPositions {
    struct Position {
        let owner: RowKey
        let target: RowKey
        let value: Int64
        /// Whether a row of the list was found.
        let isStored: Bool
    }

    private struct Place: Hashable {
        let table: TableName
        let column: String

        init(_ order: ListOrder) { (table, column) = (order.table, order.position.name) }
    }

    private final class Column {
        let relationship: RelationshipMapping
        let order: ListOrder
        var positions: [Position] = []
        /// For the rows of the table: of several owners that claim an object, the last has it.
        var byTarget: [RowKey: Int64] = [:]
        var byPair: [[RowKey]: Int64] = [:]

        init(_ relationship: RelationshipMapping, _ order: ListOrder) {
            (self.relationship, self.order) = (relationship, order)
        }
    }

    private var columns: [Place: Column] = [:]

    mutating func add(_ position: Position, to relationship: RelationshipMapping, _ order: ListOrder) {
        let column = columns[Place(order)] ?? Column(relationship, order)
        columns[Place(order)] = column
        column.positions.append(position)
        column.byTarget[position.target] = position.value
        if order.isOfPairs { column.byPair[[position.owner, position.target]] = position.value }
    }

    /// The position of an object whose row is inserted.
    func position(of target: RowKey, in order: ListOrder) -> Int64? { columns[Place(order)]?.byTarget[target] }

    /// The position of a pair that is inserted.
    func position(of target: RowKey, owner: RowKey, in order: ListOrder) -> Int64? {
        columns[Place(order)]?.byPair[[owner, target]]
    }

    /// What is written to rows that are there: after everything that gives them their owners.
    ///
    /// - Parameter inserted: the keys of the objects whose rows came with their positions, by the index of their root.
    func statements(inserted: @autoclosure () -> [Int: Set<RowKey>]) throws -> [SaveStatement] {
        guard !columns.isEmpty else { return [] }
        let inserted = inserted()
        return try columns.values.sorted { $0.order.position.propertyName < $1.order.position.propertyName }
            .compactMap { column in
                let isOfPairs = column.order.isOfPairs
                let inserted = inserted[column.relationship.destination.root.index] ?? []
                // In the order of keys: saves that write the same rows then wait for each other instead of deadlocking.
                let positions = column.positions.filter { isOfPairs ? $0.isStored : !inserted.contains($0.target) }
                    .sorted { ($0.owner, $0.target) < ($1.owner, $1.target) }
                return positions.isEmpty ? nil : try Self.update(column, positions)
            }
    }

    private static func update(_ column: Column, _ positions: [Position]) throws -> SaveStatement {
        let order = column.order
        let types = [order.owner.kind.type, order.target.kind.type, .int8]
        var arrays = types.map { PostgresArray(elementType: $0, reservingCapacity: positions.count) }
        for position in positions {
            try arrays[0].append(position.owner)
            try arrays[1].append(position.target)
            try arrays[2].append(position.value)
        }
        var parameters = PostgresParameters()
        for array in arrays { try parameters.append(array) }
        return SaveStatement(
            kind: .link(column.relationship),
            text: "UPDATE \(order.table.quoted) AS t SET \(SQLFragment.quoted(order.position.name)) = u.position"
                + " FROM unnest($1::\(types[0].array), $2::\(types[1].array), $3::\(types[2].array)) AS u(owner, target, position)"
                + " WHERE \(order.owner.isEqual(to: "u.owner", of: "t")) AND \(order.target.isEqual(to: "u.target", of: "t"))",
            parameters: parameters, name: "save: order \(order.position.propertyName)")
    }
}
