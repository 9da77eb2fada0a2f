import Foundation

/// The files of one private server, and where its socket is.
///
/// Four locks say who is alive. `users`: shared by every process that uses the server, exclusive while the guardian
/// stops it. `start`: held by the process that looks whether the server must be started. `guardian`: held by the
/// guardian. `server`: inherited by PostgreSQL and all its processes.
struct ServerDirectory: Hashable {
    let root: String
    let sockets: String

    var data: String { "\(root)/data" }
    var log: String { "\(root)/server.log" }
    var usersLock: String { "\(root)/users.lock" }
    var startLock: String { "\(root)/start.lock" }
    var guardianLock: String { "\(root)/guardian.lock" }
    var serverLock: String { "\(root)/server.lock" }
    /// Holds the number of starts by this guardian; replaced whenever it has started PostgreSQL.
    var generation: String { "\(root)/generation" }
    var guardianIdentifier: String { "\(root)/guardian.pid" }
    var restartMode: String { "\(root)/restart.mode" }

    /// The longest path `sockaddr_un` and PostgreSQL take, in bytes.
    static let longestSocketPath = 107
    private static let socketName = ".s.PGSQL.5432"

    /// Makes a new directory for a server that is thrown away, below `parent` or the temporary directory.
    static func temporary(parent: String?, account: ServerAccount) throws(LocalServerError) -> ServerDirectory {
        let name = "strata-XXXXXX"
        let parents = parent.map { [$0] } ?? [NSTemporaryDirectory(), "/tmp"]
        let candidates = parents.map { $0.hasSuffix("/") && $0 != "/" ? String($0.dropLast()) : $0 }
        let fitting = candidates.filter { fits("\($0)/\(name)/run") }
        guard !fitting.isEmpty else { throw pathTooLong("\(candidates[0])/\(name)/run") }
        guard let chosen = fitting.first(where: account.canReach) else {
            throw LocalServerError(
                .directoryUnusable,
                """
                user \(account.userID), as whom PostgreSQL has to run, may not enter \(fitting[0]). Name another \
                directory, or run as a user other than root.
                """
            )
        }
        var template = Array("\(chosen)/\(name)".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw LocalServerError(
                .directoryUnusable, "cannot make a directory in \(chosen): \(systemErrorText(errno))")
        }
        let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let directory = ServerDirectory(root: root, sockets: "\(root)/run")
        try directory.create(for: account)
        return directory
    }

    /// The directory of a project's server: `.strata/postgres` in the project.
    ///
    /// When root's server user may not enter the project (`/root/…`), the files go to `/var/lib/strata`; when the
    /// project's path is too long for a socket, only the socket goes to `/tmp`.
    static func shared(project: String) throws(LocalServerError) -> (ServerDirectory, ServerAccount) {
        let isStrataFolder = (project as NSString).lastPathComponent == ".strata"
        let strata = isStrataFolder ? project : "\(project)/.strata"
        try makeDirectory(strata)
        // Nobody wants a database in version control.
        let ignored = "\(strata)/.gitignore"
        if fileStatus(ignored) == nil {
            try? Data("*\n".utf8).write(to: URL(fileURLWithPath: ignored))
        }

        var root = "\(strata)/postgres"
        var account = try ServerAccount.current(dataDirectory: "\(root)/data")
        if !account.canReach(strata) {
            root = "/var/lib/strata/\(stableHash(strata))"
            try makeDirectory("/var/lib/strata", mode: 0o755)
            account = try ServerAccount.current(dataDirectory: "\(root)/data")
            try? "\(root)\n".write(toFile: "\(strata)/location", atomically: true, encoding: .utf8)
        }
        var sockets = "\(root)/run"
        if !fits(sockets) {
            sockets = "/tmp/strata-\(account.userID)-\(stableHash(root))"
        }
        return (ServerDirectory(root: root, sockets: sockets), account)
    }

    /// Makes what PostgreSQL and the locks need; may be called on a directory that exists.
    func create(for account: ServerAccount) throws(LocalServerError) {
        // The server's user must pass through the root to its data, but has no business among the locks.
        try Self.makeDirectory(root, mode: account.isDropped ? 0o711 : 0o700)
        try Self.makeDirectory(sockets, mode: 0o700)
        guard let status = linkStatus(sockets), status.st_mode & S_IFMT == S_IFDIR,
            status.st_uid == account.userID || status.st_uid == geteuid()
        else {
            throw LocalServerError(
                .directoryUnusable, "\(sockets) belongs to somebody else; remove it or name another directory")
        }
        guard chmod(sockets, 0o700) == 0, !account.isDropped || chown(sockets, account.userID, account.groupID) == 0
        else {
            throw LocalServerError(
                .directoryUnusable,
                "cannot hand \(sockets) over to user \(account.userID): \(systemErrorText(errno))"
            )
        }
    }

    /// The major version that wrote the data; nil when there are none yet.
    var dataVersion: Int? {
        guard let text = try? String(contentsOfFile: "\(data)/PG_VERSION", encoding: .utf8) else { return nil }
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// The last lines of the server's log, for an error.
    var logTail: String {
        guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { return "(no log)" }
        return text.split(separator: "\n").suffix(12).joined(separator: "\n")
    }

    private static func fits(_ sockets: String) -> Bool {
        "\(sockets)/\(socketName)".utf8.count <= longestSocketPath
    }

    private static func pathTooLong(_ sockets: String) -> LocalServerError {
        LocalServerError(
            .pathTooLong,
            """
            the socket \(sockets)/\(socketName) would have \("\(sockets)/\(socketName)".utf8.count) bytes; the \
            operating system takes \(longestSocketPath). Name a shorter directory.
            """
        )
    }

    private static func makeDirectory(_ path: String, mode: mode_t? = nil) throws(LocalServerError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: nil)
        } catch {
            // The system says it in fewer words than the error.
            guard mkdir(path, 0o777) != 0 else { return }
            throw LocalServerError(.directoryUnusable, "cannot make the directory \(path): \(systemErrorText(errno))")
        }
        if let mode, let status = fileStatus(path), status.st_uid == geteuid(), status.st_mode & 0o777 != mode {
            guard chmod(path, mode) == 0 else {
                throw LocalServerError(
                    .directoryUnusable, "cannot set the mode of \(path): \(systemErrorText(errno))")
            }
        }
    }
}

/// What `lstat` says about a path; nil when there is nothing.
private func linkStatus(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
}

/// FNV-1a, the same in every process and on every machine.
private func stableHash(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
}
