import Foundation
import SwiftData

enum BillingCycle: Codable, Hashable {
    case monthly
    case yearly
    case every(days: Int)
}

@Model
final class Subscription: Hashable, Identifiable {
    var name: String
    var price: Decimal
    var currency: String = "EUR"
    var cycle: BillingCycle
    var startDate: Date
    var endDate: Date?
    var reminders: [Reminder] = []
    var metadata: [String: String] = [:]
    var category: Category

    enum Category: String, Codable, CaseIterable {
        case entertainment, software, other
    }

    struct Reminder: Codable, Hashable, Identifiable {
        var id = UUID()
        var daysBefore: Int
    }

    init(
        name: String, price: Decimal, cycle: BillingCycle = .monthly, category: Category = .other,
        startDate: Date = .now
    ) {
        self.name = name
        self.price = price
        self.cycle = cycle
        self.category = category
        self.startDate = startDate
    }
}

@Model
final class SubscriptionPayment {
    var amount: Decimal
    var paidOn: Date
    var subscription: Subscription?

    init(amount: Decimal, paidOn: Date, subscription: Subscription) {
        self.amount = amount
        self.paidOn = paidOn
        self.subscription = subscription
    }
}

extension Subscription {
    static func active(on date: Date) -> Predicate<Subscription> {
        #Predicate<Subscription> { subscription in
            subscription.startDate <= date && (subscription.endDate == nil || subscription.endDate! > date)
        }
    }

    static func matching(_ categories: [Category]) -> Predicate<Subscription> {
        #Predicate<Subscription> { categories.contains($0.category) }
    }
}

final class SubscriptionStore {
    let context: ModelContext

    init(context: ModelContext) { self.context = context }

    func subscriptions(on date: Date, in categories: [Subscription.Category]) throws -> [Subscription] {
        let active = Subscription.active(on: date)
        let matching = Subscription.matching(categories)
        let both = #Predicate<Subscription> { active.evaluate($0) && matching.evaluate($0) }
        return try context.fetch(FetchDescriptor(predicate: both, sortBy: [SortDescriptor(\.name)]))
    }

    func pay(_ subscription: Subscription, on date: Date) {
        context.insert(SubscriptionPayment(amount: subscription.price, paidOn: date, subscription: subscription))
    }

    func payments(for subscription: Subscription) throws -> [SubscriptionPayment] {
        let id = subscription.persistentModelID
        return try context.fetch(
            FetchDescriptor<SubscriptionPayment>(predicate: #Predicate { $0.subscription?.persistentModelID == id }))
    }

    func cancel(_ subscription: Subscription, on date: Date) throws {
        subscription.endDate = date
        try context.save()
    }
}
