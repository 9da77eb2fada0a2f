import Foundation
package import StrataClient

/// The value a property had when its object was last in step with its row.
@usableFromInline package class OriginalValue {
    // As the fields of ModelState: read for every change of every object.
    @usableFromInline @exclusivity(unchecked) final var storedSlot = 0
    package final var slot: Int {
        @inlinable get { storedSlot }
        @inlinable set { storedSlot = newValue }
    }

    /// Whether the value was loaded at all: a property that was written without being read has no known old value.
    package final let isKnown: Bool

    init(isKnown: Bool) { self.isKnown = isKnown }

    /// Whether this is the same value as another one of the property, as far as that can be told without knowing its type.
    package func isSame(as other: OriginalValue) -> Bool { self === other }

    /// Appends the old value to an array parameter, NULL for `nil`.
    package func append(to array: inout PostgresArray) throws(PostgresError) {
        throw PostgresError(.encoding, "a to-many relationship has no column")
    }
}

package final class OriginalAttribute<C: AttributeCoding>: OriginalValue {
    let attribute: AttributeStorage<C>

    package init(_ attribute: AttributeStorage<C>) {
        self.attribute = attribute
        super.init(isKnown: attribute.stored != nil)
    }

    // Of types that most properties have, for every changed object: otherwise what C is made of is looked up each time.
    @_specialize(where C == ScalarCoding<String>)
    @_specialize(where C == ScalarCoding<Int>)
    @_specialize(where C == ScalarCoding<Double>)
    @_specialize(where C == ScalarCoding<Bool>)
    @_specialize(where C == ScalarCoding<Date>)
    @_specialize(where C == OptionalCoding<ScalarCoding<String>>)
    @_specialize(where C == OptionalCoding<ScalarCoding<Int>>)
    @_specialize(where C == OptionalCoding<ScalarCoding<Date>>)
    package override func append(to array: inout PostgresArray) throws(PostgresError) {
        guard let value = attribute.stored else { return array.appendNull() }
        try C.append(value, to: &array)
    }
}

package final class OriginalReference: OriginalValue {
    private let held: HeldReference
    package var reference: Reference { held.reference }

    package init(_ reference: Reference) {
        held = HeldReference(reference)
        super.init(isKnown: reference.isLoaded)
    }

    package override func append(to array: inout PostgresArray) throws(PostgresError) {
        guard let key = reference.key, key != 0 else { return array.appendNull() }
        try array.append(key)
    }
}

package final class OriginalObjects: OriginalValue {
    /// `nil` when the relationship was not loaded.
    package private(set) var objects: [any PersistentModel]?
    /// Those that the loaded end does not show because they are to be deleted. It does when that is taken back.
    package let leftOut: [any PersistentModel]

    package init(_ objects: [any PersistentModel]?, leftOut: [any PersistentModel] = []) {
        self.objects = objects
        self.leftOut = leftOut
        super.init(isKnown: objects != nil)
    }

    deinit {
        // As an end that holds them would be freed: each of them may have such a value too.
        if let objects = objects.take(), !objects.isEmpty { ReleaseRelay.release(.models(objects)) }
    }

    package override func isSame(as other: OriginalValue) -> Bool {
        guard let objects, let others = (other as? OriginalObjects)?.objects else { return super.isSame(as: other) }
        return objects.elementsEqual(others) { $0 === $1 }
    }

    /// These objects, less those that left an end while it went from `earlier` to `later`, and with those that came, in their
    /// place.
    package func with(changesFrom earlier: OriginalObjects, to later: OriginalObjects) -> OriginalObjects {
        guard let objects, let before = earlier.objects, let after = later.objects, !earlier.isSame(as: later) else {
            return self
        }
        let known = Set(before.map { ObjectIdentifier($0) })
        let staying = Set(after.map { ObjectIdentifier($0) })
        var result = objects.filter { !known.contains(ObjectIdentifier($0)) || staying.contains(ObjectIdentifier($0)) }
        let kept = Set(result.map { ObjectIdentifier($0) })
        var passed = Set<ObjectIdentifier>()
        for object in after {
            let isNew = !known.contains(ObjectIdentifier(object)) && !kept.contains(ObjectIdentifier(object))
            if isNew {
                let place = result.lastIndex { passed.contains(ObjectIdentifier($0)) }.map { $0 + 1 } ?? 0
                result.insert(object, at: place)
            }
            passed.insert(ObjectIdentifier(object))
        }
        return copy(result)
    }

    /// These objects without some of them.
    package func without(_ gone: Set<ObjectIdentifier>) -> OriginalObjects {
        copy(objects?.filter { !gone.contains(ObjectIdentifier($0)) })
    }

    private func copy(_ objects: [any PersistentModel]?) -> OriginalObjects {
        let copy = OriginalObjects(objects)
        copy.slot = slot
        return copy
    }
}

/// Puts original values back into an object (rollback): the code that `@Model` writes calls `next` once a property.
public struct OriginalsReader {
    private let originals: [Int: OriginalValue]
    private var slot = 0

    package init(_ originals: [OriginalValue]) {
        self.originals = Dictionary(originals.map { ($0.slot, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private mutating func advance<Original: OriginalValue>(_: Original.Type) -> Original? {
        defer { slot += 1 }
        return originals[slot] as? Original
    }

    /// Passes over a slot.
    public mutating func skip() { slot += 1 }

    /// Gives an attribute the value it had before its first change (not loaded, if it was not); leaves it alone if it
    /// was not changed.
    public mutating func next<C: AttributeCoding>(_ attribute: inout AttributeStorage<C>) {
        if let original = advance(OriginalAttribute<C>.self) { attribute = original.attribute }
    }

    /// Lets a to-one relationship point where it did before its first change.
    public mutating func next<M: PersistentModel>(_ relationship: inout ToOne<M>) {
        if let original = advance(OriginalReference.self) { relationship.held = HeldReference(original.reference) }
    }

    /// Lets a required to-one relationship point where it did before its first change.
    public mutating func next<M: PersistentModel>(_ relationship: inout RequiredToOne<M>) {
        if let original = advance(OriginalReference.self) { relationship.held = HeldReference(original.reference) }
    }

    /// Gives a to-many relationship the objects it had before its first change; not loaded, if they were not.
    public mutating func next<M: PersistentModel>(_ relationship: inout ToMany<M>) {
        if let original = advance(OriginalObjects.self) { relationship.objects = original.objects as? [M] }
    }

    /// Gives an optional to-many relationship the objects it had before its first change; not loaded, if they were not.
    public mutating func next<M: PersistentModel>(_ relationship: inout OptionalToMany<M>) {
        if let original = advance(OriginalObjects.self) { relationship.objects = original.objects as? [M] }
    }
}
