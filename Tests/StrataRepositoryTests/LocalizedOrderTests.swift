import Foundation
import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// Sorting without case and accents gives one order, in SQL and in memory.
@Suite struct LocalizedOrderTests {
    /// Objects do not keep their context alive.
    private let registry = SilentContext()

    /// Accents, case, letters that only look alike, combining marks alone, digits, emoji, nothing.
    private static let strings: [String] =
        PredicateSamples.strings + [
            "Zürich", "zurich", "ZU\u{308}RICH", "Zug", "résumé", "resume", "Resume", "RÉSUMÉ", "resumes", "straße",
            "strasse",
            "STRASSE", "STRAẞE", "ısparta", "Isparta", "İsparta", "isparta", "ΣΊΣΥΦΟΣ", "σίσυφος", "Σισυφοσ", "a2",
            "a10", "A1",
            "2", "10", "१", "é\u{301}", "\u{301}e", "o\u{338}", "ø", "Ø", "o", "\u{1F600}", "👩🏽‍🚀", "z", "Å", "A\u{30A}",
            "aa",
            "Öl", "Ol", "OL", "öl", "ệ", "e\u{323}\u{302}", "e\u{302}\u{323}", "Ệ", "ё", "Ё", "е", "日本", "ﬀ", "ff",
            "\u{AC01}",
        ]

    @Test func `SQL and memory sort names in the same order`() async throws {
        let objects = journeys()
        try await withTestDatabase("localized") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await Self.write(objects, to: connection)
            try expect(objects, [SortDescriptor(\.name, comparator: .localizedStandard)], connection)
            try expect(objects, [SortDescriptor(\.name, comparator: .localizedStandard, order: .reverse)], connection)
            try expect(objects, [SortDescriptor(\.nickname, comparator: .localizedStandard)], connection)
            try expect(objects, [SortDescriptor(\.nickname, comparator: .localized, order: .reverse)], connection)
            try expect(
                objects,
                [
                    SortDescriptor(\.nickname, comparator: .localizedStandard),
                    SortDescriptor(\.name, comparator: .localizedStandard, order: .reverse),
                ], connection)
        }
    }

    @Test func `Case and accents decide only where everything else is the same`() {
        let names = journeys().sorted(using: SortDescriptor(\.name, comparator: .localizedStandard)).map(\.name)
        /// The sought names, in the order in which they were sorted.
        func order(_ sought: String...) -> [String] {
            names.filter { name in sought.contains { ExactString.equal($0, name) } }
        }
        #expect(order("z", "aa", "Zürich", "a", "Zug", "Öl") == ["a", "aa", "Öl", "z", "Zug", "Zürich"])
        // Of one fold, by scalars.
        #expect(
            order("resumes", "résumé", "resume", "Resume", "RÉSUMÉ")
                == ["Resume", "RÉSUMÉ", "resume", "résumé", "resumes"])
        #expect(order("a2", "a10", "A1") == ["A1", "a10", "a2"])
        #expect(order("straße", "strasse", "STRASSE") == ["STRASSE", "strasse", "straße"])
        #expect(order("ø", "o", "Ø", "z") == ["o", "z", "Ø", "ø"])
    }

    @Test func `The fold is the first key, the string the second`() throws {
        let folded = """
            (CASE WHEN octet_length(t0.name) = length(t0.name) THEN lower(t0.name COLLATE C) ELSE \
            translate(regexp_replace(normalize(t0.name, NFD), $1::text, '', 'g'), $2::text, $3::text) END)
            """
        #expect(
            try orderSQL(SortDescriptor(\Journey.name, comparator: .localizedStandard))
                == "FROM journey AS t0 ORDER BY \(folded) COLLATE C ASC, t0.name COLLATE C ASC")
        #expect(
            try orderSQL(SortDescriptor(\Journey.nickname, comparator: .localizedStandard, order: .reverse))
                == """
                FROM journey AS t0 ORDER BY \(folded.replacing("t0.name", with: "t0.nickname")) COLLATE C DESC NULLS LAST, \
                t0.nickname COLLATE C DESC NULLS LAST
                """)
        #expect(
            try orderSQL(SortDescriptor(\Journey.home?.city, comparator: .localizedStandard))
                == """
                FROM journey AS t0 LEFT JOIN town AS t1 ON t1.pk = t0.home ORDER BY \
                \(folded.replacing("t0.name", with: "t1.city")) COLLATE C ASC NULLS FIRST, t1.city COLLATE C ASC NULLS FIRST
                """)
        #expect(
            try orderSQL(SortDescriptor(\Journey.name, comparator: .lexical)) == orderSQL(SortDescriptor(\Journey.name))
        )
    }

    private func journeys() -> [Journey] {
        var samples = PredicateSamples(seed: 3)
        return Self.strings.enumerated().map { index, string in
            let journey = Journey(name: string, code: PredicateSamples.codes[0], address: samples.address())
            journey.nickname = samples.maybe(samples.one(of: Self.strings))
            journey._$state.register(
                journey, key: RowKey(Int64(index + 1)), identity: EntityIdentity(store: "test", entityName: "Journey"),
                in: registry, phase: .registered)
            return journey
        }
    }

    private static func write(_ journeys: [Journey], to connection: PostgresConnection) async throws {
        var batch = PostgresBatch()
        for statement in TableCreation.all(PredicateModels.mapping) { batch.add(try statement.statement()) }
        let entity = try #require(PredicateModels.mapping.entity(for: Journey.self))
        for journey in journeys { batch.add(try PredicateWorld.insert(journey, into: entity)) }
        try await connection.run(batch)
    }

    /// Both sides break ties by key.
    private func expect(
        _ objects: [Journey], _ descriptors: [SortDescriptor<Journey>], _ connection: PostgresConnection,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let entity = try #require(PredicateModels.mapping.entity(for: Journey.self))
        let scope = TableScope(entity, .stored, aliases: AliasGenerator())
        let terms =
            try PredicateTranslator(mapping: PredicateModels.mapping).order(descriptors, on: scope).map { $0.sql() }
            + [scope.key()]
        let sql: SQLFragment = "SELECT \(scope.key()) \(scope.from) ORDER BY \(terms.joined(separator: ", "))"
        var found: [RowKey] = []
        try connection.run(PostgresBatch(try sql.statement()) { found.append($0.key(0, .integer)) })
        let expected = objects.sorted { a, b in
            for descriptor in descriptors {
                switch descriptor.compare(a, b) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return a._$state.key < b._$state.key
        }
        #expect(found == expected.map { $0._$state.key }, sourceLocation: sourceLocation)
    }
}
