import Foundation
import PlainClient

/// What a run has made: the number is compared, so that both sides do the same; the rest is let go when the clock has stopped.
struct Outcome {
    var count: Int
    var held: Any?
    /// Nanoseconds of each operation, where a run has many.
    var latencies: [Int64] = []
}

/// What one run took.
struct Sample: Codable {
    /// Seconds on the clock.
    var elapsed: Double
    /// Seconds of processor time of this process, all threads: what a client can be blamed for.
    var processor: Double
    /// Bytes by which this process was larger at its largest than before; only where memory was what was measured, because
    /// looking has a price.
    var growth: Int?
    /// Seconds that letting go of the result took, after the clock had stopped.
    var release: Double
    /// Microseconds that half of the operations, and all but one in a hundred, took at most.
    var median: Double?
    var percentile99: Double?

    /// Runs `body` once. Returns the sample and the count of the outcome.
    ///
    /// - Parameter withMemory: whether free memory is given back to the system first, so that what is used can be seen. The
    ///   run then takes longer.
    static func take(withMemory: Bool = false, _ body: () throws -> Outcome) rethrows -> (Sample, Int) {
        if withMemory {
            plain_trim_memory()
            ProcessMemory.forgetPeak()
        }
        let before = withMemory ? ProcessMemory.current : 0
        let processor = ProcessTime.processor
        let start = ProcessTime.now
        var outcome: Outcome? = try body()
        let elapsed = ProcessTime.now - start
        let used = ProcessTime.processor - processor
        let growth = withMemory ? max(0, ProcessMemory.peak - before) : nil
        let count = outcome?.count ?? 0
        let latencies = outcome?.latencies.sorted() ?? []
        let releasing = ProcessTime.now
        outcome = nil
        var sample = Sample(
            elapsed: elapsed, processor: used, growth: growth, release: ProcessTime.now - releasing)
        if !latencies.isEmpty {
            sample.median = Double(latencies[latencies.count / 2]) / 1000
            sample.percentile99 = Double(latencies[latencies.count * 99 / 100]) / 1000
        }
        return (sample, count)
    }
}

/// Times of this process, in seconds.
enum ProcessTime {
    static var now: Double { seconds(of: CLOCK_MONOTONIC) }
    static var processor: Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The memory of this process, as Linux counts it (proc(5)).
enum ProcessMemory {
    static var current: Int { status("VmRSS:") * 1024 }
    static var peak: Int { status("VmHWM:") * 1024 }
    static var threads: Int { status("Threads:") }

    /// The peak counts from now on.
    static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    private static func status(_ field: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
            let number = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
        else { return 0 }
        return Int(number) ?? 0
    }
}
