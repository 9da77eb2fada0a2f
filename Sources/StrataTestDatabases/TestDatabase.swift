package import Foundation
package import StrataClient
import Synchronization

/// A fresh database on the tests' server.
///
/// ```swift
/// try await withTestDatabase { database in
///     let connection = try await database.connect()
///     …
/// }
/// ```
package final class TestDatabase: Sendable {
    package let name: String
    package let server: TestServer

    /// How to reach the database, for `PostgresConnection` and `PostgresPool`.
    package var configuration: PostgresConfiguration { server.configuration(database: name) }

    /// The same as a libpq URL, for `ModelConfiguration` and `DATABASE_URL`.
    package var url: String {
        let options = configuration.options.filter { $0.key != "dbname" }.sorted { $0.key < $1.key }
        let query = options.map { "\($0.key)=\(escape($0.value))" }.joined(separator: "&")
        return "postgresql:///\(name)" + (query.isEmpty ? "" : "?\(query)")
    }

    /// The same as a `URL`.
    package var foundationURL: URL? { URL(string: url) }

    /// For statements of the test itself, from one to the next.
    private let kept = Mutex<PostgresConnection?>(nil)

    private init(name: String, server: TestServer) {
        self.name = name
        self.server = server
    }

    /// Creates a database, empty or as a copy of a template.
    ///
    /// `label` and the place of the call go into the name, so that a leftover can be told from others. Whoever creates a
    /// database drops it with ``drop()``; what was not dropped goes when the process ends normally.
    package static func create(
        _ label: String = "", template: TestTemplate? = nil, file: String = #fileID, line: Int = #line
    ) async throws -> TestDatabase {
        let server = try TestServer.shared()
        let isFilledAnew = template != nil && filledAnew
        let source = isFilledAnew ? nil : try await template?.database().name
        let database = TestDatabase(name: uniqueName(file, line, label), server: server)
        undropped.withLock { _ = $0.insert(database.name) }
        // Copying files that are in memory takes half the time of writing their pages to the log. It makes the server write down
        // what it has in memory first, which others who use it would wait for.
        let strategy = server.localServer == nil ? "wal_log" : "file_copy"
        try await server.run(
            #"CREATE DATABASE "\#(database.name)" TEMPLATE "\#(source ?? "template0")" STRATEGY \#(strategy)"#)
        if isFilledAnew { try await template?.fill(database) }
        return database
    }

    /// Opens a connection; the caller closes it.
    package func connect(observer: (any PostgresObserver)? = nil) async throws -> PostgresConnection {
        try await PostgresConnection.connect(configuration, observer: observer)
    }

    /// Drops the database, ending the sessions that are still connected.
    package func drop() async throws {
        takeSession()?.close()
        try await server.run(#"DROP DATABASE IF EXISTS "\#(name)" WITH (FORCE)"#)
        Self.undropped.withLock { _ = $0.remove(name) }
    }

    /// Keeps everybody out, so that the database can be copied (else: SQLSTATE 55006).
    func close() async throws {
        takeSession()?.close()
        try await server.run(#"ALTER DATABASE "\#(name)" WITH ALLOW_CONNECTIONS false"#)
        try await server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    /// The kept session, for one user at a time.
    func takeSession() -> PostgresConnection? {
        kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
    }

    /// Keeps a session for the next statement, unless another is kept already.
    func keep(_ session: PostgresConnection) -> Bool {
        session.isUsable && session.transactionStatus == .idle
            && kept.withLock { kept in
                guard kept == nil else { return false }
                kept = session
                return true
            }
    }

    /// Drops on somebody else's server what tests have left; a private server goes with all it has.
    static func dropAllThatWereLeft(on server: TestServer) {
        guard server.localServer == nil else { return }
        for name in undropped.withLock({ $0 }) {
            // Nobody is left to be told of a failure.
            try? server.runBlocking(#"DROP DATABASE IF EXISTS "\#(name)" WITH (FORCE)"#)
        }
    }

    /// The soak's way to show that a copied database is as good as one that was made anew.
    private static let filledAnew = ProcessInfo.processInfo.environment["STRATA_TEST_FRESH"] != nil
    private static let undropped = Mutex<Set<String>>([])
    private static let counter = Atomic<Int>(0)
    /// Tells the processes apart that use the same server.
    private static let process = String(UInt32.random(in: 0 ... .max), radix: 36)

    /// `strata_test_1x3k9_UndoTests_52_unsaved_17`: a leftover, or a busy session, can be told from others.
    private static func uniqueName(_ file: String, _ line: Int, _ label: String) -> String {
        let number = counter.add(1, ordering: .relaxed).newValue
        let place = file.split(separator: "/").last?.split(separator: ".").first ?? "test"
        // A name has 63 bytes (manual, 4.1.1).
        return "strata_test_\(process)_\(place.prefix(22))_\(line)_\(label.filter(\.isLetter).prefix(10))_\(number)"
    }

    private func escape(_ value: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
        return value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? value
    }
}
