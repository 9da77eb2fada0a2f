import Foundation
import StrataModels

/// A small hierarchy with one relationship of each kind of storage that needs no pair.
enum KennelModels {
    static let schema = Schema(Dog.self, Puppy.self, version: Schema.Version(1, 2, 0))

    enum Coat: String, Codable, CaseIterable { case smooth, wire }

    @Model class Dog {
        #Unique<Dog>([\.name, \.born])
        #Index<Dog>([\.born])
        @Attribute(originalName: "title") var name: String
        var born: Date?
        var coat: Coat = Coat.wire
        @Relationship(deleteRule: .cascade, inverse: \Toy.owner) var toys: [Toy] = []

        init(name: String) { self.name = name }
    }

    @Model final class Puppy: Dog {
        @Attribute(hashModifier: "grams") var weight = 0
    }

    @Model final class Toy {
        @Attribute(.unique) var code: String
        var owner: Dog?

        init(code: String) { self.code = code }
    }
}

/// Pairs, and a column that no property shows.
enum ClubModels {
    static let schema = Schema(Club.self, Member.self, Badge.self)

    @Model final class Club {
        @Relationship(inverse: \Member.clubs) var members: [Member] = []
        @Relationship(inverse: nil) var badges: [Badge] = []
        init() {}
    }

    @Model final class Member {
        var clubs: [Club] = []
        init() {}
    }

    @Model final class Badge {
        init() {}
    }
}

/// A default of every type.
enum DefaultModels {
    static let schema = Schema(Everything.self)

    enum Level: Int, Codable, CaseIterable {
        case low = -1
        case high = 1
    }
    enum Hue: String, Codable, CaseIterable { case red, green }
    struct Place: Codable { var name = "it's", floor = 2 }
    enum PlaceTransformer: AttributeTransformer {
        static func transformed(_ value: Place) throws -> Data { Data(value.name.utf8) }
        static func restored(_ data: Data) throws -> Place { Place(name: String(decoding: data, as: UTF8.self)) }
    }

    @Model final class Everything {
        var none: String
        var nothing: String? = nil
        var text = "it's\\new\nline"
        var maybe: String? = "some"
        var yes = true
        var small: Int8 = -3
        var medium: Int32 = -70_000
        var large = 5_000_000_000
        var least = Int64.min
        var greatest = UInt64.max
        var real: Float = 0.1
        var double = -1e-9
        var endless = Double.infinity
        var amount = Decimal(string: "12.340") ?? 0
        var identity = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
        var newIdentity = UUID()
        var newText = UUID().uuidString
        var luck = Bool.random()
        var reference = Date(timeIntervalSinceReferenceDate: 0.25)
        var leapDay = Date(timeIntervalSince1970: 951_782_399)
        var antiquity = Date(timeIntervalSince1970: -65_000_000_000)
        var never = Date.distantFuture
        var now = Date()
        var maybeNow: Date? = Date.now
        var today = Calendar(identifier: .gregorian).startOfDay(for: Date())
        var data = Data([0, 255, 16])
        var level = Level.low
        var hue: Hue? = Hue.green
        @Attribute(.codable) var codableHue: Hue = Hue.red
        var place = Place()
        @Attribute(.transformable(by: PlaceTransformer.self)) var transformed: Place = Place()
        var link = URL(string: "https://example.org/a?b=c")
        var texts = ["a", "it's", "{}", "x\\y"]
        var noTexts: [String] = []
        var numbers = [1, -2]
        var hues = [Hue.red, Hue.green]
        var blobs = [Data([1])]
        var moments = [Date(timeIntervalSinceReferenceDate: 0)]
        var oneOf: Set<String> = ["a"]
        var someOf: Set<String> = ["a", "b"]
        var words: [String: Int] = ["a": 1, "b": 2]
        @Attribute(.ephemeral) var scratch = 0

        init(none: String) { self.none = none }
    }
}
