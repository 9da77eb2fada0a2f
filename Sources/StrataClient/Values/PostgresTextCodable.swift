/// A Swift type of your own that is stored in a type which the server knows by its name: of an extension, a range, or any other type without
/// a Swift value.
///
/// ```swift
/// /// A vector of three numbers of the extension pgvector.
/// struct Embedding: PostgresTextCodable, Hashable {
///     var values: [Float]
///     static let postgresTypeName = "vector(3)"
///     static let postgresExtension: String? = "vector"
///     var postgresText: String { "[" + values.map { "\($0)" }.joined(separator: ",") + "]" }
///     init?(postgresText text: String) {
///         let parts = text.dropFirst().dropLast().split(separator: ",")
///         values = parts.compactMap { Float($0) }
///         if values.count != parts.count { return nil }
///     }
/// }
/// ```
///
/// A value goes to the server and comes back as the text that the type's input and output functions read and write (PostgreSQL manual, 38.13),
/// with a cast in the statement. So no number of a type has to be known, and opening a container takes no round trip for it.
public protocol PostgresTextCodable: Sendable {
    /// The column's type as `psql` shows it, with its limits: `vector(3)`, `geometry(Point,4326)`, `cube`; with the schema where that is not in
    /// the `search_path`.
    static var postgresTypeName: String { get }
    /// The extension that brings the type, for the error of a server that lacks it; `nil` for a type that is built in.
    static var postgresExtension: String? { get }
    /// Whether the type has an operator `=` in PostgreSQL that says the same as `==` in Swift. If not, predicates that compare values are refused,
    /// and so are unique values.
    static var isPostgresComparable: Bool { get }

    /// The value as the type's input function reads it; it may be written in another way than the server writes it.
    var postgresText: String { get }
    /// Reads what the type's output function wrote; `nil` for a text that is no value of the type.
    init?(postgresText: String)
}

extension PostgresTextCodable {
    /// None.
    public static var postgresExtension: String? { nil }
    /// `=` is there, and means `==`.
    public static var isPostgresComparable: Bool { true }
}
