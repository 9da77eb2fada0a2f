/// What a statement is, as far as the rules need to know.
indirect enum LintShape: Hashable, Sendable {
    case alterTable(LintName, [TableAction])
    case createTable(LintName, items: [LintWords], isTemporary: Bool, query: LintWords?)
    case createIndex(CreatedIndex)
    case dropIndex([LintName], concurrently: Bool)
    case dropTable([LintName])
    /// The word says what: `view`, `function`, `trigger` …
    case drop(String, LintName?)
    case update(LintName, LintWords)
    case delete(LintName, LintWords)
    case insertSelect(LintName, LintWords)
    case begin
    case commit
    case other

    struct CreatedIndex: Hashable, Sendable {
        var name: String?
        var table: LintName
        var columns: [String]
        /// Those that expressions mention.
        var expressionColumns: [String]
        var columnCount: Int
        var isUnique: Bool
        var isConcurrent: Bool
        var ifNotExists: Bool
    }

    init(_ words: LintWords) {
        var index = 0
        if words.starts("alter", "table") || words.starts("alter", "foreign", "table") {
            self = LintShape.alteredTable(words)
        } else if let table = LintShape.createdTable(words) {
            self = table
        } else if words.starts("create", "index") || words.starts("create", "unique", "index") {
            self = LintShape.createdIndex(words)
        } else if words.starts("drop") {
            self = LintShape.dropped(words)
        } else if words.starts("begin") || words.starts("start", "transaction") {
            self = .begin
        } else if words.starts("commit") || words.starts("end") {
            self = .commit
        } else if let start = words.index(of: "update"), start == 0 || words.starts("with"),
            words[start - 1].map({ !$0.is("for") && !$0.is("do") }) ?? true
        {
            index = start + 1
            _ = words.skip("only", at: &index)
            self = words.name(at: &index).map { .update($0, words.from(index)) } ?? .other
        } else if let start = words.index(of: "delete", "from"), start == 0 || words.starts("with") {
            index = start + 2
            _ = words.skip("only", at: &index)
            self = words.name(at: &index).map { .delete($0, words.from(index)) } ?? .other
        } else if let start = words.index(of: "insert", "into"), start == 0 || words.starts("with"),
            let select = words.index(of: "select", from: start)
        {
            index = start + 2
            self = words.name(at: &index).map { .insertSelect($0, words.from(select)) } ?? .other
        } else {
            self = .other
        }
    }

    private static func alteredTable(_ words: LintWords) -> LintShape {
        var index = words.starts("alter", "foreign") ? 3 : 2
        _ = words.skip("if", "exists", at: &index)
        _ = words.skip("only", at: &index)
        guard let table = words.name(at: &index) else { return .other }
        _ = words.skip("*", at: &index)
        return .alterTable(table, words.from(index).parts.map(TableAction.init))
    }

    private static func createdTable(_ words: LintWords) -> LintShape? {
        guard words.starts("create"), let keyword = words.index(of: "table"), keyword <= 3 else { return nil }
        let before = words.upTo(keyword)
        guard before.words.dropFirst().allSatisfy({ kinds.contains($0.text) }) else { return nil }
        var index = keyword + 1
        _ = words.skip("if", "not", "exists", at: &index)
        guard let table = words.name(at: &index) else { return nil }
        let query = words.index(of: "as", from: index).map { words.from($0 + 1) }
        let items = query == nil ? words.inside(from: index)?.parts ?? [] : []
        return .createTable(
            table, items: items, isTemporary: before.has("temp") || before.has("temporary"), query: query)
    }

    private static let kinds: Set<String> = ["temp", "temporary", "local", "global", "unlogged"]

    private static func createdIndex(_ words: LintWords) -> LintShape {
        let isUnique = words.starts("create", "unique")
        var index = isUnique ? 3 : 2
        let isConcurrent = words.skip("concurrently", at: &index)
        let ifNotExists = words.skip("if", "not", "exists", at: &index)
        let name = words[index].map { $0.is("on") } == true ? nil : words.name(at: &index)
        guard words.skip("on", at: &index) else { return .other }
        _ = words.skip("only", at: &index)
        guard let table = words.name(at: &index) else { return .other }
        let columns = words.inside(from: index) ?? LintWords(words: [])
        return .createIndex(
            CreatedIndex(
                name: name?.text, table: table, columns: columns.names,
                expressionColumns: columns.parts.flatMap(\.expressionColumns), columnCount: columns.parts.count,
                isUnique: isUnique, isConcurrent: isConcurrent, ifNotExists: ifNotExists))
    }

    private static func dropped(_ words: LintWords) -> LintShape {
        var index = 1
        if words.skip("index", at: &index) {
            let concurrently = words.skip("concurrently", at: &index)
            return .dropIndex(names(words, at: &index), concurrently: concurrently)
        }
        if words.skip("table", at: &index) { return .dropTable(names(words, at: &index)) }
        guard let kind = words[1]?.text else { return .other }
        index = words.starts("drop", "materialized") || words.starts("drop", "foreign") ? 3 : 2
        return .drop(kind, names(words, at: &index).first)
    }

    private static func names(_ words: LintWords, at index: inout Int) -> [LintName] {
        _ = words.skip("if", "exists", at: &index)
        return words.from(index).parts.compactMap { part in
            var start = 0
            return part.name(at: &start)
        }
    }
}
