import Strata

/// The first version: products, and the orders of each.
public enum CatalogV1: VersionedSchema {
    public static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    public static var models: [any PersistentModel.Type] { [Product.self, Order.self] }

    /// Something that can be ordered.
    @Model
    public final class Product {
        @Attribute(.unique) public var name: String
        /// In cents.
        public var price: Int
        /// How many there are.
        public var stock: Int
        @Relationship(deleteRule: .cascade, inverse: \Order.product) public var orders: [Order] = []

        public init(name: String, price: Int, stock: Int) {
            self.name = name
            self.price = price
            self.stock = stock
        }
    }

    /// So many of one product.
    @Model
    public final class Order {
        #Index<Order>([\.placed])
        public var quantity: Int
        public var placed: Date
        public var product: Product?

        public init(quantity: Int, placed: Date = .now, product: Product) {
            self.quantity = quantity
            self.placed = placed
            self.product = product
        }
    }
}
