/// Whether a semicolon would end the statement, told as psql tells it: parentheses, and the `BEGIN ATOMIC … END` of a
/// function's or procedure's body.
struct StatementNesting {
    private var parentheses = 0
    private var blocks = 0
    private var firstWords: [String] = []

    var isOutside: Bool { parentheses == 0 && blocks == 0 }

    mutating func take(_ token: SQLToken) {
        switch token.text {
        case "(": parentheses += 1
        case ")": parentheses = max(0, parentheses - 1)
        default: break
        }
        guard token.isWord else { return }
        let word = token.text.lowercased()
        if firstWords.count < 4 { firstWords.append(word) }
        guard parentheses == 0, createsRoutine else { return }
        switch word {
        case "begin": blocks += 1
        case "case" where blocks > 0: blocks += 1
        case "end" where blocks > 0: blocks -= 1
        default: break
        }
    }

    private var createsRoutine: Bool {
        guard firstWords.first == "create" else { return false }
        let kind = firstWords.dropFirst().first { $0 != "or" && $0 != "replace" }
        return kind == "function" || kind == "procedure"
    }
}
