public import Strata

/// Something written down, to be found by its words.
@Model public final class Note {
    #Index<Note>(.fullText([\.title, \.body], weights: [.a, .d], language: "english"))

    /// What it is about.
    public var title: String
    /// All of it.
    public var body: String?

    /// A note.
    public init(_ title: String, _ body: String? = nil) {
        self.title = title
        self.body = body
    }
}

extension Note {
    /// The notes that have all these words, the best first.
    public static func search(_ words: String, in context: ModelContext) async throws -> [Note] {
        var descriptor = FetchDescriptor<Note>(predicate: #Predicate { $0.matches(words) })
        descriptor.orderBy = [.reverse(.rank(words))]
        descriptor.fetchLimit = 20
        return try await context.fetch(descriptor)
    }
}
