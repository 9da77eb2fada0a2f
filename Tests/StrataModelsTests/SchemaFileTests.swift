import Foundation
import StrataModels
import Testing

@Suite struct SchemaFileTests {
    private static let schema = Schema(Atlas.Map.self, Atlas.Globe.self, version: Schema.Version(2, 1, 0))

    private func written(_ schema: Schema) throws -> Schema {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try schema.save(to: url)
        let first = try Data(contentsOf: url)
        try schema.save(to: url)
        #expect(try Data(contentsOf: url) == first)
        return try Schema.load(from: url)
    }

    @Test func `a schema that was read equals the one that was written`() throws {
        let read = try written(Self.schema)
        #expect(read == Self.schema)
        #expect(read.hashValue == Self.schema.hashValue)
        #expect(read.version == Schema.Version(2, 1, 0))
        #expect(read.encodingVersion == Schema.schemaEncodingVersion)
        #expect(try written(read) == read)
        #expect(read != Schema(Atlas.Map.self, version: Schema.Version(2, 1, 0)))
        #expect(read != Schema(Atlas.Map.self, Atlas.Globe.self))
    }

    @Test func `a schema that was read can be looked at`() throws {
        let read = try written(Self.schema)
        #expect(read.entities.map(\.name) == ["Globe", "Map", "Pin"])
        let (map, globe) = (try #require(read.entitiesByName["Map"]), try #require(read.entitiesByName["Globe"]))
        #expect(!map.hasClass && Self.schema.entities.allSatisfy(\.hasClass))
        #expect(globe.superentity === map && map.subentities == [globe])
        #expect(globe.superentityName == "Map")
        #expect(globe.inheritedProperties.map(\.name) == map.storedProperties.map(\.name))
        #expect(map.uniquenessConstraints == [["title"], ["title", "scale"]])
        #expect(map.indices == [["scale"]])
        let title = try #require(map.attributesByName["title"])
        #expect(title.options == [.unique] && title.originalName == "name" && title.valueType is String.Type)
        let paper = try #require(map.attributesByName["paper"])
        #expect(paper.isOptional && paper.valueTypeName == "Optional<Paper>" && paper.valueType == Any.self)
        #expect(paper.hashModifier == "2")
        let pins = try #require(map.relationshipsByName["pins"])
        #expect(pins.destination == "Pin" && pins.inverseName == "map" && pins.deleteRule == .cascade)
        #expect(!pins.isToOneRelationship && pins.maximumModelCount == 9 && pins.keypath == nil)
        #expect(Self.schema.entitiesByName["Map"]?.relationshipsByName["pins"]?.keypath == \Atlas.Map.pins)
    }

    @Test func `schemas of different classes are compared by what they are`() {
        #expect(Schema(Atlas.Map.self) == Schema(OtherAtlas.Map.self))
        #expect(Schema(Atlas.Pin.self, version: Schema.Version(1, 0, 0)) != Schema(ChangedAtlas.Pin.self))
    }

    @Test func `conditions, orders and rules are part of what a schema is`() throws {
        let schema = Schema(RuledAtlas.Map.self)
        let read = try written(schema)
        #expect(read == schema)
        #expect(read != Schema(PlainAtlas.Map.self))
        #expect(Schema(RuledAtlas.Map.self) != Schema(OtherwiseRuledAtlas.Map.self))
        #expect(read.entitiesByName["Map"]?.indices == [["scale", "title"], ["title"]])
    }

    @Test func `entities, attributes and relationships are made by hand`() throws {
        let globe = Schema.Entity(
            "Globe", properties: Schema.Attribute(name: "radius", valueType: Double.self, defaultValue: 1.0))
        let map = Schema.Entity(
            "Map", subentities: globe,
            properties: Schema.Attribute(name: "title", options: [.unique], valueType: String.self),
            Schema.Relationship(
                name: "pins", destination: "Pin", isToOne: false, deleteRule: .cascade, inverseName: "map"))
        let schema = Schema(map, Schema.Entity("Pin"), version: Schema.Version(1, 2, 3))
        #expect(schema.entities.map(\.name) == ["Globe", "Map", "Pin"])
        #expect(schema.entitiesByName["Globe"]?.superentityName == "Map")
        #expect(schema.entitiesByName["Globe"]?.properties.map(\.name) == ["title", "pins", "radius"])
        #expect(schema.entitiesByName["Map"]?.uniquenessConstraints == [["title"]])
        #expect(schema.entitiesByName["Globe"]?.attributesByName["radius"]?.defaultValue as? Double == 1)
        #expect(try written(schema) == schema)
        #expect(Schema().entities.isEmpty)
        let inverse = Schema.Relationship(deleteRule: .deny, inverse: \Atlas.Pin.map)
        #expect(inverse.inverseName == "map" && inverse.inverseKeyPath == \Atlas.Pin.map)
        #expect(Schema.Attribute(.unique, originalName: "a").isUnique)
        // Entities of classes are of their classes in a schema too.
        let mixed = Schema(try #require(Self.schema.entitiesByName["Pin"]))
        #expect(mixed.entity(for: Atlas.Map.self) != nil && mixed.entities.allSatisfy(\.hasClass))
    }

    @Test func `entities and properties are written by themselves too`() throws {
        let map = try #require(Self.schema.entitiesByName["Map"])
        let read = try JSONDecoder().decode(Schema.Entity.self, from: JSONEncoder().encode(map))
        #expect(read == map && read.subentities.isEmpty)
        for attribute in map.attributes {
            #expect(try JSONDecoder().decode(Schema.Attribute.self, from: JSONEncoder().encode(attribute)) == attribute)
        }
        for relationship in map.relationships {
            let data = try JSONEncoder().encode(relationship)
            #expect(try JSONDecoder().decode(Schema.Relationship.self, from: data) == relationship)
        }
    }

    @Test(arguments: [
        ("no JSON", "{"), ("nothing that is needed", "{}"),
        (
            "a newer form",
            #"{"encodingVersion":{"major":2,"minor":0,"patch":0},"version":{"major":1,"minor":0,"patch":0},"entities":[]}"#
        ),
        (
            "an unknown option",
            #"""
            {"encodingVersion":{"major":1,"minor":0,"patch":0},"version":{"major":1,"minor":0,"patch":0},"entities":[
            {"name":"A","isAbstract":false,"recordsHistory":true,"uniquenessConstraints":[],"indices":[],"properties":[
            {"attribute":{"name":"a","originalName":"a","options":["golden"],"valueType":"Int","isOptional":false}}]}]}
            """#
        ),
    ])
    func `a file that is no schema is an error`(what: String, text: String) {
        #expect(throws: DecodingError.self, "\(what)") {
            try JSONDecoder().decode(Schema.self, from: Data(text.utf8))
        }
    }

    @Test func `superclasses in a circle end`() throws {
        func entity(_ name: String, _ parent: String) -> String {
            #"{"name":"\#(name)","superentityName":"\#(parent)","isAbstract":false,"recordsHistory":true,"#
                + #""uniquenessConstraints":[],"indices":[],"properties":[]}"#
        }
        let text =
            #"{"encodingVersion":{"major":1,"minor":0,"patch":0},"version":{"major":1,"minor":0,"patch":0},"entities":["#
            + entity("A", "B") + "," + entity("B", "A") + "]}"
        let schema = try JSONDecoder().decode(Schema.self, from: Data(text.utf8))
        #expect(schema.entities.map(\.properties.count) == [0, 0])
    }
}

private enum Paper: String, Codable { case thick, thin }

private enum Atlas {
    @Model class Map {
        #Unique<Map>([\.title, \.scale])
        #Index<Map>([\.scale])
        @Attribute(.unique, originalName: "name") var title: String
        var scale: Double = 1
        @Attribute(hashModifier: "2") var paper: Paper?
        @Relationship(deleteRule: .cascade, maximumModelCount: 9, inverse: \Pin.map) var pins: [Pin] = []
        init(title: String) { self.title = title }
    }

    @Model final class Globe: Map {
        var radius: Double = 1
    }

    @Model final class Pin {
        var map: Map?
        init() {}
    }
}

/// The same again.
private enum OtherAtlas {
    @Model class Map {
        #Unique<Map>([\.title, \.scale])
        #Index<Map>([\.scale])
        @Attribute(.unique, originalName: "name") var title: String
        var scale: Double = 1
        @Attribute(hashModifier: "2") var paper: Paper?
        @Relationship(deleteRule: .cascade, maximumModelCount: 9, inverse: \Pin.map) var pins: [Pin] = []
        init(title: String) { self.title = title }
    }

    @Model final class Pin {
        var map: Map?
        init() {}
    }
}

private enum ChangedAtlas {
    @Model final class Map {
        var title: String
        init(title: String) { self.title = title }
    }

    @Model final class Pin {
        var map: Map?
        init() {}
    }
}

private enum PlainAtlas {
    @Model final class Map {
        #Index<Map>([\.scale, \.title], [\.title])
        var title = ""
        var scale = 1
        init() {}
    }
}

private enum RuledAtlas {
    @Model final class Map {
        #Index<Map>(.sorted([.key(\.scale, order: .reverse), .key(\.title)])) { $0.scale > 3 }
        #Index<Map>(.sorted([.lowercased(\.title)], including: [\.scale]))
        #Check<Map>("titled") { $0.title != "" }
        var title = ""
        var scale = 1
        init() {}
    }
}

private enum OtherwiseRuledAtlas {
    @Model final class Map {
        #Index<Map>(.sorted([.key(\.scale, order: .reverse), .key(\.title)])) { $0.scale > 3 }
        #Index<Map>(.sorted([.lowercased(\.title)], including: [\.scale]))
        #Check<Map>("titled") { $0.title != "x" }
        var title = ""
        var scale = 1
        init() {}
    }
}
