// A library's catalogue, from one package of models of several apps: equality of its own, options spread over several
// attributes, and attributes that have no effect where they stand.
import Foundation
import SwiftData

@Model
class Publication {
    var title: String
    @Attribute(.unique) @Attribute(originalName: "number") var isbn: String
    @Relationship(inverse: \Bookcase.publications) var shelf: Bookcase?

    @Attribute
    init(title: String, isbn: String) {
        self.title = title
        self.isbn = isbn
    }

    static func == (lhs: Publication, rhs: Publication) -> Bool {
        lhs.isbn == rhs.isbn
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(isbn)
    }
}

@Model
final class Magazine: Publication {
    var issue: Int

    init(title: String, isbn: String, issue: Int) {
        self.issue = issue
        super.init(title: title, isbn: isbn)
    }

    static func == (lhs: Magazine, rhs: Magazine) -> Bool {
        lhs.isbn == rhs.isbn && lhs.issue == rhs.issue
    }
}

extension Publication {
    @Transient var label: String { "\(title) (\(isbn))" }
    @Attribute(.spotlight) var isShelved: Bool { shelf != nil }
}

@Model
final class Bookcase: @unchecked Sendable {
    @Attribute(.unique) var code: String
    var publications: [Publication] = []

    init(code: String) { self.code = code }
}

@Model
final class Reader {
    var name: String
    @Attribute(.spotlight, .allowsCloudEncryption) var favorite: Publication?
    @Attribute(.transformable(by: "ColorTransformer")) var color: CardColor?

    init(name: String) { self.name = name }
}

/// One card a reader.
@Model
final class LibraryCard {
    var number: Int
    @Attribute(.unique) var holder: Reader?

    init(number: Int, holder: Reader?) {
        self.number = number
        self.holder = holder
    }
}

/// No value of PostgreSQL's, nor Codable: only a transformer can store it.
struct CardColor: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
}

struct CatalogStore {
    let context: ModelContext

    /// The titles that are on no shelf twice, whatever object stands for them.
    func distinct(_ publications: [Publication]) -> Set<Publication> { Set(publications) }

    func publication(isbn: String) throws -> Publication? {
        try context.fetch(FetchDescriptor<Publication>(predicate: #Predicate { $0.isbn == isbn })).first
    }
}
