import Foundation
import StrataTestSupport
import Synchronization

/// A disk of one megabyte in memory, for the tests' own server to fill.
final class TinyDisk: Sendable {
    /// Whether this process may mount, and the server is ours and on this machine.
    static let isPossible: Bool = {
        guard geteuid() == 0, let disk = try? TinyDisk() else { return false }
        disk.remove()
        return true
    }()

    let path: String
    let tablespace: String

    init() throws {
        guard let server = try TestServer.shared().localServer else { throw Impossible() }
        let name = "tiny_" + UUID().uuidString.prefix(8).lowercased()
        tablespace = name
        // Not below the temporary folder, into which the server's account may not look.
        path = "/tmp/strata_" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let owner = try FileManager.default.attributesOfItem(atPath: server.dataDirectory.path)
        let (user, group) = (owner[.ownerAccountID] as? Int ?? 0, owner[.groupOwnerAccountID] as? Int ?? 0)
        do {
            try Self.run("mount", "-t", "tmpfs", "-o", "size=1m,uid=\(user),gid=\(group),mode=700", "tmpfs", path)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    func grow() throws { try Self.run("mount", "-o", "remount,size=64m", path) }

    func remove() {
        try? Self.run("umount", "-l", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Impossible() }
    }

    struct Impossible: Error {}
}
