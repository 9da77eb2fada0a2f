/// Where the password comes from that a connection is opened with: for tokens that change, and secrets in a vault or a file.
///
/// ```swift
/// var configuration = ModelConfiguration(url: URL(string: "postgres://app@db.example.com/trips")!)
/// configuration.password = .file("/run/secrets/database-password")
/// configuration.password = PasswordSource { try tokens.current() }
/// ```
///
/// It is asked for each connection that is opened, on the thread that opens it, which may be several at a time. A closure may
/// read a file, but should not wait for a server: keep a token that something else renews. What it throws becomes the
/// ``PostgresError/underlyingError`` of the error `authenticationFailed`. A password in the URL is replaced by it.
///
/// The file that `passfile` or `PGPASSFILE` names (manual, 34.16) needs no source: libpq reads it each time it connects.
public struct PasswordSource: Sendable {
    private final class Closure: Sendable {
        let password: @Sendable () throws -> String
        init(_ password: @escaping @Sendable () throws -> String) { self.password = password }
    }

    private enum Origin {
        case closure(Closure)
        case file(PasswordFile)
    }

    private let origin: Origin

    private init(_ origin: Origin) {
        self.origin = origin
    }

    /// A source that asks the closure each time.
    public init(_ password: @escaping @Sendable () throws -> String) {
        self.init(.closure(Closure(password)))
    }

    /// A source that reads a file each time: its content is the password, without the end of the line that it may have.
    ///
    /// A file that others may use is refused, as libpq refuses that of a private key: the mode must be 0600 or less, or 0640 or less for a
    /// file of the superuser. In Kubernetes that is `defaultMode: 0440` of the secret's volume, in Docker `mode: 0400`.
    /// A connection for which it cannot be read fails with `authenticationFailed`; those that are open stay open.
    public static func file(_ path: String) -> PasswordSource {
        PasswordSource(.file(PasswordFile(path: path)))
    }

    /// The password of this moment.
    func password() throws(PostgresError) -> String {
        switch origin {
        case .file(let file): return try file.password()
        case .closure(let closure):
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
}

extension PasswordSource: Hashable {
    /// Two are equal when one is a copy of the other, or both read the file of one path.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs.origin, rhs.origin) {
        case (.closure(let lhs), .closure(let rhs)): lhs === rhs
        case (.file(let lhs), .file(let rhs)): lhs == rhs
        default: false
        }
    }

    /// By identity or path, as ``==(_:_:)``.
    public func hash(into hasher: inout Hasher) {
        switch origin {
        case .closure(let closure): hasher.combine(ObjectIdentifier(closure))
        case .file(let file): hasher.combine(file)
        }
    }
}
