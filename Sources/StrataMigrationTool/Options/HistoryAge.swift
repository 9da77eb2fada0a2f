import ArgumentParser

/// `30d`, `12h`, `2w`: how old history may become.
struct HistoryAge: Hashable, Sendable, ExpressibleByArgument {
    var hours: Int

    init(hours: Int) { self.hours = hours }

    init?(argument: String) {
        guard let match = argument.wholeMatch(of: /(\d{1,6})\s*(h|d|w)/), let number = Int(match.1) else { return nil }
        switch match.2 {
        case "h": hours = number
        case "d": hours = number * 24
        default: hours = number * 168
        }
    }

    var defaultValueDescription: String { hours % 24 == 0 ? "\(hours / 24)d" : "\(hours)h" }
}
