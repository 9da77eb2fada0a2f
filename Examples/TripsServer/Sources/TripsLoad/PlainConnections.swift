import Glibc
import LibPQ
import NIOPosix
import Synchronization

/// Connections of libpq for routes without Strata: as many threads that wait for answers as there are connections.
final class PlainConnections: Sendable {
    private let threads: NIOThreadPool
    private let free: Mutex<[PlainConnection]>

    /// Opens all of them, with the statements prepared.
    init(_ url: String, count: Int, statements: [String: String]) throws {
        threads = NIOThreadPool(numberOfThreads: count)
        free = Mutex(try (0..<count).map { _ in try PlainConnection(url, statements) })
        threads.start()
    }

    /// Runs `body` on one of the threads with a connection.
    func use<Result: Sendable>(
        _ body: @escaping @Sendable (PlainConnection) throws -> Result
    ) async throws -> Result {
        try await threads.runIfActive { [self] in
            // One for each thread.
            let connection = free.withLock { $0.removeLast() }
            defer { free.withLock { $0.append(connection) } }
            return try body(connection)
        }
    }

    func close() async throws { try await threads.shutdownGracefully() }
}

/// One connection of libpq.
// Used by one thread at a time: whoever has taken it from `free`.
final class PlainConnection: @unchecked Sendable {
    private let raw: OpaquePointer

    struct Failure: Error {
        let message: String
    }

    init(_ url: String, _ statements: [String: String]) throws {
        guard let raw = PQconnectdb(url) else { throw Failure(message: "libpq has no memory") }
        self.raw = raw
        guard PQstatus(raw) == CONNECTION_OK else { throw failure() }
        for (name, sql) in statements { _ = try rows(PQprepare(raw, name, sql, 0, nil)) }
    }

    deinit { PQfinish(raw) }

    /// The rows of a prepared statement, as text.
    func rows(of statement: String, _ values: [String] = []) throws -> [[String]] {
        let copies = values.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try copies.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
            try rows(PQexecPrepared(raw, statement, Int32(values.count), values.baseAddress, nil, nil, 0))
        }
    }

    private func rows(_ result: OpaquePointer?) throws -> [[String]] {
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else { throw failure() }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }
        }
    }

    private func failure() -> Failure { Failure(message: String(cString: PQerrorMessage(raw))) }
}
