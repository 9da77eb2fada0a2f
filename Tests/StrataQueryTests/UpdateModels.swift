import Foundation
import Strata

@Model class Vehicle {
    enum Kind: String, Codable, CaseIterable { case road, rail }
    struct Plate: Codable, Hashable {
        var country: String
        var number: Int
        var mark: String?
        var since: Date?
    }

    var name: String
    var note: String?
    var wheels: Int
    var load: Int16
    var weight: Double
    var price: Decimal
    var discount: Decimal?
    var built: Date
    var kind: Kind
    var plate: Plate
    var tags: [String]
    var garage: Garage?

    init(_ name: String, wheels: Int = 4, price: Decimal = 10, garage: Garage? = nil) {
        self.name = name
        self.wheels = wheels
        load = 1
        weight = 1.5
        self.price = price
        built = Date(timeIntervalSince1970: 0)
        kind = .road
        plate = Plate(country: "CH", number: wheels)
        tags = [name]
        self.garage = garage
    }
}

@Model class Car: Vehicle {
    var doors: Int

    init(_ name: String, doors: Int, price: Decimal = 10, garage: Garage? = nil) {
        self.doors = doors
        super.init(name, price: price, garage: garage)
    }
}

@Model final class Racer: Car {
    var power: Int

    init(_ name: String, power: Int, garage: Garage? = nil) {
        self.power = power
        super.init(name, doors: 2, garage: garage)
    }
}

@Model final class Garage {
    var name: String
    @Relationship(inverse: \Vehicle.garage) var vehicles: [Vehicle] = []

    init(_ name: String) { self.name = name }
}

@Model final class Locker {
    @Attribute(.unique) var number: Int
    var label: String
    var size: UInt8

    init(_ number: Int, _ label: String) {
        self.number = number
        self.label = label
        size = 1
    }
}

@Model final class Queue {
    var name: String
    @Relationship(.ordered, inverse: \Ticket.queue) var tickets: [Ticket] = []

    init(_ name: String) { self.name = name }
}

@Model final class Ticket {
    var number: Int
    var queue: Queue?

    init(_ number: Int) { self.number = number }
}

@Model final class Depot {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Wagon.depot) var wagons: [Wagon] = []

    init(_ name: String) { self.name = name }
}

@Model final class Wagon {
    var name: String
    var number: Int
    var depot: Depot?

    init(_ name: String, number: Int, in depot: Depot) {
        self.name = name
        self.number = number
        self.depot = depot
    }
}

/// Holds a value that writes `nil` as null, under one key as its `init(from:)` asks for it, under another as it does not.
@Model final class Crate {
    struct Content: Codable {
        struct Lid: Codable { var size: Int }
        enum CodingKeys: CodingKey { case lid, mark, tag }

        var lid = Lid(size: 1)
        var mark: String?
        var tag: String?

        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            lid = try container.decode(Lid.self, forKey: .lid)
            mark = try container.decode(String?.self, forKey: .mark)
            tag = try container.decodeIfPresent(String.self, forKey: .tag)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lid, forKey: .lid)
            try container.encode(mark, forKey: .mark)
            try container.encode(tag, forKey: .tag)
        }
    }

    var content = Content()
    init() {}
}
