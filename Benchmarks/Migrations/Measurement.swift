import Foundation

/// What one run of one case took, and how long its neighbours waited.
struct Measurement: Codable {
    struct Step: Codable {
        var title: String
        var phase: String
        var seconds: Double
        var processor: Double
        var readerStall: Double
        var writerStall: Double
    }

    var name: String
    var way: String
    var rows: Int64
    var seconds: Double
    /// Seconds of processor time that the migrating session has used.
    var processor: Double
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
        let stalls = String(format: "reader %.0f ms, writer %.0f ms", readerStall, writerStall)
        let costs = String(format: "%.1f s, processor %.1f s, log %.0f MB", seconds, processor, log)
        Swift.print("\n\(name), \(way): \(costs); longest stalls: \(stalls)")
        for step in steps {
            let numbers = String(
                format: "  %9.3f s  cpu %7.3f s  rd %4.0f ms  wr %4.0f ms  ", step.seconds, step.processor,
                step.readerStall, step.writerStall)
            Swift.print(numbers + (step.phase.isEmpty ? "" : step.phase + ": ") + step.title)
        }
        for retry in retries { Swift.print("  tried again: \(retry)") }
        if !failures.isEmpty { Swift.print("  \(failures.count) statements failed, the first: \(failures[0])") }
    }
}
