import ArgumentParser

/// `500MB`, `2GB`.
struct ByteCount: Hashable, Sendable, ExpressibleByArgument {
    var bytes: Int64

    init(bytes: Int64) { self.bytes = bytes }

    init?(argument: String) {
        guard let match = argument.wholeMatch(of: /(\d{1,6})\s*(MB|GB|TB)/.ignoresCase()), let number = Int64(match.1)
        else { return nil }
        switch match.2.uppercased() {
        case "MB": bytes = number << 20
        case "GB": bytes = number << 30
        default: bytes = number << 40
        }
    }

    /// `183.4 MB`
    static func text(_ bytes: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        let tenths = Int((value * 10).rounded())
        return (unit == 0 ? "\(bytes)" : "\(tenths / 10).\(tenths % 10)") + " " + units[unit]
    }
}
