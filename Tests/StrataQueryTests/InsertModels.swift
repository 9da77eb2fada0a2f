import Foundation
import Strata

@Model class Item {
    @Attribute(.unique) var code: String
    var label: String
    var price: Decimal = 1
    var tags: [String] = ["new"]
    var token: UUID = UUID()
    var note: String?
    @Attribute(.ephemeral) var scratch: Int = 0
    var shelf: Shelf?

    init(_ code: String, _ label: String, shelf: Shelf? = nil) {
        self.code = code
        self.label = label
        self.shelf = shelf
    }

    var shout: String { label.uppercased() }
}

@Model final class Tool: Item {
    var power: Int = 5
    var weight: Double?

    init(_ code: String, _ label: String, power: Int) {
        self.power = power
        super.init(code, label)
    }
}

@Model final class Shelf {
    var name: String
    @Relationship(inverse: \Item.shelf) var items: [Item] = []

    init(_ name: String) { self.name = name }
}

@Model final class Seat {
    #Unique<Seat>([\.number], [\.hall, \.place])
    var number: Int
    var hall: String?
    var place: Int
    var guest: String = "nobody"

    init(_ number: Int, _ hall: String?, _ place: Int) {
        self.number = number
        self.hall = hall
        self.place = place
    }
}

@Model class Shape {
    class var isAbstract: Bool { true }
    var name: String

    init(name: String) { self.name = name }
}

@Model final class Circle: Shape {
    override class var isAbstract: Bool { false }
    var radius: Double

    init(name: String, radius: Double) {
        self.radius = radius
        super.init(name: name)
    }
}
