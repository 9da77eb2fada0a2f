/// Finds the objects of one ``Members``.
@usableFromInline
final class MemberIndex {
    /// Who belongs to them.
    var known: Set<ObjectIdentifier>
    /// How often it was changed.
    var edits = 0
    /// Whether the array is edited in place: then there is a second one.
    var keepsSpare = false
    /// The same objects in the same order, for the next edit: it compares what it has made of them with the first, and neither
    /// array is ever copied.
    var spare: [AnyObject]?
    /// Who is still in the array, but does not belong to them any more. They stay in memory until somebody reads the array, or
    /// they are more than those who are left.
    var taken: Set<ObjectIdentifier> = []

    init(_ objects: [AnyObject]) {
        known = Set(objects.map { ObjectIdentifier($0) })
    }

    private init(known: Set<ObjectIdentifier>, taken: Set<ObjectIdentifier>) {
        self.known = known
        self.taken = taken
    }

    deinit {
        // It holds what the array holds that the other one is beside, so a relay of that one frees nothing.
        if let spare = spare.take() { ReleaseRelay.release(.objects(spare)) }
    }

    var hasGaps: Bool { !taken.isEmpty }

    func copy() -> MemberIndex {
        let copy = MemberIndex(known: known, taken: taken)
        copy.keepsSpare = keepsSpare
        return copy
    }

    func compacted(_ objects: [AnyObject]) -> [AnyObject] {
        objects.filter { !taken.contains(ObjectIdentifier($0)) }
    }
}
