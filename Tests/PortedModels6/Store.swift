import Foundation
import SwiftData

// A catalogue that is filled from JSON, written back as JSON and emptied in bulk; what is there already is updated.

@Model
final class Article: Codable {
    #Unique<Article>([\.ean])
    var ean: String
    var name: String
    var cents: Int
    var stock: Int = 0
    var discontinued: Date?
    var shelfLife: ShelfLife?
    var department: Department?
    @Relationship(deleteRule: .cascade, inverse: \PriceChange.article) var changes: [PriceChange] = []

    enum ShelfLife: String, Codable { case fresh, long }

    private enum CodingKeys: String, CodingKey {
        case ean = "code"
        case name, cents, stock, shelfLife
    }

    init(ean: String, name: String, cents: Int) {
        self.ean = ean
        self.name = name
        self.cents = cents
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        ean = try values.decode(String.self, forKey: .ean)
        name = try values.decode(String.self, forKey: .name)
        cents = try values.decode(Int.self, forKey: .cents)
        stock = try values.decodeIfPresent(Int.self, forKey: .stock) ?? 0
        shelfLife = try values.decodeIfPresent(ShelfLife.self, forKey: .shelfLife)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(ean, forKey: .ean)
        try values.encode(name, forKey: .name)
        try values.encode(cents, forKey: .cents)
        try values.encode(stock, forKey: .stock)
        try values.encodeIfPresent(shelfLife, forKey: .shelfLife)
    }

    func price(_ cents: Int, on date: Date) {
        guard cents != self.cents else { return }
        changes.append(PriceChange(from: self.cents, to: cents, date: date))
        self.cents = cents
    }
}

@Model
final class PriceChange {
    var from: Int
    var to: Int
    var date: Date
    var article: Article?
    init(from: Int, to: Int, date: Date) {
        self.from = from
        self.to = to
        self.date = date
    }
}

@Model
final class Department: Named {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .nullify, inverse: \Article.department) var articles: [Article] = []
    init(name: String) { self.name = name }
}

/// A protocol of the app's own for classes that have a name.
protocol Named: AnyObject { var name: String { get set } }

struct ArticleRecord: Codable, Sendable, Equatable {
    var code: String
    var name: String
    var department: String?

    init(_ article: Article) {
        code = article.ean
        name = article.name
        department = article.department?.name
    }
}

@ModelActor
actor StoreImporter {
    enum Failure: Error { case noArticles }

    private static let batch = 2

    func load(_ json: Data, department name: String) throws(Failure) -> Int {
        guard let articles = try? JSONDecoder().decode([Article].self, from: json), !articles.isEmpty else {
            throw .noArticles
        }
        let department = Department(name: name)
        modelContext.insert(department)
        for (index, article) in articles.enumerated() {
            modelContext.insert(article)
            article.department = department
            if index % Self.batch == Self.batch - 1 { try? modelContext.save() }
        }
        try? modelContext.save()
        return articles.count
    }

    func records() throws -> [ArticleRecord] {
        try modelContext.fetch(FetchDescriptor<Article>(sortBy: [SortDescriptor(\.ean)])).map(ArticleRecord.init)
    }

    func export() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(modelContext.fetch(FetchDescriptor<Article>(sortBy: [SortDescriptor(\.ean)])))
    }

    func raise(by percent: Int, on date: Date) throws {
        try modelContext.transaction {
            try modelContext.enumerate(
                FetchDescriptor<Article>(predicate: #Predicate { $0.discontinued == nil }), batchSize: 1,
                allowEscapingMutations: true
            ) { $0.price($0.cents * (100 + percent) / 100, on: date) }
        }
    }

    func clear(department name: String?) throws {
        if let name {
            try modelContext.delete(model: Article.self, where: #Predicate { $0.department?.name == name })
        } else {
            try modelContext.delete(model: PriceChange.self)
            try modelContext.delete(model: Article.self, includeSubclasses: false)
            try modelContext.delete(model: Department.self)
        }
        try modelContext.save()
    }

    func totals() throws -> (articles: Int, changes: Int, departments: Int) {
        (
            try modelContext.fetchCount(FetchDescriptor<Article>()),
            try modelContext.fetchCount(FetchDescriptor<PriceChange>()),
            try modelContext.fetchCount(FetchDescriptor<Department>())
        )
    }
}
