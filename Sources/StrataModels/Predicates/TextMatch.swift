// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PersistentModel {
    /// Whether the texts of the object have the words of `text`: for predicates, where PostgreSQL answers (manual, chapter 12).
    ///
    /// ```swift
    /// FetchDescriptor<Trip>(predicate: #Predicate { $0.matches("kyoto garden") })
    /// ```
    ///
    /// What is searched says the class, by `@Attribute(.spotlight)` or `#Index<Trip>(.fullText([\.name, \.notes], language: "english"))`.
    /// The text is read as search engines read it: all words have to be there, in any order; `"words in quotes"` follow each other; `or`
    /// stands between alternatives; `-` before a word that must not be there. Nothing is found by a text without words.
    ///
    /// - Throws: ``SwiftDataError`` with the code `unsupportedFeature`, always, when it is called outside of a predicate: which words are
    ///   the same is known to the server's dictionaries only. Fetch with the predicate.
    public func matches(_ text: String) throws -> Bool { throw PredicateExpressions.wordsAreTheServers }
}

extension PredicateExpressions {
    /// `matches`: whether the texts of an object have the words of a text.
    public struct TextMatch<Base: PredicateExpression, Text: PredicateExpression>: PredicateExpression
    where Base.Output: PersistentModel, Text.Output == String {
        /// What the node evaluates to.
        public typealias Output = Bool

        package let base: Base
        package let text: Text

        package init(base: Base, text: Text) {
            self.base = base
            self.text = text
        }

        /// Throws ``SwiftDataError`` with the code `unsupportedFeature`: only the server knows which words are the same.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { throw wordsAreTheServers }
    }

    /// Builds `base.matches(text)`.
    public static func build_matches<Base, Text>(_ base: Base, _ text: Text) -> TextMatch<Base, Text>
    where Base: PredicateExpression, Base.Output: PersistentModel, Text: PredicateExpression<String> {
        TextMatch(base: base, text: text)
    }

    fileprivate static var wordsAreTheServers: SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "matches(_:) is answered by PostgreSQL's dictionaries and cannot be evaluated in memory. Fetch with a predicate that contains it, "
                + "or use localizedStandardContains, which means the same in memory.")
    }
}

extension PredicateExpressions.TextMatch: Sendable where Base: Sendable, Text: Sendable {}
extension PredicateExpressions.TextMatch: Codable where Base: Codable, Text: Codable {}
extension PredicateExpressions.TextMatch: StandardPredicateExpression
where Base: StandardPredicateExpression, Text: StandardPredicateExpression {}
