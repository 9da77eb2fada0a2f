/// What an observer makes of a statement once and needs each time: instruments, attributes.
///
/// Found by the number of the statement's text, so that one word is hashed and no text. It holds a bounded number of values; what was let go is
/// made again. A statement that failed, or whose text is sent once only, is not kept: there would be no end of such values.
package final class ObservedStatementCache<Value: Sendable>: Sendable {
    private struct Key: Hashable {
        let text: UInt64
        let rows: Int
        /// The same text may be sent under several names.
        let name: String?
        let entity: String?

        func hash(into hasher: inout Hasher) {
            hasher.combine(text)
            hasher.combine(rows)
        }
    }

    private static var capacity: Int { 1024 }

    private let values = ShortLock<[Key: Value]>([:])

    package init() {}

    /// - Parameters:
    ///   - statement: whose value is wanted.
    ///   - rows: how many rows the value speaks of, where it does.
    ///   - make: makes the value; may be called by two threads at once, and then one of both is kept.
    package func value(of statement: ObservedStatement, rows: Int = 0, make: () -> Value) -> Value {
        guard statement.error == nil, statement.prepared.isCached else { return make() }
        let key = Key(text: statement.prepared.id, rows: rows, name: statement.name, entity: statement.entity)
        if let known = values.withLock({ $0[key] }) { return known }
        let made = make()
        values.withLock { values in
            if values.count >= Self.capacity { values.removeAll(keepingCapacity: true) }
            values[key] = made
        }
        return made
    }
}
