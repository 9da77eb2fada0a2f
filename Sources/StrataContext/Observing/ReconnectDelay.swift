/// How long to wait before the next attempt to connect: longer after every failure, never the same for two processes.
struct ReconnectDelay {
    private var failures = 0
    private static let longest = 5.0

    /// Whether the latest attempt has failed.
    var hasFailed: Bool { failures > 0 }

    mutating func reset() { failures = 0 }

    /// - Parameter random: a number from 0 to 1.
    mutating func next(random: Double = .random(in: 0...1)) -> Duration {
        let full = min(Self.longest, 0.05 * Double(1 << min(failures, 10)))
        failures += 1
        return .seconds(full / 2 + full / 2 * random)
    }
}
