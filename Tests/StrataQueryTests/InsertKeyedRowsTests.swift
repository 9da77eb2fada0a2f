import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Rows of a type that names its values itself.
@Suite struct InsertKeyedRowsTests {
    private struct NewItem: Codable, Equatable {
        var code: String
        var label: String
        var tags: [String]
        var note: String?
        var shelf: PersistentIdentifier?
    }

    private func withItems(line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Item.self, Tool.self, Shelf.self, line: line) { store in
            let context = ModelContext(store.container)
            context.insert(Shelf("top"))
            context.insert(Item("a", "apple"))
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func message(_ work: () async throws -> Void) async -> String {
        let error = await #expect(throws: SwiftDataError.self) { try await work() }
        return "\(error.map { "\($0.code)" } ?? "") \(error?.message ?? "")"
    }

    @Test func `a row's keys are properties`() async throws {
        try await withItems { store, context in
            let shelf = try await context.fetch(FetchDescriptor<Shelf>(), selecting: \.persistentModelID)[0]
            let json = """
                [{"code": "b", "label": "bean", "tags": ["x", "y"]}, {"code": "c", "label": "corn", "tags": [], "note": "sweet"}]
                """
            var rows = try JSONDecoder().decode([NewItem].self, from: Data(json.utf8))
            rows[1].shelf = shelf
            store.recorder.reset()
            let result = try await context.insert(into: Item.self, rows: rows, reportsIdentifiers: true)
            #expect(result.insertedCount == 2)
            #expect(result.identifiers?.count == 2)
            #expect(
                store.recorder.statements.filter { $0.contains("COPY") } == [
                    #"COPY "public"."item" ("pk", "class", "code", "label", "price", "tags", "token", "note", "shelf") FROM STDIN (FORMAT binary)"#
                ])
            let read = try await context.fetch(
                FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)]), selecting: \.code, \.label, \.tags, \.note,
                \.shelf?.persistentModelID)
            #expect(
                read.dropFirst().map { NewItem(code: $0.0, label: $0.1, tags: $0.2, note: $0.3, shelf: $0.4) } == rows)
            // What no row says is as the class declares it.
            let prices = try await context.fetch(FetchDescriptor<Item>(), selecting: \.price, distinct: true)
            #expect(prices == [1])
        }
    }

    @Test func `stored rows are updated by what the rows name`() async throws {
        struct Relabelled: Encodable { var code: String, label: String? }
        try await withItems { _, context in
            let blocking = {
                try context.insert(
                    into: Item.self, rows: ["a", "b"].lazy.map { Relabelled(code: $0, label: "new \($0)") },
                    uniquePolicy: .upsert)
            }
            let result = try blocking()
            #expect(result.insertedCount == 1 && result.updatedCount == 1)
            let labels = try await context.fetch(
                FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)]), selecting: \.label)
            #expect(labels == ["new a", "new b"])
            let text = await message {
                try await context.insert(
                    into: Item.self, rows: [Relabelled(code: "c", label: "c"), Relabelled(code: "d", label: nil)])
            }
            #expect(
                text
                    == "invalidValue Row 2 of those inserted into Item: Item.label cannot be stored: it is nil, and required."
            )
            #expect(try await context.fetchCount(FetchDescriptor<Item>()) == 2)
        }
    }

    @Test func `a subclass, rows that come over time, and none`() async throws {
        struct NewTool: Encodable { var power: Int, code: String, label: String, weight: Double? }
        try await withItems { _, context in
            let rows = AsyncStream { continuation in
                for number in 0..<20_000 {
                    continuation.yield(
                        NewTool(power: number, code: "t\(number)", label: "x", weight: number == 7 ? 0.5 : nil))
                }
                continuation.finish()
            }
            #expect(try await context.insert(into: Tool.self, rows: rows).insertedCount == 20_000)
            let weights = try await context.fetch(
                FetchDescriptor<Tool>(predicate: #Predicate { $0.weight != nil }), selecting: \.power)
            #expect(weights == [7])
            let none = try await context.insert(into: Tool.self, rows: [NewTool](), reportsIdentifiers: true)
            #expect(none.insertedCount == 0 && none.identifiers == [])
        }
    }

    @Test func `what rows cannot say is named before the first of them`() async throws {
        struct Other: Encodable { var code: String, size: Int }
        struct Wrong: Encodable { var code: String, label: String, price: Double }
        struct Little: Encodable { var code: String }
        struct Shuffled: Encodable {
            var names: [String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for name in names { try container.encode("x", forKey: Key(stringValue: name)) }
            }
            struct Key: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        try await withItems { store, context in
            #expect(
                await message { try await context.insert(into: Item.self, rows: [Other(code: "x", size: 1)]) }
                    == "unsupportedKeyPath The rows inserted into Item have a value for size, which is no stored property of the class. Call keys "
                    + "(CodingKeys) as the properties are called, and leave out what is not stored.")
            #expect(
                await message {
                    try await context.insert(into: Item.self, rows: [Wrong(code: "x", label: "", price: 1)])
                }
                .hasPrefix(
                    "unsupportedKeyPath The rows inserted into Item have Double for Item.price, which takes ")
            )
            #expect(
                await message { try await context.insert(into: Item.self, rows: [Little(code: "x")]) }
                    .hasPrefix("modelValidationFailure Rows cannot be inserted into Item without Item.label"))
            #expect(
                await message { try await context.insert(into: Item.self, rows: ["x"]) }
                    .hasPrefix("unsupportedFeature String cannot be a row"))
            #expect(store.recorder.roundTrips == 0)
            func shuffled(_ second: [String]) async -> String {
                await message {
                    try await context.insert(
                        into: Item.self, rows: [Shuffled(names: ["code", "label"]), Shuffled(names: second)],
                        uniquePolicy: .fail)
                }
            }
            #expect(
                await shuffled(["code"])
                    == "invalidValue Row 2 of those inserted into Item: it has no label, which the first row has.")
            #expect(
                await shuffled(["label", "note", "code"])
                    == "invalidValue Row 2 of those inserted into Item: it has a value for note, which the first row has not."
            )
            #expect(
                await shuffled(["code", "code"])
                    == "invalidValue Row 2 of those inserted into Item: it names code twice.")
            let result = try await context.insert(
                into: Item.self, rows: [Shuffled(names: ["label", "code"])], uniquePolicy: .upsert)
            #expect(result.insertedCount == 1)
        }
    }
}
