/// Where the results of fetches are not compared yet. This list only shrinks.
enum GraphDifferences {
    /// What unsaved deletions do to other objects, and deletions by predicate: the reference model does not say it yet.
    static let seesConsequences = false
    /// A required to-one end that has just lost its object, in a predicate: it is read as a getter would read it, and the next
    /// save throws that as `unfulfilledFault`.
    static let readsEmptyEnds = false
}
