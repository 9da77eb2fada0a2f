import Foundation
import Strata
import Testing

/// Values of objects that cross isolation, become JSON, and come back.
@Suite struct SnapshotTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try Self.encoder.encode(value), as: UTF8.self)
    }

    private func read<M: PersistentModel>(_ json: String, as _: M.Type) throws -> ModelSnapshot<M> {
        try Self.decoder.decode(ModelSnapshot<M>.self, from: Data(json.utf8))
    }

    private func expect(
        _ code: SwiftDataError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("\(code) was expected", sourceLocation: sourceLocation)
        } catch {
            #expect(code ~= error, "\(error)", sourceLocation: sourceLocation)
        }
    }

    // MARK: Taking

    @Test func `attributes and computed properties read as on the model`() throws {
        let thing = Thing()
        thing.mood = .glad
        thing.place = Thing.Place(city: "Riga", tags: ["sea"])
        let snapshot = try thing.snapshot()
        #expect(snapshot.name == "thing")
        #expect(snapshot.count == 3)
        #expect(snapshot.note == nil)
        #expect(snapshot.mood == .glad)
        #expect(snapshot.place.city == "Riga")
        #expect(snapshot.secret == Thing.Secret(text: "psst"))
        #expect(snapshot.day == thing.day)
        #expect(snapshot.price == Decimal(string: "12.50"))
        #expect(snapshot.title == "THING")
        #expect(snapshot.id == thing.id)
        #expect(snapshot.persistentModelID == nil)
        #expect(snapshot.contains(\.name))
        #expect(!snapshot.contains(\.isOpen))
    }

    @Test func `a snapshot crosses isolation and comes back`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a", age: 1)]))
            let container = store.container
            let snapshot = try await Task {
                let context = ModelContext(container)
                let parents = try await context.fetch(FetchDescriptor<Graph.Parent>())
                return try await context.snapshots(of: parents, including: \.children)[0]
            }.value
            #expect(snapshot.name == "A")
            #expect(snapshot.children?.map(\.name) == ["a"])
            let context = store.context()
            var changed = snapshot
            try changed.set(\.note, to: "seen")
            let parent = try await context.update(from: changed, allowing: .everything)
            #expect(parent.note == "seen")
            #expect(context.changedModelsArray.count == 1)
        }
    }

    @Test func `an object of a subclass keeps its class`() async throws {
        try await withGraphStore { store in
            let car = Graph.Car("Volvo")
            car.seats = 7
            try await store.save(car, Graph.Truck("Scania"))
            let vehicles = try await store.context().fetch(
                FetchDescriptor<Graph.Vehicle>(sortBy: [SortDescriptor(\.name, order: .reverse)]))
            let snapshots = try vehicles.map { try $0.snapshot() }
            #expect(snapshots.map(\.entityName) == ["Car", "Truck"])
            #expect(snapshots[0].as(Graph.Car.self)?.seats == 7)
            #expect(snapshots[0].as(Graph.Truck.self) == nil)
            let again = try Self.decoder.decode(
                [ModelSnapshot<Graph.Vehicle>].self, from: Self.encoder.encode(snapshots))
            #expect(again == snapshots)
            #expect(again[0].as(Graph.Car.self)?.as(Graph.Vehicle.self) == snapshots[0])
        }
    }

    @Test func `relationships are taken where they are asked for, with one load a level`() async throws {
        try await withGraphStore { store in
            try await store.save(
                Parent("A", children: [Child("a"), Child("b")]), Parent("B", children: [Child("c")]), Parent("C"))
            let context = store.context()
            let parents = try await context.fetch(FetchDescriptor<Parent>(sortBy: [SortDescriptor(\.name)]))
            store.recorder.reset()
            let snapshots = try await context.snapshots(of: parents, including: \.children, \.children.first?.parent)
            #expect(store.recorder.roundTrips == 1)
            #expect(snapshots.map { $0.children?.count } == [2, 1, 0])
            #expect(snapshots[0].children?[0].parent?.name == "A")
            let plain = try parents[0].snapshot()
            #expect(plain.children == nil)
            #expect(!plain.contains(\.children))
            let named = try parents[0].snapshot(identifying: [\.children])
            #expect(named.identifiers(of: \.children) == parents[0].children.map(\.persistentModelID))
            await expect(.unsupportedKeyPath) { _ = try parents[0].snapshot(identifying: [\.name]) }
        }
    }

    @Test func `external storage and properties that were not fetched are loaded without blocking`() async throws {
        try await withGraphStore { store in
            try await store.save(
                Graph.Photo("one", pixels: Data([1, 2])), Graph.Photo("two", pixels: Data([3])), Graph.Photo("three"))
            let context = store.context()
            context.lazyLoading = .forbidden
            var descriptor = FetchDescriptor<Graph.Photo>(sortBy: [SortDescriptor(\.stars), SortDescriptor(\.title)])
            descriptor.propertiesToFetch = [\.title]
            let photos = try await context.fetch(descriptor)
            store.recorder.reset()
            let snapshots = try await context.snapshots(of: photos, including: \.pixels)
            #expect(store.recorder.roundTrips == 1)
            #expect(Set(snapshots.map(\.pixels)) == [Data([1, 2]), Data([3]), nil])
            #expect(snapshots.map(\.stars) == [0, 0, 0])
            let without = try photos[0].snapshot()
            #expect(!without.contains(\.pixels))
            #expect(without.pixels == nil)
            try context.throwUnreportedErrors()
        }
    }

    @Test func `what is within a snapshot may refer to the snapshot's own object`() async throws {
        try await withGraphStore { store in
            let (boss, report) = (Graph.Employee("boss"), Graph.Employee("report"))
            boss.boss = boss
            report.boss = boss
            try await store.save(boss, report)
            let context = store.context()
            let stored = try await context.all(Graph.Employee.self)
            var snapshot = try await context.snapshots(of: [stored[0]], identifying: [\.boss])[0]
            try snapshot.set(\.name, to: "changed")
            #expect(try await context.update(from: snapshot, allowing: .everything) === stored[0])
            #expect(stored[0].boss === stored[0])
            let copy = try await context.insert(snapshot, allowing: .everything)
            #expect(copy.boss === copy && copy !== stored[0])
            try await context.save()
            let reader = store.reader()
            #expect(
                try await reader.all(Graph.Employee.self).map { $0.boss?.name } == ["changed", "changed", "changed"])

            let parent = Parent("A")
            try await store.save(parent)
            let id = try await context.only(Parent.self).persistentModelID
            let json =
                #"{"persistentModelID":"\#(id)","name":"B","children":[{"name":"new","age":1,"parent":"\#(id)"}]}"#
            let updated = try await context.update(from: try read(json, as: Parent.self), allowing: .everything)
            #expect(updated.children.map(\.name) == ["new"] && updated.children[0].parent === updated)
            let second = try await context.insert(try read(json, as: Parent.self), allowing: .everything)
            #expect(second.children.count == 1 && second.children[0].parent === second)
            try await context.save()
            #expect(try await store.count(Child.self) == 2)
        }
    }

    // MARK: JSON

    @Test func `JSON has the names of the properties and follows the coder's strategies`() async throws {
        let thing = Thing()
        thing.day = Date(timeIntervalSince1970: 0)
        thing.id = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
        #expect(
            try text(try thing.snapshot()) == """
                {"class":"Thing","count":3,"day":"1970-01-01T00:00:00Z","id":"00000000-0000-0000-0000-000000000001",\
                "mood":"plain","name":"thing","note":null,"place":{"city":"","tags":[]},"price":12.5,"secret":{"text":"psst"},\
                "tags":["x"]}
                """)
        try await withGraphStore { store in
            let parent = Parent("A", children: [Child("a")])
            let context = store.context()
            context.insert(parent)
            try await context.save()
            let (id, child) = (parent.persistentModelID, parent.children[0].persistentModelID)
            #expect(
                try text(try parent.snapshot(including: \.children)) == """
                    {"children":[{"age":0,"class":"Child","name":"a","persistentModelID":"\(child)"}],"class":"Parent",\
                    "name":"A","note":null,"persistentModelID":"\(id)"}
                    """)
            #expect(
                try text(try parent.children[0].snapshot(identifying: [\.parent])) == """
                    {"age":0,"class":"Child","name":"a","parent":"\(id)","persistentModelID":"\(child)"}
                    """)
        }
    }

    @Test func `what is wrong in JSON is an error with its place`() throws {
        #expect(throws: DecodingError.self) { try read(#"{"note":"x"}"#, as: Parent.self) }
        #expect(throws: DecodingError.self) { try read(#"{"name":3}"#, as: Parent.self) }
        #expect(throws: DecodingError.self) { try read(#"{"name":null}"#, as: Parent.self) }
        #expect(throws: DecodingError.self) { try read(#"{"class":"Child","name":"x"}"#, as: Parent.self) }
        #expect(throws: DecodingError.self) { try read(#"{"name":"x","children":[{"age":1}]}"#, as: Parent.self) }
        #expect(throws: DecodingError.self) { try read(#"{"name":"x","children":["nonsense"]}"#, as: Parent.self) }
        #expect(throws: DecodingError.self) { try read(#"{"name":"x","persistentModelID":7}"#, as: Parent.self) }
    }

    // MARK: The way back

    @Test func `a snapshot makes a new object, with what is in it`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let snapshot = try read(
                #"{"name":"A","children":[{"name":"a","age":4},{"name":"b","age":5}]}"#, as: Parent.self)
            let parent = try await context.insert(snapshot, allowing: .everything)
            #expect(parent.children.map(\.age) == [4, 5])
            #expect(parent.children[0].parent === parent)
            try await context.save()
            #expect(try await store.count(Child.self) == 2)
        }
    }

    @Test func `a relationship is replaced by the objects that a snapshot names`() async throws {
        try await withGraphStore { store in
            try await store.save(
                Parent("A", children: [Child("stays"), Child("leaves")]), Parent("B", children: [Child("comes")]))
            let writer = store.context()
            let stays = try await writer.fetch(FetchDescriptor<Child>(predicate: #Predicate { $0.name == "stays" }))[0]
            let comes = try await writer.fetch(FetchDescriptor<Child>(predicate: #Predicate { $0.name == "comes" }))[0]
            let json = """
                {"name":"A2","children":[{"persistentModelID":"\(stays.persistentModelID)","name":"stays","age":9},
                {"persistentModelID":"\(comes.persistentModelID)","name":"comes","age":0},{"name":"new","age":1}]}
                """
            let context = store.context()
            let parent = try await context.fetch(FetchDescriptor<Parent>(predicate: #Predicate { $0.name == "A" }))[0]
            context.lazyLoading = .forbidden
            store.recorder.reset()
            try await context.apply(try read(json, as: Parent.self), to: parent, allowing: .everything)
            #expect(store.recorder.roundTrips <= 3)
            try await context.save()
            let reader = store.context()
            let children = try await reader.fetch(FetchDescriptor<Child>(sortBy: [SortDescriptor(\.name)]))
            #expect(children.map(\.name) == ["comes", "leaves", "new", "stays"])
            #expect(children.map { $0.parent?.name } == ["A2", nil, "A2", "A2"])
            #expect(children.map(\.age) == [0, 0, 1, 9])
        }
    }

    @Test func `identifiers link existing objects`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            let json = #"{"name":"a","age":2,"parent":"\#(parent.persistentModelID)"}"#
            let child = try await context.insert(try read(json, as: Child.self), allowing: .everything)
            #expect(child.parent === parent)
            #expect(parent.children.count == 1)
            try await context.save()
        }
    }

    @Test func `a patch changes what it says`() async throws {
        try await withGraphStore { store in
            let parent = Parent("A")
            parent.note = "old"
            try await store.save(parent)
            let context = store.context()
            let stored = try await context.only(Parent.self)
            let patch = try Self.decoder.decode(ModelPatch<Parent>.self, from: Data(#"{"note":null}"#.utf8))
            try await context.apply(patch, to: stored, allowing: \.note)
            #expect(stored.note == nil)
            #expect(stored.name == "A")
            try await context.save()
            // What is equal already is not written.
            try await context.apply(try stored.snapshot(), to: stored, allowing: .everything)
            #expect(!context.hasChanges)
        }
    }

    @Test func `what cannot be applied changes nothing`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]), Graph.Car("Volvo"))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            let child = try await context.only(Child.self)
            let gone = child.persistentModelID
            let snapshot = try parent.snapshot(including: \.children)
            let other = store.context()
            other.delete(try await other.only(Child.self))
            try await other.save()

            let fresh = store.context()
            let target = try await fresh.only(Parent.self)
            await expect(.modelNotFound) { _ = try await fresh.apply(snapshot, to: target, allowing: .everything) }
            #expect(!fresh.hasChanges)
            await expect(.foreignObject) { _ = try await fresh.apply(snapshot, to: parent, allowing: .everything) }
            let car = try await fresh.only(Graph.Car.self)
            let truck = try Graph.Truck("Scania").snapshot()
            let asVehicle = try #require(truck.as(Graph.Vehicle.self))
            await expect(.invalidValue) { _ = try await fresh.apply(asVehicle, to: car, allowing: .everything) }
            let wrong = try read(#"{"name":"A","children":["\#(car.persistentModelID)"]}"#, as: Parent.self)
            await expect(.invalidValue) { _ = try await fresh.apply(wrong, to: target, allowing: .everything) }
            await expect(.invalidIdentifier) { _ = try await fresh.update(from: asVehicle, allowing: .everything) }
            #expect(!fresh.hasChanges)
            #expect(gone.entityName == "Child")
            var unnamed = snapshot
            await expect(.invalidValue) { _ = try unnamed.set(\.name, to: "\u{0}") }
            await expect(.unsupportedKeyPath) { _ = try unnamed.set(\.hasChanges, to: true) }
        }
    }

    @Test func `a snapshot's values stay out of logs`() throws {
        let snapshot = try Graph.Parent("secret name").snapshot()
        #expect("\(snapshot)" == "snapshot of Parent")
    }
}

@Model private final class Thing {
    enum Mood: String, Codable { case plain, glad }
    struct Place: Codable, Equatable {
        var city = ""
        var tags: [String] = []
    }
    /// Neither `Sendable` nor a value type.
    final class Secret: Codable, Equatable {
        var text: String
        init(text: String) { self.text = text }
        static func == (lhs: Secret, rhs: Secret) -> Bool { lhs.text == rhs.text }
    }

    var id = UUID()
    var name = "thing"
    var count = 3
    var note: String?
    var tags = ["x"]
    var price = Decimal(125) / 10
    var day = Date(timeIntervalSince1970: 1000.5)
    var mood = Mood.plain
    var place = Place()
    var secret = Secret(text: "psst")
    @Attribute(.ephemeral) var isOpen = false
    init() {}
    var title: String { name.uppercased() }
}
