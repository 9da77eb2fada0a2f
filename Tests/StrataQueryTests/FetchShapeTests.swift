import Foundation
import Strata
import StrataModelTestSupport
import Testing

@Model private final class Crew {
    var name: String
    init(_ name: String) { self.name = name }
}

@Model private class Vessel {
    var name: String
    var length: Int
    var launched: Date
    var number: UUID
    var rating: Int?
    var isSold: Bool
    var crew: Crew?

    init(_ index: Int, random: inout SeededGenerator, of crews: [Crew]) {
        name = ["Äpfel", "apfel", "Bär", "", "zebra"].randomElement(using: &random)!
        length = Int.random(in: 0..<4, using: &random)
        launched = Date(timeIntervalSince1970: Double(Int.random(in: 0..<5, using: &random) * 86_400))
        number = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(index % 4)")!
        rating = Bool.random(using: &random) ? nil : Int.random(in: 0..<3, using: &random)
        isSold = Bool.random(using: &random)
        crew = Bool.random(using: &random) ? nil : crews.randomElement(using: &random)
    }
}

@Model private final class Tug: Vessel {
    var power = 3
}

/// A fetch of the shape of an earlier one takes over its text, with values of its own.
@Suite struct FetchShapeTests {
    private func withVessels(line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Crew.self, Vessel.self, Tug.self, line: line) { store in
            let context = ModelContext(store.container)
            var random = SeededGenerator(11)
            let crews = (0..<2).map { Crew("c\($0)") }
            for crew in crews { context.insert(crew) }
            for index in 0..<60 {
                context.insert(
                    index % 3 == 0
                        ? Tug(index, random: &random, of: crews) : Vessel(index, random: &random, of: crews))
            }
            try await context.save()
            try await body(store, ModelContext(store.container))
        }
    }

    /// The values that the predicates capture.
    private struct Values {
        let (text, other): (String, String)
        let (length, further): (Int, Int)
        let (date, number, truth): (Date, UUID, Bool)
        let rating: Int?

        init(_ random: inout SeededGenerator) {
            let texts = ["Äpfel", "apfel", "Bär", "", "zebra", "none"]
            (text, other) = (texts.randomElement(using: &random)!, texts.randomElement(using: &random)!)
            length = Int.random(in: -1..<5, using: &random)
            further = Int.random(in: -1..<5, using: &random)
            date = Date(timeIntervalSince1970: Double(Int.random(in: 0..<5, using: &random) * 86_400))
            number = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(Int.random(in: 0..<5, using: &random))")!
            truth = Bool.random(using: &random)
            rating = Bool.random(using: &random) ? nil : Int.random(in: 0..<3, using: &random)
        }

        /// Of shapes whose text is taken over, and of some whose text depends on the values.
        var predicates: [Predicate<Vessel>] {
            let (text, other, length, further, date) = (text, other, length, further, date)
            let (number, truth, rating) = (number, truth, rating)
            return [
                #Predicate { $0.length == length },
                #Predicate { length != $0.length },
                #Predicate { $0.length > length && $0.length <= further },
                #Predicate { $0.length < length && $0.length >= further },
                #Predicate { further < $0.length && $0.name == text },
                #Predicate { !($0.name < text) && $0.launched <= date },
                #Predicate { $0.number == number && $0.isSold == truth },
                #Predicate { $0.isSold && !($0.length == length && $0.name != other) },
                #Predicate { truth && $0.length == further },
                #Predicate { length == further && $0.name == text },
                #Predicate { $0.rating == rating },
                #Predicate { $0.rating != rating && $0.length == length },
                #Predicate { $0.length >= length || $0.length >= further && $0.name == text },
                #Predicate { $0.crew?.name == text },
                #Predicate { $0.length == length + further },
            ]
        }
    }

    @Test func `every fetch finds what its own values say`() async throws {
        try await withVessels { _, context in
            var random = SeededGenerator(5)
            let all = try await context.fetch(FetchDescriptor<Vessel>())
            let tugs = all.compactMap { $0 as? Tug }
            for round in 0..<25 {
                let values = Values(&random)
                for (place, predicate) in values.predicates.enumerated() {
                    let expected = Set(try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID))
                    let found = try await context.fetch(FetchDescriptor(predicate: predicate))
                    #expect(Set(found.map(\.persistentModelID)) == expected, "round \(round), predicate \(place)")
                }
                let length = values.length
                let strong = try await context.fetch(
                    FetchDescriptor<Tug>(predicate: #Predicate { $0.length == length }))
                #expect(strong.count == tugs.count { $0.length == length })
            }
        }
    }

    @Test func `order, limit and lock are part of the shape`() async throws {
        try await withVessels { store, context in
            var texts: Set<String> = []
            for length in 0..<3 {
                for order in [SortOrder.forward, .reverse] {
                    for limit in [nil, 2, 5] {
                        for path in [\Vessel.name, \Vessel.crew!.name] {
                            var descriptor = FetchDescriptor<Vessel>(
                                predicate: #Predicate { $0.length == length && $0.crew != nil },
                                sortBy: [SortDescriptor(path, order: order), SortDescriptor(\.launched)])
                            descriptor.fetchLimit = limit
                            let found = try await context.fetch(descriptor)
                            texts.insert(store.lastText)
                            let names = found.map { $0[keyPath: path] }
                            let sorted = names.sorted { order == .forward ? bytes($0, $1) : bytes($1, $0) }
                            #expect(names == sorted)
                            #expect(found.count <= limit ?? .max)
                        }
                    }
                }
            }
            #expect(texts.count == 12)
            let plain = FetchDescriptor<Crew>(predicate: #Predicate { $0.name == "c0" })
            var locked = plain
            locked.lock = .update
            _ = try await context.fetch(plain)
            try await context.transaction {
                _ = try await context.fetch(locked)
                #expect(store.lastText.hasSuffix(" FOR UPDATE OF t0"))
            }
            await #expect(throws: SwiftDataError.unsupportedFeature) { _ = try await context.fetchPage(locked) }
            _ = try await context.fetch(plain)
            #expect(!store.lastText.contains("FOR UPDATE"))
        }
    }

    private func bytes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    @Test func `limits beyond a page that are not round are values of one text`() async throws {
        try await withModelStore(Crew.self) { store in
            let context = ModelContext(store.container)
            try await context.insert(into: Crew.self, \.name, rows: (0..<1300).map { "c\($0)" })
            var texts: Set<String> = []
            for limit in [1002, 1299, 5010, 1123] {
                let prefix = "c"
                var descriptor = FetchDescriptor<Crew>(predicate: #Predicate { $0.name > prefix })
                descriptor.fetchLimit = limit
                #expect(try await context.fetch(descriptor).count == min(limit, 1300))
                texts.insert(store.lastText)
            }
            #expect(texts.count == 1)
            var rows = FetchDescriptor<Crew>()
            rows.fetchLimit = 1250
            #expect(try await context.fetch(rows).count == 1250)
        }
    }

    @Test func `fetches of one shape have one text, and a value that cannot be stored is an error in each`()
        async throws
    {
        try await withVessels { store, context in
            var texts: Set<String> = []
            for text in ["Bär", "zero\0", "zebra", "zero\0"] {
                let descriptor = FetchDescriptor<Vessel>(predicate: #Predicate { $0.name == text })
                if text.utf8.contains(0) {
                    let error = await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(descriptor) }
                    #expect(error?.code == .invalidValue)
                } else {
                    let found = try await context.fetch(descriptor)
                    #expect(found.allSatisfy { $0.name == text } && !found.isEmpty)
                    texts.insert(store.lastText)
                }
            }
            #expect(texts.count == 1)
        }
    }

    @Test func `unsaved changes take part in a fetch of a known shape`() async throws {
        try await withVessels { _, context in
            for length in [40, 41, 42] {
                let descriptor = FetchDescriptor<Vessel>(predicate: #Predicate { $0.length == length })
                let before = try await context.fetch(descriptor)
                #expect(before.isEmpty)
                var random = SeededGenerator(1)
                let vessel = Vessel(1, random: &random, of: [])
                vessel.length = length
                context.insert(vessel)
                let unsaved = try await context.fetch(descriptor)
                #expect(unsaved.count == 1)
                try await context.save()
                let saved = try await context.fetch(descriptor)
                #expect(saved.count == 1)
            }
        }
    }
}

extension ModelStore {
    /// The statement that was sent last.
    fileprivate var lastText: String { recorder.statements.last ?? "" }
}
