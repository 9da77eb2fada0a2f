import Foundation
import Strata

@Model
final class Receipt {
    @Attribute(.precision(12, scale: 2)) var total: Decimal

    init(total: Decimal) { self.total = total }
}
