/// How much the words of a property count in the rank of an object (PostgreSQL manual, 12.3.3): those of ``a`` as 1, of ``b`` as 0.4, of
/// ``c`` as 0.2, and of ``d`` as 0.1.
public enum TextWeight: String, Sendable, CaseIterable {
    case a, b, c, d

    /// PostgreSQL's name of it.
    package var letter: String { rawValue.uppercased() }
}
