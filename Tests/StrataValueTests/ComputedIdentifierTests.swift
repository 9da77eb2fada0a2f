import Foundation
import Strata
import StrataModelTestSupport
import Testing

/// What has no sample values and no text of them.
private struct Email: Codable {
    var address: String
    init(address: String) { self.address = address }
    init(from decoder: any Decoder) throws {
        address = try decoder.singleValueContainer().decode(String.self)
        guard address.contains("@") else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no address"))
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(address)
    }
}

@Model private final class Port {
    var name: String
    init(_ name: String) { self.name = name }
}

@Model private final class Leg {
    var name: String
    var departure: Port?
    var arrival: Port?
    var parent: Leg?

    var port: PersistentIdentifier? { (departure ?? arrival)?.persistentModelID }
    var last: PersistentIdentifier? {
        _ = departure
        return arrival?.persistentModelID
    }
    var root: PersistentIdentifier { parent?.persistentModelID ?? persistentModelID }

    init(_ name: String, from departure: Port? = nil, to arrival: Port? = nil) {
        self.name = name
        self.departure = departure
        self.arrival = arrival
    }
}

@Model private final class Passenger {
    var name: String
    var email: Email
    init(_ name: String, _ email: String) {
        self.name = name
        self.email = Email(address: email)
    }
}

/// Identifiers that a query selects: of the object itself, along relationships, and those that are computed.
@Suite struct ComputedIdentifierTests {
    @Test func `a computed identifier is refused, and a path to one is read`() async throws {
        try await withModelStore(Port.self, Leg.self) { store in
            let context = ModelContext(store.container)
            let (kiel, oslo) = (Port("Kiel"), Port("Oslo"))
            let (there, back) = (Leg("there", from: kiel, to: oslo), Leg("back", to: kiel))
            for model in [kiel, oslo] { context.insert(model) }
            for model in [there, back] { context.insert(model) }
            back.parent = there
            try await context.save()
            let byName = FetchDescriptor<Leg>(sortBy: [SortDescriptor(\.name)])
            let departures = try await context.fetch(byName, selecting: \.departure?.persistentModelID)
            #expect(departures == [nil, kiel.persistentModelID])
            let grand = try await context.fetch(byName, selecting: \.parent?.arrival?.persistentModelID)
            #expect(grand == [oslo.persistentModelID, nil])
            await #expect(throws: SwiftDataError.unsupportedKeyPath) {
                _ = try await context.fetch(byName, selecting: \.port)
            }
            await #expect(throws: SwiftDataError.unsupportedKeyPath) {
                _ = try await context.fetch(byName, selecting: \.last)
            }
            await #expect(throws: SwiftDataError.unsupportedKeyPath) {
                _ = try await context.fetch(byName, selecting: \.root)
            }
        }
    }

    @Test func `the object's own identifier is read whatever its class holds`() async throws {
        try await withModelStore(Passenger.self) { store in
            let context = ModelContext(store.container)
            let ada = Passenger("Ada", "ada@example.org")
            context.insert(ada)
            try await context.save()
            let own = try await context.fetch(FetchDescriptor<Passenger>(), selecting: \.persistentModelID)
            #expect(own == [ada.persistentModelID])
            let ids = try await context.fetch(FetchDescriptor<Passenger>(), selecting: \.id)
            #expect(ids == own)
        }
    }
}
