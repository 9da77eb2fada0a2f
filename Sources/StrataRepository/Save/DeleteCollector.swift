import StrataClient
import StrataModels

/// Collects deleted objects: one `DELETE` a hierarchy, referencing tables first. What else has to go, subclass rows and the
/// targets of `.cascade` that are not in memory, is left to the foreign keys.
struct DeleteCollector {
    private let context: SaveContext

    init(_ context: SaveContext) {
        self.context = context
    }

    func statements() throws -> [SaveStatement] {
        let roots = context.deletedKeys.keys.sorted()
        // Referenced tables come first when rows are inserted, so last when they are deleted.
        let order = TableOrder.components(of: roots) { root in
            context.mapping.entities[root].family.flatMap { entity in
                entity.referencedTables.map { context.mapping.entities[$0].root.index }
            }
        }
        return try order.reversed().flatMap { component in
            try component.flatMap { try cascades(of: context.mapping.entities[$0]) } + [delete(component)]
        }
    }

    private func keys(of root: Int) throws -> PostgresArray {
        let keys = (context.deletedKeys[root] ?? []).sorted()
        var array = PostgresArray(elementType: .int8, reservingCapacity: keys.count)
        for key in keys { try array.append(key) }
        return array
    }

    /// Hierarchies that refer to each other go in one statement: "not deferrable" foreign keys without an action are checked
    /// at its end.
    private func delete(_ component: [Int]) throws -> SaveStatement {
        var text = ""
        var parameters = PostgresParameters()
        let tables = component.map { context.mapping.entities[$0].table }
        for (index, table) in tables.enumerated() {
            let delete = "DELETE FROM \(table.quoted) WHERE \"pk\" = ANY ($\(index + 1)::bigint[])"
            if index == tables.count - 1 {
                text += (index > 0 ? " " : "") + delete
            } else {
                text += (index == 0 ? "WITH " : ", ") + "t\(index) AS (\(delete))"
            }
            try parameters.append(keys(of: component[index]))
        }
        return SaveStatement(
            kind: .delete(context.mapping.entities[component[0]]), text: text, parameters: parameters,
            name: "save: delete \(tables.map(\.name).joined(separator: ", "))",
            rows: component.reduce(0) { $0 + (context.deletedKeys[$1]?.count ?? 0) })
    }

    // MARK: Cascades that foreign keys cannot carry out

    /// A foreign key in a subclass's table cannot cascade, because that would leave the rest of the object in its parents'
    /// tables: such targets are deleted here, by their root, the farthest first.
    private func cascades(of root: EntityMapping) throws -> [SaveStatement] {
        var texts: [(text: String, target: EntityMapping)] = []
        var visited = Set<ObjectIdentifier>()
        follow(root.family, keys: "= ANY ($1::bigint[])", &visited, &texts)
        return try texts.reversed().map { text, target in
            var parameters = PostgresParameters()
            try parameters.append(keys(of: root.index))
            return SaveStatement(
                kind: .delete(target), text: text, parameters: parameters, name: "save: delete \(target.table.name)")
        }
    }

    private func follow(
        _ family: [EntityMapping], keys: String, _ visited: inout Set<ObjectIdentifier>,
        _ texts: inout [(text: String, target: EntityMapping)]
    ) {
        for entity in family {
            for slot in entity.descriptor.ownSlots {
                guard let relationship = entity.relationships[slot], relationship.property.deleteRule == .cascade,
                    case .inverseForeignKey(let holder, let column) = relationship.storage,
                    visited.insert(ObjectIdentifier(relationship)).inserted
                else { continue }
                let targets =
                    "IN (SELECT \"pk\" FROM \(holder.table.quoted) WHERE \(SQLFragment.quoted(column.name)) \(keys))"
                if holder.parent != nil {
                    texts.append(("DELETE FROM \(holder.root.table.quoted) WHERE \"pk\" \(targets)", holder.root))
                }
                follow(holder.root.family, keys: targets, &visited, &texts)
            }
        }
    }
}
