/// Takes SQL apart as PostgreSQL's own scanner does (`scan.l`, `psqlscan.l`), with standard conforming strings.
package struct SQLTokenizer {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1

    private init(_ text: String, file: String) {
        bytes = Array(text.utf8)
        self.file = file
    }

    /// All tokens, comments among them.
    ///
    /// Throws ``MigrationError`` with the code `usage` and `file` with a line for a string, name or comment that does
    /// not end, and for a command of psql's. One pass over the text.
    package static func tokens(of text: String, file: String = "SQL") throws(MigrationError) -> [SQLToken] {
        var tokenizer = SQLTokenizer(text, file: file)
        var tokens: [SQLToken] = []
        while let (token, _) = try tokenizer.next() { tokens.append(token) }
        return tokens
    }

    /// The statements between semicolons; empty ones are left out. Semicolons in parentheses and in `BEGIN ATOMIC`
    /// bodies do not count.
    ///
    /// Throws like ``tokens(of:file:)``, at the same cost.
    package static func statements(of text: String, file: String = "SQL") throws(MigrationError) -> [TokenizedStatement]
    {
        try parts(of: text, file: file).statements
    }

    /// The statements, and the comments after the last one.
    package static func parts(
        of text: String, file: String = "SQL"
    ) throws(MigrationError) -> (statements: [TokenizedStatement], trailing: [SQLToken]) {
        var tokenizer = SQLTokenizer(text, file: file)
        var statements: [TokenizedStatement] = []
        var comments: [SQLToken] = []
        var current: (tokens: [SQLToken], range: Range<Int>)?
        var nesting = StatementNesting()

        func finish() {
            guard let (tokens, range) = current else { return }
            statements.append(
                TokenizedStatement(
                    text: String(decoding: tokenizer.bytes[range], as: UTF8.self), line: tokens.first?.line ?? 1,
                    tokens: tokens, comments: comments))
            comments = []
            current = nil
            nesting = StatementNesting()
        }

        while let (token, range) = try tokenizer.next() {
            if token.kind == .comment {
                if current == nil { comments.append(token) }
            } else if token.text == ";", nesting.isOutside {
                finish()
            } else {
                nesting.take(token)
                var tokens = current?.tokens ?? []
                let start = current?.range.lowerBound ?? range.lowerBound
                // The array moves out and back in: appending stays linear.
                current = nil
                tokens.append(token)
                current = (tokens, start..<range.upperBound)
            }
        }
        finish()
        return (statements, comments)
    }

    /// The text with something else in the place of some tokens. What stands between tokens stays, comments too.
    ///
    /// - Parameter replacement: is given the tokens without comments, and the index of one; `nil` keeps it.
    package static func replacing(
        in text: String, _ replacement: (_ tokens: [SQLToken], _ index: Int) throws(MigrationError) -> String?
    ) throws(MigrationError) -> String {
        var tokenizer = SQLTokenizer(text, file: "SQL")
        var tokens: [SQLToken] = []
        var ranges: [Range<Int>] = []
        while let (token, range) = try tokenizer.next() {
            guard token.kind != .comment else { continue }
            tokens.append(token)
            ranges.append(range)
        }
        var (result, end) = ([] as [UInt8], 0)
        for index in tokens.indices {
            guard let replacement = try replacement(tokens, index) else { continue }
            result += tokenizer.bytes[end..<ranges[index].lowerBound] + Array(replacement.utf8)
            end = ranges[index].upperBound
        }
        return end == 0 ? text : String(decoding: result + tokenizer.bytes[end...], as: UTF8.self)
    }

    /// The text on one line: between two tokens there is one blank, or nothing where there was nothing. Strings stay as they are, and so
    /// does a text that cannot be taken apart. For people.
    package static func onOneLine(_ text: String) -> String {
        var tokenizer = SQLTokenizer(text, file: "SQL")
        var (line, end) = ("", 0)
        do {
            while let (token, range) = try tokenizer.next() {
                line += (range.lowerBound > end && !line.isEmpty ? " " : "") + token.text
                end = range.upperBound
            }
        } catch { return text }
        return line
    }

    // MARK: - One token

    private mutating func next() throws(MigrationError) -> (SQLToken, Range<Int>)? {
        while let byte = peek(), Self.isSpace(byte) { advance() }
        guard let byte = peek() else { return nil }
        let (start, startLine) = (position, line)
        let kind = try kind(from: byte)
        let range = start..<position
        let text = String(decoding: bytes[range], as: UTF8.self)
        let isKeyword = kind == .identifier && SQLKeywords.all.contains(text.lowercased())
        return (SQLToken(kind: isKeyword ? .keyword : kind, text: text, line: startLine), range)
    }

    /// Moves behind the token that begins with `byte`.
    private mutating func kind(from byte: UInt8) throws(MigrationError) -> SQLToken.Kind {
        switch byte {
        case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"):
            while let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { advance() }
            return .comment
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
            try blockComment()
            return .comment
        case UInt8(ascii: "'"):
            try quoted("string")
            return .string
        case UInt8(ascii: "\""):
            try quoted("quoted name")
            return .quotedIdentifier
        case UInt8(ascii: "$"):
            return try dollar()
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            number()
            return .number
        case UInt8(ascii: ".") where peek(1).map(Self.isDigit) == true:
            number()
            return .number
        case UInt8(ascii: ":"):
            advance()
            if peek() == UInt8(ascii: ":") || peek() == UInt8(ascii: "=") { advance() }
            return .punctuation
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "."):
            advance()
            return .punctuation
        case _ where Self.isWordStart(byte):
            return try word()
        case UInt8(ascii: "\\"):
            throw error("a command of psql's: only SQL can be run here", line)
        default:
            operators()
            return .operator
        }
    }

    private mutating func word() throws(MigrationError) -> SQLToken.Kind {
        let first = bytes[position]
        // A letter directly before a quote says what kind of string it is.
        if peek(1) == UInt8(ascii: "'") {
            switch first {
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                advance()
                try quoted("string", escapes: true)
                return .string
            case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "n"),
                UInt8(ascii: "N"):
                advance()
                try quoted("string")
                return .string
            default: break
            }
        }
        if first == UInt8(ascii: "u") || first == UInt8(ascii: "U"), peek(1) == UInt8(ascii: "&"),
            let quote = peek(2), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
        {
            advance(2)
            try quoted(quote == UInt8(ascii: "'") ? "string" : "quoted name")
            return quote == UInt8(ascii: "'") ? .string : .quotedIdentifier
        }
        while let byte = peek(), Self.isWordPart(byte) { advance() }
        return .identifier
    }

    /// From an opening quote behind the closing one; a doubled quote does not close.
    private mutating func quoted(_ what: String, escapes: Bool = false) throws(MigrationError) {
        let quote = bytes[position]
        let start = line
        advance()
        while let byte = peek() {
            if byte == quote {
                advance()
                if peek() == quote {
                    advance()
                } else if escapes, let continuation = continuation() {
                    // Segments on the next lines are read as the first one is.
                    advance(continuation - position + 1)
                } else {
                    return
                }
            } else if escapes, byte == UInt8(ascii: "\\"), peek(1) != nil {
                advance(2)
            } else {
                advance()
            }
        }
        throw error("the \(what) that begins here does not end", start)
    }

    /// The position of a quote that goes on with the string just closed: behind white space with a line end.
    private func continuation() -> Int? {
        var index = position
        var sawNewline = false
        while index < bytes.count, Self.isSpace(bytes[index]) {
            sawNewline = sawNewline || bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r")
            index += 1
        }
        return sawNewline && index < bytes.count && bytes[index] == UInt8(ascii: "'") ? index : nil
    }

    /// `$1`, `$$ … $$`, `$tag$ … $tag$`, or a lone `$`.
    private mutating func dollar() throws(MigrationError) -> SQLToken.Kind {
        if let digit = peek(1), Self.isDigit(digit) {
            advance()
            while let byte = peek(), Self.isDigit(byte) { advance() }
            return .parameter
        }
        var end = position + 1
        while end < bytes.count, Self.isWordPart(bytes[end]), bytes[end] != UInt8(ascii: "$") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else {
            advance()
            return .operator
        }
        let tag = Array(bytes[position...end])
        let start = line
        advance(tag.count)
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "$"), bytes[position...].starts(with: tag) {
                advance(tag.count)
                return .string
            }
            advance()
        }
        throw error("the string \(String(decoding: tag, as: UTF8.self)) that begins here does not end", start)
    }

    /// Nested, as PostgreSQL's are.
    private mutating func blockComment() throws(MigrationError) {
        let start = line
        var depth = 0
        repeat {
            guard let byte = peek() else { throw error("the comment that begins here does not end", start) }
            if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                advance(2)
            } else if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0
    }

    private mutating func number() {
        var sawPoint = false
        while let byte = peek() {
            if byte == UInt8(ascii: "."), !sawPoint, peek(1) != UInt8(ascii: ".") {
                sawPoint = true
                advance()
            } else if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E"),
                let sign = peek(1), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
                peek(2).map(Self.isDigit) == true
            {
                advance(2)
            } else if Self.isDigit(byte) || (Self.isWordPart(byte) && byte != UInt8(ascii: "$")) {
                // Exponents, hexadecimal digits and underscores; junk behind a number is the server's to refuse.
                advance()
            } else {
                return
            }
        }
    }

    /// As many as PostgreSQL takes for one operator: a comment ends it.
    private mutating func operators() {
        let isOperator = Self.isOperator(bytes[position])
        advance()
        while isOperator, let byte = peek(), Self.isOperator(byte) {
            if byte == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "-") { return }
            if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") { return }
            advance()
        }
    }

    // MARK: - Bytes

    private func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func advance(_ count: Int) {
        for _ in 0..<count { advance() }
    }

    private mutating func advance() {
        guard position < bytes.count else { return }
        if bytes[position] == 0x0A { line += 1 }
        position += 1
    }

    private func error(_ message: String, _ line: Int) -> MigrationError {
        MigrationError(.usage, "SQL cannot be read: \(message).", places: ["\(file):\(line)"])
    }

    // Asked for each byte of every statement of a stage: with numbers, since a debug build calls functions for ranges and letters.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    private static func isWordStart(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= 0x61 && lower <= 0x7A || byte == 0x5F || byte >= 0x80
    }
    private static func isWordPart(_ byte: UInt8) -> Bool { isWordStart(byte) || isDigit(byte) || byte == 0x24 }
    private static func isOperator(_ byte: UInt8) -> Bool { "+-*/<>=~!@#%^&|`?".utf8.contains(byte) }
}
