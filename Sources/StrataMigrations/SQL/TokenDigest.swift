import StrataRepository

/// A checksum over what SQL says: white space, comments and the case of words do not count.
package struct TokenDigest {
    private var bytes: [UInt8] = []

    package init() {}

    /// A text as it is, told apart from its neighbours.
    package mutating func add(_ text: String) {
        bytes += "\(text.utf8.count):".utf8
        bytes += text.utf8
    }

    package mutating func add(_ texts: [String]) {
        add("\(texts.count)")
        for text in texts { add(text) }
    }

    /// SQL by its tokens; a text that cannot be taken apart counts as it is.
    package mutating func add(sql text: String) {
        let tokens = (try? SQLTokenizer.tokens(of: text).filter { $0.kind != .comment }.map(\.canonicalText)) ?? [text]
        add(tokens)
    }

    /// In lower-case hexadecimal digits.
    package var hex: String { SHA256.hexadecimal(of: bytes) }
}
