import Foundation
import StrataModels
import Testing

/// Classes in each of the forms that `@Model` accepts, compiled and used.
enum MacroModels {
    struct Place: Codable, Equatable {
        var latitude: Double
        var longitude: Double
    }

    enum PlaceTransformer: AttributeTransformer {
        static func transformed(_ value: Place) throws -> Data { Data("\(value.latitude) \(value.longitude)".utf8) }
        static func restored(_ data: Data) throws -> Place {
            let parts = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Double($0) }
            guard parts.count == 2 else { throw CocoaError(.coderReadCorrupt) }
            return Place(latitude: parts[0], longitude: parts[1])
        }
    }

    @Model
    class Voyage: CustomStringConvertible {
        #Unique<Voyage>([\.name, \.startDate])
        #Index<Voyage>(.binary([\.startDate]))
        @Attribute(.preserveValueOnDeletion, originalName: "title") var name: String
        var startDate: Date = .distantPast
        var count = 3
        var tags: [String] = []
        var note: String?
        @Attribute(.codable) var limits: [String: Int] = ["a": 1]
        @Attribute(.transformable(by: PlaceTransformer.self)) var place: Place
        @Attribute(.ephemeral) var isOpen = false
        @Relationship(deleteRule: .cascade, inverse: \Luggage.voyage) var luggage: [Luggage] = []
        var guests = [Guest]()
        private(set) var revision = 1
        private var secret = "s"
        var `default`: Int = 7
        @Transient var cache: [Int: String] = [:]
        @Transient var observed = 0 { didSet { cache[observed] = "seen" } }
        let limit = 10
        static var kind: String { "voyage" }
        var description: String { "\(name) \(secret)" }

        init(name: String, place: Place = Place(latitude: 1, longitude: 2)) {
            self.name = name
            self.place = place
        }

        convenience init(number: Int) { self.init(name: "Voyage \(number)") }

        func revise() { revision += 1 }
    }

    /// Declares no initializer, so it inherits all of them.
    @Model
    final class Cruise: Voyage {
        var ship: String?
        var decks = 5
    }

    /// Has a property that must be assigned.
    @Model
    class Expedition: Voyage {
        enum Goal: String, Codable { case summit, pole }
        #Index<Expedition>([\.goal])
        var goal: Goal

        init(name: String, goal: Goal) {
            self.goal = goal
            super.init(name: name)
        }
    }

    @Model
    final class PolarExpedition: Expedition {
        var temperature: Double = -40
    }

    @Model
    final class Luggage {
        var weight: Double
        var voyage: Voyage?
        init(weight: Double) { self.weight = weight }
    }

    @Model
    final class Guest {
        var favourite: Voyage
        init(favourite: Voyage) { self.favourite = favourite }
    }

    class Named {
        var label: String
        init() { label = "base" }
    }

    /// A root whose base is a plain class; Swift's implicit `init()` stays.
    @Model
    class Labelled: Named {
        var size = 1
    }

    /// A root with nothing but values.
    @Model
    final class Settings {
        var theme: String?
        var volume = 5
    }

    /// Our own names as a user's.
    @Model
    final class Schema {
        var version = 1
    }
}

/// A class that other files do not see.
@Model
private class Draft {
    var text: String?
}

struct ModelMacroTests {
    @Test("a class private to its file is a model too")
    func privateClass() {
        let draft = Draft()
        draft.text = "one"
        #expect(draft.text == "one")
    }

    @Test("a new object has the values of its initializer and its defaults")
    func values() {
        let voyage = MacroModels.Voyage(name: "North")
        #expect(voyage.name == "North")
        #expect(voyage.startDate == .distantPast)
        #expect(voyage.count == 3)
        #expect(voyage.note == nil)
        #expect(voyage.limits == ["a": 1])
        #expect(voyage.place == MacroModels.Place(latitude: 1, longitude: 2))
        #expect(voyage.default == 7)
        #expect(voyage.description == "North s")
        #expect(MacroModels.Voyage(number: 2).name == "Voyage 2")
    }

