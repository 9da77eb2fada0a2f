import StrataClient
import StrataModels
import StrataRepository
import Synchronization

/// Hands out keys for new objects in tables that somebody else makes: those that the server would give to rows that come without one, by a sequence
/// or a default of the column, taken from there several at a time. Whoever inserts with SQL meanwhile gets others.
final class ServerKeys: KeyGiver {
    private struct State {
        /// By the index of a root class, what makes keys in its table.
        var makers: [Int: KeyMaker] = [:]
        /// By the index of a root class, what was made and not given.
        var keys: [Int: ArraySlice<RowKey>] = [:]
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
    func learn(_ makers: [Int: KeyMaker]) {
        state.withLock { $0.makers = makers }
    }

    func makes(keysOf entity: EntityMapping) -> Bool { state.withLock { $0.makers[entity.root.index] != nil } }

    /// Blocks for a round trip where none are reserved: at the first object of a class, then after 8, 16, 32 and so on to each 512. Of a default whose keys
    /// cannot be made ahead, at each.
    func next(for entity: EntityMapping) -> RowKey {
        if isReadOnly { return 0 }
        if let key = take(1, for: entity) { return key[0] }
        let root = entity.root
        do {
            let maker = try maker(for: entity)
            let count = maker.isTakenAhead ? state.withLock { $0.amounts[root.index] ?? Self.firstAmount } : 1
            var made: [RowKey] = []
            let batch = try maker.taking(Int32(clamping: count), for: root) { made = $0 }
            do {
                try pool.withConnection(for: "take keys of a table") { try $0.run(batch) }
            } catch { throw maker.failure(error, of: root) }
            guard let key = made.first else { throw Self.refusal(of: entity) }
            state.withLock { state in
                state.keys[root.index, default: []] += made.dropFirst()
                state.amounts[root.index] = min(count * 2, Self.largestAmount)
                state.failure = nil
            }
            return key
        } catch {
            state.withLock { $0.failure = error }
            return 0
        }
    }

    /// Nothing: which classes need keys is known when they are asked for.
    func fill() async {}

    var failure: (any Error)? { state.withLock { $0.failure } }

    func take(_ count: Int, for entity: EntityMapping) -> [RowKey]? {
        state.withLock { state in
            guard var keys = state.keys[entity.root.index], keys.count >= count else { return nil }
            let taken = keys.prefix(count)
            keys = keys.dropFirst(count)
            state.keys[entity.root.index] = keys
            // Those that two calls took at the same time are one among the other.
            return taken.sorted()
        }
    }

    /// Throws `unsupportedFeature` where keys are made with the object alone: the batch runs in the transaction of the rows.
    func reservation(of count: Int, for entity: EntityMapping) throws -> PostgresBatch {
        let (root, maker) = (entity.root, try maker(for: entity))
        guard maker.isTakenAhead else { throw maker.refusalOfRows(root) }
        return try maker.taking(Int32(clamping: count), for: root) { [self] made in
            state.withLock { $0.keys[root.index, default: []] += made }
        }
    }

    private func maker(for entity: EntityMapping) throws -> KeyMaker {
        guard let maker = state.withLock({ $0.makers[entity.root.index] }) else { throw Self.refusal(of: entity) }
        return maker
    }

    private static func refusal(of entity: EntityMapping) -> SwiftDataError {
        let root = entity.root
        return SwiftDataError(
            .unsupportedFeature,
            "Objects of \(entity.name) cannot be inserted: the key \(root.table.name).\(root.key.first) has neither a sequence nor an identity to "
                + "take keys from, nor a default that calls a function, and the tables are external. Insert with SQL, have the column made an "
                + "identity, or declare the key as a property: @Attribute(.primaryKey).")
    }
}
