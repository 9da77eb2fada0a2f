import Strata

@Model
final class InvoiceLine {
    #Generated<InvoiceLine, Int>(\.total) { $0.price * $0.count }
    #Index<InvoiceLine>([\.total])
    var price: Int
    var count: Int
    @Attribute(.generated) var total: Int

    init(price: Int, count: Int) { (self.price, self.count) = (price, count) }
}
