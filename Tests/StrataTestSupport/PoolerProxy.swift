import Foundation
import Synchronization

/// Stands between client and server on 127.0.0.1 and does what a pooler in transaction mode does: hands each transaction
/// to the next of its own connections to the server. Can also claim to be an older server.
package final class PoolerProxy: Sendable {
    package let port: Int
    private let listener: Int32
    private let socketPath: String
    /// Connections to the server for each client.
    private let width: Int
    private let majorVersion: String?

    /// - Parameter majorVersion: two digits to show instead of the server's.
    package init(socketPath: String, width: Int = 2, majorVersion: String? = nil) throws {
        self.socketPath = socketPath
        self.width = width
        self.majorVersion = majorVersion
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { [listener] address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in accept() }.start()
    }

    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            Thread { [self] in serve(client) }.start()
        }
    }

    private func serve(_ client: Int32) {
        let servers = (0..<width).map { _ in connectToServer() }
        defer { for socket in servers + [client] { close(socket) } }
        guard let startup = message(from: client, typed: false) else { return }
        for (index, server) in servers.enumerated() {
            guard send(startup, to: server), let (answer, _) = answer(of: server) else { return }
            // All say the same, and the client hears it once.
            if index == 0 { guard send(disguised(answer), to: client) else { return } }
        }
        var current = 0
        while let request = message(from: client, typed: true) {
            guard send(request, to: servers[current]) else { return }
            // After Sync and Query the server answers up to ReadyForQuery.
            guard request[0] == UInt8(ascii: "S") || request[0] == UInt8(ascii: "Q") else { continue }
            guard let (answer, isIdle) = answer(of: servers[current]), send(answer, to: client) else { return }
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

    private func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func connectToServer() -> Int32 {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socketPath.utf8).prefix(107)) }
        // Where this fails, so does the first message.
        _ = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return server
    }
}
