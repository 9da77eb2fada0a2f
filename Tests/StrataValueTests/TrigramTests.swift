import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private class Street {
    #Index<Street>(.trigram([\.name]), .trigram([\.alias]))
    var name: String
    var alias: String?
    init(_ name: String, alias: String? = nil) {
        self.name = name
        self.alias = alias
    }
}

@Model private final class Avenue: Street {
    var lanes: Int
    init(_ name: String, lanes: Int) {
        self.lanes = lanes
        super.init(name)
    }
}

@Model private final class Town {
    var name: String
    @Relationship(inverse: \Lane.town) var lanes: [Lane] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Lane {
    #Index<Lane>(.trigram([\.name]))
    var name: String
    var town: Town?
    init(_ name: String, in town: Town) {
        self.name = name
        self.town = town
    }
}

/// `localizedStandardContains` with an index of trigrams.
@Suite struct TrigramTests {
    private func withStreets(
        hasExtension: Bool = true, _ body: (TestDatabase, ModelContainer, StatementRecorder) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            if hasExtension { try await database.execute("CREATE EXTENSION pg_trgm") }
            let recorder = StatementRecorder()
            let container = try await ModelContainer(
                opening: Schema([Street.self, Avenue.self] + (hasExtension ? [Town.self, Lane.self] : [])),
                configurations: [ModelConfiguration(url: try #require(database.foundationURL))],
                logger: Logger(label: "test"), observer: recorder)
            recorder.reset()
            do { try await body(database, container, recorder) } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    @Test func `the predicate is served by the index, as it is`() async throws {
        try await withStreets { database, container, recorder in
            let context = ModelContext(container)
            context.insert(Street("Große Straße", alias: "Main"))
            context.insert(Avenue("Kärntner Ring", lanes: 4))
            try await context.save()
            let text = "GROßE str"
            let descriptor = FetchDescriptor<Street>(predicate: #Predicate { $0.name.localizedStandardContains(text) })
            #expect(try await context.fetch(descriptor).map(\.name) == ["Große Straße"])
            let sql = (recorder.statements.last ?? "").replacing("\"", with: "")
            #expect(
                sql.contains(
                    "WHERE translate(lower(regexp_replace(normalize(t0.name, NFD), '[\u{300}-\u{36F}]', '', 'g')"),
                "\(sql)")
            #expect(sql.contains(" LIKE $1::text AND strpos(translate("), "\(sql)")
            let plan = try await context.explain(descriptor, avoidsSequentialScans: true)
            #expect(plan.indexes.contains("street_name_idx"), "\(plan)")
            let byAlias = FetchDescriptor<Street>(
                predicate: #Predicate { $0.alias?.localizedStandardContains("mai") == true })
            #expect(try await context.fetch(byAlias).count == 1)
            let plan2 = try await context.explain(byAlias, avoidsSequentialScans: true)
            #expect(plan2.indexes.contains("street_alias_idx"), "\(plan2)")
            let avenues = FetchDescriptor<Avenue>(
                predicate: #Predicate { $0.name.localizedStandardContains("karntner") })
            #expect(try await context.fetch(avenues).map(\.lanes) == [4])
            // A text without a trigram is sought in every row.
            let short = FetchDescriptor<Street>(predicate: #Predicate { $0.name.localizedStandardContains("Rİ") })
            #expect(try await context.fetch(short).map(\.name) == ["Kärntner Ring"])
            #expect(recorder.statements.last?.contains("LIKE") == false)
            let parted = FetchDescriptor<Street>(predicate: #Predicate { $0.name.localizedStandardContains("e S") })
            #expect(try await context.fetch(parted).map(\.name) == ["Große Straße"])
            #expect(recorder.statements.last?.contains("LIKE") == false)
        }
    }

    @Test func `what is made of a property has no index`() async throws {
        try await withStreets { database, container, recorder in
            let context = ModelContext(container)
            let town = Town("Linz")
            context.insert(town)
            for name in ["Abtweg", "Zollgasse"] { context.insert(Lane(name, in: town)) }
            try await context.save()
            let towns = FetchDescriptor<Town>(
                predicate: #Predicate {
                    $0.lanes.maximum(of: { $0.name })?.localizedStandardContains("GASSE") == true
                })
            #expect(try await context.fetch(towns).map(\.name) == ["Linz"])
            #expect(recorder.statements.last?.contains("LIKE") == false)
        }
    }

    @Test func `the index is the server's, and a missing one is advice`() async throws {
        try await withStreets { database, container, _ in
            let printed = try await database.texts(
                "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indexrelid = 'street_name_idx'::regclass")
            #expect(printed.first?.contains("USING gin (translate(lower((regexp_replace(NORMALIZE(name, NFD)") == true)
            #expect(printed.first?.hasSuffix(" gin_trgm_ops)") == true)
        }
    }

    @Test func `without the extension the tables are not made, and the error says what to do`() async throws {
        let error = await #expect(throws: SwiftDataError.self) {
            try await withStreets(hasExtension: false) { _, _, _ in }
        }
        #expect(error?.code == .storeDoesNotFit)
        #expect(
            error?.message.contains(
                """
                The tables cannot be made: Street asks for an index of trigrams, and the extension pg_trgm is not installed. To go on, run \
                CREATE EXTENSION pg_trgm in the database, in a schema of the search_path, or remove .trigram from the model.
                """) == true)
    }

    @Test func `random texts are found as in memory, saved or not`() async throws {
        try await withStreets { database, container, _ in
            var numbers = SeededGenerator(7)
            // Scripts that the index folds and others; marks, letters that become others, and what LIKE reads in its own way.
            let letters = Array(
                "aAbB sSßẞıİiIéÉe\u{301}ÄøØŁłДдЯяΣσςΩ\u{2126}\u{212A}kKÅ\u{212B}ԱաႠⴀᏎꮎ𐐀𐐨%_\\'\"ǅǆ")
            func text(_ count: Int) -> String {
                String((0..<count).map { _ in letters.randomElement(using: &numbers)! })
            }
            let context = ModelContext(container)
            var streets = (0..<400).map { _ in Street(text(Int.random(in: 0...12, using: &numbers))) }
            for street in streets { context.insert(street) }
            try await context.save()
            for _ in 0..<20 { streets.randomElement(using: &numbers)!.name = text(9) }
            for _ in 0..<20 { streets.append(Street(text(9))) }
            for street in streets.suffix(20) { context.insert(street) }
            for round in 0..<300 {
                var part = text(Int.random(in: 1...4, using: &numbers))
                if round % 2 == 0 {
                    // A part of a text, in other letters.
                    let name = streets.randomElement(using: &numbers)!.name
                    part = String(name.dropFirst(round % 5).prefix(4))
                    if round % 4 == 0 { part = part.uppercased() }
                }
                let predicate = #Predicate<Street> { $0.name.localizedStandardContains(part) }
                let found = try await context.fetchCount(FetchDescriptor(predicate: predicate))
                let own = try streets.filter { try predicate.evaluate($0) }.count
                #expect(found == own, "\(part.unicodeScalars.map(\.value))")
                let others = try await context.fetchCount(
                    FetchDescriptor<Street>(predicate: #Predicate { !$0.name.localizedStandardContains(part) }))
                #expect(found + others == streets.count)
            }
        }
    }
}
