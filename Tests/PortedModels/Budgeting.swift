import Foundation
import SwiftData

// Money: decimals, months, sums in memory, expressions that predicates evaluate.

@Model final class Account {
    enum Kind: String, Codable, CaseIterable { case cash, bank, card }

    @Attribute(.unique) var number: String
    var kind: Account.Kind
    var currencyCode: String = Locale.current.currency?.identifier ?? "EUR"
    var limit: Decimal?
    @Relationship(deleteRule: .cascade, inverse: \Booking.account) private(set) var bookings: [Booking] = []

    init(number: String, kind: Kind = .bank) {
        self.number = number
        self.kind = kind
    }

    var balance: Decimal { bookings.reduce(into: .zero) { $0 += $1.amount } }

    func book(_ amount: Decimal, _ text: String, on date: Date, payee: Payee? = nil) {
        bookings.append(Booking(amount: amount, text: text, date: date, payee: payee))
    }
}

@Model final class Booking: Comparable {
    var amount: Decimal
    var text: String
    var date: Date
    var account: Account?
    var payee: Payee?
    private(set) var month: Int = 0

    init(amount: Decimal, text: String, date: Date, payee: Payee? = nil) {
        self.amount = amount
        self.text = text
        self.date = date
        self.payee = payee
        month = Int(date.timeIntervalSince1970 / 86_400 / 30)
    }

    static func < (lhs: Booking, rhs: Booking) -> Bool { lhs.date < rhs.date }
}

@Model final class Payee {
    var name: String
    var aliases: [String] = []
    @Relationship(deleteRule: .nullify, inverse: \Booking.payee) var bookings: [Booking] = []

    init(_ name: String) { self.name = name }
}

enum Period: Hashable, CaseIterable {
    case week, quarter, ever

    func start(before date: Date) -> Date {
        switch self {
        case .week: return date.addingTimeInterval(-7 * 86_400)
        case .quarter: return date.addingTimeInterval(-91 * 86_400)
        case .ever: return .distantPast
        }
    }
}

final class Ledger {
    private let context: ModelContext
    init(_ context: ModelContext) { self.context = context }

    func account(_ number: String, or kind: @autoclosure () -> Account.Kind = .bank) throws -> Account {
        let known = FetchDescriptor<Account>(predicate: #Predicate { $0.number == number })
        if let account = try context.fetch(known).first { return account }
        let account = Account(number: number, kind: kind())
        context.insert(account)
        return account
    }

    /// Accounts on which more than so many bookings are large.
    func busy(over amount: Decimal, times: Int) throws -> [String] {
        let large = #Expression<[Booking], Int> { bookings in
            bookings.filter { $0.amount > amount }.count
        }
        let predicate = #Predicate<Account> { account in large.evaluate(account.bookings) > times }
        return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])).map(
            \.number)
    }

    func bookings(_ period: Period, until end: Date, kinds: Set<Account.Kind> = [.cash, .bank]) throws -> [Booking] {
        let start = period.start(before: end)
        let allowed = Array(kinds)
        let descriptor = FetchDescriptor<Booking>(
            predicate: #Predicate<Booking> { booking in
                if let account = booking.account {
                    return (start...end).contains(booking.date) && allowed.contains(account.kind)
                } else {
                    return false
                }
            })
        return try context.fetch(descriptor).sorted()
    }

    func sections() throws -> [(month: Int, total: Decimal)] {
        let all = try context.fetch(FetchDescriptor<Booking>(sortBy: [.init(\.date, order: .forward)]))
        return Dictionary(grouping: all, by: \.month)
            .mapValues { $0.map(\.amount).reduce(0, +) }
            .sorted { $0.key < $1.key }
            .map { (month: $0.key, total: $0.value) }
    }

    func payees(known name: String) throws -> [Payee] {
        let predicate = #Predicate<Payee> { payee in
            payee.name.caseInsensitiveCompare(name) == .orderedSame || payee.aliases.contains(name)
        }
        return try context.fetch(FetchDescriptor(predicate: predicate))
    }

    func expensive(than factor: Double, payee: Payee) throws -> Int {
        let id = payee.persistentModelID
        return try context.fetchCount(
            FetchDescriptor<Booking>(predicate: #Predicate { $0.payee?.persistentModelID == id && -$0.amount > 10 }))
    }

    func commit() throws { if context.hasChanges { try context.save() } }
}
