/// Where the password comes from that a connection is opened with: for tokens that change, and secrets in a vault.
///
/// ```swift
/// var configuration = ModelConfiguration(url: URL(string: "postgres://app@db.example.com/trips")!)
/// configuration.password = PasswordSource { try tokens.current() }
/// ```
///
/// The closure is called for each connection that is opened, on the thread that opens it, which may be several at a time. It may
/// read a file, but should not wait for a server: keep a token that something else renews. What it throws becomes the
/// ``PostgresError/underlyingError`` of the error `authenticationFailed`. A password in the URL is replaced by it.
///
/// A password in a file needs none: libpq reads the file that `passfile` or `PGPASSFILE` names each time it connects
/// (manual, 34.16).
public struct PasswordSource: Sendable {
    private final class Closure: Sendable {
        let password: @Sendable () throws -> String
        init(_ password: @escaping @Sendable () throws -> String) { self.password = password }
    }

    private let closure: Closure

    /// A source that asks the closure each time.
    public init(_ password: @escaping @Sendable () throws -> String) {
        closure = Closure(password)
    }

    /// The password of this moment.
    func password() throws(PostgresError) -> String {
        do {
            return try closure.password()
        } catch {
            throw PostgresError(
                .authenticationFailed,
                "The password for the connection could not be had: its source has thrown an error.",
                underlying: error)
        }
    }
}

extension PasswordSource: Hashable {
    /// Two are equal when one is a copy of the other.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.closure === rhs.closure }
    /// By identity, as ``==(_:_:)``.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(closure)) }
}
