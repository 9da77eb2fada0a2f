/// JSON as people write it: on one line where it fits, else in lines that are filled up, deeper where several parts are.
indirect enum JSONText {
    case plain(String)
    case member(String, JSONText)
    /// An object.
    case members([JSONText])

    private static let width = 100

    var text: String { lines.joined(separator: "\n") }

    /// On one line, whatever its length.
    private var line: String {
        switch self {
        case .plain(let text): text
        case .member(let name, let value): HistoryDescription.text(name) + ": " + value.line
        case .members(let parts): "{" + parts.map(\.line).joined(separator: ", ") + "}"
        }
    }

    private var lines: [String] {
        let line = line
        if line.count <= Self.width { return [line] }
        switch self {
        case .plain(let text): return [text]
        case .member(let name, let value):
            var lines = value.lines
            lines[0] = HistoryDescription.text(name) + ": " + lines[0]
            return lines
        case .members(let parts) where parts.count == 1:
            // What leads to a single part stands before it.
            var lines = parts[0].lines
            lines[0] = "{" + lines[0]
            lines[lines.count - 1] += "}"
            return lines
        case .members(let parts):
            var lines = ["{"]
            // Whether the last line may take more.
            var isOpen = false
            for (index, part) in parts.enumerated() {
                let comma = index == parts.count - 1 ? "" : ","
                var own = part.lines
                own[own.count - 1] += comma
                let fits = own.count == 1 && lines[lines.count - 1].count + own[0].count < Self.width
                if isOpen, fits {
                    lines[lines.count - 1] += " " + own[0]
                } else {
                    lines += own.map { "  " + $0 }
                }
                isOpen = own.count == 1
            }
            lines[lines.count - 1] += "}"
            return lines
        }
    }
}
