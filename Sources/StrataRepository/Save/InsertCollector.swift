import StrataClient
import StrataModels

/// Collects new objects as the arrays of their tables: each object is written once, into the buffers of its own table and
/// of those of its superclasses.
struct InsertCollector {
    private let context: SaveContext
    private var mapping: StoreMapping { context.mapping }
    private var rewriting: KeyRewriting { context.rewriting }

    init(_ context: SaveContext) {
        self.context = context
    }

    /// The statements that insert `models`, referenced tables first.
    func statements(_ models: [any PersistentModel]) throws -> [SaveStatement] {
        var rows: [TableRows] = []
        for (root, members) in try hierarchies(models) { rows += try collect(members, of: root) }
        let byEntity = Dictionary(rows.map { ($0.entity.index, $0) }, uniquingKeysWith: { first, _ in first })
        let order = TableOrder.components(of: byEntity.keys.sorted()) { mapping.entities[$0].referencedTables }
        return try order.map { component in try InsertStatement.render(component.compactMap { byEntity[$0] }) }
    }

    // MARK: Hierarchies

    private typealias Member = (model: any PersistentModel, entity: EntityMapping)

    /// The objects of each hierarchy in the order of their keys: neighbours in an index are then written together.
    private func hierarchies(_ models: [any PersistentModel]) throws -> [(root: EntityMapping, members: [Member])] {
        var roots: [EntityMapping] = []
        var members: [[Member]] = []
        var positions: [Int: Int] = [:]
        var latest: (descriptor: ModelDescriptor, entity: EntityMapping, position: Int)?
        for model in models {
            let descriptor = type(of: model)._$descriptor
            if latest?.descriptor !== descriptor {
                guard let entity = mapping.entity(for: descriptor) else { throw SaveError.unknownClass(model) }
                let root = entity.root
                let position = positions[root.index] ?? roots.count
                if position == roots.count {
                    positions[root.index] = position
                    roots.append(root)
                    members.append([])
                }
                latest = (descriptor, entity, position)
            }
            guard let latest else { continue }
            members[latest.position].append((model, latest.entity))
        }
        return zip(roots, members).map { root, members in (root, Self.sortedByKey(members)) }
    }

    private static func sortedByKey(_ members: [Member]) -> [Member] {
        var previous = Int64.min
        let isSorted = members.allSatisfy { member in
            defer { previous = member.model._$state.key }
            return previous <= member.model._$state.key
        }
        return isSorted ? members : members.sorted { $0.model._$state.key < $1.model._$state.key }
    }

    // MARK: Rows

    private func collect(_ members: [Member], of root: EntityMapping) throws -> [TableRows] {
        var layout = InsertLayout(rewritesKeys: !rewriting.isEmpty)
        for (_, entity) in members { layout.add(entity) }
        let buffers = ColumnBuffers(layout.types, reservingCapacity: members.count)
        for (model, entity) in members {
            guard let columns = layout.columns(of: entity) else { continue }
            try write(model, columns, into: buffers)
        }
        return layout.tables.map { table in
            TableRows(entity: table.entity, columns: table.columns, first: table.first, buffers: buffers)
        }
    }

    private func write(_ model: any PersistentModel, _ columns: InsertLayout.ClassColumns, into buffers: ColumnBuffers)
        throws
    {
        let key = model._$state.key
        for column in columns.keys { try buffers[column].append(key) }
        if let discriminator = columns.discriminator { try buffers[discriminator].append(columns.name) }
        var writer = RowWriter(buffers: buffers, columns: columns.slots.pointer)
        model._$encode(&writer)
        if let failure = writer.failure { throw SaveError.unwritable(failure, of: model) }
        for (property, destination) in columns.required
        where !context.hasTarget(property.reference(of: model), of: destination) {
            throw SaveError.missingTarget(property, of: model)
        }
        for (property, column) in columns.references {
            if let target = property.reference(of: model).key {
                guard target != 0 else { throw SaveError.missingTarget(property, of: model) }
                try buffers[column].append(rewriting(target))
            } else {
                buffers[column].appendNull()
            }
        }
    }
}

/// The rows of one table, in buffers that its whole hierarchy shares.
struct TableRows {
    let entity: EntityMapping
    let columns: [(name: String, type: PostgresType, transport: PostgresType)]
    /// The buffer of the first column.
    let first: Int
    let buffers: ColumnBuffers

    var count: Int { buffers[first].count }
}
