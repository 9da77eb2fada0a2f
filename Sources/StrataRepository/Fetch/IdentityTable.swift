package import StrataModels

/// Keys of one hierarchy and the states registered under them: open addressing, one multiplication a look-up.
///
/// It does not keep the states alive; a state takes itself out when it is freed.
package final class IdentityTable {
    // Never held across a call: no checks for overlapping access are needed.
    @exclusivity(unchecked) private var keys: UnsafeMutablePointer<Int64>
    @exclusivity(unchecked) private var states: UnsafeMutablePointer<Unmanaged<ModelState>?>
    @exclusivity(unchecked) private var mask: Int
    @exclusivity(unchecked) private var count = 0

    /// No row has the key 0.
    private static let free: Int64 = 0

    package init(capacity: Int = 16) {
        keys = .allocate(capacity: capacity)
        keys.initialize(repeating: Self.free, count: capacity)
        states = .allocate(capacity: capacity)
        states.initialize(repeating: nil, count: capacity)
        mask = capacity - 1
    }

    deinit {
        keys.deallocate()
        states.deallocate()
    }

    /// Keys that follow each other stay together, 64 at a time: rows mostly come in that order, and find their entries in the
    /// processor's cache then.
    @inline(__always)
    private func home(_ key: Int64) -> Int {
        let group = Int(truncatingIfNeeded: (UInt64(bitPattern: key >> 6) &* 0x9E37_79B9_7F4A_7C15) >> 20)
        return (group << 6 | Int(truncatingIfNeeded: key) & 63) & mask
    }

    @inline(__always)
    private func slot(of key: Int64) -> Int {
        var index = home(key)
        while keys[index] != Self.free, keys[index] != key { index = (index &+ 1) & mask }
        return index
    }

    @inline(__always)
    package func state(of key: Int64) -> ModelState? {
        states[slot(of: key)]?.takeUnretainedValue()
    }

    /// An object for which there was no key (0) is not entered: it cannot be found, and not be saved.
    package func insert(_ state: ModelState, key: Int64) {
        guard key != Self.free else { return }
        if (count + 1) * 2 > mask { grow() }
        let index = slot(of: key)
        if keys[index] == Self.free { count += 1 }
        keys[index] = key
        states[index] = Unmanaged.passUnretained(state)
    }

    /// Takes the entry out if it is this state's, and closes the gap.
    package func remove(_ state: ModelState, key: Int64) {
        guard key != Self.free else { return }
        var gap = slot(of: key)
        guard keys[gap] == key, states[gap]?.toOpaque() == Unmanaged.passUnretained(state).toOpaque() else { return }
        count -= 1
        var next = gap
        while true {
            next = (next &+ 1) & mask
            guard keys[next] != Self.free else { break }
            // An entry may fill the gap when its own place is not between the gap and where it stands.
            let distance = (next &- home(keys[next])) & mask
            if distance >= ((next &- gap) & mask) {
                keys[gap] = keys[next]
                states[gap] = states[next]
                gap = next
            }
        }
        keys[gap] = Self.free
        states[gap] = nil
    }

    private func grow() {
        let larger = IdentityTable(capacity: (mask + 1) * 2)
        for index in 0...mask where keys[index] != Self.free {
            let place = larger.slot(of: keys[index])
            larger.keys[place] = keys[index]
            larger.states[place] = states[index]
        }
        swap(&keys, &larger.keys)
        swap(&states, &larger.states)
        swap(&mask, &larger.mask)
    }

    package var isEmpty: Bool { count == 0 }

    /// The registered states, in no order.
    package func forEach(_ body: (ModelState) -> Void) {
        for index in 0...mask {
            if let state = states[index] { body(state.takeUnretainedValue()) }
        }
    }
}
