package import Foundation

/// The folder whose files are in memory, for servers that are thrown away.
package enum MemoryFolder {
    private static let path = "/dev/shm"

    /// `/dev/shm`, where it is in memory and both it and the machine have so many bytes free; else nil.
    ///
    /// A container's `/dev/shm` often holds 64 MB, which PostgreSQL needs for memory that its processes share.
    package static func find(free bytes: UInt64) -> URL? {
        var room = statvfs()
        guard isInMemory, access(path, W_OK | X_OK) == 0, statvfs(path, &room) == 0,
            UInt64(room.f_bavail) * UInt64(room.f_frsize) >= bytes, let availableMemory, availableMemory >= bytes
        else { return nil }
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    /// Whether the kernel keeps the folder in memory. Only Linux says so.
    private static var isInMemory: Bool {
        lines(of: "/proc/mounts").contains { $0.hasPrefix("tmpfs \(path) ") || $0.hasPrefix("shm \(path) tmpfs ") }
    }

    /// What programs can be given without swapping, in bytes; nil where the system does not say.
    private static var availableMemory: UInt64? {
        let words = lines(of: "/proc/meminfo").first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ")
        return words?.dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1024 }
    }

    private static func lines(of path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
    }
}
