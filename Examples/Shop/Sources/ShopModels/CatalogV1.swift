import Strata

/// The first version: products, and the orders of each.
public enum CatalogV1: VersionedSchema {
    /// 1.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    /// The classes of this version.
    public static var models: [any PersistentModel.Type] { [Product.self, Order.self] }

    /// Something that can be ordered.
    @Model
    public final class Product {
        /// What it is called.
        @Attribute(.unique) public var name: String
        /// In cents.
        public var price: Int
        /// How many there are.
        public var stock: Int
        /// Who wants some.
        @Relationship(deleteRule: .cascade, inverse: \Order.product) public var orders: [Order] = []

        /// A product that nobody has ordered.
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
        /// How many.
        public var quantity: Int
        /// When it was ordered.
        public var placed: Date
        /// Of what.
        public var product: Product?

        /// An order that was placed now, unless another time is given.
        public init(quantity: Int, placed: Date = .now, product: Product) {
            self.quantity = quantity
            self.placed = placed
            self.product = product
        }
    }
}
