public import Foundation

extension Schema {
    /// Writes the schema to a file, as JSON, in place of what was there.
    ///
    /// ```swift
    /// try container.schema.save(to: URL(filePath: "schema.json"))
    /// let before = try Schema.load(from: URL(filePath: "schema.json"))
    /// print(before == container.schema)
    /// ```
    /// The same schema is the same bytes.
    /// - Throws: what Foundation throws when the file cannot be written.
    public func save(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: url, options: .atomic)
    }

    /// Reads a schema that ``save(to:)`` wrote: one that no classes stand behind.
    ///
    /// It can be looked at and compared with one of classes. To open a container with it is an error.
    /// - Throws: what Foundation throws when the file cannot be read; `DecodingError` when it is no schema, or in the form
    ///   of a newer release.
    public static func load(from url: URL) throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
    }
}
