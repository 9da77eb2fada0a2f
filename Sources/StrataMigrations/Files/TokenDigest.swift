import StrataRepository

/// A checksum over what SQL says: white space, comments and the case of words do not count.
struct TokenDigest {
    private var bytes: [UInt8] = []

    /// A text as it is, told apart from its neighbours.
    mutating func add(_ text: String) {
        bytes += "\(text.utf8.count):".utf8
        bytes += text.utf8
    }

    mutating func add(_ texts: [String]) {
        add("\(texts.count)")
        for text in texts { add(text) }
    }

    /// SQL by its tokens; a text that cannot be taken apart counts as it is.
    mutating func add(sql text: String) {
        let tokens = (try? SQLTokenizer.tokens(of: text).filter { $0.kind != .comment }.map(\.canonicalText)) ?? [text]
        add(tokens)
    }

    /// In lower-case hexadecimal digits.
    var hex: String { SHA256.hexadecimal(of: bytes) }
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

extension MigrationFile {
    /// The checksum of a file as it lies in the folder: tokens of its SQL, and the lines that say how it is run.
    ///
    /// Throws like ``SQLTokenizer/tokens(of:file:)``.
    package static func checksum(of text: String, file: String) throws(MigrationError) -> String {
        var digest = TokenDigest()
        let (statements, trailing) = try SQLTokenizer.parts(of: text, file: file)
        for statement in statements {
            try add(statement.comments, file: file, to: &digest)
            digest.add(statement.tokens.map(\.canonicalText))
        }
        try add(trailing, file: file, to: &digest)
        return digest.hex
    }

    private static func add(
        _ comments: [SQLToken], file: String, to digest: inout TokenDigest
    ) throws(MigrationError) {
        for directive in try FileDirective.directives(in: comments, file: file) {
            switch directive.kind {
            case .step(let words): digest.add(["step"] + words)
            case .check(let words): digest.add(["check"] + words)
            case .entry(let key, let text) where key.isMeant:
                digest.add(key.rawValue)
                digest.add(sql: text)
            case .entry, .title: break
            }
        }
    }
}
