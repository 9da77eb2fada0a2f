import Foundation
import Strata
import StrataModelTestSupport

/// Where voyages lead to.
@Model final class Harbour {
    var city: String
    var country: String?
    @Relationship(inverse: \Voyage.harbour) var voyages: [Voyage] = []
    init(_ city: String, country: String? = nil) {
        self.city = city
        self.country = country
    }
}

/// Values of every kind that a query reads.
@Model class Voyage {
    enum Class: String, Codable, CaseIterable, Comparable {
        case first, second, third
        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }
    struct Ship: Codable, Hashable {
        var name: String
        var built: Date
        var decks: Int
    }

    var name: String
    var nickname: String?
    var price: Decimal
    var rating: Int
    var discount: Double?
    var start: Date
    var end: Date?
    var code: UUID
    var tags: [String]
    var comfort: Class
    var ship: Ship
    var isOpen: Bool
    var harbour: Harbour?

    init(_ name: String, price: Decimal = 0, rating: Int = 0, start: Date = Date(timeIntervalSince1970: 0)) {
        self.name = name
        self.price = price
        self.rating = rating
        self.start = start
        code = UUID()
        tags = []
        comfort = .first
        ship = Ship(name: "Ada", built: Date(timeIntervalSince1970: 0.125), decks: 1)
        isOpen = true
    }
}

/// A voyage with columns of its own.
@Model final class Cruise: Voyage {
    var nights: Int
    init(_ name: String, nights: Int) {
        self.nights = nights
        super.init(name)
    }
}

func withVoyages(
    file: String = #fileID, line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void
) async throws {
    try await withModelStore(Harbour.self, Voyage.self, Cruise.self, file: file, line: line) { store in
        let context = ModelContext(store.container)
        let (kyoto, paris) = (Harbour("Kyoto", country: "Japan"), Harbour("Paris"))
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let rows: [(String, Decimal, Int, Harbour?)] = [
            ("garden", 10.5, 3, kyoto), ("temple", 20.25, 5, kyoto), ("louvre", 7, 4, paris), ("nowhere", 1, 1, nil),
        ]
        for (index, (name, price, rating, harbour)) in rows.enumerated() {
            let voyage = Voyage(name, price: price, rating: rating, start: start + Double(index) * 86_400)
            voyage.code = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(index + 1)")!
            voyage.tags = index == 0 ? ["green", "quiet"] : []
            voyage.comfort = index == 1 ? .third : .second
            voyage.nickname = index == 0 ? "moss" : nil
            voyage.discount = index == 2 ? nil : Double(index) / 4
            voyage.harbour = harbour
            context.insert(voyage)
        }
        let cruise = Cruise("fjord", nights: 6)
        (cruise.price, cruise.rating, cruise.start, cruise.discount) = (100, 2, start + 40 * 86_400, 0.5)
        cruise.code = UUID(uuidString: "00000000-0000-0000-0000-000000000009")!
        context.insert(cruise)
        try await context.save()
        store.recorder.reset()
        try await body(store, ModelContext(store.container))
    }
}

extension ModelStore {
    /// The last statement, as people write it: without quotes and the schema.
    var lastSQL: String {
        (recorder.statements.last ?? "").replacing("\"public\".", with: "").replacing("\"", with: "")
    }
}
