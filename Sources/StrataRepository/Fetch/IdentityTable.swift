import Foundation
package import StrataClient
package import StrataModels

/// Keys of one hierarchy and the states registered under them: open addressing, one multiplication a look-up.
///
/// Eight numbers that follow each other share an entry. Rows mostly come in the order of their keys, and objects are freed in it:
/// the next one is found where the last one was, and taking one out moves no other. UUIDs have an entry each.
///
/// It does not keep the states alive; a state takes itself out when it is freed.
package final class IdentityTable {
    /// The keys of neighbours, without the bits that tell these apart.
    private struct Group {
        var number: Int64
        /// One bit for each key that is there; none in an entry that is free.
        var used: UInt8
    }

    // Never held across a call: no checks for overlapping access are needed.
    @exclusivity(unchecked) private var groups: UnsafeMutablePointer<Group>
    /// As many places for each entry as it has keys.
    @exclusivity(unchecked) private var states: UnsafeMutablePointer<Unmanaged<ModelState>?>
    @exclusivity(unchecked) private var mask: Int
    /// Entries in use.
    @exclusivity(unchecked) private var count = 0
    private let kind: RowKey.Kind
    /// How many bits of a key tell neighbours apart.
    private let shift: Int64

    /// - Parameter capacity: entries to begin with, a power of two.
    package init(_ kind: RowKey.Kind = .integer, capacity: Int = 4) {
        self.kind = kind
        shift = kind == .integer ? 3 : 0
        groups = Self.zeros(capacity)
        states = Self.zeros(capacity << Int(shift))
        mask = capacity - 1
    }

    deinit {
        free(groups)
        free(states)
    }

    /// Groups that are free, or places without a state. A large table gets pages of zeros from the system, each when it is first touched; filling them
    /// would touch all pages at once.
    private static func zeros<Element>(_ count: Int) -> UnsafeMutablePointer<Element> {
        guard let memory = calloc(count, MemoryLayout<Element>.stride) else {
            // Swift's own allocations end the program as well: without memory nothing can be thrown.
            fatalError("There is no memory for the keys of \(count) objects.")
        }
        return memory.bindMemory(to: Element.self, capacity: count)
    }

    /// Groups that follow each other stay together as well, eight at a time.
    @inline(__always)
    private func home(_ number: Int64) -> Int {
        let hash = Int(truncatingIfNeeded: (UInt64(bitPattern: number >> 3) &* 0x9E37_79B9_7F4A_7C15) >> 20)
        return (hash << 3 | Int(truncatingIfNeeded: number) & 7) & mask
    }

    /// The entry of a key, or the free one where it belongs.
    @inline(__always)
    private func entry(of key: RowKey) -> Int {
        let number = key.word &>> shift
        var index = home(number)
        while groups[index].used != 0, groups[index].number != number || !isEntry(index, of: key) {
            index = (index &+ 1) & mask
        }
        return index
    }

    /// Whether the entry is that of a key that has its number: a word says all of a number, and half of a UUID.
    @inline(__always)
    private func isEntry(_ index: Int, of key: RowKey) -> Bool {
        shift != 0 || states[index].map { $0._withUnsafeGuaranteedRef { $0.key == key } } == true
    }

    @inline(__always)
    private func bit(_ key: RowKey) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: neighbour(key)) }

    @inline(__always)
    private func place(_ entry: Int, _ key: RowKey) -> Int { entry &<< Int(shift) | neighbour(key) }

    /// Which of the keys of an entry it is.
    @inline(__always)
    private func neighbour(_ key: RowKey) -> Int { Int(truncatingIfNeeded: key.word & (1 &<< shift &- 1)) }

    @inline(__always)
    package func state(of key: RowKey) -> ModelState? {
        guard key.isInteger == (shift != 0) else { return nil }
        let entry = entry(of: key)
        guard groups[entry].used & bit(key) != 0 else { return nil }
        return states[place(entry, key)]?.takeUnretainedValue()
    }

    /// An object for which there was no key (0) is not entered: it cannot be found, and not be saved.
    ///
    /// - Parameter state: one that has the key.
    package func insert(_ state: ModelState, key: RowKey) {
        guard key != 0, key.isInteger == (shift != 0) else { return }
        var entry = entry(of: key)
        if groups[entry].used == 0 {
            if (count + 1) * 2 > mask {
                grow()
                entry = self.entry(of: key)
            }
            count += 1
            groups[entry].number = key.word &>> shift
        }
        groups[entry].used |= bit(key)
        states[place(entry, key)] = Unmanaged.passUnretained(state)
    }

    /// Takes the entry out if it is this state's.
    package func remove(_ state: ModelState, key: RowKey) {
        guard key.isInteger == (shift != 0) else { return }
        let entry = entry(of: key)
        let place = place(entry, key)
        guard groups[entry].used & bit(key) != 0,
            states[place]?.toOpaque() == Unmanaged.passUnretained(state).toOpaque()
        else { return }
        groups[entry].used &= ~bit(key)
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
                (states + gap &<< Int(shift)).update(from: states + next &<< Int(shift), count: width)
                groups[next].used = 0
                (states + next &<< Int(shift)).update(repeating: nil, count: width)
                gap = next
            }
        }
    }

    private func grow() {
        let larger = IdentityTable(kind, capacity: (mask + 1) * 2)
        for index in 0...mask where groups[index].used != 0 {
            // All are different: the first that is free is the place.
            var entry = larger.home(groups[index].number)
            while larger.groups[entry].used != 0 { entry = (entry &+ 1) & larger.mask }
            larger.groups[entry] = groups[index]
            (larger.states + entry &<< Int(shift)).update(from: states + index &<< Int(shift), count: width)
        }
        swap(&groups, &larger.groups)
        swap(&states, &larger.states)
        swap(&mask, &larger.mask)
    }

    /// How many keys an entry has.
    private var width: Int { 1 &<< Int(shift) }

    package var isEmpty: Bool { count == 0 }

    /// The registered states, in no order.
    package func forEach(_ body: (ModelState) -> Void) {
        for entry in 0...mask where groups[entry].used != 0 {
            for place in entry &<< Int(shift)..<(entry &+ 1) &<< Int(shift) {
                if let state = states[place] { body(state.takeUnretainedValue()) }
            }
        }
    }
}
