public import Foundation
import Synchronization

extension UUID {
    /// A new UUID of version 7 (RFC 9562): the time in milliseconds, then random bits.
    ///
    /// Those that one process makes are in ascending order, so new rows come to the end of the index of their key, and not anywhere in
    /// it as with ``Foundation/UUID/init()`` (version 4). Who sees one can tell when it was made.
    ///
    /// It takes a tenth of the time of `UUID()`, which asks the system for random bytes each time. That counts twice where it is the value with which a
    /// property is declared: Swift makes that value for each object, those that are read from rows among them.
    ///
    /// ```swift
    /// @Attribute(.primaryKey) var id: UUID = .v7()
    /// ```
    public static func v7() -> UUID {
        let now = milliseconds
        // 48 bits of time and 12 that count within it: a clock that stands still, or goes back, does not break the order.
        let (first, random) = version7.withLock { state in
            state.last = max(state.last + 1, now << 12)
            return (state.last, state.random.next())
        }
        let high = (first >> 12) << 16 | 0x7000 | first & 0xFFF
        let low = random >> 2 | 1 << 63
        let words = (high.bigEndian, low.bigEndian)
        return UUID(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// The time, as the system noted it at its last tick, some milliseconds ago: looking at the clock itself would be a third of the work.
    private static var milliseconds: UInt64 {
        #if os(Linux)
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
        #else
        return UInt64(max(0, Date().timeIntervalSince1970) * 1_000)
        #endif
    }

    /// The time and the count of the last one, and the random bits of the next ones.
    private static let version7 = Mutex<(last: UInt64, random: RandomWords)>((0, RandomWords()))
}
