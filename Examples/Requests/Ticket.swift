import Strata

@Model
final class Ticket {
    #Unique<Ticket>([\.hall, \.row, \.seat], nulls: .notDistinct)

    var hall: String
    var row: Int?
    var seat: Int

    init(hall: String, row: Int?, seat: Int) {
        (self.hall, self.row, self.seat) = (hall, row, seat)
    }
}
