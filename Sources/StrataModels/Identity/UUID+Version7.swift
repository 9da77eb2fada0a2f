public import Foundation
import Synchronization

extension UUID {
    /// A new UUID of version 7 (RFC 9562): the time in milliseconds, then random bits.
    ///
    /// Those that one process makes are in ascending order, so new rows come to the end of the index of their key, and not anywhere in
    /// it as with ``Foundation/UUID/init()`` (version 4). Who sees one can tell when it was made.
    ///
    /// ```swift
    /// @Attribute(.primaryKey) var id: UUID = .v7()
    /// ```
    public static func v7() -> UUID {
        let now = UInt64(max(0, Date().timeIntervalSince1970) * 1_000)
        // 48 bits of time and 12 that count within it: a clock that stands still, or goes back, does not break the order.
        let first = lastVersion7.withLock { last in
            last = max(last + 1, now << 12)
            return last
        }
        let high = (first >> 12) << 16 | 0x7000 | first & 0xFFF
        let low = UInt64.random(in: 0..<1 << 62) | 1 << 63
        let words = (high.bigEndian, low.bigEndian)
        return UUID(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// The time and the count of the last one.
    private static let lastVersion7 = Mutex<UInt64>(0)
}
