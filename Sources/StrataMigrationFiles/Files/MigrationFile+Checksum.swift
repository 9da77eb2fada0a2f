package import StrataMigrations

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
