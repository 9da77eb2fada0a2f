import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// Three numbers of pgvector's.
private struct Embedding: PostgresTextCodable, Hashable, Codable {
    var values: [Float]
    init(_ values: Float...) { self.values = values }

    static let postgresTypeName = "vector(3)"
    static let postgresExtension: String? = "vector"
    var postgresText: String { "[" + values.map { "\($0)" }.joined(separator: ",") + "]" }
    init?(postgresText text: String) {
        values = text.dropFirst().dropLast().split(separator: ",").compactMap { Float($0) }
    }
}

extension DistanceOperator where Value == Embedding {
    fileprivate static var cosine: Self { Self("<=>") }
}

@Model private final class Document {
    #Index<Document>(.hnsw([\.embedding], operatorClass: "vector_l2_ops"))
    var title: String
    var embedding: Embedding
    init(_ title: String, _ embedding: Embedding) { (self.title, self.embedding) = (title, embedding) }
}

/// A point on the earth, of PostGIS. The server writes it in hexadecimal digits, with the kind and the system of its coordinates.
private struct Coordinate: PostgresTextCodable, Hashable, Codable {
    var (longitude, latitude): (Double, Double)
    init(_ longitude: Double, _ latitude: Double) { (self.longitude, self.latitude) = (longitude, latitude) }

    static let postgresTypeName = "geometry(Point,4326)"
    static let postgresExtension: String? = "postgis"
    var postgresText: String { "SRID=4326;POINT(\(longitude) \(latitude))" }
    init?(postgresText text: String) {
        // 01 20000001, then the system, then two numbers of eight bytes, the least byte first.
        let digits = Array(text.utf8)
        guard digits.count == 50, text.hasPrefix("01010000") else { return nil }
        func number(_ start: Int) -> Double? {
            let bytes = (0..<8).reversed().map {
                String(decoding: digits[start + $0 * 2..<start + $0 * 2 + 2], as: UTF8.self)
            }
            return UInt64(bytes.joined(), radix: 16).map { Double(bitPattern: $0) }
        }
        guard let x = number(18), let y = number(34) else { return nil }
        self.init(x, y)
    }
}

@Model private final class Landmark {
    #Index<Landmark>(.gist([\.position]))
    var name: String
    var position: Coordinate
    var previous: Coordinate?
    init(_ name: String, _ position: Coordinate) { (self.name, self.position) = (name, position) }
}

/// The two extensions that people ask for, where the server has them.
@Suite struct VectorAndGeometryTests {
    /// Runs `body` where the server has an extension; otherwise it says so.
    private func with(
        _ name: String, _ types: [any PersistentModel.Type], _ body: (TestDatabase, ModelContext) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            let available = try await database.texts(
                "SELECT name::text FROM pg_available_extensions WHERE name = '\(name)'")
            guard available == [name] else {
                print("The server has no extension \(name): a test of it is skipped.")
                return
            }
            try await database.execute("CREATE EXTENSION \(name)")
            // What the extension brings along is no table of the models.
            let container = try await ModelContainer(
                for: Schema(types), configurations: [ModelConfiguration(url: try #require(database.foundationURL))],
                logger: Logger(label: "test"))
            do { try await body(database, ModelContext(container)) } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    @Test func `vectors are stored, found by their distance, and indexed`() async throws {
        try await with("vector", [Document.self]) { database, context in
            for (title, embedding) in [
                ("a", Embedding(1, 0, 0)), ("b", Embedding(0, 1, 0)), ("c", Embedding(0.9, 0.1, 0)),
                ("d", Embedding(5, 0, 0)),
            ] { context.insert(Document(title, embedding)) }
            try await context.save()
            #expect(
                try await database.texts(
                    "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'document'::regclass AND attname = 'embedding'"
                ) == ["vector(3)"])
            #expect(
                try await database.texts("SELECT pg_get_indexdef('document_embedding_idx'::regclass)").first?
                    .hasSuffix("USING hnsw (embedding vector_l2_ops)") == true)
            var descriptor = FetchDescriptor<Document>()
            descriptor.orderBy = [.forward(.distance(\.embedding, to: Embedding(1, 0, 0)))]
            #expect(try await context.fetch(descriptor).map(\.title).joined() == "acbd")
            descriptor.orderBy = [.forward(.distance(\.embedding, to: Embedding(1, 0, 0), by: .cosine))]
            descriptor.fetchLimit = 2
            #expect(try await Set(context.fetch(descriptor).map(\.title)) == ["a", "d"])
            let sought = Embedding(0, 1, 0)
            let same = FetchDescriptor<Document>(predicate: #Predicate { $0.embedding == sought })
            #expect(try await context.fetch(same).map(\.title) == ["b"])
            // Another number of dimensions is the server's to refuse.
            context.insert(Document("e", Embedding(1, 2)))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect("\(String(describing: error))".contains("expected 3 dimensions, not 2"))
        }
    }

    @Test func `points on the earth are stored, found by their distance, and indexed`() async throws {
        try await with("postgis", [Landmark.self]) { database, context in
            let (vienna, linz, graz) = (Coordinate(16.37, 48.21), Coordinate(14.29, 48.31), Coordinate(15.44, 47.07))
            for (name, position) in [("vienna", vienna), ("linz", linz), ("graz", graz)] {
                context.insert(Landmark(name, position))
            }
            try await context.save()
            #expect(
                try await database.texts("SELECT ST_AsEWKT(position) FROM landmark WHERE name = 'linz'")
                    == ["SRID=4326;POINT(14.29 48.31)"])
            let other = ModelContext(context.container)
            var descriptor = FetchDescriptor<Landmark>()
            descriptor.orderBy = [.forward(.distance(\.position, to: Coordinate(14.5, 48.2)))]
            let found = try await other.fetch(descriptor)
            #expect(found.map(\.name) == ["linz", "graz", "vienna"])
            #expect(found.map(\.position) == [linz, graz, vienna])
            found[0].previous = found[0].position
            found[0].position = Coordinate(14.3, 48.3)
            try await other.save()
            let here = FetchDescriptor<Landmark>(predicate: #Predicate { $0.previous == linz })
            #expect(try await context.fetch(here).map(\.name) == ["linz"])
            #expect(
                try await database.texts("SELECT pg_get_indexdef('landmark_position_idx'::regclass)").first?
                    .hasSuffix("USING gist (\"position\")") == true)
        }
    }
}
