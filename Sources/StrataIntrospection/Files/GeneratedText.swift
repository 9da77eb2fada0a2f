import Foundation

/// The text of a generated file with what it was made as.
enum GeneratedText {
    private static let beginning = "// Made as "

    /// The text with its digest in the second line.
    static func sealed(_ text: String) -> String {
        guard let end = text.firstIndex(of: "\n") else { return text }
        return text[...end] + beginning + digest(text) + "\n" + text[text.index(after: end)...]
    }

    /// Whether a file says that it was made as another text. One without a digest says nothing.
    static func isEdited(_ file: Data) -> Bool {
        // Git may have changed the ends of lines, and CR with LF is one character.
        let text = String(decoding: file.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1, lines[1].hasPrefix(beginning) else { return false }
        let said = lines.remove(at: 1).dropFirst(beginning.count)
        return said != digest(lines.joined(separator: "\n"))
    }

    /// FNV-1a, of 64 bits: nobody makes two texts on purpose that have the same.
    private static func digest(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325) { (hash: UInt64, byte) in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }
}
