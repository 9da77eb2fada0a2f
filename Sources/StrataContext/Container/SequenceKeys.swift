import StrataClient
import StrataModels
import StrataRepository
import Synchronization

/// Hands out keys for new objects in tables that somebody else makes: those that the tables' own sequences would give, taken from there several
/// at a time. Whoever inserts with SQL meanwhile gets others.
final class SequenceKeys: KeyGiver {
    private struct State {
        /// The indexes of root classes whose tables have a sequence for keys.
        var numbered: Set<Int> = []
        /// By the index of a root class, what was taken from the sequence and not given.
        var keys: [Int: ArraySlice<Int64>] = [:]
        /// How many are taken the next time.
        var amounts: [Int: Int] = [:]
        var failure: (any Error)?
    }

    private static let (firstAmount, largestAmount) = (8, 512)

    private let state = Mutex(State())
    private let pool: PostgresPool
    private let isReadOnly: Bool

    init(pool: PostgresPool, isReadOnly: Bool) {
        self.pool = pool
        self.isReadOnly = isReadOnly
    }

    /// Is told what was found in the catalogs.
    func learn(_ numbered: Set<Int>) {
        state.withLock { $0.numbered = numbered }
    }

    /// Blocks for a round trip where none are reserved: at the first object of a class, then after 8, 16, 32 and so on to each 512.
    func next(for entity: EntityMapping) -> Int64 {
        if isReadOnly { return 0 }
        if let key = take(1, for: entity) { return key[0] }
        do {
            let count = state.withLock { $0.amounts[entity.root.index] ?? Self.firstAmount }
            let batch = try reservation(of: count, for: entity)
            try pool.withConnection(for: "take keys of a sequence") { try $0.run(batch) }
            guard let key = take(1, for: entity) else { throw Self.refusal(of: entity) }
            state.withLock { state in
                state.amounts[entity.root.index] = min(count * 2, Self.largestAmount)
                state.failure = nil
            }
            return key[0]
        } catch {
            state.withLock { $0.failure = error }
            return 0
        }
    }

    /// Nothing: which classes need keys is known when they are asked for.
    func fill() async {}

    var failure: (any Error)? { state.withLock { $0.failure } }

    func take(_ count: Int, for entity: EntityMapping) -> [Int64]? {
        state.withLock { state in
            guard var keys = state.keys[entity.root.index], keys.count >= count else { return nil }
            let taken = keys.prefix(count)
            keys = keys.dropFirst(count)
            state.keys[entity.root.index] = keys
            // Those that two calls took at the same time are one among the other.
            return taken.sorted()
        }
    }

    func reservation(of count: Int, for entity: EntityMapping) throws -> PostgresBatch {
        let root = entity.root
        guard state.withLock({ $0.numbered.contains(root.index) }) else { throw Self.refusal(of: entity) }
        return try KeySequence.taking(Int32(clamping: count), for: root) { [self] key in
            state.withLock { $0.keys[root.index, default: []].append(key) }
        }
    }

    private static func refusal(of entity: EntityMapping) -> SwiftDataError {
        let root = entity.root
        return SwiftDataError(
            .unsupportedFeature,
            "Objects of \(entity.name) cannot be inserted: the key \(root.table.name).\(root.key.first) has neither a sequence nor an identity to "
                + "take keys from (a default that computes something is none), and the tables are external. Insert with SQL, have the column made an "
                + "identity, or declare the key as a property: @Attribute(.primaryKey).")
    }
}
