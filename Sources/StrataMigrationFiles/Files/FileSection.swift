import StrataMigrations

/// What stands between one `-- step` or `-- check` line and the next.
struct FileSection {
    var isCheck: Bool
    /// Behind `step` or `check`.
    var words: [String]
    var line: Int
    var directives: [FileDirective] = []
    var statements: [TokenizedStatement] = []

    var title: String {
        for directive in directives {
            switch directive.kind {
            case .title(let title), .entry(.title, let title): return title
            default: break
            }
        }
        return ""
    }

    func entries(_ key: FileDirective.Key) -> [String] {
        directives.compactMap { if case .entry(key, let text) = $0.kind { text } else { nil } }
    }

    /// All sections; what stands before the first one, which psql alone needs, is left out.
    static func sections(of text: String, file: String) throws(MigrationError) -> [FileSection] {
        try parts(of: text, file: file).sections
    }

    static func parts(
        of text: String, file: String
    ) throws(MigrationError) -> (header: [FileDirective], sections: [FileSection]) {
        let (statements, trailing) = try SQLTokenizer.parts(of: text, file: file)
        var header: [FileDirective] = []
        var sections: [FileSection] = []
        var current: FileSection?
        func take(_ comments: [SQLToken]) throws(MigrationError) {
            for directive in try FileDirective.directives(in: comments, file: file) {
                switch directive.kind {
                case .step(let words), .check(let words):
                    if let current { sections.append(current) }
                    var isCheck = false
                    if case .check = directive.kind { isCheck = true }
                    current = FileSection(isCheck: isCheck, words: words, line: directive.line)
                case .title, .entry:
                    if current == nil { header.append(directive) }
                    current?.directives.append(directive)
                }
            }
        }
        for statement in statements {
            try take(statement.comments)
            current?.statements.append(statement)
        }
        try take(trailing)
        if let current { sections.append(current) }
        return (header, sections)
    }
}
