import Foundation
import StrataMigrations
import StrataModels
import Testing

/// Options of attributes that come and go.
@Suite("Evolution: options") struct OptionEvolutionTests {
    struct Place: Codable { var city: String }
    struct Spot: Codable { var city: String, floor: Int }
    enum Backwards: AttributeTransformer {
        static func transformed(_ value: Data) throws -> Data { Data(value.reversed()) }
        static func restored(_ data: Data) throws -> Data { Data(data.reversed()) }
    }

    enum Plain {
        @Model class Item {
            var name: String = ""
            var photo: Data?
            init() {}
        }
    }
    enum Modified {
        @Model class Item {
            @Attribute(hashModifier: "trimmed") var name: String = ""
            var photo: Data?
            init() {}
        }
    }
    enum OtherDefault {
        @Model class Item {
            var name: String = "unnamed"
            var photo: Data?
            init() {}
        }
    }
    enum External {
        @Model class Item {
            var name: String = ""
            @Attribute(.externalStorage) var photo: Data?
            init() {}
        }
    }
    enum Preserved {
        @Model class Item {
            @Attribute(.preserveValueOnDeletion) var name: String = ""
            var photo: Data?
            init() {}
        }
    }
    enum Dated {
        @Model class Item {
            var name: String = ""
            var gone: Date?
            init() {}
        }
    }
    enum DeletedSoftly {
        @Model class Item {
            var name: String = ""
            @Attribute(.deletionDate) var gone: Date?
            init() {}
        }
    }
    enum Ephemeral {
        @Model class Item {
            @Attribute(.ephemeral) var name: String = ""
            var photo: Data?
            init() {}
        }
    }
    enum Passing {
        @Model class Item {
            @Transient var name: String = ""
            var photo: Data?
            init() {}
        }
    }
    enum Turned {
        @Model class Item {
            var name: String = ""
            @Attribute(.transformable(by: Backwards.self)) var photo: Data?
            init() {}
        }
    }
    enum AtPlace {
        @Model class Item {
            var place: Place = Place(city: "Rome")
            init() {}
        }
    }
    enum AtSpot {
        @Model class Item {
            var place: Spot = Spot(city: "Rome", floor: 0)
            init() {}
        }
    }

    static let rows = ["INSERT INTO item (name, photo) VALUES ('Rome', '\\x01ff')"]

