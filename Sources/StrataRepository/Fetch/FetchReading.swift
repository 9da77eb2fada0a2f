/// What a fetch reads of the rows it finds.
package enum FetchReading {
    /// The columns of the objects, for ``FetchPlan/objects()``.
    case objects
    /// No more than keys, for ``FetchPlan/count()`` and ``FetchPlan/identifiers()``.
    case keys
    /// The columns of the objects, whose rows are locked.
    case lockedObjects
    /// The keys of rows that are locked, for ``FetchPlan/keys()``.
    case lockedKeys

    var locks: Bool { self == .lockedObjects || self == .lockedKeys }

    var readsObjects: Bool { self == .objects || self == .lockedObjects }
}
