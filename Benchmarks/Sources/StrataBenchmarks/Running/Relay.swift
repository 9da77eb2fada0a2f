import Foundation
import PlainClient

/// Stands between a client and the server and counts round trips, the same way for both sides.
final class Relay {
    private let raw: OpaquePointer
    private let directory: URL

    init(to socketDirectory: URL) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "strata-relay-\(getpid())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let name = ".s.PGSQL.5432"
        guard
            let raw = plain_relay_start(
                directory.appending(path: name).path, socketDirectory.appending(path: name).path)
        else { throw BenchmarkFailure.ofPlainClient }
        self.raw = raw
    }

    deinit {
        plain_relay_stop(raw)
        try? FileManager.default.removeItem(at: directory)
    }

    func url(database: String) -> String { "postgresql:///\(database)?host=\(directory.path)&user=postgres" }

    /// How often a client spoke after the server had spoken, while `body` ran.
    func roundTrips(_ body: () throws -> Void) rethrows -> Int {
        plain_relay_reset(raw)
        try body()
        return Int(plain_relay_round_trips(raw))
    }
}
