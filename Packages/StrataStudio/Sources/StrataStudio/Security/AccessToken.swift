import Synchronization

/// Who may come in: the link that is printed once, and the cookie that it is exchanged for.
///
/// The cookie cannot be made from the link: whoever finds the link later, in a terminal's scrollback or a browser's history, gets nothing.
final class AccessToken: Sendable {
    /// What the link ends with.
    let invitation = AccessToken.random()
    /// The value of the cookie.
    let session = AccessToken.random()
    private let isTaken = Mutex(false)

    /// Whether this is the invitation, and nobody has used it before.
    func accept(_ text: String) -> Bool {
        guard Self.isSame(text, invitation) else { return false }
        return isTaken.withLock { taken in
            defer { taken = true }
            return !taken
        }
    }

    /// Whether the value of a cookie is the session's.
    func isSession(_ text: String) -> Bool { Self.isSame(text, session) }

    /// 192 bits from the system's generator.
    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<3).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Takes as long for any text of the right length.
    private static func isSame(_ text: String, _ secret: String) -> Bool {
        let (a, b) = (Array(text.utf8), Array(secret.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
