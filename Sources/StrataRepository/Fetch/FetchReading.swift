/// What a fetch reads of the rows it finds.
package enum FetchReading {
    /// The columns of the objects, for ``FetchPlan/objects()``.
    case objects
    /// No more than keys, for ``FetchPlan/count()`` and ``FetchPlan/identifiers()``.
    case keys
}
