import Foundation
package import StrataClient
import Synchronization

/// Stands between client and server on 127.0.0.1, and passes everything on until it falls silent: then it takes what comes, as a
/// pooler does whose server is gone, and never answers. Requests to cancel, and clients that come then, are treated alike.
package final class SilentProxy: ServerProxy, Sendable {
    package var port: Int { sockets.port }
    private let sockets: ProxySockets
    private let trigger: Data?
    private let silent = Atomic(false)
    private let swallowedCount = Atomic<Int>(0)
    private let armed = Atomic(true)
    private let open = Mutex<Set<Int32>>([])

    /// In front of the private server that these settings lead to.
    ///
    /// - Parameter trigger: what makes it fall silent when the client sends it; the server gets that still.
    package init(before configuration: PostgresConfiguration, silentAfter trigger: String? = nil) throws {
        sockets = try ProxySockets(serverPath: try Self.socketPath(of: configuration))
        self.trigger = trigger.map { Data($0.utf8) }
        sockets.accept { [self] client in
            open.withLock { _ = $0.insert(client) }
            serve(client)
            open.withLock { _ = $0.remove(client) }
            close(client)
        }
    }

    /// Whether it is silent. What it has swallowed is not made up for; connections that were silent once remain so.
    package var isSilent: Bool {
        get { silent.load(ordering: .relaxed) }
        set { silent.store(newValue, ordering: .relaxed) }
    }

    /// How many packets were lost: sent by clients in vain, or the answers to earlier ones.
    package var swallowed: Int { swallowedCount.load(ordering: .relaxed) }

    /// Whether the trigger counts.
    package var isArmed: Bool {
        get { armed.load(ordering: .relaxed) }
        set { armed.store(newValue, ordering: .relaxed) }
    }

    /// How many clients have not gone.
    package var clients: Int { open.withLock { $0.count } }

    /// Lets go of all clients: requests to cancel that nobody answers would stay for ever.
    package func stop() {
        sockets.stop()
        open.withLock { for client in $0 { shutdown(client, Int32(SHUT_RDWR)) } }
    }

    private func serve(_ client: Int32) {
        let server = sockets.connectToServer()
        defer { close(server) }
        var descriptors = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        while ProxySockets.wait(for: &descriptors) {
            if descriptors[0].revents != 0 {
                guard let data = ProxySockets.receive(from: client) else { return }
                if isSilent { return swallow(client) }
                guard ProxySockets.send(data, to: server) else { return }
                if isArmed, let trigger, data.range(of: trigger) != nil {
                    // The answer shows that the server has carried it out.
                    _ = ProxySockets.receive(from: server)
                    isSilent = true
                    return swallow(client)
                }
            }
            if descriptors[1].revents != 0 {
                guard let data = ProxySockets.receive(from: server) else { return }
                if isSilent { return swallow(client) }
                guard ProxySockets.send(data, to: client) else { return }
            }
        }
    }

    /// Takes what comes until the client goes.
    private func swallow(_ client: Int32) {
        swallowedCount.add(1, ordering: .relaxed)
        while ProxySockets.receive(from: client) != nil { swallowedCount.add(1, ordering: .relaxed) }
    }
}
