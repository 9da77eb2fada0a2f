import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// A point of the extension `cube`, which PostgreSQL brings along: it has a distance, and GiST indexes, as a vector has.
private struct Position: PostgresTextCodable, Hashable, Codable {
    var coordinates: [Double]

    init(_ coordinates: Double...) { self.coordinates = coordinates }

    static let postgresTypeName = "cube"
    static let postgresExtension: String? = "cube"
    // Not as the server writes it: with more blanks, and with a zero behind the point.
    var postgresText: String { "( " + coordinates.map { "\($0)" }.joined(separator: " , ") + " )" }
    init?(postgresText text: String) {
        let parts = text.trimmingCharacters(in: ["(", ")", " "]).split(separator: ",")
        coordinates = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard coordinates.count == parts.count else { return nil }
    }
}

/// Pairs of words; the server keeps them in an order of its own, and compares them.
private struct Tags: PostgresTextCodable, Hashable, Codable {
    var pairs: [String: String]

    init(_ pairs: [String: String]) { self.pairs = pairs }

    static let postgresTypeName = "hstore"
    static let postgresExtension: String? = "hstore"
    static let isPostgresComparable = false
    var postgresText: String { pairs.map { "\"\($0)\"=>\"\($1)\"" }.joined(separator: ", ") }
    init?(postgresText text: String) {
        pairs = [:]
        for match in text.matches(of: /"([^"]*)"=>"([^"]*)"/) { pairs[String(match.1)] = String(match.2) }
    }
}

extension DistanceOperator where Value == Position {
    fileprivate static var taxicab: Self { Self("<#>") }
}

@Model private class Place {
    #Index<Place>(.gist([\.position]))
    #Index<Place>(.method("gist", [\.name], operatorClass: "gist_trgm_ops"))

    @Attribute(.unique) var name: String
    @Attribute(.preserveValueOnDeletion) var position: Position
    var entrance: Position?
    var corners: [Position] = []
    var origin: Position = Position(0, 0)
    var tags: Tags = Tags([:])
    var district: District?

    init(_ name: String, _ position: Position) {
        self.name = name
        self.position = position
    }
}

@Model private final class Station: Place {
    var platform: Position?
}

@Model private final class District {
    #Unique<District>([\.center])
    #Index<District>(.gist([\.center]))
    var center: Position
    @Relationship(inverse: \Place.district) var places: [Place] = []
    init(_ center: Position) { self.center = center }
}

private enum Misused {
    @Model final class Method {
        #Index<Method>(.method("gist; DROP TABLE x", [\.position]))
        var position: Position = Position(0)
        init() {}
    }
    @Model final class Unique {
        @Attribute(.unique) var tags: Tags = Tags([:])
        init() {}
    }
    @Model final class Text {
        #Index<Text>(.fullText([\.position]), .gist([\.number]))
        var position: Position = Position(0)
        var number = 0
        init() {}
    }
}

/// Properties in types that the server knows by their names: `cube` and `hstore`, which stand for `vector` and `geometry` here.
@Suite struct OwnTypeTests {
    private static let schema = Schema([Place.self, Station.self, District.self])

