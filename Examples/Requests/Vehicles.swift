import Strata

@Model(table: "vehicles", keyColumn: "id", inheritance: .joinedTablesWithoutClassColumn)
class Vehicle {
    /// What it is called.
    var name: String

    /// A vehicle.
    init(name: String) { self.name = name }
}

@Model(table: "trucks")
final class Truck: Vehicle {
    /// How many tons it carries.
    var tons: Double

    /// A truck.
    init(name: String, tons: Double) {
        self.tons = tons
        super.init(name: name)
    }
}
