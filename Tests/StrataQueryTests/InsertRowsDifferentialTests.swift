import Foundation
import Strata
import StrataModelTestSupport
import Testing

/// Rows against the same by objects, and against the same one after the other.
@Suite struct InsertRowsDifferentialTests {
    private struct Stored: Equatable {
        var type: String
        var code: String
        var label: String
        var price: Decimal
        var tags: [String]
        var note: String?
        var power: Int?
        var weight: Double?

        init(_ item: Item) {
            type = "\(Swift.type(of: item))"
            (code, label, price, tags, note) = (item.code, item.label, item.price, item.tags, item.note)
            (power, weight) = ((item as? Tool)?.power, (item as? Tool)?.weight)
        }
    }

    private func all(_ container: ModelContainer) async throws -> [Stored] {
        try await ModelContext(container).fetch(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)])).map(
            Stored.init)
    }

    @Test(arguments: UInt64(0)..<6)
    func `rows of a hierarchy are what objects are`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let texts = ["", "ä€😀", "x\ty\n\"z\"", #"\N{},'"#, "plain"]
        typealias Row = (code: String, label: String, price: Decimal, tags: [String], note: String?, weight: Double?)
        let rows: [Row] = (0..<60).map { _ in
            (
                "c\(Int.random(in: 0..<40, using: &random))", texts.randomElement(using: &random)!,
                Decimal(Int.random(in: -5..<500, using: &random)) / 4,
                (0..<Int.random(in: 0..<3, using: &random)).map { _ in texts.randomElement(using: &random)! },
                Bool.random(using: &random) ? texts.randomElement(using: &random)! : nil,
                Bool.random(using: &random) ? Double.random(in: -1...1, using: &random) : nil
            )
        }
        let cut = Int.random(in: 0...60, using: &random)
        let policy: UniquePolicy = Bool.random(using: &random) ? .upsert : .ignore
        let chunks = [Array(rows[..<cut]), Array(rows[cut...])]
        try await withModelStore(Item.self, Tool.self, Shelf.self) { store in
            try await withModelStore(Item.self, Tool.self, Shelf.self, label: "objects") { other in
                let (context, objects) = (ModelContext(store.container), ModelContext(other.container))
                objects.uniquePolicy = policy
                for chunk in chunks {
                    try await context.insert(
                        into: Tool.self, \.code, \.label, \.price, \.tags, \.note, \.weight,
                        rows: chunk.map { ($0.code, $0.label, $0.price, $0.tags, $0.note, $0.weight) },
                        uniquePolicy: policy)
                    for row in chunk {
                        let tool = Tool(row.code, row.label, power: 5)
                        (tool.price, tool.tags, tool.note, tool.weight) = (row.price, row.tags, row.note, row.weight)
                        objects.insert(tool)
                    }
                    try await objects.save()
                }
                let (found, expected) = (try await all(store.container), try await all(other.container))
                #expect(found == expected)
            }
        }
    }

    private struct Chair: Hashable {
        var number: Int
        var hall: String?
        var place: Int
        var guest: String
    }

    /// One row after the other; `nil` where one has the values of two chairs.
    private static func placing(_ rows: [Chair], in chairs: [Chair], ignoring: Bool) -> [Chair]? {
        var chairs = chairs
        for row in rows {
            let found = chairs.indices.filter {
                chairs[$0].number == row.number
                    || row.hall != nil && chairs[$0].hall == row.hall && chairs[$0].place == row.place
            }
            guard found.count < 2 else { return nil }
            guard let index = found.first else {
                chairs.append(row)
                continue
            }
            if !ignoring { chairs[index] = row }
        }
        return chairs
    }

    private func chairs(_ container: ModelContainer) async throws -> Set<Chair> {
        Set(
            try await ModelContext(container).fetch(
                FetchDescriptor<Seat>(), selecting: \.number, \.hall, \.place, \.guest, into: Chair.init))
    }

    @Test(arguments: UInt64(0)..<40)
    func `rows with several unique values go where one after the other would`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        try await withModelStore(Seat.self) { store in
            let context = ModelContext(store.container)
            var expected: [Chair] = []
            var done = 0
            for step in 0..<12 {
                let rows = (0..<Int.random(in: 1..<6, using: &random)).map { number in
                    Chair(
                        number: Int.random(in: 0..<10, using: &random),
                        hall: ["a", "b", nil].randomElement(using: &random)!,
                        place: Int.random(in: 0..<4, using: &random), guest: "\(step).\(number)")
                }
                let ignoring = Int.random(in: 0..<4, using: &random) == 0
                let next = Self.placing(rows, in: expected, ignoring: ignoring)
                do {
                    try await context.insert(
                        into: Seat.self, \.number, \.hall, \.place, \.guest,
                        rows: rows.map { ($0.number, $0.hall, $0.place, $0.guest) },
                        uniquePolicy: ignoring ? .ignore : .upsert)
                    #expect(next != nil, "step \(step) was to be refused")
                    expected = next ?? expected
                    done += 1
                } catch {
                    // Where rows exchange values, the server may meet one before the other has given it up: refused as well.
                    let refusal = try #require(error as? SwiftDataError)
                    #expect(refusal.code == .uniqueConstraint)
                    #expect(next == nil || refusal.sqlState == "23505")
                }
                #expect(try await chairs(store.container) == Set(expected), "step \(step)")
            }
            #expect(done > 0)
        }
    }
}
