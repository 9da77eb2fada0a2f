/// The objects of a to-many relationship in their order, `nil` while they are not loaded.
///
/// Many are found by an index beside the array, made when somebody asks: keeping the other ends of a relationship in step asks
/// for every object whether it is there already, and takes objects out one by one.
@usableFromInline
package struct Members {
    private var held: HeldObjects
    /// Who is among them; `nil` until somebody asks, and while they are few.
    private var index: MemberIndex?

    /// Fewer are looked through.
    private static var few: Int { 32 }

    @usableFromInline
    init(_ objects: [AnyObject]?) {
        held = HeldObjects(objects)
        index = nil
    }

    /// The objects, with those that were taken out since; all of the class that the relationship leads to.
    private var stored: [AnyObject]? {
        get { held.objects }
        set { held = HeldObjects(newValue) }
        _modify {
            var objects = held.objects
            // Edited where they are: nobody else has them.
            held = .plain(nil)
            defer { held = HeldObjects(objects) }
            yield &objects
        }
    }

    /// All of the class that the relationship leads to. Costs a copy after objects were taken out, until ``compact()``.
    @usableFromInline var array: [AnyObject]? {
        guard let index, index.hasGaps else { return stored }
        return stored.map(index.compacted)
    }

    var isLoaded: Bool { stored != nil }

    /// Whether reading the array costs a copy.
    @usableFromInline var hasGaps: Bool { index?.hasGaps ?? false }

    /// Closes the gaps that objects left.
    @usableFromInline
    mutating func compact() {
        guard hasGaps else { return }
        stored = array
        withIndex { $0.taken.removeAll() }
    }

    /// Whether an object is among them.
    mutating func contains(_ object: AnyObject) -> Bool {
        guard let stored else { return false }
        if index == nil {
            guard stored.count > Self.few else { return stored.contains { $0 === object } }
            index = MemberIndex(stored)
        }
        return index?.known.contains(ObjectIdentifier(object)) ?? false
    }

    /// Adds an object at the end.
    mutating func append(_ object: AnyObject) {
        // It would be found again where it was before.
        if index?.taken.contains(ObjectIdentifier(object)) == true { compact() }
        if stored == nil { stored = [] }
        stored?.append(object)
        withIndex { $0.known.insert(ObjectIdentifier(object)) }
    }

    /// Takes an object out, if it is there. Of many it leaves a gap: closing it would move all that follow.
    mutating func remove(_ object: AnyObject) {
        guard contains(object), let count = stored?.count else { return }
        guard index != nil else {
            stored?.removeAll { $0 === object }
            return
        }
        withIndex {
            $0.known.remove(ObjectIdentifier(object))
            $0.taken.insert(ObjectIdentifier(object))
        }
        if let index, index.taken.count > count / 2 { compact() }
    }

    /// Replaces them all.
    mutating func replace(by change: MembersChange) {
        var old = stored
        stored = change.kept
        // Who observes the objects may have edited them meanwhile.
        guard change.isSmall, index != nil, change.basis == index.map(Basis.init) else {
            index = nil
            return
        }
        withIndex { index in
            index.taken.removeAll()
            for object in change.removed { index.known.remove(ObjectIdentifier(object)) }
            for object in change.added { index.known.insert(ObjectIdentifier(object)) }
            guard index.keepsSpare, change.isAppend else { return }
            old?.append(contentsOf: change.added)
            index.spare = old
        }
    }

    /// An array of them that nobody else has, to be edited in place and then assigned; `nil` where there is none yet.
    mutating func takeSpare() -> [AnyObject]? {
        guard !hasGaps, let spare = index?.spare else {
            withIndex { $0.keepsSpare = true }
            return nil
        }
        withIndex { _ in }
        return spare
    }

    /// What it means to put these objects in the place of those that are there.
    mutating func change(to new: [AnyObject]) -> MembersChange {
        compact()
        let old = stored ?? []
        var change = MembersChange(from: old, to: new) { contains($0) }
        change.basis = index.map(Basis.init)
        return change
    }

    /// A state of the index.
    struct Basis: Equatable {
        let index: ObjectIdentifier
        let edits: Int

        init(_ index: MemberIndex) { (self.index, edits) = (ObjectIdentifier(index), index.edits) }
    }

    /// Changes the index, if there is one.
    private mutating func withIndex(_ body: (MemberIndex) -> Void) {
        guard index != nil else { return }
        if !isKnownUniquelyReferenced(&index) { index = index?.copy() }
        guard let index else { return }
        index.edits += 1
        // What is done to the objects is not done to it.
        index.spare = nil
        body(index)
    }
}
