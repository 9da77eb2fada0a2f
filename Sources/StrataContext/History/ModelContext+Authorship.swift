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
        return Authorship(
            author: author, context: noted, process: store.recordsHistory ? container.processIdentifier : nil)
    }
}
