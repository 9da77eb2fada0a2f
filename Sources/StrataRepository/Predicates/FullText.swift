import Foundation
import StrataClient
import StrataModels

/// How the texts of a class are searched for words (PostgreSQL manual, chapter 12).
///
/// The vector is an expression, which an index has too. A column that the server computes would not be there for unsaved changes, which take
/// part in a fetch as rows that no table has.
package struct FullText: Hashable, Sendable {
    /// The server's name of a text search configuration, such as `english`.
    let language: String
    /// A letter from A to D for each text; empty where all count the same.
    var weights = ""

    /// How an index searches; `nil` for one that is not for full text.
    init?(_ method: Schema.ModelIndex.Method) {
        guard case .fullText(let language, let weights) = method else { return nil }
        self.init(language: language, weights: weights)
    }

    init(language: String, weights: String = "") {
        self.language = language
        self.weights = weights
    }

    var method: Schema.ModelIndex.Method { .fullText(language: language, weights: weights) }

    /// The words of some texts. It stands in the index and in the query: one is found for the other only if both are the same.
    func vector(of columns: [SQLFragment]) -> SQLFragment {
        let texts = columns.map { "COALESCE(\($0), '')" as SQLFragment }
        guard !weights.isEmpty else {
            return "to_tsvector(\(configuration), \(texts.joined(separator: " || ' ' || ")))"
        }
        let vectors = zip(texts, weights).map { text, weight in
            "setweight(to_tsvector(\(configuration), \(text)), \(raw: SQLFragment.literal(String(weight))))"
                as SQLFragment
        }
        return vectors.count == 1 ? vectors[0] : "(\(vectors.joined(separator: " || ")))"
    }

    /// The part of a text in which sought words stand.
    func excerpt(of text: SQLFragment, _ excerpt: TextExcerpt) -> SQLFragment {
        "ts_headline(\(configuration), \(text), \(query("\(bind: excerpt.text)")), \(bind: excerpt.options))"
    }

    /// What is sought, as search engines read it (manual, 12.3.2): words, "phrases in quotes", `or`, and `-` before a word that must
    /// not be there.
    func query(_ text: SQLFragment) -> SQLFragment { "websearch_to_tsquery(\(configuration), \(text))" }

    private var configuration: SQLFragment { "\(raw: SQLFragment.literal(language))::regconfig" }

    /// The language and the columns of an index's expression as the server prints it; `nil` for any other expression.
    static func read(printed: String) -> (FullText, columns: [String])? {
        guard let match = printed.firstMatch(of: /to_tsvector\('((?:[^']|'')+)'::regconfig,/) else { return nil }
        let language: String = String(match.1).replacing("''", with: "'")
        let name = /COALESCE\((?:"((?:[^"]|"")+)"|([a-z_][a-z0-9_$]*)), ''::text\)/
        let columns: [String] = printed.matches(of: name).map { column in
            if let quoted = column.1 { return String(quoted).replacing("\"\"", with: "\"") }
            return String(column.2 ?? "")
        }
        let weights = printed.matches(of: /'([A-D])'::"char"/).map { String($0.1) }.joined()
        guard weights.isEmpty || weights.count == columns.count else { return nil }
        let fullText = FullText(language: language, weights: weights)
        let own = fullText.vector(of: columns.map { "\(identifier: $0)" as SQLFragment }).text
        return !columns.isEmpty && bare(own) == bare(printed) ? (fullText, columns) : nil
    }

    /// Without what the server adds or leaves out: quotes, parentheses, types of constants.
    private static func bare(_ sql: String) -> String {
        sql.replacing("::text", with: "").replacing("::\"char\"", with: "").filter { !"()\"".contains($0) }
    }
}

extension ObjectReference {
    /// The words of the object's texts, and how they are searched: those of its class, and of the classes above that have texts too.
    fileprivate func words(in translation: Translation) throws -> (vector: SQLFragment, FullText, requires: Set<Int>) {
        var vectors: [SQLFragment] = []
        var requires = self.requires
        var language: String?
        for owner in entity.chain {
            guard let index = owner.entity.modelIndices.first(where: { $0.method.language != nil }) else { continue }
            let fullText = FullText(
                language: language ?? index.method.language ?? "simple", weights: index.method.weights)
            language = fullText.language
            let columns = try index.names.compactMap { owner.descriptor.property(named: $0) }.map { property in
                let operand = try translation.property(property, of: self)
                guard case .value(let text) = operand else {
                    throw translation.unsupported("the full text of \(path).\(property.name)")
                }
                requires.formUnion(text.requires)
                return text.sql
            }
            vectors.append(fullText.vector(of: columns))
        }
        guard let language else {
            throw translation.unsupported(
                "matches(_:) on \(path), whose class has no text to search,",
                "mark its properties @Attribute(.spotlight), or declare #Index<\(entity.name)>(.fullText([…], language: …))"
            )
        }
        let vector = vectors.count == 1 ? vectors[0] : "(\(vectors.joined(separator: " || ")))"
        return (vector, FullText(language: language), requires)
    }
}

extension Translation {
    /// `object.matches(text)`.
    func match(_ object: ObjectReference, _ text: SQLFragment) throws -> SQLExpression {
        let (vector, fullText, requires) = try object.words(in: self)
        return .condition("\(vector) @@ \(fullText.query(text))", nullness: .never, requires: requires)
    }

    /// How well an object matches a text.
    func rank(_ object: ObjectReference, _ text: String) throws -> SQLExpression {
        let (vector, fullText, requires) = try object.words(in: self)
        return SQLExpression(
            sql: "ts_rank(\(vector), \(fullText.query("\(bind: text)")))::double precision", type: .float8,
            requires: requires, path: "The rank of \(object.path)")
    }
}

extension Translation {
    /// The part of one of an object's texts in which sought words stand.
    func excerpt(_ object: ObjectReference, of text: SQLExpression, _ excerpt: TextExcerpt) throws -> SQLExpression {
        try excerpt.check(text.path)
        let (_, fullText, _) = try object.words(in: self)
        var result = SQLExpression(
            sql: fullText.excerpt(of: text.sql, excerpt), type: .text, nullness: text.nullness, requires: text.requires,
            path: "The excerpt of \(text.path)")
        result.swiftType = String.self
        return result
    }
}

extension PredicateExpressions.TextMatch: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        guard case .object(let object) = try translation.operand(base) else {
            throw translation.unsupported("matches(_:) of a value that is no object")
        }
        translation.trace?.askForWords()
        return .value(try translation.match(object, try translation.value(text).sql))
    }
}
