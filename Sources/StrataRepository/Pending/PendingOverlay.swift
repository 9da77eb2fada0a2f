package import Foundation
package import StrataClient
package import StrataModels

/// The tables of a store as they will be when a context's unsaved changes are saved, for one query.
///
/// A query asks its ``AliasGenerator`` for every table and column. For a table that unsaved changes touch it gets the name of
/// a `WITH` query, which gives the stored rows less those that go, with changed values in place of the stored ones, and new
/// rows. For all others, and with no unsaved changes, it gets the table. So PostgreSQL itself applies predicate, order, limit
/// and offset, to values that were encoded as a save encodes them.
///
/// Layers follow each other as the steps of a save do: each change by predicate, then what is written, then what is
/// deleted. Each layer reads the tables as the one below leaves them.
package final class PendingOverlay {
    /// A change of all rows that match a predicate.
    package enum BulkChange {
        /// A deletion: the class, and a query for hierarchy and key of the rows.
        case deletion(EntityMapping, seeds: (AliasGenerator, DoomedKeys) throws -> SQLFragment)
        /// A deletion that gives a date.
        case softDeletion(SoftDeletePlan, seeds: (AliasGenerator, DoomedKeys) throws -> SQLFragment, Date)
        case update(PredicateUpdate)
    }

    private let mapping: StoreMapping
    private let layers: [any PendingLayer]
    private let written: WrittenLayer?
    private var requests: [[TableRequest]]
    private var count = 0
    private let bulkChanges: [BulkChange]
    private var lookup: UniqueLookup?
    /// Which of the rows that the lookup found are there still, when that was asked.
    private var staying: StayingRows?

    /// - Parameters:
    ///   - request: what is unsaved, deletions by rule included.
    ///   - bulkChanges: the changes by predicate, in order.
    /// - Returns: `nil` when there is nothing to reflect.
    package init?(
        _ request: SaveRequest,
        bulkChanges: [BulkChange] = [],
        mapping: StoreMapping
    ) throws {
        guard !(request.isEmpty && bulkChanges.isEmpty) else { return nil }
        self.mapping = mapping
        self.bulkChanges = bulkChanges
        let context = try SaveContext(request, mapping: mapping)
        let written = WrittenLayer(context)
        var layers = bulkChanges.map { change -> any PendingLayer in
            switch change {
            case .deletion(let entity, let seeds): DeletedLayer([entity.root], seeds, mapping: mapping)
            case .softDeletion(let plan, let seeds, let date):
                SoftDeletedLayer(
                    plan, { plan.dated(try seeds($0, plan.keys), date) }, mapping: mapping)
            case .update(let update): UpdatedLayer(update, mapping: mapping)
            }
        }
        if !written.isEmpty { layers.append(written) }
        if mapping.deletesSoftly, let layer = SoftDeletedLayer(context) { layers.append(layer) }
        if !context.deleted.isEmpty { layers.append(DeletedLayer(context)) }
        self.layers = layers
        self.written = written.isEmpty ? nil : written
        requests = Array(repeating: [], count: layers.count)
    }

    /// Whether unsaved changes may touch a table that the query asked for.
    var isUsed: Bool { requests.contains { !$0.isEmpty } }

    var top: PendingView { PendingView(overlay: self, level: layers.count) }

    /// What is asked of a table as the layers below `level` leave it; `nil` when they leave it as it is stored.
    func request(_ table: OverlaidTable, below level: Int) -> TableRequest? {
        for index in (0..<level).reversed() where layers[index].touches(table) {
            if let known = requests[index].first(where: { $0.table == table }) { return known }
            let request = TableRequest(table, name: "saved\(count)", mapping: mapping)
            count += 1
            requests[index].append(request)
            return request
        }
        return nil
    }

    /// `WITH …`, or nothing when the query asks for no table that unsaved changes touch. Call when it has asked for all.
    func with() throws -> SQLFragment {
        var queries: [SQLFragment] = []
        var isRecursive = false
        // From above: what a layer asks for is known to those below it.
        for (index, layer) in layers.enumerated().reversed() where !requests[index].isEmpty {
            let below = PendingView(overlay: self, level: index)
            let own = try requests[index].map { request in
                "\(raw: request.header) AS NOT MATERIALIZED (\(try layer.rows(of: request, over: below)))"
                    as SQLFragment
            }
            if let common = try layer.common(over: below) {
                isRecursive = isRecursive || common.isRecursive
                queries = [common.query] + own + queries
            } else {
                queries = own + queries
            }
        }
        guard !queries.isEmpty else { return "" }
        return "WITH \(raw: isRecursive ? "RECURSIVE " : "")\(queries.joined(separator: ", ")) "
    }

    // MARK: Rows that new objects will take over

    /// Looks up which rows new objects will take over; their values and keys are in ``with()`` and ``replacements`` then. To be
    /// asked until it is `nil`: what a new object refers to may turn out to be a row, and then the object itself.
    package func lookUp() throws -> PostgresBatch? {
        if let batch = try siftMatches() { return batch }
        guard let lookup = nextLookup() else { return nil }
        self.lookup = lookup
        var batch = PostgresBatch()
        for statement in lookup.statements { batch.add(statement.statement, onRow: statement.onRow) }
        return batch
    }

    /// Rows that a deletion by predicate takes are gone before new objects come: nobody takes them over.
    ///
    /// - Returns: what is to be asked for that; `nil` when it is known.
    private func siftMatches() throws -> PostgresBatch? {
        guard let lookup, !bulkChanges.isEmpty else { return nil }
        if let staying {
            lookup.findings.matches.removeAll { !staying.contains($0.key, root: $0.set.owner.root.index) }
            self.staying = nil
            return nil
        }
        guard !lookup.findings.matches.isEmpty else { return nil }
        let found = Dictionary(grouping: lookup.findings.matches, by: \.set.owner.root.index)
        let staying = try StayingRows(
            among: found.mapValues { Set($0.map(\.key)) }, after: bulkChanges, mapping: mapping)
        self.staying = staying
        return staying.batch
    }

    /// `nil` when nothing is left to be asked, or cannot be: then new objects and rows stay apart.
    private func nextLookup() -> UniqueLookup? {
        if let lookup {
            guard let resolution = try? lookup.resolution() else { return nil }
            return try? lookup.further(after: resolution)
        }
        guard let written, written.mayTakeRows(of: requests.joined().map(\.table)),
            !bulkChanges.contains(where: { $0.setsUniqueValue(of: written.context.inserted) })
        else { return nil }
        return try? UniqueLookup(written.context, locksRows: false)
    }

    /// Call when the rows are looked up. What a save would refuse is left as it is: the new objects, and the rows.
    package func finishLookup() {
        guard let lookup, let written, let resolution = try? lookup.resolution() else { return }
        written.resolve(resolution)
    }

    /// Objects by hierarchy (the index of its root) and the key of the row that each stands for but does not hold: new objects that
    /// take over rows, and one that changes its class.
    package var replacements: [Int: [RowKey: any PersistentModel]] { written?.replacements ?? [:] }
}

extension PendingOverlay.BulkChange {
    /// Whether rows may get other unique values: which of them new objects will take over is known by the save only.
    fileprivate func setsUniqueValue(of inserted: ModelGroups) -> Bool {
        guard case .update(let update) = self else { return false }
        return inserted.groups.contains { update.sets(uniqueColumnOf: $0.entity) }
    }
}

/// The tables of a store as the layers below `level` leave them.
package struct PendingView {
    let overlay: PendingOverlay
    let level: Int

    func request(_ table: OverlaidTable) -> TableRequest? { overlay.request(table, below: level) }
}

/// One step of a save: tables as they are after it, written as queries over the tables before it.
protocol PendingLayer {
    /// Whether the step may change rows of the table, other than by what is not asked for.
    func touches(_ table: OverlaidTable) -> Bool
    /// The rows of the table after the step, with the columns of the request's header.
    func rows(of request: TableRequest, over below: PendingView) throws -> SQLFragment
    /// A query that those of the tables share.
    func common(over below: PendingView) throws -> (query: SQLFragment, isRecursive: Bool)?
}
