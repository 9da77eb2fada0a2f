import Strata

@Model
final class Visitor {
    #Unique<Visitor>([\.email], case: .insensitive)

    var email: String

    init(email: String) { self.email = email }
}
