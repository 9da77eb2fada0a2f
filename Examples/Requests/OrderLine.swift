import Foundation
import Strata

@Model(table: "order_line", keyColumn: "id")
final class OrderLine {
    var price: Decimal
    var count: Int
    @Attribute(.generated) var total: Decimal?

    init(price: Decimal, count: Int) { (self.price, self.count) = (price, count) }
}
