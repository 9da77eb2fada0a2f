import Strata

/// A key that is another object's too.
enum Loyalty {
    @Model
    final class Customer {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \LoyaltyCard.customer) var card: LoyaltyCard?

        init(name: String) { self.name = name }
    }

    @Model
    final class LoyaltyCard {
        @Attribute(.primaryKey) var id = 0
        @Relationship(columns: ["id"]) var customer: Customer
        var points = 0

        init(customer: Customer) { self.customer = customer }
    }
}
