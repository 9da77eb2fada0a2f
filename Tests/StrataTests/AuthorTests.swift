import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Suite struct AuthorTests {
    @Test func `triggers see the author of a save, and nobody sees it afterwards`() async throws {
        try await withTripStore("author") { store in
            try await store.database.execute(
                "CREATE TABLE seen (author text)",
                """
                CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  INSERT INTO seen VALUES (current_setting('strata.author', true)); RETURN NULL; END $$
                """,
                "CREATE TRIGGER note AFTER INSERT OR DELETE ON bucket_list_item FOR EACH STATEMENT EXECUTE FUNCTION note()"
            )
            let context = ModelContext(store.container)
            context.author = "O'Hara"
            context.insert(BucketListItem(title: "Swim"))
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            try context.delete(model: BucketListItem.self)
            try await context.save()
            context.author = nil
            context.insert(BucketListItem(title: "Walk"))
            try await context.save()
            #expect(try await authors(store) == ["O'Hara", "O'Hara", nil])
        }
    }

    private func authors(_ store: ModelStore) async throws -> [String?] {
        let connection = try await store.database.connect()
        defer { connection.close() }
        var authors: [String?] = []
        try await connection.run(
            PostgresBatch(PostgresStatement("SELECT nullif(author, '') FROM seen ORDER BY ctid")) {
                authors.append(try $0.decodeIfPresent(0, as: String.self))
            })
        return authors
    }
}
