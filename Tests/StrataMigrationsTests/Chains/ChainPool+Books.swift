import StrataMigrations
import StrataModels

extension ChainPool {
    private typealias Models = ChainBookModels

    /// Books whose attributes and links change their type, name and kind.
    static let books = ChainPool(
        shapes: [
            "plain": [Models.Plain.Author.self, Models.Plain.Book.self],
            "texts": [Models.Texts.Author.self, Models.Texts.Book.self],
            "unique": [Models.Unique.Author.self, Models.Unique.Book.self],
            "renamed": [Models.Renamed.Author.self, Models.Renamed.Book.self],
            "pairs": [Models.Pairs.Author.self, Models.Pairs.Book.self],
            "required": [Models.Required.Author.self, Models.Required.Book.self],
            "hidden": [Models.Hidden.Author.self, Models.Hidden.Book.self],
        ],
        edges: [
            Edge(from: "plain", to: "texts", changes: [], apply: { _ in }),
            Edge(from: "texts", to: "plain", changes: [], apply: { _ in }),
            Edge(
                from: "plain", to: "unique", changes: [],
                apply: { $0.change("Book") { $0.values["language"] = "en" } }),
            Edge(
                from: "unique", to: "plain", changes: [.dropped(\Models.Unique.Book.language)],
                apply: { $0.change("Book") { $0.values["language"] = nil } }),
            Edge(
                from: "plain", to: "renamed", changes: [],
                apply: {
                    $0.rename("Book", "title", "heading")
                    $0.rename("Book", "author", "writer")
                }),
            Edge(
                from: "renamed", to: "plain",
                changes: [
                    .renamed(\Models.Renamed.Book.heading, to: \Models.Plain.Book.title),
                    .renamed(\Models.Renamed.Book.writer, to: \Models.Plain.Book.author),
                ],
                apply: {
                    $0.rename("Book", "heading", "title")
                    $0.rename("Book", "writer", "author")
                }),
            Edge(from: "plain", to: "pairs", changes: [], apply: gatherBooks),
            Edge(
                from: "pairs", to: "plain",
                changes: [.renamed(\Models.Pairs.Book.authors, to: \Models.Plain.Book.author)],
                apply: scatterBooks),
            Edge(
                from: "plain", to: "required", changes: [.filled(\Models.Required.Book.author, with: "5")],
                apply: { $0.change("Book") { $0.values["author"] = $0.values["author"] ?? "5" } }),
            Edge(from: "required", to: "plain", changes: [], apply: { _ in }),
            Edge(
                from: "plain", to: "hidden", changes: [], apply: gatherBooks),
            Edge(
                from: "hidden", to: "plain", changes: [.filled(\Models.Plain.Book.pages, with: "0")],
                apply: scatterBooks),
        ], start: "plain",
        seed: { generator in
            let authors = (1...4).map { StoredObject("Author", Int64($0 * 5), ["name": "author \($0)"]) }
            let books = (1...14).map { number -> StoredObject in
                let author = Bool.random(using: &generator) ? authors.randomElement(using: &generator) : nil
                return StoredObject(
                    "Book", Int64(number * 4),
                    ["title": "book \(number)", "pages": "\(Int.random(in: 0...2_000_000_000, using: &generator))"]
                        .merging(author.map { ["author": "\($0.key)"] } ?? [:]) { $1 })
            }
            return authors + books
        })

    /// The links as the authors have them.
    private static let gatherBooks: @Sendable (inout [StoredObject]) -> Void = { objects in
        let books = objects.filter { $0.kind == "Book" }.sorted { $0.key < $1.key }
        objects.change("Author") { author in
            let own = books.filter { $0.values["author"] == "\(author.key)" }.map { "\($0.key)" }
            author.values["books"] = own.isEmpty ? nil : own.joined(separator: " ")
        }
        objects.change("Book") { $0.values["author"] = nil }
    }

    /// The links as the books have them.
    private static let scatterBooks: @Sendable (inout [StoredObject]) -> Void = { objects in
        let authors = objects.filter { $0.kind == "Author" }
        objects.change("Book") { book in
            let author = authors.first { $0.values["books"]?.split(separator: " ").contains("\(book.key)") == true }
            book.values["author"] = author.map { "\($0.key)" }
        }
        objects.change("Author") { $0.values["books"] = nil }
    }
}
