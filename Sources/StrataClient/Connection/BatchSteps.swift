/// The message groups that a batch is sent as, each of which the server answers on its own: the statements, and what prepared ones need before them.
struct BatchSteps {
    struct Step {
        enum Kind: Equatable {
            case deallocate
            /// The end of what was to be cleared away before the batch.
            case sync
            case prepare(entry: Int)
            case execute(entry: Int)
        }

        let kind: Kind
        /// Of the prepared statement; empty for the unnamed one, as in the protocol.
        var name = ""
    }

    private var steps: [Step] = []
    /// How many statements are deallocated before the batch and apart from it.
    private(set) var cleared = 0

    var count: Int { steps.count }

    subscript(_ place: Int) -> Step { steps[place] }

    init() {}

    /// Asks the connection which statements it has prepared, and notes what it will have prepared then.
    init(of entries: [PostgresBatch.Entry], on connection: PostgresConnection) {
        steps.reserveCapacity(entries.count + 2)
        // In a failed transaction the server refuses DEALLOCATE.
        if connection.transactionStatus != .failed { deallocate(connection.cache.takeLeftovers()) }
        let keepsNames = connection.configuration.preparedStatements != .unnamed
        for (index, entry) in entries.enumerated() {
            guard keepsNames, entry.statement.sql.isCached else {
                steps.append(Step(kind: .execute(entry: index)))
                continue
            }
            switch connection.cache.decide(for: entry.statement) {
            case .execute(let name):
                steps.append(Step(kind: .execute(entry: index), name: name))
            case .prepare(let name, let evicted):
                deallocate(evicted)
                steps.append(Step(kind: .prepare(entry: index), name: name))
                steps.append(Step(kind: .execute(entry: index), name: name))
            }
        }
        if connection.transactionStatus == .idle { endClearing() }
    }

    private mutating func deallocate(_ names: [String]) {
        for name in names { steps.append(Step(kind: .deallocate, name: name)) }
    }

    /// What is cleared away before the batch is a transaction of its own: a statement without one begins it for all that follow up
    /// to the next synchronisation, and `BEGIN ISOLATION LEVEL` must come before any other (manual, SET TRANSACTION).
    private mutating func endClearing() {
        cleared = steps.firstIndex { $0.kind != .deallocate } ?? steps.count
        if cleared > 0 { steps.insert(Step(kind: .sync), at: cleared) }
    }
}