    struct Silent: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var to: any PersistentModel.Type
    }
    static let silent = [
        Silent(testDescription: "hashModifier", to: Modified.Item.self),
        Silent(testDescription: "another default", to: OtherDefault.Item.self),
        Silent(testDescription: ".preserveValueOnDeletion", to: Preserved.Item.self),
    ]

    @Test(arguments: silent) func `what is no matter of tables is a new version without a statement`(_ change: Silent)
        async throws
    {
        for (before, after) in [(Plain.Item.self as any PersistentModel.Type, change.to), (change.to, Plain.Item.self)]
        {
            let evolution = try Evolution([before], [after])
            #expect(evolution.before.fingerprint != evolution.after.fingerprint)
            // What is kept of a deleted object is the history's matter.
            let isRecorded = change.testDescription == ".preserveValueOnDeletion"
            let steps = try evolution.scripts()[1].steps
            #expect(steps.map(\.title) == ["record version 2.0.0"])
            #expect(steps[0].statements.count == (isRecorded ? 2 : 1))
            try await evolution.run(
                seed: Self.rows,
                expecting: "SELECT name, (SELECT max(version) FROM strata.schema_version) AS v FROM item",
                is: ["Rome|2.0.0"], returning: .whole)
        }
    }

    @Test func `a date becomes one of deletion, which is no matter of tables either`() async throws {
        let types: [any PersistentModel.Type] = [Dated.Item.self, DeletedSoftly.Item.self]
        for (before, after) in [(types[0], types[1]), (types[1], types[0])] {
            let evolution = try Evolution([before], [after])
            #expect(evolution.before.fingerprint != evolution.after.fingerprint)
            #expect(try evolution.scripts()[1].steps.map(\.title) == ["record version 2.0.0"])
            try await evolution.run(
                seed: ["INSERT INTO item (name, gone) VALUES ('Rome', '2001-01-01Z')"],
                expecting: "SELECT name, gone < now() AS gone FROM item", is: ["Rome|true"], returning: .whole)
        }
    }

    @Test func `external storage comes and goes`() async throws {
        try await Evolution([Plain.Item.self], [External.Item.self]).run(
            seed: Self.rows, expecting: "SELECT encode(photo, 'hex') AS p FROM item", is: ["01ff"], returning: .whole)
        try await Evolution([External.Item.self], [Plain.Item.self]).run(
            seed: Self.rows, expecting: "SELECT encode(photo, 'hex') AS p FROM item", is: ["01ff"], returning: .whole)
    }

    @Test(arguments: [Ephemeral.Item.self, Passing.Item.self] as [any PersistentModel.Type])
    func `an attribute that is not stored any more is a drop to be declared`(_ after: any PersistentModel.Type)
        async throws
    {
        let evolution = try Evolution([Plain.Item.self], [after])
        let error = #expect(throws: MigrationError.self) { _ = try evolution.scripts() }
        #expect(error?.places == ["Item.name"])
        try await Evolution([Plain.Item.self], [after], changes: [.dropped(\Plain.Item.name)]).run(
            seed: Self.rows, expecting: "SELECT encode(photo, 'hex') AS p FROM item", is: ["01ff"],
            returning: .none(because: "dropped values cannot come back: Item.name"))
    }

    @Test(arguments: [Ephemeral.Item.self, Passing.Item.self] as [any PersistentModel.Type])
    func `an attribute that is stored from now on gets its default`(_ before: any PersistentModel.Type) async throws {
        try await Evolution([before], [OtherDefault.Item.self]).run(
            seed: ["INSERT INTO item (photo) VALUES (NULL)"], expecting: "SELECT name FROM item", is: ["unnamed"],
            returning: .whole)
    }

    @Test func `what a transformer makes is known to the user alone`() async throws {
        for (before, after) in [(Plain.Item.self, Turned.Item.self), (Turned.Item.self, Plain.Item.self)]
            as [(any PersistentModel.Type, any PersistentModel.Type)]
        {
            let evolution = try Evolution([before], [after])
            let error = #expect(throws: MigrationError.self) { _ = try evolution.scripts() }
            #expect(error?.places == ["Item.photo"])
        }
        try await Evolution(
            [Plain.Item.self], [Turned.Item.self],
            changes: [.converted(\Turned.Item.photo, using: "decode(reverse(encode(photo, 'escape')), 'escape')")]
        ).run(
            seed: ["INSERT INTO item (name, photo) VALUES ('Rome', 'abc')"],
            expecting: "SELECT encode(photo, 'escape') AS p FROM item", is: ["cba"],
            returning: .none(because: "the plan's own conversions have no way back: Item.photo"))
    }

    @Test func `a document of another shape stays as it is, and the file says so`() async throws {
        let evolution = try Evolution([AtPlace.Item.self], [AtSpot.Item.self])
        let script = try evolution.scripts()[1]
        #expect(script.steps.map(\.title) == ["record version 2.0.0"])
        #expect(script.notes == ["Item.place was Place and is Spot: the stored values stay as they are"])
        try await evolution.run(
            seed: ["INSERT INTO item (place) VALUES ('{\"city\": \"Oslo\"}')"],
            expecting: "SELECT place->>'city' AS city, place->>'floor' AS floor FROM item", is: ["Oslo|nil"],
            returning: .whole)
    }

    @Test func `a document gets the key its new shape needs`() async throws {
        try await Evolution(
            [AtPlace.Item.self], [AtSpot.Item.self],
            changes: [.converted(\AtSpot.Item.place, using: "place || '{\"floor\": 1}'")]
        ).run(
            seed: ["INSERT INTO item (place) VALUES ('{\"city\": \"Oslo\"}')"],
            expecting: "SELECT place->>'city' AS city, place->>'floor' AS floor FROM item", is: ["Oslo|1"],
            returning: .none(because: "the plan's own conversions have no way back: Item.place"))
    }
}
