import Strata

/// Why an order was refused.
public enum OrderError: Error, Equatable {
    case unknownProduct(String)
    case outOfStock(left: Int)
}

extension ModelContext {
    /// Takes so many of a product from the stock. Not saved.
    @discardableResult
    public func placeOrder(of name: String, quantity: Int) async throws -> Order {
        var descriptor = FetchDescriptor(predicate: #Predicate<Product> { $0.name == name })
        descriptor.fetchLimit = 1
        guard let product = try await fetch(descriptor).first else { throw OrderError.unknownProduct(name) }
        guard product.stock >= quantity else { throw OrderError.outOfStock(left: product.stock) }
        product.stock -= quantity
        let order = Order(quantity: quantity, product: product)
        insert(order)
        return order
    }

    /// The newest orders, each with its product.
    public func newestOrders(limit: Int = 20) async throws -> [Order] {
        var descriptor = FetchDescriptor<Order>(sortBy: [SortDescriptor(\.placed, order: .reverse)])
        descriptor.fetchLimit = limit
        descriptor.relationshipKeyPathsForPrefetching = [\.product]
        return try await fetch(descriptor)
    }
}
