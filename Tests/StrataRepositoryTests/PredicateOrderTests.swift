import Foundation
import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// Rows come back in the order in which Strata sorts objects in memory.
@Suite struct PredicateOrderTests {
    @Test func `SQL sorts by bytes, with nil first ascending and last descending`() async throws {
        let world = PredicateWorld(seed: 7)
        try await withTestDatabase("order", template: PredicateDifferentialTests.template) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try expect(world.journeys, by: SortDescriptor(\.name), connection) { Array($0.name.utf8) }
            try expect(world.journeys, by: SortDescriptor(\.nickname), connection) {
                $0.nickname.map { [1] + Array($0.utf8) } ?? []
            }
            try expect(world.journeys, by: SortDescriptor(\.isPaid), connection) { [$0.isPaid.map { $0 ? 2 : 1 } ?? 0] }
            try expect(world.journeys, by: SortDescriptor(\.weather), connection) { Array($0.weather.rawValue.utf8) }
            try expect(world.journeys, by: SortDescriptor(\.home?.city), connection) {
                $0.home.map { [1] + Array($0.city.utf8) } ?? []
            }
            try expect(world.journeys, by: SortDescriptor(\.persistentModelID), connection) {
                Array($0.persistentModelID.entityName.utf8) + [0, UInt8($0._$state.key.integer ?? 0)]
            }
            // Of another object, and not of the journey.
            try expect(world.journeys, by: SortDescriptor(\.home?.persistentModelID), connection) {
                $0.home.map { [1] + withUnsafeBytes(of: ($0._$state.key.integer ?? 0).bigEndian) { Array($0) } } ?? []
            }
        }
    }

    /// Compares both directions; ties are broken by key.
    private func expect(
        _ objects: [Journey], by descriptor: SortDescriptor<Journey>, _ connection: PostgresConnection,
        sourceLocation: SourceLocation = #_sourceLocation, rank: (Journey) -> [UInt8]
    ) throws {
        for order in [SortOrder.forward, .reverse] {
            var descriptor = descriptor
            descriptor.order = order
            let entity = try #require(PredicateModels.mapping.entity(for: Journey.self))
            let scope = TableScope(entity, .stored, aliases: AliasGenerator())
            let terms =
                try PredicateTranslator(mapping: PredicateModels.mapping).order([descriptor], on: scope).map {
                    $0.sql()
                }
                + [scope.key()]
            let sql: SQLFragment = "SELECT \(scope.key()) \(scope.from) ORDER BY \(terms.joined(separator: ", "))"
            var found: [RowKey] = []
            try connection.run(PostgresBatch(try sql.statement()) { found.append($0.key(0, .integer)) })
            let ranked = objects.map { (rank: rank($0), key: $0._$state.key) }
            let expected = ranked.sorted { a, b in
                if a.rank == b.rank { return a.key < b.key }
                return a.rank.lexicographicallyPrecedes(b.rank) == (order == .forward)
            }
            #expect(found == expected.map(\.key), sourceLocation: sourceLocation)
        }
    }
}
