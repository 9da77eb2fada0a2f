import Strata

/// A key of several columns.
enum Trade {
    @Model
    final class Order {
        var number: Int
        @Relationship(deleteRule: .cascade, inverse: \OrderDetail.order) var details: [OrderDetail] = []

        init(number: Int) { self.number = number }
    }

    @Model
    final class Product {
        var name: String
        @Relationship(deleteRule: .deny, inverse: \OrderDetail.product) var details: [OrderDetail] = []

        init(name: String) { self.name = name }
    }

    @Model
    final class OrderDetail {
        #PrimaryKey<OrderDetail>([\.order, \.product])
        var order: Order
        var product: Product
        var quantity: Int

        init(order: Order, product: Product, quantity: Int) {
            self.order = order
            self.product = product
            self.quantity = quantity
        }
    }

    @Model
    final class Complaint {
        var text: String
        var detail: OrderDetail

        init(text: String, detail: OrderDetail) {
            self.text = text
            self.detail = detail
        }
    }

    @Model
    final class Delivery {
        #PrimaryKey<Delivery>([\.order, \.number])
        var order: Order
        var number: Int
        @Relationship(columns: ["order", "product_id"]) var detail: OrderDetail?

        init(order: Order, number: Int) {
            self.order = order
            self.number = number
        }
    }

    static func quantity(of product: Product, in order: Order, _ context: ModelContext) async throws -> Int? {
        let detail = try await context.existingModel(
            OrderDetail.self, key: order.persistentModelID, product.persistentModelID)
        return detail?.quantity
    }
}
