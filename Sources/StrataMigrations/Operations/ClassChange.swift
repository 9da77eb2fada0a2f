/// What makes rows those of another class.
struct ClassChange: Sendable {
    var table: String
    /// Code that knows a class column reads nothing of a class it does not know: it must be gone by then.
    var isLate: Bool
    var key: String
    /// The column that says which class a row has.
    var column: String
    var before: String
    var after: String
    /// Which rows, over the table as `t`; `nil` for all of the class before.
    var condition: String?
}
