import Foundation

/// The two sockets of a proxy before the private server: where clients come to, and the way on to the server.
final class ProxySockets: Sendable {
    /// A free port of 127.0.0.1.
    let port: Int
    private let listener: Int32
    private let serverPath: String

    /// - Parameter serverPath: the server's Unix socket.
    init(serverPath: String) throws {
        self.serverPath = serverPath
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
    }

    /// Calls `serve` with the socket of each client that comes, on a thread for each, until ``stop()``.
    func accept(_ serve: @escaping @Sendable (_ client: Int32) -> Void) {
        Thread { [listener] in
            while true {
                let client = Glibc.accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread { serve(client) }.start()
            }
        }.start()
    }

    /// Lets no more clients in; those that are served go on.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// A new connection to the server. Where it fails, so does the first message.
    func connectToServer() -> Int32 {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(serverPath.utf8).prefix(107)) }
        _ = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return server
    }

    /// Waits until one of them has something to read. A signal does not end the wait.
    static func wait(for descriptors: inout [pollfd]) -> Bool {
        while true {
            if poll(&descriptors, nfds_t(descriptors.count), -1) > 0 { return true }
            guard errno == EINTR else { return false }
        }
    }

    /// What has come, up to 64 KB; `nil` at the end.
    static func receive(from socket: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes.prefix(count)) : nil
    }

    /// Whether all bytes went out.
    static func send(_ bytes: some ContiguousBytes, to socket: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}
