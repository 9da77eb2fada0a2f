/// What one connection has prepared: least recently used first to go. Decides; sends nothing.
struct StatementCache {
    /// What must be sent so that a statement can be executed.
    enum Decision: Equatable {
        /// It is prepared under this name.
        case execute(String)
        /// Prepare it under this name first, and give up the evicted ones.
        case prepare(String, evicting: [String])
    }

    private struct Node {
        var id: UInt64
        var name: String
        var types: [UInt32]
        var previous: Int
        var next: Int
    }

    private let limit: Int
    private let prefix: String
    private var serial = 0
    private var slots: [UInt64: Int] = [:]
    private var nodes: [Node] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1

    /// Names that could not be deallocated when they were evicted, because the pipeline was aborted.
    private(set) var leftovers: [String] = []

    /// `prefix` must be unique among all connections of all processes: behind a pooler they may share one server process.
    init(limit: Int, prefix: String) {
        self.limit = max(1, limit)
        self.prefix = prefix
    }

    var count: Int { slots.count }

    /// How many different statements the session may prepare before it has learned its share; `nil` for any number.
    var share: Int?
    /// Those that it has prepared, given up since or not, as far as they are counted. What is prepared again teaches it nothing.
    private var learned: Set<UInt64> = []

    /// Whether it has prepared as many different statements as it may.
    var hasLearnedItsShare: Bool { share.map { learned.count >= $0 } ?? false }

    /// How to execute `id` with parameters of these types. A statement prepared with other types is prepared anew: the
    /// server would misread the values.
    mutating func decide(_ id: UInt64, types: some RandomAccessCollection<UInt32>) -> Decision {
        var evicted: [String] = []
        if let slot = slots[id] {
            if nodes[slot].types.elementsEqual(types) {
                moveToFront(slot)
                return .execute(nodes[slot].name)
            }
            evicted.append(remove(slot))
        }
        if slots.count >= limit, oldest >= 0 { evicted.append(remove(oldest)) }
        if let share, learned.count < share { learned.insert(id) }
        serial += 1
        let name = "\(prefix)_\(serial)"
        insert(Node(id: id, name: name, types: Array(types), previous: -1, next: -1))
        return .prepare(name, evicting: evicted)
    }

    /// How to execute the statement, with the types it is prepared for.
    mutating func decide(for statement: PostgresStatement) -> Decision {
        // Lazily, because nothing should be allocated for a statement that is prepared already.
        if statement.sql.parameterTypes.isEmpty {
            return decide(statement.sql.id, types: statement.parameters.entries.lazy.map(\.type))
        }
        return decide(statement.sql.id, types: statement.sql.parameterTypes.lazy.map(\.oid))
    }

    /// The statement could not be prepared.
    mutating func forget(_ id: UInt64, name: String) {
        guard let slot = slots[id], nodes[slot].name == name else { return }
        _ = remove(slot)
    }

    /// The statement is still prepared but of no use; it is deallocated with the next batch.
    mutating func discard(_ id: UInt64) {
        guard let slot = slots[id] else { return }
        leftovers.append(remove(slot))
    }

    /// Whether a decision to evict was not carried out.
    mutating func keepForLater(_ name: String) {
        leftovers.append(name)
    }

    mutating func takeLeftovers() -> [String] {
        defer { leftovers.removeAll() }
        return leftovers
    }

    /// The server has forgotten everything (DISCARD ALL, or another server behind a pooler).
    mutating func forgetAll() {
        slots.removeAll()
        nodes.removeAll()
        free.removeAll()
        leftovers.removeAll()
        newest = -1
        oldest = -1
    }

    private mutating func insert(_ node: Node) {
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            nodes[slot] = node
        } else {
            slot = nodes.count
            nodes.append(node)
        }
        slots[node.id] = slot
        link(slot)
    }

    private mutating func remove(_ slot: Int) -> String {
        unlink(slot)
        slots[nodes[slot].id] = nil
        free.append(slot)
        return nodes[slot].name
    }

    private mutating func moveToFront(_ slot: Int) {
        guard slot != newest else { return }
        unlink(slot)
        link(slot)
    }

    private mutating func link(_ slot: Int) {
        nodes[slot].previous = -1
        nodes[slot].next = newest
        if newest >= 0 { nodes[newest].previous = slot }
        newest = slot
        if oldest < 0 { oldest = slot }
    }

    private mutating func unlink(_ slot: Int) {
        let previous = nodes[slot].previous
        let next = nodes[slot].next
        if previous >= 0 { nodes[previous].next = next } else { newest = next }
        if next >= 0 { nodes[next].previous = previous } else { oldest = previous }
    }
}
