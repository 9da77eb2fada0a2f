/// What a fetch does not take into account yet. This list only shrinks.
enum GraphDifferences {
    /// What unsaved deletions do to other objects, and deletions by predicate.
    static let seesConsequences = false
    /// Unsaved changes of other objects than the fetched ones.
    static let seesOthers = true
    /// A required to-one end that has just lost its object, in a predicate: it is read as a getter would read it, and the next
    /// save throws that as `unfulfilledFault`.
    static let readsEmptyEnds = false
}
