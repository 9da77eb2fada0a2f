import Foundation
import Strata

/// How long after its first change a transaction of another process is handed out; the commit is in between.
enum Latency {
    static func measure(_ url: String, seconds: Int) async throws {
        let container = try await Main.container(url)
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        writer.arguments = ["write", url, "\(seconds)"]
        try writer.run()
        let reader = Task {
            var delays: [Double] = []
            do {
                for try await transaction in container.history(origin: .remote) {
                    delays.append(-transaction.timestamp.timeIntervalSinceNow * 1000)
                }
            } catch is CancellationError {}
            return delays.sorted()
        }
        try await Task.sleep(for: .seconds(seconds + 3))
        reader.cancel()
        let delays = try await reader.value
        await container.close()
        guard !delays.isEmpty else { return print("latency: nothing arrived") }
        func quantile(_ part: Double) -> String {
            String(format: "%.1f", delays[Int(Double(delays.count - 1) * part)])
        }
        print(
            "\(delays.count) commits of another process arrived after ms: median \(quantile(0.5)), 99 % \(quantile(0.99)), "
                + "longest \(quantile(1))")
    }
}

/// The other process: a save every 20 ms or so.
enum PacedWriter {
    static func run(_ url: String, seconds: Int) async throws {
        let container = try await Main.container(url)
        let end = ContinuousClock.now + .seconds(seconds)
        while .now < end {
            let context = ModelContext(container)
            context.insert(Note("x"))
            try await context.save()
            try await Task.sleep(for: .milliseconds(Int.random(in: 5...40)))
        }
        await container.close()
    }
}
