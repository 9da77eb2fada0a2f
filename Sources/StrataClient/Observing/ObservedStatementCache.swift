/// What an observer makes of a statement once and needs each time: instruments, attributes.
///
/// Found by the number of the statement's text, so that one word is hashed and no text. It holds a bounded number of values; what was let go is
/// made again. A statement that failed, or whose text is sent once only, is not kept: there would be no end of such values.
package final class ObservedStatementCache<Value: AnyObject & Sendable>: Sendable {
    private let values = ObservedStatementTable()

    package init() {}

    /// - Parameters:
    ///   - statement: whose value is wanted.
    ///   - make: makes the value; may be called by two threads at once, and then one of both is kept.
    package func value(of statement: ObservedStatement, make: () -> Value) -> Value {
        guard statement.error == nil, statement.prepared.isCached else { return make() }
        let key = ObservedStatementTable.Key(
            text: statement.prepared.id, name: statement.name, entity: statement.entity)
        // The table has values of this cache only.
        if let known = values.value(of: key) { return unsafeDowncast(known, to: Value.self) }
        let made = make()
        values.set(made, of: key)
        return made
    }
}

/// The values of a cache, whatever their type is: generic code that looks into a dictionary would look types up each time.
private final class ObservedStatementTable: Sendable {
    struct Key: Hashable {
        let text: UInt64
        /// The same text may be sent under several names.
        let name: String?
        let entity: String?

        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    private static var capacity: Int { 1024 }

    private let values = ShortLock<[Key: any AnyObject & Sendable]>([:])

    func value(of key: Key) -> (any AnyObject & Sendable)? { values.withLock { $0[key] } }

    func set(_ value: any AnyObject & Sendable, of key: Key) {
        values.withLock { values in
            if values.count >= Self.capacity { values.removeAll(keepingCapacity: true) }
            values[key] = value
        }
    }
}
