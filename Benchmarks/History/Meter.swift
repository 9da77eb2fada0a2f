import Foundation

/// What one way to read costs: processor time of the server's process and of this one, in milliseconds a call.
final class Meter: CustomStringConvertible {
    private let process: Int32
    private var times: [(server: Double, client: Double)] = []

    init(_ process: Int32) { self.process = process }

    /// Calls `body` as often as it takes to be measured.
    func measure(_ body: () throws -> Void) rethrows {
        let began = ContinuousClock.now
        let (server, client) = (ServerProcess.processorTime(process), Self.ownTime)
        var count = 0.0
        repeat {
            try body()
            count += 1
        } while ContinuousClock.now - began < .milliseconds(50)
        times.append(
            (
                (ServerProcess.processorTime(process) - server) * 1000 / count,
                (Self.ownTime - client) * 1000 / count
            ))
    }

    var server: Double { Self.median(times.map(\.server)) }
    var client: Double { Self.median(times.map(\.client)) }
    var both: Double { server + client }
    var description: String { String(format: "%.2f, %.2f", server, client) }

    /// The most memory this process has used so far, in bytes; zero where the system does not tell.
    static func memory() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1024
    }

    private static var ownTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
