import Foundation
import Strata
import Testing

@Suite struct IdentifierTests {
    private typealias Parent = Graph.Parent

    @Test func `an identifier is temporary before the insert and final from then on`() async throws {
        try await withGraphStore { store in
            let parent = Parent("A")
            let before = parent.persistentModelID
            #expect(before.isTemporary)
            #expect(before == parent.persistentModelID)
            #expect(before.storeIdentifier == nil)
            #expect(before != Parent("A").persistentModelID)
            let hash = parent.hashValue
            let context = store.context()
            context.insert(parent)
            let identifier = parent.persistentModelID
            #expect(!identifier.isTemporary)
            #expect(identifier.entityName == "Parent")
            #expect(identifier.storeIdentifier != nil)
            try await context.save()
            #expect(parent.persistentModelID == identifier)
            #expect(parent.id == identifier)
            #expect(parent.hashValue == hash)
            #expect(try await store.reader().only(Parent.self).persistentModelID == identifier)
        }
    }

    @Test func `a set keeps finding an object through its life`() async throws {
        try await withGraphStore { store in
            let parents = [Parent("A"), Parent("B")]
            let set = Set(parents)
            let context = store.context()
            for parent in parents { context.insert(parent) }
            try await context.save()
            #expect(parents.allSatisfy(set.contains))
            context.delete(parents[0])
            try await context.save()
            #expect(parents.allSatisfy(set.contains))
        }
    }

    @Test func `an identifier goes through JSON and finds its object in another context`() async throws {
        try await withGraphStore { store in
            let car = Graph.Car("Beetle")
            try await store.save(car)
            let data = try JSONEncoder().encode([car.persistentModelID])
            let decoded = try JSONDecoder().decode([PersistentIdentifier].self, from: data)
            #expect(decoded == [car.persistentModelID])
            #expect(decoded[0].hashValue == car.persistentModelID.hashValue)
            let found = try await store.context().model(for: decoded[0])
            #expect((found as? Graph.Car)?.name == "Beetle")
            #expect(throws: DecodingError.self) {
                _ = try JSONDecoder().decode([PersistentIdentifier].self, from: Data(#"["nonsense"]"#.utf8))
            }
        }
    }

    @Test func `an identifier of another store or of an unknown entity is an error that says so`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let foreign = try PersistentIdentifier.identifier(for: "elsewhere", entityName: "Parent", primaryKey: 5)
            await expectError(.unknownSchema) { _ = try await context.model(for: foreign) }
            #expect((context.registeredModel(for: foreign) as Parent?) == nil)
            let parent = Parent("A")
            try await store.save(parent)
            let here = try #require(parent.persistentModelID.storeIdentifier)
            let unknown = try PersistentIdentifier.identifier(for: here, entityName: "Nobody", primaryKey: 5)
            await expectError(.unknownSchema) { _ = try await context.model(for: unknown) }
            let gone = try PersistentIdentifier.identifier(for: here, entityName: "Parent", primaryKey: 5)
            await expectError(.modelNotFound) { _ = try await context.model(for: gone) }
            #expect(throws: SwiftDataError.self) {
                _ = try PersistentIdentifier.identifier(for: here, entityName: "Parent", primaryKey: 1.5)
            }
            // A text may be a key, but not of this class.
            let text = try PersistentIdentifier.identifier(for: here, entityName: "Parent", primaryKey: "x")
            await expectError(.invalidIdentifier) { _ = try await context.model(for: text) }
        }
    }

    @Test func `identifiers fit into predicates`() async throws {
        try await withGraphStore { store in
            let (one, two) = (Parent("A"), Parent("B"))
            try await store.save(one, two)
            let context = store.context()
            let wanted = two.persistentModelID
            let found = try await context.fetch(
                FetchDescriptor<Parent>(predicate: #Predicate { $0.persistentModelID == wanted }))
            #expect(found.map(\.name) == ["B"])
            let many = [one.persistentModelID, two.persistentModelID]
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Parent>(predicate: #Predicate { many.contains($0.persistentModelID) }))
                    == 2)
        }
    }

    @Test func `an identifier is a component of a URL's path, and comes back`() async throws {
        try await withGraphStore { store in
            let car = Graph.Car("Volvo")
            try await store.save(car)
            let id = car.persistentModelID
            let component = id.urlPathComponent
            #expect(component == "Car.\(id.key).\(try #require(id.storeIdentifier))")
            let unreserved = CharacterSet.alphanumerics.union(["-", ".", "_", "~"])
            #expect(component.addingPercentEncoding(withAllowedCharacters: unreserved) == component)
            #expect(try PersistentIdentifier(urlPathComponent: component) == id)
            #expect(try PersistentIdentifier(urlPathComponent: component, of: Graph.Vehicle.self) == id)
            let again = try PersistentIdentifier(urlPathComponent: component)
            let found: Graph.Vehicle? = try await store.reader().existingModel(for: again)
            #expect(found?.name == "Volvo")
            #expect(throws: SwiftDataError.invalidIdentifier) {
                try PersistentIdentifier(urlPathComponent: component, of: Graph.Truck.self)
            }
        }
    }

    @Test func `names of any script and stores of any name fit into a path`() throws {
        for (entity, store) in [("Größe", "a/b c"), ("旅", "x.y~z"), ("_A1", "..%2F")] {
            let id = try PersistentIdentifier.identifier(for: store, entityName: entity, primaryKey: 7)
            let component = id.urlPathComponent
            #expect(component.wholeMatch(of: /[A-Za-z0-9._~-]+/) != nil)
            #expect(try PersistentIdentifier(urlPathComponent: component) == id)
        }
    }

    @Test(arguments: [
        "", ".", "..", "Trip", "Trip.7", "Trip.7.", ".7.s", "Trip.-7.s", "Trip.0.s", "Trip.+7.s", "Trip.07.s",
        "Trip.7.s.t", "Trip.7.s/t", "Trip.7.s~zz", "Trip.7.s~6", "Trip.7.~61", "Trip.7.~FF", "Trip.7.~ff", "Tr ip.7.s",
        "Trip.99999999999999999999.s", "Trip.7.s\n", "Trip.7.\u{e4}", "strata:s/Trip/7",
        String(repeating: "a", count: 3_000) + ".7.s",
    ]) func `anything else is refused, and no log has it`(text: String) {
        do {
            let id = try PersistentIdentifier(urlPathComponent: text)
            Issue.record("\(id)")
        } catch let error as SwiftDataError {
            #expect(error == .invalidIdentifier)
            #expect(text.utf8.count < 5 || !error.description.contains(text))
        } catch {
            Issue.record(error)
        }
    }
}
