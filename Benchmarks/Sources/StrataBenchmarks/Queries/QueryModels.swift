import Foundation
import Strata

// What reports, pages and queues are about: one class each, in one table.

/// Something sold, of which there are many.
@Model final class Sale {
    #Index<Sale>([\.soldAt], [\.dueAt])
    var city: String
    var category: Int
    var soldAt: Date
    /// `nil` for one sale in ten.
    var dueAt: Date?
    var price: Double

    init(city: String, category: Int, soldAt: Date, dueAt: Date?, price: Double) {
        self.city = city
        self.category = category
        self.soldAt = soldAt
        self.dueAt = dueAt
        self.price = price
    }
}

/// Something to do once.
@Model final class QueuedJob {
    #Index<QueuedJob>([\.state, \.number])
    /// 0 until it is done.
    var state: Int
    var number: Int
    var payload: String

    init(number: Int, payload: String) {
        state = 0
        self.number = number
        self.payload = payload
    }
}
