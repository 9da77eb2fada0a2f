/// The objects of a to-many relationship in their order, `nil` while they are not loaded.
///
/// Many are found by a set beside the array, made when somebody asks: keeping the other ends of a relationship in step asks
/// for every object whether it is there already.
@usableFromInline
package struct Members {
    /// All of the class that the relationship leads to.
    @usableFromInline private(set) var array: [AnyObject]?
    /// Who is in the array; `nil` until somebody asks, and while they are few.
    private var known: Set<ObjectIdentifier>?

    /// Fewer are looked through.
    private static var few: Int { 32 }

    @usableFromInline
    init(_ objects: [AnyObject]?) {
        array = objects
        known = nil
    }

    /// Whether an object is among them.
    mutating func contains(_ object: AnyObject) -> Bool {
        guard let array else { return false }
        if known == nil {
            guard array.count > Self.few else { return array.contains { $0 === object } }
            known = Set(array.map { ObjectIdentifier($0) })
        }
        return known?.contains(ObjectIdentifier(object)) ?? false
    }

    /// Adds an object at the end.
    mutating func append(_ object: AnyObject) {
        if array == nil { array = [] }
        array?.append(object)
        known?.insert(ObjectIdentifier(object))
    }

    /// Takes an object out, if it is there.
    mutating func remove(_ object: AnyObject) {
        guard let index = array?.firstIndex(where: { $0 === object }) else { return }
        array?.remove(at: index)
        known?.remove(ObjectIdentifier(object))
    }
}
