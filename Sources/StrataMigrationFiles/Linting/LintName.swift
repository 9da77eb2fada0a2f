/// A name of a table or of another object.
struct LintName: Hashable, Sendable {
    var schema: String?
    var text: String
}
