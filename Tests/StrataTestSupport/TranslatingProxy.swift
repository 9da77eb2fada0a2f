import Foundation
package import StrataClient

/// Stands between client and server on 127.0.0.1 while a connection is made, and says what the server refuses in words that nobody
/// knows, as one with another `lc_messages` does. The SQLSTATE stays.
package final class TranslatingProxy: ServerProxy, Sendable {
    package static let words = "Zugriff verweigert"

    package var port: Int { sockets.port }
    private let sockets: ProxySockets

    /// In front of the private server that these settings lead to.
    package init(before configuration: PostgresConfiguration) throws {
        sockets = try ProxySockets(serverPath: try Self.socketPath(of: configuration))
        sockets.accept { [self] in serve($0) }
    }

    package func stop() { sockets.stop() }

    /// A server with trust asks nothing back: the client sends one message, and listens.
    private func serve(_ client: Int32) {
        let server = sockets.connectToServer()
        defer { for socket in [client, server] { close(socket) } }
        guard let startup = ProxySockets.receive(from: client), ProxySockets.send(startup, to: server) else { return }
        var answer = Data()
        while let bytes = ProxySockets.receive(from: server) { answer += bytes }
        _ = ProxySockets.send(Self.translated(answer), to: client)
    }

    /// The ErrorResponse at the end (manual, 55.7): fields of a letter and a text, each ended by a zero.
    private static func translated(_ answer: Data) -> Data {
        guard let start = answer.firstIndex(of: UInt8(ascii: "E")) else { return answer }
        let fields = answer[(start + 5)...].split(separator: 0).map { field in
            field.first == UInt8(ascii: "M") ? Data("M\(words)".utf8) : Data(field)
        }
        let body = fields.reduce(into: Data()) { $0 += $1 + [0] } + [0]
        let length = UInt32(body.count + 4)
        return answer[..<start] + Data("E".utf8) + withUnsafeBytes(of: length.bigEndian) { Data($0) } + body
    }
}
