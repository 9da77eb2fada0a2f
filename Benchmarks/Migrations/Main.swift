import ArgumentParser
import Foundation
import StrataClient
import StrataLocalServer
import StrataMigrations

/// Migrates a big table under a reader and a writer, through Strata and by hand in turn, on a server of its own, and
/// prints what each step took and how long the two waited.
@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StrataMigrationBenchmarks",
        abstract: "Measures stages on a big table, and the same work written by hand, beside a reader and a writer.")

    /// Files of the log, of 16 MB each, that are there before the first case: as many as `max_wal_size` allows.
    private static let logFiles = 512

    @Option(help: "Rows of the table.") var rows: Int64 = 5_000_000
    @Option(help: "Percent of the rows that are of the subclass.") var share = 100
    @Option(help: "Which cases, separated by commas.") var cases = MeasuredCase.all.map(\.name).joined(separator: ",")
    @Option(help: "Which ways, separated by commas: planned, by-hand.") var ways = "by-hand,planned"
    @Option(help: "The server's shared_buffers; a quarter of the memory when left out.") var sharedBuffers: String?
    @Option(help: "Where the server keeps its data.") var directory: String?
    @Option(help: "A file for the results as JSON.") var json: String?

    func run() throws {
        let names = cases.split(separator: ",").map(String.init)
        let chosen = MeasuredCase.all.filter { names.contains($0.name) }
        guard chosen.count == names.count else {
            throw ValidationError("The cases are \(MeasuredCase.all.map(\.name).joined(separator: ", ")).")
        }
        let quarter = ProcessInfo.processInfo.physicalMemory / 4 / 1_048_576
        let settings = [
            "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "max_wal_size": "8GB",
            "min_wal_size": "8GB", "shared_buffers": sharedBuffers ?? "\(quarter)MB",
        ]
        let server = try LocalServer.temporary(
            options: .init(settings: settings, directory: directory.map { URL(fileURLWithPath: $0) }))
        defer { server.stop() }
        try fillLog(of: server)
        var measurements: [Measurement] = []
        for measured in chosen { measurements += try measure(measured, on: server) }
        summarise(measurements)
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(measurements).write(to: URL(fileURLWithPath: json))
        }
    }

    /// Gives the server files of its log to use again, as a server that has been at work has them.
    ///
    /// A new server makes each file when it is needed, 16 MB of zeros and a wait for the disk, and whoever commits then waits with it.
    private func fillLog(of server: LocalServer) throws {
        let admin = try Session(try PostgresConfiguration(url: server.url))
        defer { admin.close() }
        for _ in 0..<Self.logFiles {
            // An empty file is not switched.
            try admin.execute("SELECT pg_logical_emit_message(true, 'fill', '')")
            try admin.execute("SELECT pg_switch_wal()")
        }
        try admin.execute("CHECKPOINT")
    }

    private func measure(_ measured: MeasuredCase, on server: LocalServer) throws -> [Measurement] {
        let workload = Workload(rows: rows, share: share)
        let admin = try Session(try PostgresConfiguration(url: server.url))
        defer { admin.close() }
        try admin.execute("CREATE DATABASE seeded")
        let seeded = try PostgresConfiguration(url: server.url(database: "seeded"))
        try MigrationRunner(configuration: seeded, schemaName: "public").apply([try measured.scripts()[0]])
        let session = try Session(seeded)
        for statement in measured.seed(workload) { try session.execute(statement) }
        try session.execute("VACUUM (FREEZE, ANALYZE)")
        session.close()
        var measurements: [Measurement] = []
        for way in ways.split(separator: ",") {
            // A copy of files: all ways begin with the very same pages.
            try admin.execute("CREATE DATABASE measured TEMPLATE seeded STRATEGY file_copy")
            let run = MeasuredRun(
                measured: measured, workload: workload,
                configuration: try PostgresConfiguration(url: server.url(database: "measured")))
            let measurement = way == "planned" ? try run.planned() : try run.handWritten()
            measurement.print()
            measurements.append(measurement)
            try admin.execute("DROP DATABASE measured WITH (FORCE)")
        }
        try admin.execute("DROP DATABASE seeded WITH (FORCE)")
        return measurements
    }

    private func summarise(_ measurements: [Measurement]) {
        print("")
        for measured in MeasuredCase.all {
            let ours = measurements.first { $0.name == measured.name && $0.way == "planned" }
            let theirs = measurements.first { $0.name == measured.name && $0.way == "by hand" }
            guard let ours else { continue }
            var line = String(
                format: "%@: %.1f s, stalls %.0f and %.0f ms", measured.name, ours.seconds, ours.readerStall,
                ours.writerStall)
            if let theirs {
                line += String(
                    format: ", %.2f times by hand (processor %.2f, log %.2f)", ours.seconds / theirs.seconds,
                    ours.processor / theirs.processor, ours.log / theirs.log)
            }
            if rows == 5_000_000, let reference = measured.reference {
                line += String(format: ", %.2f times %.1f s", ours.seconds / reference, reference)
            }
            print(line)
        }
    }
}
