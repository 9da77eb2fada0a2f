/// What a save does when a property it writes was changed in the database since the object was read.
///
/// Only the same property of the same row is a conflict: two contexts that change different properties of one object both
/// have their way. An object that a delete rule would take along, and that somebody has moved to another owner since it was read,
/// is a conflict too: with ``overwrite`` it is deleted, otherwise the save fails.
public enum ConflictPolicy: Hashable, Sendable {
    /// The save fails with `SwiftDataError.conflict`; nothing is written.
    case `throw`
    /// The context's value is written.
    case overwrite
    /// The database keeps its value, and the object gets it after the save. An object whose row is gone is deleted here too.
    case keepStore
}
