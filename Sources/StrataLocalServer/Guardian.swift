import Foundation

/// Starts the process that owns a server, and asks it to restart the server.
struct Guardian {
    let directory: ServerDirectory
    let installation: PostgresInstallation
    let account: ServerAccount
    let isTemporary: Bool
    let settings: [String: String]

    /// Whether a guardian is alive.
    ///
    /// To be asked while holding `users.lock`, so that none can be on its way out.
    func isAlive() throws(LocalServerError) -> Bool {
        try FileLock(opening: directory.guardianLock).isHeldElsewhere
    }

    /// Starts a guardian and waits until it has started PostgreSQL for the first time.
    func start(until deadline: Deadline) throws(LocalServerError) {
        unlink(directory.generation)
        rename(directory.log, directory.log + ".old")
        // The outer shell ends at once and leaves a guardian that is nobody's child: it outlives us when other
        // processes use the server, and a program that waits for all its children does not wait for it.
        let arguments =
            ["/bin/sh", "-c", #"/bin/sh -c "$0" strata-guardian "$@" &"#, guardianScript]
            + scriptArguments(isTemporary ? "temporary" : "durable") + postgresArguments
        let launcher = try ChildProcess.spawn(arguments, output: directory.log)
        var status: Int32 = 0
        while waitpid(launcher, &status, 0) == -1, errno == EINTR {}

        while fileStatus(directory.generation) == nil {
            // The guardian takes its lock within milliseconds and keeps it for life; half a second's grace is plenty.
            guard deadline.pause() else {
                throw LocalServerError(
                    .timedOut, "PostgreSQL was not started in \(directory.root) in time:\n\(directory.logTail)")
            }
            if fileStatus(directory.log).map({ $0.st_size > 0 }) == true, try !isAlive(),
                fileStatus(directory.generation) == nil
            {
                throw LocalServerError(
                    .startFailed,
                    "PostgreSQL could not be set up in \(directory.root):\n\(directory.logTail)")
            }
        }
    }

    /// Makes the data that a temporary server begins with, and starts none.
    func makeData(until deadline: Deadline) throws(LocalServerError) {
        let arguments = ["/bin/sh", "-c", guardianScript, "strata-guardian"] + scriptArguments("data")
        let outcome = try ChildProcess.run(arguments, until: deadline)
        guard outcome.status == 0, fileStatus(directory.data) != nil else {
            throw LocalServerError(
                .startFailed, "PostgreSQL's data could not be made in \(directory.root):\n\(outcome.output)")
        }
    }

    /// What the script is told first, of a server or of its data.
    private func scriptArguments(_ kind: String) -> [String] {
        let identity = account.isDropped ? ["\(account.userID)", "\(account.groupID)"] : ["-", "-"]
        return [directory.root, directory.sockets, installation.binaries, kind] + identity
    }

    /// Asks a living guardian to stop PostgreSQL in the given mode and start it again; waits until it has.
    func restart(mode: LocalServer.ShutdownMode, until deadline: Deadline) throws(LocalServerError) {
        let before = read(directory.generation)
        guard let identifier = pid_t(read(directory.guardianIdentifier)), try isAlive() else {
            throw LocalServerError(.startFailed, "nobody watches over the server in \(directory.root)")
        }
        do {
            try mode.rawValue.write(toFile: directory.restartMode, atomically: true, encoding: .utf8)
        } catch {
            throw LocalServerError(.directoryUnusable, "cannot write \(directory.restartMode): \(error)")
        }
        guard kill(identifier, SIGUSR1) == 0 else {
            throw LocalServerError(
                .directoryUnusable,
                "cannot signal process \(identifier), the guardian of \(directory.root): \(systemErrorText(errno))"
            )
        }
        while read(directory.generation) == before {
            guard deadline.pause() else {
                throw LocalServerError(.timedOut, "PostgreSQL in \(directory.root) was not restarted in time")
            }
        }
    }

    /// PostgreSQL's arguments: the fixed ones last, because the last of two settings wins.
    private var postgresArguments: [String] {
        let throwAway = [
            "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "1GB", "jit": "off",
        ]
        var all = isTemporary ? throwAway : [:]
        all.merge(settings) { _, callers in callers }
        // A list: a path with a comma in it has to be quoted.
        let sockets = "\"" + directory.sockets.replacingOccurrences(of: "\"", with: "\"\"") + "\""
        let fixed = [
            "listen_addresses": "", "unix_socket_directories": sockets, "unix_socket_permissions": "0700",
            "port": "5432",
        ]
        all.merge(fixed) { _, ours in ours }
        return all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
    }

    private func read(_ path: String) -> String {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }
}
