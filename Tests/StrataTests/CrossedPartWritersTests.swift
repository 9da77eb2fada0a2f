import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Seeded writers of links between objects with keys of several columns, with server processes that end under them: afterwards the tables of pairs
/// have what each of them knows, and objects say what the tables have.
@Suite struct CrossedPartWritersTests {
    private typealias Seat = Crossed.Seat
    private typealias Show = Crossed.Show
    private typealias Perk = Crossed.Perk

    /// What one writer believes of its seats, each a row of its own: shows in their order, perks, and what is beside it.
    private struct Links: Equatable {
        var shows: [String] = []
        var perks: Set<String> = []
        var beside: Set<String> = []
    }

    private typealias Known = [String: Links]

    @Test(arguments: [1, 2] as [UInt64]) func `links, kills and the tables agree`(seed: UInt64) async throws {
        try await withModelStore(of: Crossed.schema) { store in
            let context = ModelContext(store.container)
            for name in ["a", "b", "c", "d"] { context.insert(Show(name)) }
            for level in 1...3 { context.insert(Perk("p, \"q\"", level)) }
            try await context.save()
            let writers = InterruptedWriters(steps: 30, from: Known(), change: Self.change, read: Self.read)
            let known = try await writers.run(in: store, seed: seed).reduce(into: Known()) {
                $0.merge($1) { first, _ in first }
            }
            // Both ends, as objects say it.
            let reader = ModelContext(store.container)
            var said = Known()
            for seat in try await reader.fetch(FetchDescriptor<Seat>()) { said[Self.name(seat)] = Self.links(of: seat) }
            #expect(said == known)
            let shows = try await reader.fetch(FetchDescriptor<Show>())
            let pairs = shows.flatMap { show in show.seats.map { "\(Self.name($0)) \(show.name)" } }.sorted()
            #expect(pairs == known.flatMap { seat, links in links.shows.map { "\(seat) \($0)" } }.sorted())
        }
    }

    private static func name(_ seat: Seat) -> String { "\(seat.row)\(seat.number)" }

    private static func links(of seat: Seat) -> Links {
        Links(
            shows: seat.shows.map(\.name), perks: Set(seat.perks.map { "\($0.level)" }),
            beside: Set(seat.beside.map(name)))
    }

    /// One edit, in a context and in what its writer knows.
    private static func change(
        _ known: inout Known, _ context: ModelContext, _ edit: InterruptedWriters<Known>.Edit,
        _ random: inout SeededGenerator
    ) async throws {
        let writer = edit.writer
        let shows = try await context.fetch(FetchDescriptor<Show>(sortBy: [SortDescriptor(\.name)]))
        let perks = try await context.fetch(FetchDescriptor<Perk>(sortBy: [SortDescriptor(\.level)]))
        let own = try await context.fetch(
            FetchDescriptor<Seat>(predicate: #Predicate { $0.row == writer }, sortBy: [SortDescriptor(\.number)]))
        let new = Seat(writer, "s\(edit.step), \"x\"")
        let seat = Int.random(in: 0..<4, using: &random) == 0 ? nil : own.randomElement(using: &random)
        let chosen = seat ?? new
        if seat == nil { context.insert(chosen) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where seat != nil:
            // What is beside it forbids its deletion.
            chosen.beside = []
            context.delete(chosen)
            known[name(chosen)] = nil
            for other in known.keys { known[other]?.beside.remove(name(chosen)) }
            return
        case 1...2: chosen.shows = Array(shows.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
        case 3: chosen.perks = Array(perks.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
        case 4: chosen.beside = Array(own.shuffled(using: &random).prefix(2))
        default:
            // From the other end.
            let perk = try #require(perks.randomElement(using: &random))
            if let place = perk.seats.firstIndex(where: { $0 === chosen }) {
                perk.seats.remove(at: place)
            } else {
                perk.seats.append(chosen)
            }
        }
        known[name(chosen)] = links(of: chosen)
    }

    private static func read(_ database: TestDatabase, _ writer: Int) async throws -> Known {
        let texts = try await database.texts(
            """
            SELECT jsonb_build_array(s.row || s.number,
                ARRAY(SELECT w.name FROM seat_shows p JOIN show w ON w.pk = p.show_pk
                    WHERE (p.seat_row, p.seat_number) = (s.row, s.number) ORDER BY p.shows_position, w.pk),
                ARRAY(SELECT p.perk_level::text FROM perk_seats p WHERE (p.seat_row, p.seat_number) = (s.row, s.number)),
                ARRAY(SELECT p.beside_row || p.beside_number FROM seat_beside p
                    WHERE (p.besides_row, p.besides_number) = (s.row, s.number)))::text
            FROM seat s WHERE s.row = \(writer)
            """)
        var known: Known = [:]
        for text in texts {
            let row = try JSONDecoder().decode(Row.self, from: Data(text.utf8))
            known[row.seat] = row.links
        }
        return known
    }

    private struct Row: Decodable {
        let seat: String
        let links: Links

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            seat = try list.decode(String.self)
            links = Links(
                shows: try list.decode([String].self), perks: Set(try list.decode([String].self)),
                beside: Set(try list.decode([String].self)))
        }
    }
}
