import Foundation
import StrataModels
import Testing

@Suite("History types")
struct HistoryTypeTests {
    @Test("predicates over transactions are what WWDC's code writes") func seed() throws {
        let historyToken = DefaultHistoryToken(["a": HistoryPosition(generation: 1, base: HistorySnapshot(end: 5))])
        var historyDesc = HistoryDescriptor<DefaultHistoryTransaction>()
        historyDesc.sortBy = [.init(\.transactionIdentifier, order: .reverse)]
        historyDesc.fetchLimit = 1
        let tokenPredicate = #Predicate<DefaultHistoryTransaction> { $0.token > historyToken }
        let entityNames = Schema.entityNames(HistoryPlace.self, HistoryHotel.self)
        let changesPredicate = #Predicate<DefaultHistoryTransaction> {
            $0.changes.contains { change in
                entityNames.contains(change.changedPersistentIdentifier.entityName)
            }
        }
        let fullPredicate = #Predicate<DefaultHistoryTransaction> {
            tokenPredicate.evaluate($0)
                && changesPredicate.evaluate($0)
        }
        #expect(try fullPredicate.evaluate(transaction(7, changed: "HistoryPlace")))
        #expect(try !fullPredicate.evaluate(transaction(7, changed: "Trip")))
        #expect(try !fullPredicate.evaluate(transaction(4, changed: "HistoryPlace")))
        let optionalAuthor: String? = nil
        #expect(try #Predicate<DefaultHistoryTransaction> { $0.author == optionalAuthor }.evaluate(transaction(7)))
    }

    @Test("an update names the changed properties by key paths of the concrete class") func update() {
        let update = DefaultHistoryUpdate<HistoryHotel>(
            identifier("HistoryHotel"), number: 3, transaction: 7, slots: SlotSet([0, 2]), unknownNames: ["fax"])
        let changed: [PartialKeyPath<HistoryHotel>] = update.updatedAttributes.map { $0 }
        #expect(changed == [\HistoryHotel.name, \HistoryHotel.stars])
        #expect(update.updatedPropertyNames == ["name", "stars", "fax"])
        #expect(update.containsAttribute(\.name))
        #expect(!update.containsAttribute(\.opened))
        guard case .update(let known as DefaultHistoryUpdate<HistoryHotel>) = HistoryChange.update(update) else {
            Issue.record("the change has another type")
            return
        }
        #expect(known == update)
    }

    @Test("a tombstone gives values in the types of the properties") func tombstone() throws {
        let json = """
            {"0": "Ada \\"A\\" \\u00e9\\n", "1": "1999-12-31T23:59:59.5-01:00", "2": 5, "3": "b", "4": ["x", null, "y,z"], \
            "5": {"x": [1, 2], "note": "}"}, "6": "00ff", "7": 12.340, "8": null, "9": "5F1F1D4C-95F8-4C44-9D6B-0A4E7A0B4A39"}
            """
        let members = StoredJSON(text: Array(json.utf8)[...]).members()
        let tombstone = HistoryTombstone<HistoryHotel>(
            members.compactMap { name, value in Int(name).map { ($0, value) } })
        #expect(tombstone[\.name] as? String == "Ada \"A\" é\n")
        #expect(tombstone[\.opened] as? Date == Date(timeIntervalSince1970: 946_688_399.5))
        #expect(tombstone[\.stars] as? Int == 5)
        #expect(tombstone[\.kind] as? HistoryHotel.Kind == .business)
        #expect(tombstone[\.tags] == nil)
        #expect(tombstone[\.place] as? HistoryHotel.Place == HistoryHotel.Place(x: [1, 2], note: "}"))
        #expect(tombstone[\.photo] as? Data == Data([0, 255]))
        #expect(tombstone[\.price] as? Decimal == Decimal(string: "12.34"))
        #expect(tombstone[\.closed] == nil)
        #expect(tombstone[\.code] as? UUID == UUID(uuidString: "5F1F1D4C-95F8-4C44-9D6B-0A4E7A0B4A39"))
        let properties = tombstone.map(\.property)
        #expect(properties.first == \HistoryHotel.name)
        #expect(!properties.contains(\HistoryHotel.closed))
    }

    @Test(
        "dates are read as the server writes them in JSON",
        arguments: [
            ("2000-01-01T00:00:00+00:00", 0), ("2000-01-01T01:00:00.000001+01:00", 1),
            ("1999-12-31T23:59:59.999999+00:00", -1), ("2026-11-21T19:30:00.25+05:30", 848_584_800_250_000),
            ("0044-03-15T12:00:00+00:00 BC", -64_464_465_600_000_000), ("2000-01-01T00:00:01.5", 1_500_000),
            ("infinity", Int64.max),
        ])
    func moments(text: String, microseconds: Int64) {
        #expect(StoredJSON.microseconds(of: text) == microseconds)
    }

    @Test(
        "other text is no date, whatever is in it",
        arguments: [
            "2020-01-01T00:00:.", "2020-01-01T00:00:01.", "999999999999999-01-01T00:00:00",
            "2020-99999999999999999-01T00:00:00",
            "2020-01-01T9223372036854775807:00:00", "2020-01-01T00:00:00+9223372036854775807",
            "2020-01-01T00:00:00+00:00:00:00", "2020-01-01T00:00:00.1234567", "2020-01-01T00:00:00.+1",
            "2020-01-01T00:00",
            "2020-13-01T00:00:00", "2020-01-01TT00:00:00", "-2020-01-01T00:00:00", "2020-01-x-01T00:00:00", "T", "T+",
            "", "T BC",
            "999999-12-31T00:00:00",
        ])
    func nonsense(text: String) {
        #expect(StoredJSON.microseconds(of: text) == nil)
    }

    @Test("a preserved value of another type is nothing") func otherType() throws {
        let json =
            #"{"1": "2020-01-01T00:00:.", "2": "many", "3": "gone", "5": 5, "6": "no bytes", "7": "12 pieces", "9": "x"}"#
        let tombstone = HistoryTombstone<HistoryHotel>(
            StoredJSON(text: Array(json.utf8)[...]).members().compactMap { name, value in Int(name).map { ($0, value) }
            })
        #expect(Array(tombstone).isEmpty)
        #expect(tombstone[\.opened] == nil && tombstone[\.price] == nil)
    }

    private func identifier(_ entity: String) -> PersistentIdentifier {
        PersistentIdentifier(identity: EntityIdentity(store: "a", entityName: entity), key: 1)
    }

    private func transaction(_ number: Int64, changed entity: String = "HistoryPlace") -> DefaultHistoryTransaction {
        DefaultHistoryTransaction(
            transactionIdentifier: number,
            token: DefaultHistoryToken([
                "a": HistoryPosition(
                    generation: 1, base: nil, page: .init(ceiling: HistorySnapshot(end: 20), upto: number),
                    mark: .init(generation: 1, transaction: number, number: number))
            ]), timestamp: .now, author: nil, storeIdentifier: "a", bundleIdentifier: "", processIdentifier: "",
            actor: "app", role: nil, context: [:],
            changes: [
                .insert(DefaultHistoryInsert<HistoryPlace>(identifier(entity), number: number, transaction: number))
            ], resetEntities: [], unknownEntities: [])
    }
}

@Model class HistoryPlace {
    var name: String
    @Attribute(.preserveValueOnDeletion) var opened: Date
    init(name: String, opened: Date) {
        self.name = name
        self.opened = opened
    }
}

@Model final class HistoryHotel: HistoryPlace {
    enum Kind: String, Codable {
        case leisure = "l"
        case business = "b"
    }
    struct Place: Codable, Equatable {
        var x: [Int]
        var note: String?
    }
    var stars: Int = 0
    var kind: Kind = Kind.leisure
    var tags: [String] = []
    var place: Place = Place(x: [])
    var photo: Data?
    var price: Decimal = 0
    var closed: Date?
    var code: UUID = UUID()
}
