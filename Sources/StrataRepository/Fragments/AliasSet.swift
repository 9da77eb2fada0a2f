/// The aliases of tables, `t0`, `t1`, …, that a piece of SQL names. Those from the 64th on count as one.
struct AliasSet: Equatable, Sendable {
    private var bits: UInt64 = 0

    /// None.
    init() {}

    /// One, by its number.
    init(_ number: Int) { bits = 1 << UInt64(min(number, 63)) }

    mutating func formUnion(_ other: AliasSet) { bits |= other.bits }

    /// Whether it is one table for certain.
    var isOne: Bool { bits.nonzeroBitCount == 1 && bits >> 63 == 0 }
}