    private func withPlaces(
        extensions: [String] = ["cube", "hstore", "pg_trgm"],
        _ body: (TestDatabase, ModelContainer, StatementRecorder) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            for name in extensions { try await database.execute("CREATE EXTENSION \(name)") }
            let recorder = StatementRecorder()
            let container = try await ModelContainer(
                opening: Self.schema, configurations: [ModelConfiguration(url: try #require(database.foundationURL))],
                logger: Logger(label: "test"), observer: recorder)
            recorder.reset()
            do { try await body(database, container, recorder) } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    private func names(_ context: ModelContext, _ predicate: Predicate<Place>) async throws -> String {
        try await context.fetch(FetchDescriptor<Place>(predicate: predicate, sortBy: [SortDescriptor(\.name)]))
            .map(\.name).joined()
    }

    @Test func `values are stored in the type, read, changed and compared with what is stored`() async throws {
        try await withPlaces { database, container, recorder in
            let context = ModelContext(container)
            let place = Place("a", Position(1, 2))
            (place.entrance, place.corners) = (Position(0.5), [Position(1, 1), Position(2, 2)])
            place.tags = Tags(["kind": "park"])
            context.insert(place)
            let station = Station("b", Position(3, 4))
            station.platform = Position(9)
            context.insert(station)
            try await context.save()
            #expect(
                recorder.statements.contains {
                    $0.contains("u.c2::cube") || $0.contains("::text::cube") || $0.contains("::cube")
                }, "\(recorder.statements)")
            #expect(
                try await database.texts(
                    "SELECT concat_ws('|', name, position, entrance, corners, origin, tags) FROM place ORDER BY name")
                    == [
                        "a|(1, 2)|(0.5)|{\"(1, 1)\",\"(2, 2)\"}|(0, 0)|\"kind\"=>\"park\"", "b|(3, 4)|{}|(0, 0)|",
                    ])
            #expect(
                try await database.texts(
                    "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'place'::regclass AND attname IN ('position', 'corners') ORDER BY 1"
                ) == ["cube", "cube[]"])

            let other = ModelContext(container)
            let all = try await other.fetch(FetchDescriptor<Place>(sortBy: [SortDescriptor(\.name)]))
            #expect(all.map(\.position) == [Position(1, 2), Position(3, 4)])
            #expect(all[0].corners == [Position(1, 1), Position(2, 2)] && all[0].entrance == Position(0.5))
            #expect(all[0].tags == Tags(["kind": "park"]) && (all[1] as? Station)?.platform == Position(9))
            // Both change, of one the old values are compared; another context that changed the same is a conflict.
            for one in all { one.position.coordinates[0] += 10 }
            all[0].entrance = nil
            all[0].tags.pairs["open"] = "yes"
            try await other.save()
            #expect(
                try await database.texts("SELECT position::text FROM place ORDER BY name") == ["(11, 2)", "(13, 4)"])
            place.position = Position(7, 7)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .conflict)
            // What the other context left alone is no conflict, in whichever words it was written.
            context.rollback()
            place.origin = Position(1, 0)
            try await context.save()
        }
    }

    @Test func `equality means that the server writes the same text, of saved and of unsaved values`() async throws {
        try await withPlaces { _, container, recorder in
            let context = ModelContext(container)
            for (name, x) in [("a", 1.0), ("b", 2.0), ("c", 3.0)] { context.insert(Place(name, Position(x, 0))) }
            let (one, far) = (Position(1, 0), Position(9))
            func check() async throws {
                #expect(try await names(context, #Predicate { $0.position == one }) == "a")
                #expect(try await names(context, #Predicate { $0.position != one }) == "bc")
                #expect(try await names(context, #Predicate { [one, far].contains($0.position) }) == "a")
                #expect(try await names(context, #Predicate { $0.position == $0.entrance }) == "")
                #expect(try await names(context, #Predicate { $0.entrance == nil }) == "abc")
                #expect(try await names(context, #Predicate { $0.entrance != far }) == "abc")
            }
            try await check()
            try await context.save()
            try await check()
            recorder.reset()
            _ = try await names(context, #Predicate { $0.position == one })
            #expect(
                recorder.statements.first?.contains(#"(t0."position")::cube = ($1::text)::cube"#) == true,
                "\(recorder.statements)")
            let positions = try await context.fetch(
                FetchDescriptor<Place>(sortBy: [SortDescriptor(\.name)]), selecting: .value(\.name), .value(\.position))
            #expect(positions.map { "\($0.0)\($0.1.coordinates[0])" } == ["a1.0", "b2.0", "c3.0"])
        }
    }

    @Test func `what would mean something else than in memory is refused`() async throws {
        try await withPlaces { _, container, _ in
            let context = ModelContext(container)
            let tags = Tags(["a": "b"])
            var error = await #expect(throws: SwiftDataError.self) {
                _ = try await names(context, #Predicate { $0.tags == tags })
            }
            #expect(error?.code == .unsupportedPredicate)
            #expect(
                error?.message.contains(
                    "Place.tags is hstore in the database, which PostgreSQL does not compare as Swift does (isPostgresComparable is false)."
                )
                    == true, "\(String(describing: error))")
            error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Place>(), selecting: .key(\.tags), .count)
            }
            #expect(error?.code == .unsupportedKeyPath)
            var descriptor = FetchDescriptor<Place>()
            descriptor.orderBy = [
                .forward(.distance(\.position, to: Position(0, 0), by: DistanceOperator("<-> (SELECT 1)")))
            ]
            let nearest = descriptor
            error = await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(nearest) }
            #expect(error?.code == .unsupportedPredicate)
        }
    }

    @Test func `the nearest come first, by an index`() async throws {
        try await withPlaces { database, container, recorder in
            let context = ModelContext(container)
            for index in 0..<200 {
                let place = Place("p\(index)", Position(Double(index), 0))
                if index == 3 { place.entrance = Position(1, 1) }
                context.insert(place)
            }
            try await context.save()
            let here = Position(4.2, 0)
            var descriptor = FetchDescriptor<Place>()
            descriptor.orderBy = [.forward(.distance(\.position, to: here))]
            descriptor.fetchLimit = 3
            #expect(try await context.fetch(descriptor).map(\.name) == ["p4", "p5", "p3"])
            #expect(
                recorder.statements.last?.contains(#"ORDER BY ((t0."position")::cube <-> ($1::text)::cube) ASC"#)
                    == true,
                "\(recorder.statements.last ?? "")")
            try await context.insert(into: District.self, \.center, rows: (0..<2_000).map { Position(Double($0), 1) })
            try await database.execute("ANALYZE district")
            var districts = FetchDescriptor<District>()
            districts.orderBy = [.forward(.distance(\.center, to: here))]
            districts.fetchLimit = 2
            #expect(try await context.fetch(districts).map(\.center.coordinates) == [[4, 1], [5, 1]])
            let plan = try await context.explain(districts, avoidsSequentialScans: true)
            #expect(plan.indexes.contains("district_center_idx"), "\(plan)")
            let distances = try await context.fetch(
                descriptor, selecting: .value(\.name), .distance(\.position, to: here, by: .taxicab))
            #expect(distances.map { "\($0.0) \(($0.1 * 10).rounded() / 10)" } == ["p4 0.2", "p5 0.8", "p3 1.2"])
            // A change that is not saved takes part; a value that is not there comes first, as all that is nil does.
            context.insert(Place("q", Position(4.1, 0)))
            #expect(try await context.fetch(descriptor).map(\.name) == ["q", "p4", "p5"])
            descriptor.orderBy = [.reverse(.distance(\.entrance, to: here))]
            #expect(try await context.fetch(descriptor).first?.name == "p3")
            descriptor.fetchOffset = 1
            descriptor.orderBy = [.forward(.distance(\.position, to: here))]
            #expect(try await context.fetch(descriptor).map(\.name) == ["p4", "p5", "p3"])
        }
    }

    @Test func `unique values, rows without objects and updates by predicate`() async throws {
        try await withPlaces { database, container, _ in
            let context = ModelContext(container)
            context.insert(District(Position(1, 1)))
            try await context.save()
            // The same center: the row that is there is met.
            let second = District(Position(1.0, 1))
            context.insert(second)
            context.insert(District(Position(2, 2)))
            try await context.save()
            #expect(try await database.texts("SELECT center::text FROM district ORDER BY 1") == ["(1, 1)", "(2, 2)"])
            let districts = try await context.fetch(FetchDescriptor<District>())
            // No value of such a type is known that nobody has, so none stands there meanwhile.
            swap(&districts[0].center, &districts[1].center)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            context.rollback()

            let rows = [("a", Position(1)), ("b", Position(2)), ("a", Position(3))]
            try await context.insert(into: Place.self, \.name, \.position, rows: rows)
            try await context.insert(
                into: Station.self, \.name, \.position, \.platform, rows: [("s", Position(5), Position(6))])
            #expect(
                try await database.texts("SELECT name || position || origin FROM place ORDER BY name")
                    == ["a(3)(0, 0)", "b(2)(0, 0)", "s(5)(0, 0)"])
            try context.update(model: Place.self, .set(\.position, to: Position(8)))
            try await context.save()
            #expect(try await database.texts("SELECT DISTINCT position::text FROM place") == ["(8)"])
        }
    }

    @Test func `the history keeps what a deleted object had`() async throws {
        try await withPlaces { _, container, _ in
            let context = ModelContext(container)
            let place = Place("a", Position(1, 2))
            context.insert(place)
            try await context.save()
            let token = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token
            place.position = Position(1, 3)
            try await context.save()
            context.delete(place)
            try await context.save()
            let transactions = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
                .filter { $0.token > token! }
            let changes = transactions.flatMap(\.changes)
            guard case .update(let update)? = changes.first, case .delete(let deletion)? = changes.last else {
                Issue.record("\(changes)")
                return
            }
            #expect(
                (update as? DefaultHistoryUpdate<Place>)?.updatedAttributes.contains { $0 == \Place.position } == true)
            #expect((deletion as? DefaultHistoryDelete<Place>)?.tombstone[\.position] as? Position == Position(1, 3))
        }
    }

    @Test func `a server without the extension is named before anything is made`() async throws {
        let error = await #expect(throws: SwiftDataError.self) {
            try await withPlaces(extensions: ["hstore", "pg_trgm"]) { _, _, _ in }
        }
        #expect(error?.code == .storeDoesNotFit)
        #expect(
            error?.message.contains(
                """
                is cube, and the server has no such type. To go on, run CREATE EXTENSION "cube" in the database, in a schema of the search_path.
                """) == true, "\(String(describing: error))")
    }

    @Test func `what cannot be declared is found without a server`() async throws {
        func findings(_ types: any PersistentModel.Type...) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema(types),
                    configurations: [ModelConfiguration(url: URL(string: "postgresql://127.0.0.1:1/x")!)])
                return "none"
            } catch { return "\(error)" }
        }
        #expect(await findings(Misused.Method.self).contains("a name has small letters, digits and _ only"))
        #expect(await findings(Misused.Unique.self).contains("so it cannot be unique"))
        let text = await findings(Misused.Text.self)
        #expect(text.contains("full text is searched in String"))
        #expect(text.contains("PostgreSQL has no GiST index for bigint without an extension"))
    }
}
