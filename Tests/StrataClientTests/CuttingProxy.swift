import Foundation
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

/// Stands between client and server on 127.0.0.1 and cuts the connection when it sees the client send certain bytes.
final class CuttingProxy: Sendable {
    enum Cut {
        /// The server never gets the bytes.
        case beforeForwarding
        /// The server gets them; its answer does not reach the client.
        case afterForwarding
    }

    let port: Int
    private let listener: Int32
    private let socketPath: String
    private let trigger: Data
    private let cut: Cut
    private let accepted = Atomic<Int>(0)

    /// How often somebody has connected; a request to cancel is a connection of its own.
    var connections: Int { accepted.load(ordering: .relaxed) }

    /// Forwards to the server's Unix socket.
    init(socketPath: String, cutAt trigger: String, _ cut: Cut = .beforeForwarding) throws {
        self.socketPath = socketPath
        self.trigger = Data(trigger.utf8)
        self.cut = cut
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

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            accepted.add(1, ordering: .relaxed)
            Thread { [self] in serve(client) }.start()
        }
    }

    private func serve(_ client: Int32) {
        defer { close(client) }
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        guard connect(server) else { return }
        var descriptors = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&descriptors, 2, -1) > 0 {
            if descriptors[0].revents != 0 {
                guard let data = receive(client) else { return }
                let isTrigger = data.range(of: trigger) != nil
                if isTrigger, cut == .beforeForwarding { return }
                guard send(data, to: server) else { return }
                if isTrigger {
                    // The answer shows that the server has carried it out.
                    _ = receive(server)
                    return
                }
            }
            if descriptors[1].revents != 0 {
                guard let data = receive(server), send(data, to: client) else { return }
            }
        }
    }

    private func connect(_ server: Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socketPath.utf8).prefix(107)) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    private func receive(_ socket: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes.prefix(count)) : nil
    }

    private func send(_ data: Data, to socket: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
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

extension CuttingProxy {
    /// In front of the private server that these settings lead to.
    convenience init(before configuration: PostgresConfiguration, cutAt trigger: String, _ cut: Cut = .beforeForwarding)
        throws
    {
        let server = try #require(try TestServer.shared().localServer)
        let socket = server.socketDirectory.appendingPathComponent(".s.PGSQL.\(configuration.port ?? 5432)")
        try self.init(socketPath: socket.path, cutAt: trigger, cut)
    }

    /// The same settings, through the proxy.
    func configuration(for server: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = server
        configuration.options["host"] = "127.0.0.1"
        configuration.port = port
        configuration.options["sslmode"] = "disable"
        configuration.options["gssencmode"] = "disable"
        return configuration
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that need the server's own directory.
    static var onPrivateServer: Self {
        .enabled(if: try TestServer.shared().localServer != nil, "needs a private server")
    }
}
