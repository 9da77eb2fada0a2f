/// A set of property slots: one word for the first 64, more only where a class has more.
@frozen @usableFromInline package struct SlotSet: Hashable, Sendable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: [UInt64] = []

    @inlinable package init() {}

    package init(_ slots: some Sequence<Int>) {
        for slot in slots { insert(slot) }
    }

    // Equal sets have no empty words at their end.
    @inlinable package var isEmpty: Bool { low == 0 && high.isEmpty }

    @inlinable package func contains(_ slot: Int) -> Bool {
        if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
        let word = slot / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
    }

    package mutating func insert(_ slot: Int) {
        if slot < 64 {
            low |= 1 << UInt64(slot)
            return
        }
        let word = slot / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(slot % 64)
    }

    package mutating func subtract(_ other: SlotSet) {
        low &= ~other.low
        for word in high.indices where word < other.high.count { high[word] &= ~other.high[word] }
        trim()
    }

    package mutating func formUnion(_ other: SlotSet) {
        low |= other.low
        while high.count < other.high.count { high.append(0) }
        for word in other.high.indices { high[word] |= other.high[word] }
    }

    package func intersection(_ other: SlotSet) -> SlotSet {
        var result = self
        result.low &= other.low
        for word in high.indices { result.high[word] &= word < other.high.count ? other.high[word] : 0 }
        result.trim()
        return result
    }

    /// The slots in ascending order.
    package var slots: [Int] {
        var result: [Int] = []
        var rest = low
        while rest != 0 {
            result.append(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        for (index, word) in high.enumerated() {
            var rest = word
            while rest != 0 {
                result.append(64 * (index + 1) + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return result
    }

    /// Keeps equal sets equal: no trailing empty words.
    private mutating func trim() {
        while high.last == 0 { high.removeLast() }
    }
}
