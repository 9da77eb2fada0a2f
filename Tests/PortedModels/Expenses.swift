import Foundation
import SwiftData

enum PaymentMethod: String, CaseIterable {
    case cash, card, transfer
}

@Model
final class Expense: Identifiable {
    var id: UUID = UUID()
    var title: String
    var amount: Decimal
    var date: Date
    private var methodRawValue: String
    @Relationship var category: ExpenseCategory?

    var method: PaymentMethod {
        get { PaymentMethod(rawValue: methodRawValue) ?? .cash }
        set { methodRawValue = newValue.rawValue }
    }

    init(title: String, amount: Decimal, date: Date = .now, method: PaymentMethod = .card) {
        self.title = title
        self.amount = amount
        self.date = date
        self.methodRawValue = method.rawValue
    }

    static func paid(with method: PaymentMethod) -> Predicate<Expense> {
        let raw = method.rawValue
        return #Predicate<Expense> { $0.methodRawValue == raw }
    }
}

@Model
final class ExpenseCategory {
    var name: String
    var icon: String
    @Relationship(deleteRule: .deny, inverse: \Expense.category) var expenses: [Expense] = []
    @Relationship(deleteRule: .cascade, inverse: \Budget.category) var budget: Budget?

    init(name: String, icon: String = "cart") {
        self.name = name
        self.icon = icon
    }

    var total: Decimal { expenses.reduce(0) { $0 + $1.amount } }
}

@Model
final class Budget {
    var limit: Decimal
    var startsOn: Date
    var category: ExpenseCategory?

    init(limit: Decimal, startsOn: Date = .distantPast) {
        self.limit = limit
        self.startsOn = startsOn
    }
}

class ExpenseService {
    let context: ModelContext

    init(context: ModelContext) { self.context = context }

    @discardableResult
    func add(_ title: String, _ amount: Decimal, on date: Date, to category: ExpenseCategory? = nil) -> Expense {
        let expense = Expense(title: title, amount: amount, date: date)
        context.insert(expense)
        expense.category = category
        return expense
    }

    func expenses(from start: Date, to end: Date, in category: ExpenseCategory? = nil) throws -> [Expense] {
        let predicate: Predicate<Expense>
        if let id = category?.persistentModelID {
            predicate = #Predicate { $0.date >= start && $0.date < end && $0.category?.persistentModelID == id }
        } else {
            predicate = #Predicate { $0.date >= start && $0.date < end }
        }
        return try context.fetch(
            FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.date, order: .reverse)]))
    }

    func uncategorized() throws -> Int {
        try context.fetchCount(FetchDescriptor<Expense>(predicate: #Predicate { $0.category == nil }))
    }

    func expensive(than limit: Decimal) throws -> [Expense] {
        try context.fetch(
            FetchDescriptor(predicate: #Predicate<Expense> { $0.amount > limit }, sortBy: [SortDescriptor(\.amount)]))
    }

    func paid(with method: PaymentMethod) throws -> [Expense] {
        try context.fetch(FetchDescriptor(predicate: Expense.paid(with: method)))
    }

    func remove(_ category: ExpenseCategory) throws {
        context.delete(category)
        do {
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
    }
}
