package import StrataClient

/// Makes the partitions of the history that come next, and marks as deleted what a store does not keep of the others; nothing where the history
/// is not partitioned.
///
/// The marks expire tokens. What all stores of a database have marked is dropped then: ``HistoryDropping``.
package final class HistoryMarking: StoreOperation {
    /// Which rows are to be deleted one by one.
    package enum Rows: Hashable, Sendable {
        /// All that are old: nothing is partitioned, or the partition that is written to has some.
        case any
        /// Those of earlier transactions than this one. What is old behind it goes when all of its partition is.
        case below(String)
        /// None: what is old goes when all of its partition is.
        case none
    }

    private enum Step { case look, prepare, mark, done }

    private let schemaName: String
    private let age: HistoryPruningSlice.Age?
    private let cutoff: HistoryPruningSlice.Place?
    private var step = Step.look
    package private(set) var isPartitioned = false
    /// Whether changes stand in the partition that takes everything, so that no further ones are made.
    package private(set) var isUndivided = false
    /// Whether something that is old stays until all of its partition is.
    package private(set) var isWaiting = false
    package private(set) var rows = Rows.any

    /// - Parameters:
    ///   - age: what goes by its age.
    ///   - cutoff: what is older than this goes, too.
    package init(in schemaName: String, _ age: HistoryPruningSlice.Age?, _ cutoff: HistoryPruningSlice.Place?) {
        self.schemaName = schemaName
        self.age = age
        self.cutoff = cutoff
    }

    package func next() throws -> PostgresBatch? {
        switch step {
        case .look:
            step = .prepare
            let look: SQLFragment = "SELECT pg_catalog.to_regclass('strata.history_change_0') IS NOT NULL"
            return PostgresBatch(try look.statement(name: "look for partitions")) { [unowned self] row in
                isPartitioned = try row.decode(0)
            }
        case .prepare:
            guard isPartitioned else { return nil }
            step = age == nil && cutoff == nil ? .done : .mark
            let ahead: SQLFragment = "SELECT \(identifier: LibrarySchema.name).history_partition_ahead()"
            return PostgresBatch(try ahead.statement(name: "make partitions")) { [unowned self] row in
                isUndivided = try row.decodeIfPresent(0, as: Int32.self) == nil
            }
        case .mark:
            step = .done
            return PostgresBatch(try marks.statement(name: "prune the history")) { [unowned self] row in
                let end: String? = try row.decodeIfPresent(0)
                guard try row.decodeIfPresent(1, as: Bool.self) == true else { return }
                isWaiting = try row.decode(2)
                rows = end.map { .below($0) } ?? .none
            }
        case .done: return nil
        }
    }

    private var marks: SQLFragment {
        let before: SQLFragment =
            switch age {
            case .before(let date): "\(bind: date)"
            case .hours(let hours): "pg_catalog.now() - pg_catalog.make_interval(hours => \(bind: hours))"
            case nil: "NULL"
            }
        let place: SQLFragment =
            if let cutoff { "\(bind: cutoff.generation), \(bind: cutoff.transaction)::xid8" } else { "NULL, NULL" }
        return """
            SELECT below::text, is_closed, is_waiting FROM \(identifier: LibrarySchema.name).history_expire(\
            \(bind: schemaName), \(before), \(place))
            """
    }
}
