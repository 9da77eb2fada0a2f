import Foundation

/// What an assignment to a to-many relationship changes.
///
/// Most assignments are an `append` or a `remove`, which reach us as a whole array. So arrays are compared as memory, and only
/// where they differ are objects looked up.
struct MembersChange {
    /// The objects from now on, each once.
    private(set) var kept: [AnyObject]
    private(set) var added: [AnyObject] = []
    private(set) var removed: [AnyObject] = []
    /// Few came and went.
    private(set) var isSmall = true
    /// Those that came stand behind the old ones, which are all there.
    private(set) var isAppend = false
    /// What was known of the old objects; `nil` while they are few.
    var basis: Members.Basis?

    /// More objects are compared by sets.
    private static var few: Int { 8 }

    /// - Parameter isMember: whether an object is among the old ones.
    init(from old: [AnyObject], to new: [AnyObject], isMember: (AnyObject) -> Bool) {
        kept = new
        let start = Self.commonStart(old, new)
        let end = Self.commonEnd(old[start...], new[start...])
        let (leaving, coming) = (old[start..<old.count - end], new[start..<new.count - end])
        if leaving.count <= Self.few, coming.count <= Self.few, compareFew(leaving, coming, isMember) {
            isAppend = start == old.count
            return
        }
        compareMany(old, new)
    }

    /// False when an object comes twice.
    private mutating func compareFew(
        _ leaving: ArraySlice<AnyObject>, _ coming: ArraySlice<AnyObject>, _ isMember: (AnyObject) -> Bool
    ) -> Bool {
        var new: [AnyObject] = []
        for index in coming.indices {
            let object = coming[index]
            guard !coming[..<index].contains(where: { $0 === object }) else { return false }
            if leaving.contains(where: { $0 === object }) { continue }
            guard !isMember(object) else { return false }
            new.append(object)
        }
        added = new
        removed = leaving.filter { object in !coming.contains { $0 === object } }
        return true
    }

    private mutating func compareMany(_ old: [AnyObject], _ new: [AnyObject]) {
        let before = Set(old.map { ObjectIdentifier($0) })
        var seen = Set<ObjectIdentifier>(minimumCapacity: new.count)
        kept = new.filter { seen.insert(ObjectIdentifier($0)).inserted }
        added = kept.filter { !before.contains(ObjectIdentifier($0)) }
        removed = old.filter { !seen.contains(ObjectIdentifier($0)) }
        isSmall = false
    }

    /// How many objects at the beginning are the same.
    private static func commonStart(_ one: [AnyObject], _ other: [AnyObject]) -> Int {
        let count = min(one.count, other.count)
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                guard count > 0, let first = one.baseAddress, let second = other.baseAddress else { return 0 }
                // What most edits leave alone is compared as a whole.
                if memcmp(first, second, count * MemoryLayout<AnyObject>.stride) == 0 { return count }
                let size = MemoryLayout<UInt>.stride
                return (0..<count).first { place in
                    let (one, other) = (first + place * size, second + place * size)
                    return one.loadUnaligned(as: UInt.self) != other.loadUnaligned(as: UInt.self)
                } ?? count
            }
        }
    }

    private static func commonEnd(_ one: ArraySlice<AnyObject>, _ other: ArraySlice<AnyObject>) -> Int {
        one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                let count = min(one.count, other.count)
                return (0..<count).first { one[one.count - 1 - $0] !== other[other.count - 1 - $0] } ?? count
            }
        }
    }
}
