import ArgumentParser
import Foundation
import PlainClient

/// Measures Strata beside a program in C on libpq that does the same, and says whether what was promised holds.
@main
struct StrataBenchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StrataBenchmarks",
        abstract: "Runs workloads through Strata and through C on libpq in turn, on a private server.",
        discussion: """
            W1 to W10 are the workloads, Q1 to Q7 queries and changes without objects, pages and a queue, H1 to H20 hierarchies of so many \
            classes, G1 to G7 what must not grow, C1 to C3 many tasks at once. Documentation/Performance.md says how to read the table.
            """)

    @Option(help: "Only these, for example W1,W4,H20,G,C.", transform: { $0.split(separator: ",").map(String.init) })
    var only: [String] = []

    @Option(help: "Counted runs of each workload, after one to warm up.")
    var repetitions = 9

    @Option(
        help:
            "Objects of W1, W2 and W4 to W8 instead of their own number, --trips at most, for example 1000,10000,100000.",
        transform: numbers)
    var sizes: [Int] = []

    @Option(help: "Trips in the tables.")
    var trips = 100_000

    @Option(help: "Trips in the table of W9, G1 and G2.")
    var million = 1_000_000

    @Option(help: "Classes of the hierarchies: 1, 8 and 20; three are W2.", transform: numbers)
    var classes: [Int] = [1, 8, 20]

    @Option(help: "Connections of Strata's pool. C has one a worker.")
    var connections = 16

    @Option(help: "Seconds of a run with many workers.")
    var seconds = 3.0

    @Option(
        help:
            "MiB of freed memory that the process keeps, both sides alike, as the Dockerfile of `strata new` has it; 0 for none, as glibc does."
    )
    var keptMemory = 64

    @Flag(help: "Record history, with the same triggers for both sides.")
    var history = false

    @Flag(help: "Fail when something that was promised does not hold.")
    var check = false

    @Option(help: "Write all samples to this file.")
    var json: String?

    private static let names =
        (1...10).map { "W\($0)" } + [
            "W10s", "W10t", "W10f", "W10fs", "Q1", "Q2", "Q3", "Q4", "Q5", "Q5d", "Q6", "Q7", "H1", "H8", "H20",
        ] + (1...7).map { "G\($0)" }
        + (1...3).map { "C\($0)" } + (1...4).map { "K\($0)" }

    private static func numbers(_ list: String) throws -> [Int] {
        try list.split(separator: ",").map { text in
            guard let number = Int(text), number > 0 else { throw ValidationError("\(text) is no number of objects.") }
            return number
        }
    }

    func validate() throws {
        for (option, value) in [
            ("repetitions", repetitions), ("trips", trips), ("million", million), ("connections", connections),
        ] where value < 1 {
            throw ValidationError("--\(option) must be 1 or more.")
        }
        guard (0...1024).contains(keptMemory) else { throw ValidationError("--kept-memory must be 0 to 1024.") }
        guard seconds > 0 else { throw ValidationError("--seconds must be more than 0.") }
        if let size = sizes.first(where: { $0 > trips }) {
            throw ValidationError("--sizes \(size) is more than there are trips. Add --trips \(size).")
        }
        if let count = classes.first(where: { ![1, 8, 20].contains($0) }) {
            throw ValidationError(
                "There is no hierarchy of \(count) classes. There are those of 1, 8 and 20; three classes are W2.")
        }
        let unknown = only.filter { name in !Self.names.contains { $0 == name || name.count == 1 && $0.hasPrefix(name) }
        }
        guard unknown.isEmpty else {
            throw ValidationError(
                "There is no \(unknown.joined(separator: ", ")). There are W1 to W10, W10s, W10t, W10f, W10fs, Q1, Q2, Q3, Q4, Q5, Q5d, Q6, Q7, H1, H8, H20, G1 to G7, C1 to C3, K1 to K4."
            )
        }
    }

    func run() throws {
        plain_show_lines_at_once()
        var report = Report(machine: Machine(), history: history, repetitions: repetitions)
        print(report.machine.description)
        if keptMemory > 0 {
            print(
                plain_keep_memory(Int32(keptMemory)) == 1
                    ? "The process keeps \(keptMemory) MiB of freed memory."
                    : "This allocator keeps no freed memory on request.")
        }
        print(Table.heading)
        try Suite(options: self).run { measurement in
            for line in Table.lines(measurement) { print(line) }
            report.measurements.append(measurement)
        }
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(report).write(to: URL(fileURLWithPath: json))
        }
        let missed = report.measurements.filter { !$0.bars.allSatisfy(\.holds) }.map(\.name)
        if !missed.isEmpty { print("Missed: \(missed.joined(separator: ", "))") }
        if report.measurements.isEmpty { print("Nothing of that can be measured with these options.") }
        if check, !missed.isEmpty || report.measurements.isEmpty { throw ExitCode(1) }
    }

    /// Whether something was asked for; `W` stands for all that begin with it.
    func wants(_ name: String) -> Bool {
        only.isEmpty || only.contains { $0 == name || ($0.count == 1 && name.hasPrefix($0)) }
    }
}

/// What `--json` writes.
struct Report: Codable {
    var machine: Machine
    var history: Bool
    var repetitions: Int
    var measurements: [Measurement] = []
}
