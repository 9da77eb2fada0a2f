import StrataMigrations

/// What a comment of a migration file says to us; all other comments are for people.
struct FileDirective {
    enum Kind {
        /// `-- step 4.5 phase=backfill …`: the words behind `step`.
        case step([String])
        /// `-- check M204 …`.
        case check([String])
        /// `-- done: …` with its further lines.
        case entry(Key, String)
        /// The line below a step or check.
        case title(String)
    }

    enum Key: String, CaseIterable {
        case from, to, schema, replaces, down, because, checks, generated, operation, note, done, undo, remedy, title

        /// Whether a change of it is a change of what is run.
        var isMeant: Bool {
            switch self {
            case .operation, .note, .because, .remedy, .title: false
            default: true
            }
        }
    }

    let kind: Kind
    let line: Int

    /// The directives among the comments between two statements.
    static func directives(in comments: [SQLToken], file: String) throws(MigrationError) -> [FileDirective] {
        var directives: [FileDirective] = []
        var index = comments.startIndex
        while index < comments.endIndex {
            let comment = comments[index]
            index += 1
            let text = comment.text
            if text.hasPrefix("-- step ") || text.hasPrefix("-- check ") {
                let words = DirectiveWord.split(text.dropFirst(3), where: { $0 == " " || $0 == "\t" })
                let isStep = words.first == "step"
                let rest = Array(words.dropFirst())
                directives.append(FileDirective(kind: isStep ? .step(rest) : .check(rest), line: comment.line))
                if index < comments.endIndex, comments[index].line == comment.line + 1,
                    comments[index].text.hasPrefix("--   ")
                {
                    let first = comments[index].text.dropFirst(5)
                    index += 1
                    let title = ([first] + further(in: comments, from: &index)).joined(separator: "\n")
                    directives.append(FileDirective(kind: .title(title), line: comment.line + 1))
                }
            } else if let (key, first, isEscaped) = entry(text) {
                let lines = [first] + further(in: comments, from: &index)
                var value = lines.joined(separator: "\n")
                if isEscaped {
                    guard let unescaped = CommentText.unescaped(value) else {
                        throw MigrationError(
                            .usage, "The escapes behind “\(key.rawValue)” cannot be read.",
                            places: ["\(file):\(comment.line)"])
                    }
                    value = unescaped
                }
                directives.append(FileDirective(kind: .entry(key, value), line: comment.line))
            }
        }
        return directives
    }

    private static func entry(_ text: String) -> (Key, Substring, isEscaped: Bool)? {
        guard text.hasPrefix("-- "), let colon = text.firstIndex(of: ":") else { return nil }
        let name = text[text.index(text.startIndex, offsetBy: 3)..<colon]
        let content = CommentText.content(text[text.index(after: colon)...])
        let escaped = " (escaped)"
        if name.hasSuffix(escaped) {
            return Key(rawValue: String(name.dropLast(escaped.count))).map { ($0, content, true) }
        }
        return Key(rawValue: String(name)).map { ($0, content, false) }
    }

    private static func further(in comments: [SQLToken], from index: inout Int) -> [Substring] {
        var lines: [Substring] = []
        while index < comments.endIndex, comments[index].text.hasPrefix(CommentText.continuation),
            comments[index].line == comments[index - 1].line + 1
        {
            lines.append(CommentText.content(comments[index].text.dropFirst(CommentText.continuation.count)))
            index += 1
        }
        return lines
    }
}
