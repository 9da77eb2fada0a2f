import Foundation
import Strata
import Testing

/// A conflict says, as data, which properties of which object two writers have changed.
@Suite struct ConflictValuesTests {
    private func conflict(_ save: () async throws -> Void) async throws -> SwiftDataError {
        do {
            try await save()
        } catch let error as SwiftDataError where error == .conflict {
            return error
        }
        throw CocoaError(.featureUnsupported)
    }

    @Test func `the values are there, in the types of their properties`() async throws {
        try await withModelStore(Offer.self) { store in
            let (writer, one, other) = (
                ModelContext(store.container), ModelContext(store.container), ModelContext(store.container)
            )
            writer.insert(Offer("A"))
            try await writer.save()
            let byName = FetchDescriptor<Offer>(sortBy: [SortDescriptor(\.name)])
            let (mine, theirs) = (try await one.fetch(byName), try await other.fetch(byName))
            theirs[0].price = 20
            theirs[0].mood = .glad
            theirs[0].grid = [[5]]
            theirs[0].note = nil
            try await other.save()
            mine[0].price = 30
            mine[0].mood = .sad
            mine[0].grid = [[6], [7]]
            mine[0].note = "mine"
            mine[0].name = "A2"
            let error = try await conflict { try await one.save() }
            #expect(error.identifiers == mine.map(\.persistentModelID))
            #expect(error.conflicts.map(\.propertyName) == ["price", "mood", "grid", "note"])
            #expect(error.conflicts.allSatisfy { $0.persistentModelID == mine[0].persistentModelID })
            #expect(error.conflicts[0].entityName == "Offer")
            #expect(error.conflicts[0].keyPath == \Offer.price)
            let price = try #require(error.conflicts[0].values(of: \Offer.price))
            #expect((price.before, price.mine, price.theirs) == (10, 30, 20))
            let mood = try #require(error.conflicts[1].values(of: \Offer.mood))
            #expect((mood.before, mood.mine, mood.theirs) == (.plain, .sad, .glad))
            let grid = try #require(error.conflicts[2].values(of: \Offer.grid))
            #expect(grid == ConflictingValues(before: [[1], [2]], mine: [[6], [7]], theirs: [[5]]))
            let note = try #require(error.conflicts[3].values(of: \Offer.note))
            #expect((note.before, note.mine, note.theirs) == ("old", "mine", nil))
            #expect(error.conflicts[0].values(of: \Offer.mood) == nil)
            #expect(error.conflicts[0].values(of: \Offer.name) == nil)
        }
    }

    @Test func `a relationship's values are identifiers, with the class of the object`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Garage("G"), Graph.Car("car"), Graph.Truck("truck"))
            let (one, other) = (store.context(), store.context())
            let (mine, theirs) = (try await one.only(Graph.Garage.self), try await other.only(Graph.Garage.self))
            let vehicles = try await other.fetch(FetchDescriptor<Graph.Vehicle>(sortBy: [SortDescriptor(\.name)]))
            theirs.favourite = vehicles[1]
            try await other.save()
            let new = Graph.Car("new")
            one.insert(new)
            mine.favourite = new
            let error = try await conflict { try await one.save() }
            let values = try #require(error.conflicts.first?.identifiers(of: \Graph.Garage.favourite))
            #expect(values.before == .some(nil))
            #expect(values.mine == new.persistentModelID)
            #expect(values.theirs == vehicles[1].persistentModelID)
            #expect(values.theirs?.entityName == "Truck")
        }
    }

    @Test func `values are in no log, and hidden ones in no text at all`() async throws {
        try await withModelStore(Offer.self) { store in
            let (writer, one, other) = (
                ModelContext(store.container), ModelContext(store.container), ModelContext(store.container)
            )
            writer.insert(Offer("A"))
            try await writer.save()
            let (mine, theirs) = (try await one.only(Offer.self), try await other.only(Offer.self))
            (theirs.note, theirs.secret) = ("theirs", "top secret")
            try await other.save()
            (mine.note, mine.secret) = ("mine", "my secret")
            let error = try await conflict { try await one.save() }
            #expect(!error.description.contains("mine") && !error.description.contains("theirs"))
            #expect(error.conflicts.allSatisfy { !$0.description.contains("mine") })
            #expect(error.debugDescription.contains("Offer.note is theirs in the database, mine here."))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let json = String(decoding: try encoder.encode(error.conflicts), as: UTF8.self)
            let id = mine.persistentModelID
            #expect(
                json == """
                    [{"before":"old","mine":"mine","persistentModelID":"\(id)","property":"note","theirs":"theirs"},\
                    {"persistentModelID":"\(id)","property":"secret"}]
                    """)
            #expect(!error.debugDescription.contains("secret here") && !error.debugDescription.contains("top secret"))
            #expect(error.conflicts.last?.values(of: \Offer.secret)?.theirs == "top secret")
            // It crosses isolation.
            let names = await Task.detached { error.conflicts.map(\.propertyName) }.value
            #expect(names == ["note", "secret"])
        }
    }

    @Test func `errors are compared, caught and thrown by SwiftData's names`() throws {
        func failing(_ error: SwiftDataError) throws { throw error }
        var caught: [String] = []
        do { try failing(.conflict) } catch let error as SwiftDataError where error == .conflict { caught.append("==") }
        do { try failing(SwiftDataError.unknownSchema) } catch SwiftDataError.unknownSchema { caught.append("~=") }
        do {
            try failing(SwiftDataError(.conflict, "with words of its own"))
        } catch let error as SwiftDataError {
            switch error {
            case .unknownSchema: Issue.record("no")
            case .conflict: caught.append("switch")
            default: Issue.record("no")
            }
        }
        #expect(caught == ["==", "~=", "switch"])
        #expect(SwiftDataError.unknownSchema.message.hasSuffix("."))
        #expect(throws: SwiftDataError.readOnly) { try failing(.readOnly) }
        #expect(SwiftDataError.conflict != .readOnly)
        #expect(Set([SwiftDataError.conflict, SwiftDataError(.conflict, "another")]).count == 1)
        #expect(SwiftDataError.configurationFileNameTooLong.code == .configurationFileNameTooLong)
    }
}

@Model private final class Offer {
    enum Mood: String, Codable { case plain, sad, glad }

    var name: String
    var price: Decimal = 10
    var mood = Mood.plain
    @Attribute(.codable) var grid: [[Int]] = [[1], [2]]
    var note: String? = "old"
    @Attribute(.hidden) var secret = "old secret"
    init(_ name: String) { self.name = name }
}
