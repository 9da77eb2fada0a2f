import StrataClient
import StrataModels

/// Collects new objects as the arrays of their tables: each object is written once, into the buffers of its own table and
/// of those of its superclasses.
struct InsertCollector {
    private let context: SaveContext
    private var mapping: StoreMapping { context.mapping }
    private var rewriting: KeyRewriting { context.rewriting }

    init(_ context: SaveContext) { self.context = context }

    /// The statements that insert new rows: referenced tables come first.
    func statements(_ new: NewRows) throws -> [SaveStatement] {
        if new.parts.isEmpty { return [] }
        var byEntity: [Int: [TableRows]] = [:]
        var number = new.firstNumber
        for part in new.parts {
            for root in Set(part.groups.map(\.entity.root.index)) {
                let groups = part.groups.filter { $0.entity.root.index == root }
                for rows in try collect(groups, of: part, &number) where rows.count > 0 {
                    byEntity[rows.owner.base.index, default: []].append(rows)
                }
            }
        }
        let order = TableOrder.components(of: byEntity.keys.sorted()) { mapping.entities[$0].referencedTables }
        return try order.map { component in try InsertStatement.render(component.flatMap { byEntity[$0] ?? [] }) }
    }

    // MARK: Rows

    /// Collects the new rows of one hierarchy.
    ///
    /// - Parameter number: of the next row that is parked.
    private func collect(
        _ groups: [ModelGroups.Group], of part: NewRows.Part, _ number: inout Int
    ) throws -> [TableRows] {
        let layout = InsertLayout(
            groups.map(\.entity), written: part.written,
            writesReferencesApart: !rewriting.isEmpty || !context.deleted.isEmpty, parked: part.places)
        let buffers = ColumnBuffers(layout.types, reservingCapacity: groups.reduce(0) { $0 + $1.models.count })
        // The classes of a hierarchy share the root's table: their rows go there in the order of the keys as well.
        try ModelGroups.forEachByKey(groups) { try write($0, layout.classes[$1], &number, into: buffers) }
        return layout.tables.map { table in
            TableRows(owner: table.owner, columns: table.columns, first: table.first, buffers: buffers)
        }
    }

    private func write(
        _ model: any PersistentModel, _ layout: InsertLayout.Class, _ number: inout Int,
        into buffers: ColumnBuffers
    ) throws {
        let key = model._$state.key
        if context.isRewritten(model) { return }
        for column in layout.columns.keys { try buffers[column].append(key) }
        if let discriminator = layout.columns.discriminator { try buffers[discriminator].append(layout.columns.name) }
        if let failure = layout.columns.slots.write(model, into: buffers) {
            throw SaveError.unwritable(failure, of: model)
        }
        for column in layout.columns.empty { buffers[column].appendNull() }
        if !layout.columns.parked.isEmpty {
            for (place, column) in layout.columns.parked { buffers[column].append(binary: place.value(key, number)) }
            number += 1
        }
        for (order, column) in layout.columns.positions {
            if let position = context.positions.position(of: key, in: order) {
                try buffers[column].append(position)
            } else {
                buffers[column].appendNull()
            }
        }
        for (property, destination) in layout.columns.required
        where !context.hasTarget(property.reference(of: model), of: destination) {
            throw SaveError.missingTarget(property, of: model)
        }
        for reference in layout.columns.references {
            let current = reference.property.reference(of: model)
            if let target = current.key, !isCleared(current, reference) {
                guard target != 0 else { throw SaveError.missingTarget(reference.property, of: model) }
                try buffers[reference.column].append(
                    reference.destination.map { rewriting(target, of: $0) } ?? target)
            } else {
                buffers[reference.column].appendNull()
            }
        }
    }

    /// Whether the target goes in this save, perhaps before this row comes, and leaves the reference empty. One that others have
    /// deleted does not: that is for the server to refuse.
    private func isCleared(_ current: Reference, _ reference: InsertLayout.ClassColumns.Reference) -> Bool {
        guard reference.isCleared, let destination = reference.destination, let key = current.key else { return false }
        return context.isDeleted(key, of: destination)
    }
}

/// The rows of one table, in buffers that its whole hierarchy shares.
struct TableRows {
    /// The class as which they are written.
    let owner: EntityMapping
    let columns: [InsertedColumn]
    /// The buffer of the first column.
    let first: Int
    let buffers: ColumnBuffers

    var count: Int { buffers[first].count }
}
