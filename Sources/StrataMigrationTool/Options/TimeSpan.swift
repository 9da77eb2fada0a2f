import ArgumentParser

/// `200ms`, `2s`, `5min`, `1h`; a plain number is seconds.
package struct TimeSpan: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    package var milliseconds: Int

    package init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    package init?(argument: String) {
        guard let match = argument.wholeMatch(of: /(\d{1,9})\s*(ms|s|min|m|h)?/), let number = Int(match.1) else {
            return nil
        }
        milliseconds =
            switch match.2 {
            case "ms": number
            case "min", "m": number * 60_000
            case "h": number * 3_600_000
            default: number * 1000
            }
    }

    package var duration: Duration { .milliseconds(milliseconds) }

    package var description: String { Self.text(milliseconds: milliseconds) }

    /// Short, for people: `12 ms`, `38.7 s`, `3 min 20 s`.
    package static func text(milliseconds: Int) -> String {
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        if milliseconds < 60_000 { return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s" }
        return "\(milliseconds / 60_000) min \(milliseconds % 60_000 / 1000) s"
    }
}
