package import StrataModels

/// Keys of one hierarchy and the states registered under them: open addressing, one multiplication a look-up.
///
/// Eight keys that follow each other share an entry. Rows mostly come in the order of their keys, and objects are freed in it:
/// the next one is found where the last one was, and taking one out moves no other.
///
/// It does not keep the states alive; a state takes itself out when it is freed.
package final class IdentityTable {
    /// The keys of eight neighbours, without their last three bits.
    private struct Group {
        var number: Int64
        /// One bit for each key that is there; none in an entry that is free.
        var used: UInt8
    }

    // Never held across a call: no checks for overlapping access are needed.
    @exclusivity(unchecked) private var groups: UnsafeMutablePointer<Group>
    /// Eight places for each entry.
    @exclusivity(unchecked) private var states: UnsafeMutablePointer<Unmanaged<ModelState>?>
    @exclusivity(unchecked) private var mask: Int
    /// Entries in use.
    @exclusivity(unchecked) private var count = 0

    /// - Parameter capacity: entries to begin with, a power of two.
    package init(capacity: Int = 4) {
        groups = .allocate(capacity: capacity)
        groups.initialize(repeating: Group(number: 0, used: 0), count: capacity)
        states = .allocate(capacity: capacity * 8)
        states.initialize(repeating: nil, count: capacity * 8)
        mask = capacity - 1
    }

    deinit {
        groups.deallocate()
        states.deallocate()
    }

    /// Groups that follow each other stay together as well, eight at a time.
    @inline(__always)
    private func home(_ number: Int64) -> Int {
        let hash = Int(truncatingIfNeeded: (UInt64(bitPattern: number >> 3) &* 0x9E37_79B9_7F4A_7C15) >> 20)
        return (hash << 3 | Int(truncatingIfNeeded: number) & 7) & mask
    }

    /// The entry of a group, or the free one where it belongs.
    @inline(__always)
    private func entry(of number: Int64) -> Int {
        var index = home(number)
        while groups[index].used != 0, groups[index].number != number { index = (index &+ 1) & mask }
        return index
    }

    @inline(__always)
    private static func bit(_ key: Int64) -> UInt8 { 1 << UInt8(truncatingIfNeeded: key & 7) }

    @inline(__always)
    private static func place(_ entry: Int, _ key: Int64) -> Int { entry << 3 | Int(truncatingIfNeeded: key & 7) }

    @inline(__always)
    package func state(of key: Int64) -> ModelState? {
        let entry = entry(of: key >> 3)
        guard groups[entry].used & Self.bit(key) != 0 else { return nil }
        return states[Self.place(entry, key)]?.takeUnretainedValue()
    }

    /// An object for which there was no key (0) is not entered: it cannot be found, and not be saved.
    package func insert(_ state: ModelState, key: Int64) {
        guard key != 0 else { return }
        var entry = entry(of: key >> 3)
        if groups[entry].used == 0 {
            if (count + 1) * 2 > mask {
                grow()
                entry = self.entry(of: key >> 3)
            }
            count += 1
            groups[entry].number = key >> 3
        }
        groups[entry].used |= Self.bit(key)
        states[Self.place(entry, key)] = Unmanaged.passUnretained(state)
    }

    /// Takes the entry out if it is this state's.
    package func remove(_ state: ModelState, key: Int64) {
        let entry = entry(of: key >> 3)
        let place = Self.place(entry, key)
        guard groups[entry].used & Self.bit(key) != 0,
            states[place]?.toOpaque() == Unmanaged.passUnretained(state).toOpaque()
        else { return }
        groups[entry].used &= ~Self.bit(key)
        states[place] = nil
        if groups[entry].used == 0 { closeGap(entry) }
    }

    /// An entry is free again: those behind it that look for their place from before it move up.
    private func closeGap(_ entry: Int) {
        count -= 1
        var gap = entry
        var next = gap
        while true {
            next = (next &+ 1) & mask
            guard groups[next].used != 0 else { break }
            // An entry may fill the gap when its own place is not between the gap and where it stands.
            let distance = (next &- home(groups[next].number)) & mask
            if distance >= ((next &- gap) & mask) {
                groups[gap] = groups[next]
                (states + gap * 8).update(from: states + next * 8, count: 8)
                groups[next].used = 0
                (states + next * 8).update(repeating: nil, count: 8)
                gap = next
            }
        }
    }

    private func grow() {
        let larger = IdentityTable(capacity: (mask + 1) * 2)
        for index in 0...mask where groups[index].used != 0 {
            let entry = larger.entry(of: groups[index].number)
            larger.groups[entry] = groups[index]
            (larger.states + entry * 8).update(from: states + index * 8, count: 8)
        }
        swap(&groups, &larger.groups)
        swap(&states, &larger.states)
        swap(&mask, &larger.mask)
    }

    package var isEmpty: Bool { count == 0 }

    /// The registered states, in no order.
    package func forEach(_ body: (ModelState) -> Void) {
        for entry in 0...mask where groups[entry].used != 0 {
            for place in entry * 8..<entry * 8 + 8 {
                if let state = states[place] { body(state.takeUnretainedValue()) }
            }
        }
    }
}
