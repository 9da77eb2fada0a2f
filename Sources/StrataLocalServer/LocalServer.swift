public import Foundation
import Synchronization

/// A private PostgreSQL server that lives as long as somebody uses it.
///
/// It listens on a Unix socket only, in a directory that only its user may enter. A guardian process of its own stops
/// it when the last process that uses it has gone, in whatever way: ``stop()``, a normal exit, a crash or `kill -9`.
/// As root, PostgreSQL runs as `nobody` (through `setpriv`).
///
/// All methods block the calling thread, each for a bounded time.
///
/// ```swift
/// let server = try LocalServer.temporary()
/// defer { server.stop() }
/// print(server.url)  // postgresql:///postgres?host=/tmp/strata-a1B2c3/run&user=postgres
/// ```
public final class LocalServer: Sendable {
    /// What a caller may choose about a server.
    public struct Options: Sendable, Hashable {
        /// Settings of PostgreSQL as in `postgresql.conf`, for example `["max_connections": "300"]`.
        ///
        /// The address, port and socket settings are the server's own; values given for them are not used.
        public var settings: [String: String]

        /// The folder in which a temporary server makes its own; the system's temporary folder when `nil`.
        ///
        /// Keep it short: the socket's path below it may have 107 bytes. A shared server takes no notice of it.
        public var directory: URL?

        /// The folder with `postgres`, `initdb` and `pg_ctl`; searched for when `nil`.
        public var binaries: URL?

        /// How long starting, restarting and joining may take.
        public var timeout: Duration

        /// Creates options; each has a default that suits a test.
        public init(
            settings: [String: String] = [:],
            directory: URL? = nil,
            binaries: URL? = nil,
            timeout: Duration = .seconds(60)
        ) {
            self.settings = settings
            self.directory = directory
            self.binaries = binaries
            self.timeout = timeout
        }
    }

    /// How PostgreSQL treats its clients and data when it stops, in PostgreSQL's words.
    public enum ShutdownMode: String, Sendable, Hashable {
        /// Waits for the clients to leave, and ends them after 30 seconds.
        case smart
        /// Ends the clients' sessions and writes everything down.
        case fast
        /// Ends like a crash; the next start recovers from the write-ahead log.
        case immediate
    }

    /// The folder of the server's Unix socket, for libpq's `host`.
    public var socketDirectory: URL { URL(fileURLWithPath: guardian.directory.sockets, isDirectory: true) }

    /// PostgreSQL's data directory.
    public var dataDirectory: URL { URL(fileURLWithPath: guardian.directory.data, isDirectory: true) }

    /// The server's log file.
    public var logFile: URL { URL(fileURLWithPath: guardian.directory.log) }

    /// The folder with the programs of the server's version: `pg_dump`, `pg_basebackup` and others, where they are installed.
    package var binaries: URL { URL(fileURLWithPath: guardian.installation.binaries, isDirectory: true) }

    /// The address for libpq: the database `postgres` as the superuser `postgres`, without a password.
    public var url: String { url(database: "postgres") }

    private let guardian: Guardian
    private let timeout: Duration
    /// Our share in `users.lock`, nil once stopped; the guardian waits for all shares to be given back.
    private let share: Mutex<FileLock?>
    /// The path of the data of ``untouchedData(until:)``, once they are made.
    private let untouched = Mutex<String?>(nil)

    private init(guardian: Guardian, share: FileLock, timeout: Duration) {
        self.guardian = guardian
        self.timeout = timeout
        self.share = Mutex(share)
    }

    /// Starts a throw-away server in a new directory; both are gone after ``stop()`` or the end of this process.
    ///
    /// It writes nothing through to the disk (`fsync = off`), which makes it fast and its data worthless after a crash
    /// of the machine.
    public static func temporary(options: Options = Options()) throws(LocalServerError) -> LocalServer {
        let installation = try PostgresInstallation.find(binaries: options.binaries?.path)
        return try temporary(options, installation) { _, _ throws(LocalServerError) in }
    }

    /// Starts another throw-away server of the same programs, whose data are copied from what ``temporary(options:)`` begins with.
    ///
    /// A copy takes a tenth of the processor time of `initdb`, which runs once for all servers that are started beside this one, and not
    /// before the first of them. They say the same `system_identifier`, another one than this server.
    package func another(
        settings: [String: String] = [:], directory: URL? = nil
    ) throws(LocalServerError) -> LocalServer {
        let options = Options(settings: settings, directory: directory, timeout: timeout)
        let data = try untouchedData(until: Deadline(in: timeout))
        return try Self.temporary(options, guardian.installation) { directory, deadline throws(LocalServerError) in
            let outcome = try ChildProcess.run(["cp", "-R", "-p", data, directory.data], until: deadline)
            guard outcome.status == 0 else {
                throw LocalServerError(
                    .directoryUnusable, "\(data) could not be copied to \(directory.data):\n\(outcome.output)")
            }
        }
    }

    /// The data of a server that was never started, in this server's directory, with which they go.
    private func untouchedData(until deadline: Deadline) throws(LocalServerError) -> String {
        try untouched.withLock { path throws(LocalServerError) in
            if let path { return path }
            let directory = ServerDirectory(
                root: "\(guardian.directory.root)/untouched", sockets: guardian.directory.sockets)
            try directory.create(for: guardian.account)
            try Guardian(
                directory: directory, installation: guardian.installation, account: guardian.account, isTemporary: true,
                settings: [:]
            ).makeData(until: deadline)
            path = directory.data
            return directory.data
        }
    }

