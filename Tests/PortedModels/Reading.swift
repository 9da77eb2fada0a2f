import Foundation
import SwiftData

enum ReadingStatus: Int, Codable, Identifiable, CaseIterable {
    case onShelf, inProgress, completed
    var id: Self { self }

    var descr: String {
        switch self {
        case .onShelf: "On Shelf"
        case .inProgress: "In Progress"
        case .completed: "Completed"
        }
    }
}

@Model
class Book {
    var title: String
    var author: String
    var dateAdded: Date
    var dateStarted: Date
    var dateCompleted: Date
    @Attribute(originalName: "summary")
    var synopsis: String
    var rating: Int?
    var status: ReadingStatus.RawValue
    var recommendedBy: String = ""
    @Relationship(deleteRule: .cascade)
    var quotes: [Quote]?
    @Relationship(inverse: \Genre.books)
    var genres: [Genre]?
    @Attribute(.externalStorage)
    var cover: Data?

    init(
        title: String,
        author: String,
        dateAdded: Date = Date.now,
        dateStarted: Date = Date.distantPast,
        dateCompleted: Date = Date.distantPast,
        synopsis: String = "",
        rating: Int? = nil,
        status: ReadingStatus = .onShelf
    ) {
        self.title = title
        self.author = author
        self.dateAdded = dateAdded
        self.dateStarted = dateStarted
        self.dateCompleted = dateCompleted
        self.synopsis = synopsis
        self.rating = rating
        self.status = status.rawValue
    }

    var statusName: String {
        ReadingStatus(rawValue: status)?.descr ?? "?"
    }
}

@Model
class Quote {
    var creationDate: Date = Date.now
    var text: String
    var page: String?
    var book: Book?

    init(text: String, page: String? = nil) {
        self.text = text
        self.page = page
    }
}

@Model
class Genre {
    var name: String
    var color: String
    var books: [Book]?

    init(name: String, color: String) {
        self.name = name
        self.color = color
    }
}

extension Genre: Comparable {
    static func < (lhs: Genre, rhs: Genre) -> Bool { lhs.name < rhs.name }
}

enum BookSort: String, CaseIterable {
    case status, title, author

    var descriptors: [SortDescriptor<Book>] {
        switch self {
        case .status: [SortDescriptor(\Book.status), SortDescriptor(\Book.title)]
        case .title: [SortDescriptor(\Book.title)]
        case .author: [SortDescriptor(\Book.author)]
        }
    }
}

class Library {
    let context: ModelContext
    init(_ context: ModelContext) { self.context = context }

    func books(sortedBy sort: BookSort, filter: String) throws -> [Book] {
        let predicate = #Predicate<Book> { book in
            book.title.localizedStandardContains(filter)
                || book.author.localizedStandardContains(filter)
                || filter.isEmpty
        }
        return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sort.descriptors))
    }

    func books(of genre: String) throws -> [Book] {
        try context.fetch(
            FetchDescriptor<Book>(
                predicate: #Predicate { book in
                    book.genres?.contains { $0.name == genre } ?? false
                },
                sortBy: BookSort.title.descriptors))
    }

    func withoutQuotes() throws -> [Book] {
        try context.fetch(
            FetchDescriptor<Book>(
                predicate: #Predicate { $0.quotes?.isEmpty ?? true }, sortBy: [SortDescriptor(\.title)]))
    }

    func rated(atLeast minimum: Int) throws -> [Book] {
        try context.fetch(
            FetchDescriptor<Book>(
                predicate: #Predicate {
                    if let rating = $0.rating {
                        return rating >= minimum
                    } else {
                        return false
                    }
                }))
    }

    func addQuote(_ text: String, page: String, to book: Book) {
        let quote = Quote(text: text, page: page.isEmpty ? nil : page)
        book.quotes?.append(quote)
    }

    func setStatus(_ status: ReadingStatus, of book: Book) {
        book.status = status.rawValue
        switch status {
        case .onShelf:
            book.dateStarted = .distantPast
            book.dateCompleted = .distantPast
        case .inProgress:
            book.dateStarted = .now
        case .completed:
            book.dateCompleted = .now
        }
    }
}
