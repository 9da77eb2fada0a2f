import Foundation

/// What PostgreSQL writes about itself into `postmaster.pid`.
struct PostmasterFile {
    let processIdentifier: pid_t
    private let status: Substring

    /// Reads the file; nil when there is none or it is being written.
    init?(in dataDirectory: String) {
        guard let text = try? String(contentsOfFile: "\(dataDirectory)/postmaster.pid", encoding: .utf8) else {
            return nil
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Line 1 is the process, line 8 the status ("starting", "ready", "stopping", "standby").
        guard lines.count >= 8, let identifier = pid_t(lines[0]) else { return nil }
        processIdentifier = identifier
        status = lines[7]
    }

    /// Whether the server accepts connections, and was not killed since it said so.
    var isReady: Bool {
        guard status.hasPrefix("ready") else { return false }
        return kill(processIdentifier, 0) == 0 || errno == EPERM
    }
}
