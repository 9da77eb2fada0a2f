import Strata
import StrataClient
import StrataIntrospection
import StrataModels
import StrataTestSupport
import Testing
import UnusualModels

/// Tables whose key is that of another table too: a relationship by the column of the key, in classes that introspection has written.
@Suite struct SharedKeyIntrospectionTests {
    private func stored(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines(
            """
            SELECT concat_ws(' ', login, bio, pixels) FROM account LEFT JOIN profile ON profile.id = account.id
            LEFT JOIN profile_photo ON profile_id = profile.id ORDER BY login
            """)
    }

    @Test func theObjectsOfBothTablesAreReadWrittenAndDeleted() async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            let container = try await database.container(of: UnusualSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let accounts = try await context.fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.login)]))
            #expect(accounts.map { $0.profile?.bio } == ["hello", nil])
            // Of a column that is integer, and leads to bigint.
            #expect(accounts[0].profile?.profilePhoto?.pixels == 64)
            #expect(accounts[0].profile?.profilePhoto?.profileId == 1 && accounts[0].profile?.account === accounts[0])
            let found = try await context.fetch(
                FetchDescriptor<ProfilePhoto>(predicate: #Predicate { $0.profile.account.login == "a" }))
            #expect(found.map(\.pixels) == [64])

            // The number is taken from the account's sequence when the account is inserted.
            let photo = ProfilePhoto(profile: Profile(account: Account(login: "c")), pixels: 16)
            photo.profile.bio = "new"
            context.insert(photo)
            #expect(photo.profileId == photo.profile.id && photo.profileId > 2)
            accounts[1].profile = Profile(account: accounts[1])
            try await context.save()
            #expect(try await stored(connection) == ["a hello 64", "b", "c new 16"])
            #expect(
                try await connection.lines("SELECT id::text FROM profile ORDER BY id") == [
                    "1", "2", "\(photo.profileId)",
                ])

            context.delete(accounts[0])
            try await context.save()
            #expect(try await stored(connection) == ["b", "c new 16"])
            let note = try #require(try await context.fetch(FetchDescriptor<UuidNote>()).first)
            #expect(note.withUuid.id == note.id && note.withUuid.name == "first" && note.withUuid.uuidNote === note)
            let other = UuidNote(withUuid: WithUuid(), body: "other")
            context.insert(other)
            try await context.save()
            #expect(
                try await connection.lines("SELECT body FROM uuid_note JOIN with_uuid USING (id) ORDER BY body") == [
                    "other", "seen",
                ])
        }
    }

    /// The reference of `b` is one of two circles, and opened once.
    @Test func aCircleIsOpenedWhereAReferenceHasAColumnOfItsOwn() async throws {
        try await withTestDatabase("circles of keys") { database in
            try await database.execute(
                "CREATE TABLE a (id bigserial PRIMARY KEY, b_id bigint NOT NULL)",
                "CREATE TABLE c (id bigint PRIMARY KEY REFERENCES a)",
                "CREATE TABLE b (id bigint PRIMARY KEY REFERENCES a REFERENCES c)",
                "ALTER TABLE a ADD FOREIGN KEY (b_id) REFERENCES b",
                "CREATE TABLE d (id bigint PRIMARY KEY)", "CREATE TABLE e (id bigint PRIMARY KEY REFERENCES d)",
                "ALTER TABLE d ADD FOREIGN KEY (id) REFERENCES e")
            let connection = try await database.connect()
            defer { connection.close() }
            let description = try #require(try DatabaseDescription.read(schemaName: "public", connection: connection))
            let plan = ModelPlan(description)
            let references = plan.classes.flatMap { one in
                one.properties.filter { $0.kind == .toOne && !$0.arguments.contains { $0.hasPrefix("inverse") } }.map {
                    "\(one.name).\($0.name): \($0.type)"
                }
            }
            #expect(references == ["A.b: B?", "B.a: A", "B.c: C", "C.a: A"], "\(references)")
            #expect(
                plan.gaps.filter { ["d", "e"].contains($0.table) }.map(\.reason) == [
                    "its key is that of a row of e, whose key leads back to it: no object would be the first",
                    "its key is that of a row of d, whose key leads back to it: no object would be the first",
                ], "\(plan.gaps)")
        }
    }
}
