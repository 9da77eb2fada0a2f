import Foundation

/// What one run of one case took, and how long its neighbours waited.
struct Measurement: Codable {
    struct Step: Codable {
        var title: String
        var phase: String
        var seconds: Double
        var readerStall: Double
        var writerStall: Double
    }

    var name: String
    var way: String
    var rows: Int64
    var seconds: Double
    /// The longest wait of the reader and the writer, in milliseconds.
    var readerStall: Double
    var writerStall: Double
    var reads: Int
    var writes: Int
    var failures: [String]
    var retries: [String]
    /// Written to the write-ahead log, in MB.
    var log: Double
    var steps: [Step]

    func print() {
        Swift.print(
            String(
                format: "\n%@, %@: %.1f s, longest stall of the reader %.0f ms, of the writer %.0f ms, log %.0f MB",
                name,
                way, seconds, readerStall, writerStall, log))
        for step in steps {
            Swift.print(
                String(
                    format: "  %9.3f s  rd %4.0f ms  wr %4.0f ms  %@%@", step.seconds, step.readerStall,
                    step.writerStall,
                    step.phase.isEmpty ? "" : step.phase + ": ", step.title))
        }
        for retry in retries { Swift.print("  tried again: \(retry)") }
        if !failures.isEmpty { Swift.print("  \(failures.count) statements failed, the first: \(failures[0])") }
    }
}
