/// How text looks on a terminal; plain where there is none.
package struct TextStyle: Sendable {
    package var isColored: Bool
    package var isVerbose: Bool

    package init(isColored: Bool = false, isVerbose: Bool = false) {
        self.isColored = isColored
        self.isVerbose = isVerbose
    }

    package func bold(_ text: String) -> String { escaped(text, "1") }
    package func dim(_ text: String) -> String { escaped(text, "2") }
    package func red(_ text: String) -> String { escaped(text, "1;31") }
    package func green(_ text: String) -> String { escaped(text, "32") }
    package func yellow(_ text: String) -> String { escaped(text, "33") }

    private func escaped(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// Filled with blanks up to a width; never cut.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension Int {
    /// `1 step`, `2,000 steps`.
    func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

    /// `4,999,994`, the same in every locale.
    var grouped: String {
        let digits = String(magnitude)
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in
            String(digits.dropLast(digits.count - end).suffix(3))
        }
        return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }
}
