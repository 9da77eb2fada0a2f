import Foundation
import StrataClient
import StrataRepository
import Synchronization

/// Where the keys of a store's new objects come from.
protocol KeyGiver: Sendable {
    /// A new key for an object of a class. 0 when there is none; saving then reports why.
    func next(for entity: EntityMapping) -> Int64
    /// Reserves keys if there are none, without blocking. A failure is met again, and reported, by ``next(for:)``.
    func fill() async
    /// Why the last key could not be had, if it could not.
    var failure: (any Error)? { get }
    /// Several new keys in ascending order; `nil` when fewer are reserved. Does no I/O.
    func take(_ count: Int, for entity: EntityMapping) -> [Int64]?
    /// One round trip that makes so many keys be reserved.
    func reservation(of count: Int, for entity: EntityMapping) throws -> PostgresBatch
}

/// Hands out keys for new objects without asking the server for each: blocks of 65,536 are reserved ahead.
///
/// A key is `block * 65536 + n`, the blocks come from one sequence of the database, so keys made by different processes
/// never meet (Documentation/Decisions/0002-keys.md). While the last block is in use the next is fetched in the
/// background.
final class KeyAllocator: KeyGiver {
    private struct State {
        var blocks: [Int64] = []
        var used: Int64 = 0
        var isRefilling = false
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let pool: PostgresPool
    /// A store that takes no new objects has no keys for them; saving refuses them anyway.
    private let isReadOnly: Bool

    init(pool: PostgresPool, isReadOnly: Bool) {
        self.pool = pool
        self.isReadOnly = isReadOnly
    }

    /// A new key. Does no I/O unless more than a block's worth of keys was taken faster than a round trip: then it
    /// blocks for one. 0 when that failed; saving then reports why.
    func next(for entity: EntityMapping) -> Int64 {
        if isReadOnly { return 0 }
        if let key = take() { return key }
        do {
            try refill(4)
        } catch {
            state.withLock { $0.failure = error }
        }
        return take() ?? 0
    }

    /// Reserves keys if there are none, without blocking. A failure is met again, and reported, by ``next(for:)``.
    func fill() async {
        guard !isReadOnly, state.withLock({ $0.blocks.isEmpty }) else { return }
        try? await pool.withConnection(for: "reserve keys") { connection in
            try await connection.run(batch(4))
        }
    }

    /// Why the last key could not be had, if it could not.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Several new keys in ascending order; `nil` when fewer are reserved. Does no I/O.
    func take(_ count: Int, for entity: EntityMapping) -> [Int64]? {
        let (keys, needsMore) = state.withLock { state -> ([Int64]?, Bool) in
            let reserved = Int64(state.blocks.count) * KeySpace.blockSize - state.used
            guard reserved >= count else { return (nil, false) }
            var keys: [Int64] = []
            keys.reserveCapacity(count)
            while keys.count < count, let block = state.blocks.first {
                let run = min(Int64(count - keys.count), KeySpace.blockSize - state.used)
                let start = block * KeySpace.blockSize + state.used
                keys.append(contentsOf: start..<start + run)
                state.used += run
                if state.used == KeySpace.blockSize {
                    state.blocks.removeFirst()
                    state.used = 0
                }
            }
            return (keys, takesUpRefilling(&state))
        }
        if needsMore { refillInBackground() }
        return keys
    }

    /// Whether the caller is to reserve more keys, before an object needs one.
    private func takesUpRefilling(_ state: inout State) -> Bool {
        guard state.blocks.count < 2, !state.isRefilling else { return false }
        state.isRefilling = true
        return true
    }

    private func take() -> Int64? {
        let (key, needsMore) = state.withLock { state -> (Int64?, Bool) in
            guard let block = state.blocks.first else { return (nil, false) }
            let key = block * KeySpace.blockSize + state.used
            state.used += 1
            if state.used == KeySpace.blockSize {
                state.blocks.removeFirst()
                state.used = 0
            }
            return (key, takesUpRefilling(&state))
        }
        if needsMore { refillInBackground() }
        return key
    }

    private func refillInBackground() {
        Task.detached(priority: .utility) { [self] in
            defer { state.withLock { $0.isRefilling = false } }
            // A failure is met again, and reported, when the keys are used up.
            try? await pool.withConnection(for: "reserve keys") { connection in
                try await connection.run(batch(4))
            }
        }
    }

    private func refill(_ count: Int32) throws {
        try pool.withConnection(for: "reserve keys") { try $0.run(batch(count)) }
    }

    func reservation(of count: Int, for entity: EntityMapping) throws -> PostgresBatch {
        try batch(Int32(count / Int(KeySpace.blockSize)) + 2)
    }

    /// One round trip that reserves `count` blocks.
    func batch(_ count: Int32) throws -> PostgresBatch {
        try KeyBlocks.reserving(count) { [self] block in
            state.withLock {
                $0.blocks.append(block)
                $0.failure = nil
            }
        }
    }
}