    @Test("properties of every form are written and read back")
    func writes() {
        let voyage = MacroModels.Voyage(name: "North")
        let luggage = MacroModels.Luggage(weight: 3)
        voyage.name = "South"
        voyage.tags.append("ice")
        voyage.note = "cold"
        voyage.limits["b"] = 2
        voyage.place.latitude = 5
        voyage.isOpen = true
        voyage.luggage = [luggage]
        voyage.observed = 4
        voyage.revise()
        #expect(voyage.name == "South")
        #expect(voyage.tags == ["ice"])
        #expect(voyage.note == "cold")
        #expect(voyage.limits == ["a": 1, "b": 2])
        #expect(voyage.place == MacroModels.Place(latitude: 5, longitude: 2))
        #expect(voyage.isOpen)
        #expect(voyage.luggage == [luggage])
        #expect(voyage.cache == [4: "seen"])
        #expect(voyage.revision == 2)
    }

    @Test("a subclass without an initializer inherits designated and convenience initializers")
    func inheritedInitializers() {
        let cruise = MacroModels.Cruise(name: "Sun")
        cruise.decks = 9
        #expect(cruise.name == "Sun")
        #expect(cruise.decks == 9)
        #expect(MacroModels.Cruise(number: 3).name == "Voyage 3")
        #expect(MacroModels.PolarExpedition(name: "P", goal: .pole).goal == .pole)
    }

    @Test("properties are described root first, with the key paths of the class asked")
    func metadata() {
        let own = MacroModels.Voyage.schemaMetadata.map(\.name)
        #expect(
            own == [
                "name", "startDate", "count", "tags", "note", "limits", "place", "isOpen", "luggage", "guests",
                "revision",
                "secret", "default",
            ])
        #expect(MacroModels.PolarExpedition.schemaMetadata.map(\.name) == own + ["goal", "temperature"])
        #expect(MacroModels.PolarExpedition.schemaMetadata[0].keypath == \MacroModels.PolarExpedition.name)
        #expect(MacroModels.PolarExpedition.schemaMetadata[0].keypath != \MacroModels.Voyage.name)
        #expect(MacroModels.Schema.schemaMetadata.map(\.name) == ["version"])
    }

    @Test("a descriptor knows its chain, its own slots and all constraints")
    func descriptors() {
        let descriptor = MacroModels.PolarExpedition._$descriptor
        #expect(descriptor.superclass === MacroModels.Expedition._$descriptor)
        #expect(descriptor.root === MacroModels.Voyage._$descriptor)
        #expect(descriptor.ownSlots == 14..<15)
        #expect(descriptor.constraints.count == 3)
        #expect(MacroModels.Cruise._$slotCount == 15)
        #expect(MacroModels.Voyage._$constraints.count == 2)
    }

    @Test("an object made from a row is of the class asked, through the class's own initializers")
    func decoding() {
        let columns = [Int16](repeating: -1, count: 16)
        for type in [MacroModels.Voyage.self, MacroModels.Cruise.self, MacroModels.PolarExpedition.self] {
            columns.withUnsafeBufferPointer { columns in
                guard let start = columns.baseAddress else { return }
                var row = RowReader(unloaded: start)
                let object = type.init(_$decoding: &row)
                #expect(Swift.type(of: object) == type)
                #expect(object.limit == 10)
            }
        }
    }

    @Test("a root may extend a plain class, and have only values")
    func plainBase() {
        let labelled = MacroModels.Labelled()
        labelled.size = 2
        #expect(labelled.label == "base")
        #expect(labelled.size == 2)
        #expect(MacroModels.Settings().volume == 5)
        #expect(MacroModels.Settings().theme == nil)
    }

    @Test("a class can be asked for its metadata without knowing it")
    func genericAccess() {
        func names<Model: PersistentModel>(_: Model.Type) -> [String] { Model.schemaMetadata.map(\.name) }
        #expect(names(MacroModels.Guest.self) == ["favourite"])
        let types: [any PersistentModel.Type] = [MacroModels.Luggage.self, MacroModels.Labelled.self]
        #expect(types.map { $0.schemaMetadata.count } == [2, 1])
    }
}
