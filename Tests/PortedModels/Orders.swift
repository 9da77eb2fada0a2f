import Foundation
import SwiftData

// A small shop whose classes have the names of SQL's words; rules and limits of relationships; errors.

@Model final class Order {
    var number: Int
    var user: User
    var `default`: Bool = false
    var group: String?
    var from: Date?
    var `where`: String = ""
    var select = [Int]()
    var limit: Double = 0
    var offset: Double = 0
    @Relationship(deleteRule: .cascade, minimumModelCount: 1, maximumModelCount: 3, inverse: \OrderLine.order)
    var lines: [OrderLine]

    init(number: Int, user: User, lines: [OrderLine]) {
        self.number = number
        self.user = user
        self.lines = lines
    }

    var total: Decimal { lines.map { $0.price * Decimal($0.quantity) }.reduce(0, +) }
}

@Model final class OrderLine {
    var price: Decimal
    var quantity: Int
    var order: Order?
    @Relationship(deleteRule: .noAction, inverse: \Product.lines) var product: Product?

    init(_ product: Product, quantity: Int = 1) {
        self.product = product
        price = product.price
        self.quantity = quantity
    }
}

@Model final class Product {
    #Unique<Product>([\.sku])
    #Index<Product>([\.name], [\.price, \.name])
    var sku: String
    var name: String
    var price: Decimal
    @Relationship(deleteRule: .deny) var lines: [OrderLine]? = []

    init(sku: String, name: String, price: Decimal) {
        self.sku = sku
        self.name = name
        self.price = price
    }
}

@Model final class User {
    enum Role: String, Codable { case admin, customer }

    @Attribute(.unique) var name: String
    var role: Role = Role.customer
    @Relationship(deleteRule: .deny, inverse: \Order.user) var orders: [Order] = []

    init(name: String, role: Role = .customer) {
        self.name = name
        self.role = role
    }
}

enum CheckoutError: LocalizedError {
    case empty
    case tooExpensive(Decimal)

    var errorDescription: String? {
        switch self {
        case .empty: "The cart is empty."
        case .tooExpensive(let total): "\(total) is too much."
        }
    }
}

struct Checkout {
    let modelContext: ModelContext

    @discardableResult
    func buy(_ skus: [String], for user: User, limit: Decimal = 1000) throws -> Order {
        guard skus.isEmpty == false else { throw CheckoutError.empty }
        var order: Order?
        try modelContext.transaction {
            let products = try modelContext.fetch(
                FetchDescriptor<Product>(
                    predicate: #Predicate { skus.contains($0.sku) }, sortBy: [SortDescriptor(\Product.sku)]))
            let number = try modelContext.fetchCount(FetchDescriptor<Order>()) + 1
            let new = Order(number: number, user: user, lines: products.map { OrderLine($0) })
            modelContext.insert(new)
            if new.total > limit { throw CheckoutError.tooExpensive(new.total) }
            order = new
        }
        return order!
    }

    /// Whether it could be deleted.
    func remove<Model: PersistentModel>(_ model: Model) -> Bool {
        modelContext.delete(model)
        do {
            try modelContext.save()
            return true
        } catch let error as SwiftDataError {
            print("Refused: \(error)")
        } catch {
            print(error.localizedDescription)
        }
        modelContext.rollback()
        return false
    }

    func orders(of role: User.Role, costing minimum: Decimal) throws -> [Order] {
        let orders = try modelContext.fetch(
            FetchDescriptor<Order>(
                predicate: #Predicate<Order> { $0.user.role == role && $0.lines.contains { $0.price >= minimum } },
                sortBy: [SortDescriptor(\.user.name), SortDescriptor(\.number)]))
        return orders
    }

    func search(_ prefix: String) throws -> [Product] {
        do {
            return try modelContext.fetch(
                FetchDescriptor(predicate: #Predicate<Product> { $0.name.starts(with: prefix) && $0.lines?.count == 0 })
            )
        } catch SwiftDataError.unsupportedPredicate {
            return []
        }
    }
}
