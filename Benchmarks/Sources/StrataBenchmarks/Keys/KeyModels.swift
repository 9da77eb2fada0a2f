import Foundation
import Strata

/// The same class twice: what differs is the kind of its key.
protocol Article: PersistentModel {
    static var tableName: String { get }
    var title: String { get set }
    var previous: Self? { get set }
    init(_ number: Int)
}

/// With a key that Strata gives: `bigint`.
@Model final class NumberedArticle: Article {
    static let tableName = "numbered_article"
    var title: String
    var price: Double
    var published: Date
    /// The one before: a foreign key.
    var previous: NumberedArticle?

    init(_ number: Int) {
        title = "Article \(number)"
        price = Double(number % 1000)
        published = Date(timeIntervalSince1970: Double(number))
    }
}

/// With a key that the class declares: `uuid`.
@Model final class IdentifiedArticle: Article {
    static let tableName = "identified_article"
    @Attribute(.primaryKey) var id: UUID = UUID.v7()
    var title: String
    var price: Double
    var published: Date
    /// The one before: a foreign key.
    var previous: IdentifiedArticle?

    init(_ number: Int) {
        title = "Article \(number)"
        price = Double(number % 1000)
        published = Date(timeIntervalSince1970: Double(number))
    }
}
