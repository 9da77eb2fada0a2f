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

extension StageScript {
    /// What is checked and run, in which order and between which versions; lower-case hexadecimal.
    package var checksum: String {
        var digest = TokenDigest()
        digest.add([stem, Self.text(from), Self.text(to), schemaName])
        Self.add(checks, to: &digest)
        digest.add(steps.map(\.checksum))
        if case .steps(let steps, let checks) = down {
            digest.add("down")
            Self.add(checks, to: &digest)
            digest.add(steps.map(\.checksum))
        }
        return digest.hex
    }

    private static func text(_ version: Version?) -> String {
        version.map { "\($0.version) \($0.fingerprint)" } ?? "nothing"
    }

    private static func add(_ checks: [DataCheck], to digest: inout TokenDigest) {
        digest.add("\(checks.count)")
        for check in checks {
            digest.add(check.code)
            digest.add(sql: check.query)
        }
    }
}
