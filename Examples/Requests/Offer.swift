import Foundation
import Strata

@Model
final class Offer {
    #Index<Offer>([\.city]) { !$0.isClosed }
    #Index<Offer>(
        .sorted([.key(\.price, order: .reverse), .key(\.start)], including: [\.title]),
        .sorted([.lowercased(\.title)]))
    #Check<Offer>("positivePrice") { $0.price > 0 }
    #Check<Offer>("days") { $0.start <= $0.end }

    var title: String
    var city: String
    var price: Int
    var start: Date
    var end: Date
    var isClosed = false
    @Attribute(.creationDate) var created = Date.now
    @Attribute(.modificationDate) var changed: Date?

    init(title: String, city: String, price: Int, start: Date, end: Date) {
        (self.title, self.city, self.price, self.start, self.end) = (title, city, price, start, end)
    }
}
