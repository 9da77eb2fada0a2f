import Strata

/// A vector of three numbers, of the extension pgvector.
struct Embedding: PostgresTextCodable, Hashable, Codable {
    var values: [Float]

    static let postgresTypeName = "vector(3)"
    static let postgresExtension: String? = "vector"
    var postgresText: String { "[" + values.map { "\($0)" }.joined(separator: ",") + "]" }

    init(_ values: [Float]) { self.values = values }

    init?(postgresText text: String) {
        let parts = text.dropFirst().dropLast().split(separator: ",")
        values = parts.compactMap { Float($0) }
        if values.count != parts.count { return nil }
    }
}

extension DistanceOperator where Value == Embedding {
    static var cosine: Self { Self("<=>") }
}

@Model
final class Document {
    #Index<Document>(.hnsw([\.embedding], operatorClass: "vector_cosine_ops"))

    var title: String
    var embedding: Embedding

    init(title: String, embedding: Embedding) {
        self.title = title
        self.embedding = embedding
    }
}

/// The documents that are nearest to what somebody asks.
func nearest(to question: Embedding, in context: ModelContext) async throws -> [Document] {
    var descriptor = FetchDescriptor<Document>()
    descriptor.orderBy = [.forward(.distance(\.embedding, to: question, by: .cosine))]
    descriptor.fetchLimit = 10
    return try await context.fetch(descriptor)
}
