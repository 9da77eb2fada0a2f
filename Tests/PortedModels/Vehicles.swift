import Foundation
import SwiftData

@Model
class Vehicle {
    @Attribute(.unique) var plate: String
    var maker: String
    var mileage: Int
    var purchasedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \ServiceVisit.vehicle) var visits: [ServiceVisit] = []

    init(plate: String, maker: String, mileage: Int = 0) {
        self.plate = plate
        self.maker = maker
        self.mileage = mileage
    }

    var title: String { "\(maker) \(plate)" }
}

@available(iOS 26, macOS 26, *)
@Model
class Car: Vehicle {
    var seats: Int = 5
    var fuel: String

    init(plate: String, maker: String, fuel: String) {
        self.fuel = fuel
        super.init(plate: plate, maker: maker)
    }

    override var title: String { super.title + " (\(fuel))" }
}

@available(iOS 26, macOS 26, *)
@Model
final class Motorcycle: Vehicle {
    var hasSidecar: Bool = false
}

@Model
final class ServiceVisit {
    var date: Date
    var cost: Decimal
    var odometer: Int
    var vehicle: Vehicle?
    var workDone: [String]

    init(date: Date, cost: Decimal, odometer: Int, workDone: [String] = []) {
        self.date = date
        self.cost = cost
        self.odometer = odometer
        self.workDone = workDone
    }
}

final class Fleet {
    let context: ModelContext
    init(_ context: ModelContext) { self.context = context }

    func all() throws -> [Vehicle] {
        try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.plate)]))
    }

    func cars(fuel: String) throws -> [Car] {
        try context.fetch(FetchDescriptor<Car>(predicate: #Predicate { $0.fuel == fuel }))
    }

    func service(_ vehicle: Vehicle, cost: Decimal, work: String...) {
        vehicle.visits.append(
            ServiceVisit(date: .now, cost: cost, odometer: vehicle.mileage, workDone: work))
    }

    func scrap(_ plate: String) throws {
        try context.delete(model: Vehicle.self, where: #Predicate { $0.plate == plate })
        try context.save()
    }
}
