/// What a save does with a new object whose unique values a row has already.
public enum UniquePolicy: Hashable, Sendable {
    /// The row is updated with the new object's values, and the new object takes the row's identifier. Of several new
    /// objects with the same values the last one inserted wins. This is what SwiftData does.
    case upsert
    /// The save fails with `SwiftDataError.uniqueConstraint`; nothing is written.
    case fail
    /// The row stays as it is, and the new object takes its identifier and its values. Of several new objects with the same
    /// values the first one inserted wins.
    case ignore
}
