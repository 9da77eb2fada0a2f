import Foundation
import SwiftData

enum ItemType: String, Codable {
    case tool, material, consumable
}

struct Dimensions: Codable {
    var width: Double
    var height: Double
    var depth: Double

    var volume: Double { width * height * depth }
}

@Model
final class InventoryItem {
    #Unique<InventoryItem>([\.sku, \.warehouse])
    #Index<InventoryItem>([\.sku], [\.name, \.quantity])

    var sku: String
    var name: String
    var description: String = ""
    var type: ItemType
    var hash: String
    var order: Int
    var quantity: Int
    var price: Double
    var dimensions: Dimensions
    var barcode: Data?
    var warehouse: Warehouse?
    var suppliers: [Supplier] = []
    @Relationship(deleteRule: .cascade, inverse: \StockMovement.item) var movements: [StockMovement] = []

    init(sku: String, name: String, type: ItemType = .tool, quantity: Int = 0, price: Double = 0) {
        self.sku = sku
        self.name = name
        self.type = type
        self.hash = String(sku.hashValue, radix: 16)
        self.order = 0
        self.quantity = quantity
        self.price = price
        self.dimensions = Dimensions(width: 1, height: 1, depth: 1)
    }
}

@Model
final class Warehouse {
    var name: String
    var address: String
    @Relationship(deleteRule: .nullify, inverse: \InventoryItem.warehouse) var items: [InventoryItem] = []

    init(name: String, address: String = "") {
        self.name = name
        self.address = address
    }
}

@Model
final class Supplier {
    var name: String
    var email: String?
    var phoneNumbers: [String] = []
    @Relationship(inverse: \InventoryItem.suppliers) var items: [InventoryItem] = []

    init(name: String, email: String? = nil) {
        self.name = name
        self.email = email
    }
}

@Model
final class StockMovement {
    var amount: Int
    var date: Date
    var reason: String?
    var item: InventoryItem?

    init(amount: Int, date: Date = .now, reason: String? = nil) {
        self.amount = amount
        self.date = date
        self.reason = reason
    }
}

enum InventoryError: Error {
    case outOfStock(String)
}

final class InventoryService {
    let context: ModelContext

    init(container: ModelContainer) {
        context = ModelContext(container)
    }

    func add(_ item: InventoryItem, to warehouse: Warehouse) {
        context.insert(item)
        item.warehouse = warehouse
    }

    func move(_ amount: Int, of item: InventoryItem, reason: String? = nil) throws {
        guard item.quantity + amount >= 0 else { throw InventoryError.outOfStock(item.sku) }
        item.quantity += amount
        item.movements.append(StockMovement(amount: amount, reason: reason))
    }

    func transfer(_ item: InventoryItem, to warehouse: Warehouse, amount: Int) throws {
        try context.transaction {
            try move(-amount, of: item, reason: "transfer")
            let copy = InventoryItem(
                sku: item.sku, name: item.name, type: item.type, quantity: amount, price: item.price)
            context.insert(copy)
            copy.warehouse = warehouse
        }
    }

    func lowStock(below limit: Int, at warehouseName: String?) throws -> [InventoryItem] {
        let predicate = #Predicate<InventoryItem> { item in
            item.quantity < limit && (warehouseName == nil || item.warehouse?.name == warehouseName)
        }
        return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.sku)]))
    }

    func value() throws -> Double {
        var total = 0.0
        try context.enumerate(FetchDescriptor<InventoryItem>(), batchSize: 100) { item in
            total += item.price * Double(item.quantity)
        }
        return total
    }

    func identifiers() throws -> [PersistentIdentifier] {
        try context.fetchIdentifiers(FetchDescriptor<InventoryItem>(sortBy: [SortDescriptor(\.sku)]))
    }
}
