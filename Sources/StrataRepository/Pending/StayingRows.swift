import StrataClient

/// Asks which rows are still there when changes by predicate that are not saved have been carried out.
final class StayingRows {
    let batch: PostgresBatch
    /// What was found, by hierarchy (the index of its root).
    private let found: Found

    private final class Found {
        var keys: [Int: Set<RowKey>] = [:]
    }

    /// - Parameter keys: the rows that are asked for, by hierarchy.
    init(among keys: [Int: Set<RowKey>], after changes: [PendingOverlay.BulkChange], mapping: StoreMapping) throws {
        var batch = PostgresBatch()
        let found = Found()
        for (root, keys) in keys.sorted(by: { $0.key < $1.key }) {
            // One for each statement: it gives the tables that it was asked for.
            let overlay = try PendingOverlay(SaveRequest(), bulkChanges: changes, mapping: mapping)
            let entity = mapping.entities[root]
            let item = AliasGenerator(overlay?.top).item(entity)
            let query: SQLFragment =
                """
                \(try overlay?.with() ?? "")SELECT \(entity.key.value(of: "t")) FROM \(item) AS t \
                JOIN \(unnested(keys.sorted(), of: entity.keyKind, as: "s(pk)")) ON \(entity.key.isEqual(to: "s.pk", of: "t"))
                """
            batch.add(
                try query.statement(name: "find rows that stay"),
                onRow: { row in found.keys[root, default: []].insert(row.key(0, entity.keyKind)) })
        }
        self.batch = batch
        self.found = found
    }

    func contains(_ key: RowKey, root: Int) -> Bool { found.keys[root]?.contains(key) == true }
}
