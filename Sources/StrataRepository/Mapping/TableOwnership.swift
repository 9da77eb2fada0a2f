/// Who makes and changes the tables of a store.
package enum TableOwnership: Hashable, Sendable {
    /// Strata: opening makes what is missing, migrations change it.
    case own
    /// Somebody else. They are compared with the models, and only their rows are written.
    case external
}
