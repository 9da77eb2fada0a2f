import ArgumentParser
import Foundation
import StrataClient
import StrataLocalServer

/// What recording costs the writers: no triggers, the triggers of the recommended design written by hand, and Strata's,
/// in turn on one server.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Measures inserts, updates and deletions with and without history, in bulk and row by row.")

    @Option(help: "Rows of a statement in bulk.") var rows = 100_000
    @Option(help: "Transactions of one row in a round.") var transactions = 500
    @Option(help: "Rounds; the best of each counts.") var rounds = 5
    @Option(help: "Which ways, separated by commas: none, by-hand, strata.") var ways = "none,by-hand,strata"

    func run() throws {
        let settings = [
            "fsync": "on", "full_page_writes": "on", "max_wal_size": "8GB", "shared_buffers": "1GB",
            "autovacuum": "off",
        ]
        let server = try LocalServer.temporary(options: .init(settings: settings))
        defer { server.stop() }
        let chosen = ways.split(separator: ",").compactMap { Recording(rawValue: String($0)) }
        let writers = try chosen.map { try Writer($0, on: server) }
        for _ in 0..<rounds {
            // In turn, so that what else the machine does meets all of them.
            for writer in writers { try writer.measureBulk(rows) }
            for writer in writers { try writer.measureSingle(transactions) }
        }
        print(Self.line("processor µs a row", chosen.map { $0.rawValue }))
        for operation in Writer.operations {
            print(
                Self.line(
                    operation,
                    writers.map { String(format: "%.2f (%.2f)", $0.best[operation] ?? 0, $0.clock[operation] ?? 0) }))
        }
        print("In brackets: microseconds on the clock.")
        for writer in writers where writer.recording != .none {
            print("\(writer.recording.rawValue): \(try writer.bytesOfAChange()) bytes a change with its index")
        }
        for writer in writers { writer.close() }
    }

    private static func line(_ first: String, _ cells: [String]) -> String {
        ([first] + cells).map { $0.padding(toLength: 22, withPad: " ", startingAt: 0) }.joined()
    }
}