    /// - Parameter fill: puts data into the new directory, where PostgreSQL would make some otherwise.
    private static func temporary(
        _ options: Options, _ installation: PostgresInstallation,
        fill: (ServerDirectory, Deadline) throws(LocalServerError) -> Void
    ) throws(LocalServerError) -> LocalServer {
        let deadline = Deadline(in: options.timeout)
        let account = try ServerAccount.current()
        let directory = try ServerDirectory.temporary(parent: options.directory?.path, account: account)
        let guardian = Guardian(
            directory: directory, installation: installation, account: account, isTemporary: true,
            settings: options.settings)
        do throws(LocalServerError) {
            try fill(directory, deadline)
            let share = try FileLock(opening: directory.usersLock)
            // Nobody else knows the directory yet.
            _ = share.tryLock(.shared)
            let server = LocalServer(guardian: guardian, share: share, timeout: options.timeout)
            try server.ensureRunning(until: deadline)
            return server
        } catch {
            // With no share held, a guardian that was started stops the server and removes the directory.
            if (try? guardian.isAlive()) != true { try? FileManager.default.removeItem(atPath: directory.root) }
            throw error
        }
    }

    /// Starts or joins the durable server of a project, whose data stay in `.strata/` below the given directory.
    ///
    /// The first process starts the server, others join it, and it stops when the last has gone; the data remain.
    /// After a crash the next caller starts it again. A directory that is named `.strata` is taken for that folder
    /// itself. The settings in `options` are those of whoever starts the server.
    public static func shared(
        in directory: URL, options: Options = Options()
    ) throws(LocalServerError) -> LocalServer {
        let deadline = Deadline(in: options.timeout)
        let project = directory.standardizedFileURL.resolvingSymlinksInPath().path
        let (files, account) = try ServerDirectory.shared(project: project)
        try files.create(for: account)
        let installation = try PostgresInstallation.find(
            binaries: options.binaries?.path, majorVersion: files.dataVersion)

        let share = try FileLock(opening: files.usersLock)
        // Refused only while a guardian is stopping the server; it lets go when that is done.
        guard share.lock(.shared, until: deadline) else {
            throw LocalServerError(.timedOut, "the server in \(files.root) is stopping and did not end in time")
        }
        // The guardian that has just gone may have removed the socket's directory.
        try files.create(for: account)
        let guardian = Guardian(
            directory: files, installation: installation, account: account, isTemporary: false,
            settings: options.settings)
        let server = LocalServer(guardian: guardian, share: share, timeout: options.timeout)
        let start = try FileLock(opening: files.startLock)
        guard start.lock(.exclusive, until: deadline) else {
            throw LocalServerError(
                .timedOut, "another process was starting the server in \(files.root) and did not get ready in time")
        }
        defer { start.unlock() }
        try server.ensureRunning(until: deadline)
        return server
    }

    /// The address for libpq of another database on this server.
    public func url(database: String) -> String {
        let host = escape(guardian.directory.sockets, keeping: "/")
        return "postgresql:///\(escape(database))?host=\(host)&user=postgres"
    }

    /// Gives the server back.
    ///
    /// A temporary server is stopped and removed before this returns. A shared one stops by itself, shortly after, if
    /// no other process uses it. Later calls do nothing.
    public func stop() {
        let watch = guardian.isTemporary ? try? FileLock(opening: guardian.directory.guardianLock) : nil
        let wasRunning = share.withLock { share in
            defer { share = nil }
            return share != nil
        }
        guard wasRunning, let watch else { return }
        // The guardian needs at most 20 seconds, even with a server that does not listen to it.
        if watch.lock(.exclusive, until: Deadline(in: .seconds(25))) { watch.unlock() }
    }

    /// Stops PostgreSQL and starts it again, with the same data and address; returns when it accepts connections.
    ///
    /// - Throws: ``LocalServerError`` when the server was given back, does not start, or the time is over.
    public func restart(mode: ShutdownMode = .fast) throws(LocalServerError) {
        guard share.withLock({ $0 != nil }) else {
            throw LocalServerError(.stopped, "the server in \(guardian.directory.root) was already stopped")
        }
        let deadline = Deadline(in: timeout)
        try guardian.restart(mode: mode, until: deadline)
        try waitUntilReady(mayRestart: false, until: deadline)
    }

    /// Makes sure that a guardian lives and PostgreSQL accepts connections.
    private func ensureRunning(until deadline: Deadline) throws(LocalServerError) {
        let wasAlive = try guardian.isAlive()
        if !wasAlive { try guardian.start(until: deadline) }
        // PostgreSQL may have crashed under the eyes of a living guardian.
        try waitUntilReady(mayRestart: wasAlive, until: deadline)
    }

    private func waitUntilReady(mayRestart: Bool, until deadline: Deadline) throws(LocalServerError) {
        var mayRestart = mayRestart
        let server = try FileLock(opening: guardian.directory.serverLock)
        while true {
            let isRunning = server.isHeldElsewhere
            if isRunning, PostmasterFile(in: guardian.directory.data)?.isReady == true { return }
            if !isRunning {
                guard mayRestart else {
                    throw LocalServerError(
                        .startFailed,
                        "PostgreSQL ended while starting in \(guardian.directory.root):\n\(guardian.directory.logTail)"
                    )
                }
                mayRestart = false
                try guardian.restart(mode: .immediate, until: deadline)
            }
            guard deadline.pause() else {
                throw LocalServerError(
                    .timedOut,
                    "PostgreSQL in \(guardian.directory.root) did not get ready:\n\(guardian.directory.logTail)")
            }
        }
    }

    private func escape(_ text: String, keeping kept: String = "") -> String {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + kept
        return text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)) ?? text
    }
}
