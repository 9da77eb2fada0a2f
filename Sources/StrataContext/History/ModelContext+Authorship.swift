import Foundation
import StrataModels
import StrataRepository

extension ModelContext {
    /// What every transaction of this context tells the server of `store`. The process matters to history alone.
    func authorship(in store: Store) throws -> Authorship {
        var noted: String?
        if !historyContext.isEmpty {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            noted = String(decoding: try encoder.encode(historyContext), as: UTF8.self)
        }
        for text in [author, noted] where text?.utf8.contains(0) == true || text?.contains("\\u0000") == true {
            throw SwiftDataError(
                .invalidValue,
                "The context's author or historyContext holds the character U+0000 (NUL), which PostgreSQL cannot store. "
                    + "Remove it.")
        }
        try Self.requireShort(author, "author", limit: Self.longestAuthor)
        try Self.requireShort(noted, "historyContext", limit: Self.longestContext)
        return Authorship(
            author: author, context: noted, process: store.recordsHistory ? container.processIdentifier : nil)
    }

    /// Both are repeated with every transaction: in what is sent, and in the history.
    private static let longestAuthor = 1024
    private static let longestContext = 16_384

    private static func requireShort(_ text: String?, _ property: String, limit: Int) throws {
        guard let count = text?.utf8.count, count > limit else { return }
        throw SwiftDataError(
            .invalidValue,
            "The context's \(property) takes \(count) bytes; at most \(limit) are noted with a transaction. Note a name or a "
                + "number, and keep the rest in an object of your own.")
    }
}
