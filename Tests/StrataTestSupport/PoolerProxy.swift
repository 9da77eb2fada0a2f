import Foundation
package import StrataClient
import Synchronization

/// Stands between client and server on 127.0.0.1 and does what a pooler in transaction mode does: hands each transaction
/// to the next of its own connections to the server. Can also claim to be an older server.
package final class PoolerProxy: Sendable {
    package var port: Int { sockets.port }
    private let sockets: ProxySockets
    /// Connections to the server for each client.
    private let width: Int
    private let majorVersion: String?

    /// - Parameter majorVersion: two digits to show instead of the server's.
    package init(socketPath: String, width: Int = 2, majorVersion: String? = nil) throws {
        sockets = try ProxySockets(serverPath: socketPath)
        self.width = width
        self.majorVersion = majorVersion
        sockets.accept { [self] in serve($0) }
    }

    package func stop() { sockets.stop() }

    private func serve(_ client: Int32) {
        let servers = (0..<width).map { _ in sockets.connectToServer() }
        defer { for socket in servers + [client] { close(socket) } }
        guard let startup = message(from: client, typed: false) else { return }
        for (index, server) in servers.enumerated() {
            guard ProxySockets.send(startup, to: server), let (answer, _) = answer(of: server) else { return }
            // All say the same, and the client hears it once.
            if index == 0 { guard ProxySockets.send(disguised(answer), to: client) else { return } }
        }
        var current = 0
        while let request = message(from: client, typed: true) {
            guard ProxySockets.send(request, to: servers[current]) else { return }
            // After Sync and Query the server answers up to ReadyForQuery.
            guard request[0] == UInt8(ascii: "S") || request[0] == UInt8(ascii: "Q") else { continue }
            guard let (answer, isIdle) = answer(of: servers[current]), ProxySockets.send(answer, to: client) else {
                return
            }
            if isIdle { current = (current + 1) % servers.count }
        }
    }

    /// Everything up to ReadyForQuery, and whether no transaction is open then; `nil` where the connection ended.
    private func answer(of server: Int32) -> (bytes: [UInt8], isIdle: Bool)? {
        var bytes: [UInt8] = []
        while let message = message(from: server, typed: true) {
            bytes += message
            if message[0] == UInt8(ascii: "Z") { return (bytes, message.last == UInt8(ascii: "I")) }
        }
        return nil
    }

    private func disguised(_ bytes: [UInt8]) -> [UInt8] {
        guard let majorVersion, let place = Data(bytes).range(of: Data("server_version\0".utf8)) else { return bytes }
        var bytes = bytes
        bytes.replaceSubrange(place.upperBound..<place.upperBound + 2, with: majorVersion.utf8)
        return bytes
    }

    /// One message with its length; the first of a connection has no type (manual 55.2.1).
    private func message(from socket: Int32, typed: Bool) -> [UInt8]? {
        guard let head = receive(typed ? 5 : 4, from: socket) else { return nil }
        let length = head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length >= 4, let rest = length == 4 ? [] : receive(length - 4, from: socket) else { return nil }
        return head + rest
    }

    private func receive(_ count: Int, from socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }
}

extension PoolerProxy: ServerProxy {
    /// In front of the private server that these settings lead to.
    package convenience init(before configuration: PostgresConfiguration) throws {
        try self.init(socketPath: try Self.socketPath(of: configuration))
    }
}
