import ShopModels
import Strata
import StrataTesting
import Testing

enum Sample {
    static let product = Factory { number in Product(name: "Product \(number)", price: 100, stock: 10) }
}

@Suite struct OrdersTests {
    /// Runs a test with a store of its own, whose tables the migration plan has made.
    private func withStore(_ body: (ModelContainer) async throws -> Void) async throws {
        try await withTestStore(
            for: Schema(versionedSchema: Catalog.self), migrationPlan: CatalogPlan.self, body)
    }

    @Test func anOrderTakesFromTheStock() async throws {
        try await withStore { container in
            let context = ModelContext(container)
            Sample.product.insert(into: context) { $0.name = "Tea" }
            try await context.save()
            try await context.placeOrder(of: "Tea", quantity: 3)
            try await context.save()
            let product = try await ModelContext(container).fetch(FetchDescriptor<Product>()).first
            #expect(product?.stock == 7)
        }
    }

    @Test func whatIsNotThereCannotBeOrdered() async throws {
        try await withStore { container in
            let context = ModelContext(container)
            let product = Sample.product.insert(into: context) { $0.stock = 2 }
            try await context.save()
            await #expect(throws: OrderError.outOfStock(left: 2)) {
                _ = try await context.placeOrder(of: product.name, quantity: 3)
            }
            await #expect(throws: OrderError.unknownProduct("Coffee")) {
                _ = try await context.placeOrder(of: "Coffee", quantity: 1)
            }
            #expect(product.stock == 2)
        }
    }

    @Test func theListOfOrdersIsTwoStatementsAndReadsAnIndex() async throws {
        try await withStore { container in
            let context = ModelContext(container)
            for product in Sample.product.insert(3, into: context) {
                context.insert(Order(quantity: 1, product: product))
            }
            try await context.save()
            let reading = ModelContext(container)
            try await expectStatements("fetch Order", "load Order.product", in: container) {
                try await expectNoLazyLoading(in: container) {
                    let orders = try await reading.newestOrders()
                    #expect(orders.compactMap(\.product?.name).count == 3)
                }
            }
            let newest = FetchDescriptor<Order>(sortBy: [SortDescriptor(\.placed, order: .reverse)])
            try await expectIndex(for: newest, in: reading)
        }
    }
}
