package import StrataModels

/// An index that belongs to no constraint.
package struct IndexDefinition: Codable, Hashable, Sendable {
    package var name: String
    /// PostgreSQL's name of the access method: `btree`, `gin`; for full text `fulltext(english)`, a GIN index on what ``FullText`` makes of
    /// the columns; `trigram`, a GIN index on what ``TrigramIndex`` makes of one.
    package var method: String
    /// Column names; an expression as PostgreSQL prints it.
    package var columns: [String]
    package var isUnique: Bool
    /// The condition of a partial index.
    package var predicate: String?

    package init(
        name: String, method: Schema.ModelIndex.Method = .btree, columns: [String], isUnique: Bool = false,
        predicate: String? = nil
    ) {
        self.init(name: name, methodName: method.rawValue, columns: columns, isUnique: isUnique, predicate: predicate)
    }

    package init(name: String, methodName: String, columns: [String], isUnique: Bool = false, predicate: String? = nil)
    {
        self.name = name
        self.method = methodName
        self.columns = columns
        self.isUnique = isUnique
        self.predicate = predicate
    }

    /// Whether parts of a text are searched.
    var isTrigram: Bool { method == Schema.ModelIndex.Method.trigram.rawValue }

    /// How full text is searched; `nil` for all other indexes.
    package var fullText: FullText? {
        Schema.ModelIndex.Method(rawValue: method).flatMap { FullText($0) }
    }
}
