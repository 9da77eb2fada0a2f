import Foundation
import Strata
import Testing

/// Writes the same value in other bytes each time.
private enum Salted: AttributeTransformer {
    static func transformed(_ value: String) throws -> Data {
        Data([UInt8.random(in: 0...255), UInt8.random(in: 0...255), UInt8.random(in: 0...255)]) + Data(value.utf8)
    }
    static func restored(_ data: Data) throws -> String { String(decoding: data.dropFirst(3), as: UTF8.self) }
}

private struct Address: Codable, Equatable {
    var street: String
    var number: Double
    var since: Date
}

/// Not `Equatable`: only its form can be compared.
private struct Shape: Codable {
    var sides: [Int]
}

@Model private final class Place {
    var name: String
    var address: Address?
    var tags: Set<String> = ["a", "b", "c", "d", "e"]
    var shape = Shape(sides: [1, 2])
    @Attribute(.transformable(by: Salted.self)) var secret: String = "s"
    @Attribute(.externalStorage) var photo: Data?
    init(_ name: String) { self.name = name }
}

/// Values whose stored form does not show whether they have changed.
@Suite struct DocumentConflictTests {
    private typealias Pair = (context: ModelContext, place: Place)

    private func race(_ body: (ModelStore, Pair, Pair) async throws -> Void) async throws {
        try await withModelStore(Place.self) { store in
            let context = ModelContext(store.container)
            let place = Place("here")
            place.address = Address(street: "Rue X", number: 7.5, since: Date(timeIntervalSince1970: 1_700_000_000.25))
            place.photo = Data([1])
            context.insert(place)
            try await context.save()
            let (one, other) = (ModelContext(store.container), ModelContext(store.container))
            let (mine, theirs) = (try await one.only(Place.self), try await other.only(Place.self))
            store.recorder.reset()
            try await body(store, (one, mine), (other, theirs))
        }
    }

    private func stored(_ store: ModelStore) async throws -> Place {
        let context = ModelContext(store.container)
        return try await context.only(Place.self)
    }

    private enum Edit: CaseIterable {
        case address, addressToNil, tags, shape, secret

        func make(_ place: Place, _ word: String) {
            switch self {
            case .address: place.address?.street = word
            case .addressToNil: place.address = nil
            case .tags: place.tags.insert(word)
            case .shape: place.shape.sides.append(word.count)
            case .secret: place.secret = word
            }
        }
    }

    @Test(arguments: Edit.allCases)
    private func `two contexts that change the same value are a conflict`(edit: Edit) async throws {
        try await race { store, one, other in
            (edit == .addressToNil ? .address : edit).make(one.place, "first")
            edit.make(other.place, "other")
            try await one.context.save()
            await expectError(.conflict) { try await other.context.save() }
            #expect(other.place.hasChanges)
            other.context.rollback()
            try await other.context.refresh([other.place])
            edit.make(other.place, "other")
            try await other.context.save()
        }
    }

    @Test(arguments: Edit.allCases)
    private func `one after the other is none, in one round trip where the form is the same`(edit: Edit) async throws {
        try await race { store, one, _ in
            for word in ["x", "yy", "zzz"] {
                edit.make(one.place, word)
                try await one.context.save()
                #expect(!one.place.hasChanges)
            }
            let place = try await stored(store)
            #expect(place.address == one.place.address && place.tags == one.place.tags)
            #expect(place.shape.sides == one.place.shape.sides && place.secret == one.place.secret)
        }
    }

    @Test func `a key that the type does not know is no conflict, one that it knows is`() async throws {
        try await race { store, one, other in
            try await store.database.execute(#"UPDATE place SET address = address || '{"floor": 3}'"#)
            one.place.address?.number = 8
            one.place.name = "there"
            try await one.context.save()
            #expect(try await stored(store).address?.number == 8)

            try await store.database.execute(#"UPDATE place SET address = address || '{"street": "Rue Y"}'"#)
            one.place.address?.number = 9
            do {
                try await one.context.save()
                Issue.record("no conflict")
            } catch let error as SwiftDataError {
                #expect(error.code == .conflict && error.message.contains("Place.address"))
            }
            #expect(try await stored(store).address?.street == "Rue Y")
            _ = other
        }
    }

    @Test func `another change of the row between the two attempts is noticed`() async throws {
        try await race { store, one, _ in
            // Everything at once: different forms of the same, and one that differs.
            try await store.database.execute(
                #"UPDATE place SET address = address || '{"floor": 3}', shape = '{"sides": [9]}'"#)
            one.place.address?.number = 8
            one.place.shape.sides = [3]
            await expectError(.conflict) { try await one.context.save() }
            #expect(try await stored(store).shape.sides == [9])
        }
    }

    @Test func `within a transaction, and with other policies`() async throws {
        try await race { store, one, other in
            try await store.database.execute(#"UPDATE place SET address = address || '{"floor": 3}'"#)
            try await one.context.transaction {
                one.place.address?.number = 8
                one.place.secret = "t"
                try await one.context.save()
                one.place.name = "there"
            }
            #expect(try await stored(store).name == "there")
            other.context.conflictPolicy = .overwrite
            other.place.address?.street = "Rue Z"
            try await other.context.save()
            #expect(try await stored(store).address?.street == "Rue Z")
            let third = ModelContext(store.container)
            third.conflictPolicy = .keepStore
            let place = try await third.only(Place.self)
            place.shape.sides = []
            try await third.save()
            #expect(try await stored(store).shape.sides == [])
        }
    }
}
