import Foundation
package import StrataClient
import Synchronization

/// Stands between client and server on 127.0.0.1 and cuts the connection when it sees the client send certain bytes.
package final class CuttingProxy: Sendable {
    package enum Cut: Equatable, Sendable {
        /// The server never gets the bytes.
        case beforeForwarding
        /// The server gets them; its answer does not reach the client.
        case afterForwarding
        /// The client gets the answer up to the end of the statement with this tag, and nothing of what follows.
        case afterAnswer(_ tag: String)
        /// The same, and then the server's farewell: what a backend says that is ended when it has committed.
        case farewellAfterAnswer(_ tag: String)
    }

    package var port: Int { sockets.port }
    private let sockets: ProxySockets
    private let trigger: Data
    private let cut: Cut
    private let accepted = Atomic<Int>(0)
    private let armed = Atomic(true)

    /// Whether it cuts; otherwise it only passes on.
    package var isArmed: Bool {
        get { armed.load(ordering: .relaxed) }
        set { armed.store(newValue, ordering: .relaxed) }
    }

    /// How often somebody has connected; a request to cancel is a connection of its own.
    package var connections: Int { accepted.load(ordering: .relaxed) }

    /// Forwards to the server's Unix socket.
    package init(socketPath: String, cutAt trigger: String, _ cut: Cut = .beforeForwarding) throws {
        sockets = try ProxySockets(serverPath: socketPath)
        self.trigger = Data(trigger.utf8)
        self.cut = cut
        sockets.accept { [self] client in
            accepted.add(1, ordering: .relaxed)
            serve(client)
        }
    }

    package func stop() { sockets.stop() }

    private func serve(_ client: Int32) {
        defer { close(client) }
        let server = sockets.connectToServer()
        defer { close(server) }
        var descriptors = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        while ProxySockets.wait(for: &descriptors) {
            if descriptors[0].revents != 0 {
                guard let data = ProxySockets.receive(from: client) else { return }
                let isTrigger = isArmed && data.range(of: trigger) != nil
                if isTrigger, case .beforeForwarding = cut { return }
                guard ProxySockets.send(data, to: server) else { return }
                guard isTrigger else { continue }
                switch cut {
                case .beforeForwarding, .afterForwarding:
                    // The answer shows that the server has carried it out.
                    _ = ProxySockets.receive(from: server)
                case .afterAnswer(let tag):
                    if let answer = answer(of: server, upTo: tag) { _ = ProxySockets.send(answer, to: client) }
                case .farewellAfterAnswer(let tag):
                    if let answer = answer(of: server, upTo: tag) {
                        _ = ProxySockets.send(answer + Self.farewell, to: client)
                    }
                }
                return
            }
            if descriptors[1].revents != 0 {
                guard let data = ProxySockets.receive(from: server), ProxySockets.send(data, to: client) else { return }
            }
        }
    }

    /// FATAL 57P01 as `pg_terminate_backend` and a fast shutdown make it (manual, 55.8).
    private static let farewell: Data = {
        let fields = [
            "SFATAL", "VFATAL", "C57P01", "Mterminating connection due to administrator command", "Fpostgres.c",
            "L3000",
            "RProcessInterrupts",
        ]
        let body = Data(fields.flatMap { $0.utf8 + [0] } + [0])
        return Data("E".utf8) + withUnsafeBytes(of: UInt32(body.count + 4).bigEndian) { Data($0) } + body
    }()

    /// The server's messages up to the CommandComplete with this tag. Read to the end of the answer, so that the server has
    /// carried out everything.
    private func answer(of server: Int32, upTo tag: String) -> Data? {
        var bytes: [UInt8] = []
        var end: Int?
        var next = 0
        while true {
            guard let data = ProxySockets.receive(from: server) else { return nil }
            bytes += data
            while next + 5 <= bytes.count {
                let length = bytes[next + 1..<next + 5].reduce(0) { $0 << 8 | Int($1) }
                guard next + 1 + length <= bytes.count else { break }
                let body = bytes[next + 5..<next + 1 + length]
                let kind = bytes[next]
                next += 1 + length
                if kind == UInt8(ascii: "C"), body.elementsEqual(Array(tag.utf8) + [0]) { end = next }
                if kind == UInt8(ascii: "Z") { return end.map { Data(bytes.prefix($0)) } }
            }
        }
    }
}

extension CuttingProxy: ServerProxy {
    /// In front of the private server that these settings lead to.
    package convenience init(
        before configuration: PostgresConfiguration, cutAt trigger: String, _ cut: Cut = .beforeForwarding
    )
        throws
    {
        try self.init(socketPath: try Self.socketPath(of: configuration), cutAt: trigger, cut)
    }
}
