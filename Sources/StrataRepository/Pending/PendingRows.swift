import StrataClient
import StrataModels

/// Rows of one table for which the same columns are known: one array a column, as a save sends them.
///
/// A value that cannot be sent, which a save would refuse, counts as `nil`.
final class PendingRows {
    /// Slots of properties, in the order of their columns.
    let slots: [Int]
    private let owner: EntityMapping
    private let rewriting: KeyRewriting
    /// The key, the values of the slots, then columns of no property.
    private let buffers: ColumnBuffers
    private var classes: [ObjectIdentifier: SlotColumns] = [:]

    /// - Parameter others: the types of columns that belong to no property.
    init(_ slots: [Int], of owner: EntityMapping, others: [PostgresType] = [], rewriting: KeyRewriting) {
        self.slots = slots
        self.owner = owner
        self.rewriting = rewriting
        let types = slots.compactMap { owner.columns[$0]?.transportType }
        buffers = ColumnBuffers([owner.keyKind.type] + types + others, reservingCapacity: 16)
    }

    var count: Int { buffers[0].count }

    func add(_ model: (any PersistentModel)?, key: RowKey) throws {
        try buffers[0].append(key)
        guard let model else { return }
        // What cannot be sent is made NULL below.
        _ = slotColumns(of: type(of: model)._$descriptor).write(model, into: buffers)
        let properties = type(of: model)._$descriptor.properties
        for (index, slot) in slots.enumerated() {
            if let property = properties[slot] as? RelationshipProperty {
                let target = property.reference(of: model).key
                if let target, target != 0 {
                    let entity = owner.relationships[slot]?.destination
                    try buffers[index + 1].append(entity.map { rewriting(target, of: $0) } ?? target)
                } else {
                    buffers[index + 1].appendNull()
                }
            } else if buffers[index + 1].count < count {
                buffers[index + 1].appendNull()
            }
        }
    }

    /// Appends to a column that belongs to no property.
    func append<Value: PostgresCodable>(_ value: Value?, other index: Int) throws {
        try append(value, at: 1 + slots.count + index)
    }

    /// Appends a key to a column that belongs to no property.
    func append(_ key: RowKey?, other index: Int) throws {
        let place = 1 + slots.count + index
        if let key { try buffers[place].append(key) } else { buffers[place].appendNull() }
    }

    private func append<Value: PostgresCodable>(_ value: Value?, at index: Int) throws {
        if let value { try buffers[index].append(value) } else { buffers[index].appendNull() }
    }

    private func slotColumns(of descriptor: ModelDescriptor) -> SlotColumns {
        if let known = classes[ObjectIdentifier(descriptor)] { return known }
        var columns = SlotColumns(descriptor.properties.count)
        for (index, slot) in slots.enumerated() where !(descriptor.properties[slot] is RelationshipProperty) {
            columns[slot] = index + 1
        }
        classes[ObjectIdentifier(descriptor)] = columns
        return columns
    }

    // MARK: SQL

    /// `unnest($1::bigint[], $2::text[]) AS u(pk, c0)`.
    var source: SQLFragment {
        let arrays = (0..<buffers.count).map { index in
            var array = SQLFragment()
            array.append(bind: buffers[index])
            return array
        }
        let names = ["pk"] + (0..<buffers.count - 1).map { "c\($0)" }
        return "unnest(\(arrays.joined(separator: ", "))) AS u(\(raw: names.joined(separator: ", ")))"
    }

    /// The value of a slot, of the type and with the collation that the table's column has.
    func value(of slot: Int) -> SQLFragment? {
        guard let index = slots.firstIndex(of: slot), let column = owner.columns[slot] else { return nil }
        let value = "u.c\(index)"
        if let conversion = owner.declaredConversions[column.name] {
            let typed = column.type == column.transportType ? value : "\(value)::\(column.type)"
            return "\(raw: conversion.reading(conversion.writing(typed))) COLLATE \"C\""
        }
        if column.type == .text { return "\(raw: value) COLLATE \"C\"" }
        return column.type == column.transportType ? "\(raw: value)" : "\(raw: value)::\(raw: column.type.description)"
    }

    /// The value of a column that belongs to no property.
    func value(ofOther index: Int) -> SQLFragment { "u.c\(raw: String(slots.count + index))" }
}

/// Keys as something to select from: `unnest($1::bigint[]) AS x(pk)`.
func unnested(_ keys: [RowKey], of kind: RowKey.Kind, as alias: String) -> SQLFragment {
    "unnest(\(bind: keys, of: kind)) AS \(raw: alias)"
}

/// Pairs of keys as something to select from: `unnest($1::bigint[], $2::bigint[]) AS u(a, b)`.
func unnested(_ pairs: [(RowKey, RowKey)], of join: JoinTable, as alias: String) -> SQLFragment {
    """
    unnest(\(bind: pairs.map(\.0), of: join.first.keyKind), \(bind: pairs.map(\.1), of: join.second.keyKind)) \
    AS \(raw: alias)
    """
}
