import Foundation
import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// The same predicates in SQL and in memory, over the same objects, must find the same.
@Suite struct PredicateDifferentialTests {
    static let template = TestTemplate("predicates") { database in
        let connection = try await database.connect()
        defer { connection.close() }
        try await PredicateWorld(seed: 7).write(to: connection, PredicateModels.mapping)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `SQL finds exactly what evaluate finds`(seed: UInt64) async throws {
        let world = PredicateWorld(seed: 7)
        let pieces = PredicatePieces(world: world)
        try await withTestDatabase("predicates", template: Self.template) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            var samples = PredicateSamples(seed: seed)
            var (failures, telling) = (0, 0)
            for round in 0..<800 {
                samples.log = []
                let depth = round % 4
                if round % 5 == 4 {
                    failures += try check(pieces.stop(&samples), world.stops, samples.log, connection, &telling)
                } else {
                    failures += try check(
                        pieces.journey(&samples, depth: depth), world.journeys, samples.log, connection, &telling)
                }
                try #require(failures < 10, "stopped after ten differences")
            }
            // The rest find nothing or everything, which proves little.
            #expect(telling > 400)
        }
    }

    /// Every piece alone, several times, so that none is left out by chance.
    @Test func `Every piece alone means the same in SQL`() async throws {
        let world = PredicateWorld(seed: 7)
        try await withTestDatabase("pieces", template: Self.template) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            var samples = PredicateSamples(seed: 99)
            let groups = [
                PredicatePieces.numbers, PredicatePieces.strings, PredicatePieces.optionals,
                PredicatePieces.collections,
                PredicatePieces.values, PredicatePieces.classes,
            ]
            var (failures, telling) = (0, 0)
            for piece in groups.joined() {
                for _ in 0..<12 {
                    samples.log = []
                    let difference = try check(piece(&samples), world.journeys, samples.log, connection, &telling)
                    failures += difference
                    if difference > 0 { break }
                }
            }
            #expect(failures == 0)
            #expect(telling > 600)
        }
    }

    private func check<T: PersistentModel>(
        _ predicate: Predicate<T>, _ objects: [T], _ log: [String], _ connection: PostgresConnection,
        _ telling: inout Int
    ) throws -> Int {
        try Self.check(predicate, objects, log, connection, PredicateModels.mapping, &telling)
    }

    /// Returns the number of differences, which it reports. `telling` counts the predicates that find some and not all.
    static func check<T: PersistentModel>(
        _ predicate: Predicate<T>, _ objects: [T], _ log: [String], _ connection: PostgresConnection,
        _ mapping: StoreMapping, _ telling: inout Int
    ) throws -> Int {
        let entity = try #require(mapping.entity(for: T.self))
        let scope = TableScope(entity, .stored, aliases: AliasGenerator())
        var text = "\(predicate)"
        do {
            let condition = try PredicateTranslator(mapping: mapping, store: "test")
                .condition(predicate, on: scope)
            let sql: SQLFragment = "SELECT \(scope.key()) \(scope.from) WHERE \(condition)"
            text = sql.text
            var found: Set<RowKey> = []
            try connection.run(PostgresBatch(try sql.statement()) { found.insert($0.key(0, .integer)) })
            let expected = Set(try objects.filter { try predicate.evaluate($0) }.map { $0._$state.key })
            if !expected.isEmpty, expected.count < objects.count { telling += 1 }
            guard found != expected else { return 0 }
            let wrong = found.symmetricDifference(expected).sorted().prefix(3).map { key in
                "\(key) (\(found.contains(key) ? "SQL only" : "memory only"))"
            }
            Issue.record(
                """
                \(predicate)
                drawn: \(log.joined(separator: ", "))
                \(text)
                objects: \(wrong.joined(separator: ", "))
                """)
        } catch {
            Issue.record("\(predicate): \(error)\n\(text)\ndrawn: \(log.joined(separator: ", "))")
        }
        return 1
    }
}
