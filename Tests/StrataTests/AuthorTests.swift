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

    @Test func `an author, or what is noted beside, that is too long is refused before anything is sent`() async throws
    {
        try await withTripStore("author") { store in
            let context = ModelContext(store.container)
            context.insert(BucketListItem(title: "Swim"))
            store.recorder.reset()
            context.author = String(repeating: "a", count: 5_000_000)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue)
            #expect(
                error?.message
                    == "The context's author takes 5000000 bytes; at most 1024 are noted with a transaction. Note a name or "
                    + "a number, and keep the rest in an object of your own.")
            context.author = String(repeating: "é", count: 512)
            context.historyContext = ["request": String(repeating: "a", count: 16_384)]
            await expectError(.invalidValue) { try await context.save() }
            #expect(store.recorder.roundTrips == 0)
            context.historyContext = ["request": String(repeating: "a", count: 16_000)]
            try await context.save()
            let token = DefaultHistoryToken()
            let last = try await context.fetchHistory(after: token, limit: 100).transactions.last
            #expect(last?.author == context.author)
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
