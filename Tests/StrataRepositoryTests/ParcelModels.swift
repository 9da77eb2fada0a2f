import Foundation
import StrataModels
import StrataRepository

/// Models for predicates that look into JSON: arrays, sets and dictionaries, as attributes and inside of Codable values.
enum ParcelModels {
    static let mapping = StoreMapping(Schema([Parcel.self, Courier.self]))
}

/// An enum with values beside its cases: its JSON is a document.
enum Shape: Codable, Hashable {
    case letter
    case box(width: Int, height: Int?)
    case roll(String)
}

struct Item: Codable, Hashable {
    enum CodingKeys: String, CodingKey {
        case title, amount, isFragile
        case note = "remark"
        case weather, packed, parts
    }

    var title: String
    var amount: Int
    var isFragile: Bool
    var note: String?
    var weather: Weather
    var packed: Date
    var parts: [Part]

    // Each is for most values what a stored property is.
    var safeAmount: Int { max(0, amount) }
    var shownTitle: String { title.isEmpty ? "unknown" : title }
    var total: Int { amount * factor }
    /// Not encoded.
    var factor = 1

    struct Part: Codable, Hashable {
        var name: String
        var weight: Double?
    }
}

struct Label: Codable, Hashable {
    var lines: [String]
    var extra: [String]?
    var scores: [Int?]
    var matrix: [[Int]]
    var items: [Item]
    var codes: Set<UUID>
    var settings: [String: String]
    var limits: [String: Int]?
    var places: [Int: Double]
    var owner: Person

    struct Person: Codable, Hashable {
        var names: [String]
        var ages: [String: Int]
    }
}

@Model
final class Parcel {
    var name: String
    var number: Int
    var nickname: String?
    var items: [Item]
    var spares: [Item]?
    var shapes: [Shape]
    var shape: Shape
    var formerShape: Shape?
    var marks: Set<String>
    var label: Label
    var oldLabel: Label?
    var settings: [String: String]
    var limits: [String: Int]?
    var flags: [String: Bool]
    var places: [Int: String]
    var contacts: [String: Item.Part]
    var levels: [Weather: Int]
    var optionals: [String: Int?]
    var sent: Date
    @Relationship(inverse: \Courier.parcels) var courier: Courier?

    init(
        name: String, number: Int, items: [Item], shapes: [Shape], shape: Shape, marks: Set<String>, label: Label,
        settings: [String: String], flags: [String: Bool], places: [Int: String], contacts: [String: Item.Part],
        sent: Date
    ) {
        self.name = name
        self.number = number
        self.items = items
        self.shapes = shapes
        self.shape = shape
        self.marks = marks
        self.label = label
        self.settings = settings
        self.flags = flags
        self.places = places
        self.contacts = contacts
        self.levels = [:]
        self.optionals = [:]
        self.sent = sent
    }
}

@Model
final class Courier {
    var name: String
    var home: Label?
    var parcels: [Parcel] = []

    init(name: String) { self.name = name }
}
