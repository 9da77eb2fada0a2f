import Strata

@Model
final class Parcel {
    @Attribute(.serverDefault) var state = "new"
    var weight = 0

    init() {}
}
