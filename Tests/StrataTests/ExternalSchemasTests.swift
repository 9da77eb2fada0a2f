import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Classes whose tables another program keeps in several PostgreSQL schemas: `sales.users` and `public.users` are two tables.
enum Departments {
    @Model(table: "users", keyColumn: "id") final class Reader {
        var name: String
        @Relationship(column: "account_id", inverse: \Account.readers) var account: Account?
        init(name: String) { self.name = name }
    }

    /// The table of pairs is where its class is.
    @Model(table: "users", postgresSchema: "sales", keyColumn: "id") class Account {
        @Attribute(.unique) var email: String
        var readers: [Reader] = []
        @Relationship(table: "account_tags", column: "account_id", inverseColumn: "tag_id", inverse: \Tag.accounts)
        var tags: [Tag] = []
        init(email: String) { self.email = email }
    }

    /// Names no schema: it has that of its superclass.
    @Model(table: "partners") final class Partner: Account {
        var share: Decimal
        init(email: String, share: Decimal) {
            self.share = share
            super.init(email: email)
        }
    }

    @Model(table: "tags", keyColumn: "id") final class Tag {
        var label: String
        var accounts: [Account] = []
        init(label: String) { self.label = label }
    }

    static let types: [any PersistentModel.Type] = [Reader.self, Account.self, Partner.self, Tag.self]

    static let tables = [
        "CREATE SCHEMA sales",
        "CREATE TABLE sales.users (id bigserial PRIMARY KEY, class text NOT NULL DEFAULT 'Account', email text NOT NULL UNIQUE)",
        "CREATE TABLE sales.partners (id bigint PRIMARY KEY REFERENCES sales.users ON DELETE CASCADE, share numeric NOT NULL)",
        "CREATE TABLE users (id bigserial PRIMARY KEY, name text NOT NULL, account_id bigint REFERENCES sales.users ON DELETE SET NULL)",
        "CREATE TABLE tags (id bigserial PRIMARY KEY, label text NOT NULL)",
        """
        CREATE TABLE sales.account_tags (account_id bigint REFERENCES sales.users ON DELETE CASCADE,
            tag_id bigint REFERENCES tags ON DELETE CASCADE, PRIMARY KEY (account_id, tag_id))
        """,
    ]
}

@Suite struct ExternalSchemasTests {
    @Test func `objects lead from one schema to another, and are written in theirs`() async throws {
        try await withExternalTables(Departments.tables, Departments.types) { store in
            let context = ModelContext(store.container)
            let (partner, account) = (
                Departments.Partner(email: "p@x", share: 0.25), Departments.Account(email: "a@x")
            )
            let reader = Departments.Reader(name: "ann")
            reader.account = partner
            account.tags = [Departments.Tag(label: "new")]
            for object in [partner, account] { context.insert(object) }
            context.insert(reader)
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT u.email || ' ' || u.class || ' ' || coalesce(p.share::text, '-') FROM sales.users u LEFT JOIN sales.partners p USING (id) ORDER BY 1"
                ) == ["a@x Account -", "p@x Partner 0.25"])
            #expect(
                try await store.database.texts(
                    "SELECT r.name || ' ' || u.email FROM public.users r JOIN sales.users u ON u.id = r.account_id")
                    == ["ann p@x"])

            let other = ModelContext(store.container)
            store.recorder.reset()
            let found = try await other.fetch(
                FetchDescriptor<Departments.Reader>(predicate: #Predicate { $0.account?.email == "p@x" }))
            #expect(
                store.recorder.statements.first == """
                    SELECT t0."id", t0."name", t0."account_id" FROM "public"."users" AS t0 LEFT JOIN "sales"."users" AS t1 ON t1."id" = t0."account_id" \
                    WHERE t1."email" = $1::text
                    """)
            #expect((found.first?.account as? Departments.Partner)?.share == 0.25)
            let tagged = try await other.fetch(
                FetchDescriptor<Departments.Account>(predicate: #Predicate { $0.tags.contains { $0.label == "new" } }))
            #expect(tagged.map(\.email) == ["a@x"])

            // Two tables of one name in one statement.
            let count = try await other.fetch(
                Int.self,
                sql: """
                    SELECT count(*) FROM \(table: Departments.Reader.self) WHERE EXISTS (
                        SELECT FROM \(table: Departments.Account.self) WHERE \(\Departments.Account.persistentModelID) <> \(\Departments.Reader.persistentModelID))
                    """)
            #expect(count == [1])

            // Who deletes an account takes its links along, and leaves readers.
            try other.delete(model: Departments.Account.self)
            try await other.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(' ', (SELECT count(*) FROM sales.users), (SELECT count(*) FROM sales.account_tags), name, account_id) FROM users"
                ) == ["0 0 ann"])
        }
    }

    @Test func `errors name the class of the schema that the server names`() async throws {
        try await withExternalTables(Departments.tables, Departments.types) { store in
            let context = ModelContext(store.container)
            context.insert(Departments.Account(email: "a@x"))
            try await context.save()
            let other = ModelContext(store.container)
            other.insert(Departments.Account(email: "a@x"))
            try await other.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM sales.users") == ["1"])

            try await store.database.execute(
                ["ALTER TABLE users ADD CONSTRAINT named CHECK (name <> '')"])
            other.insert(Departments.Reader(name: ""))
            let error = await #expect(throws: SwiftDataError.self) { try await other.save() }
            #expect(error?.message.contains("Reader") == true, "\(String(describing: error))")
        }
    }

    @Test func `what does not fit in another schema is told with its name`() async throws {
        let tables =
            Departments.tables + ["ALTER TABLE sales.users DROP COLUMN email", "ALTER TABLE users DROP COLUMN name"]
        let error = await #expect(throws: SwiftDataError.self) {
            try await withExternalTables(tables, Departments.types) { _ in }
        }
        #expect(
            error?.message == """
                The models do not fit the tables in the schemas "public", "sales", which are external:
                - column users.name is missing, the property Reader.name needs text NOT NULL: change the class, or have a migration written that adds it
                - in the schema "sales": column users.email is missing, the property Account.email needs text NOT NULL: change the class, or have a migration written that adds it
                - in the schema "sales": users (email) is not unique, the schema needs it to be: write a migration that adds UNIQUE (email)
                Where the tables have changed, introspect writes the classes anew.
                """)
    }

    @Test func `tables of Strata's own are in one schema`() async throws {
        try await withTestDatabase { database in
            let configuration = ModelConfiguration(url: try #require(database.foundationURL))
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await ModelContainer(for: Schema(Departments.types), configurations: [configuration])
            }
            #expect(
                error?.message.contains(
                    """
                    Account: it names the PostgreSQL schema "sales", and the tables that Strata makes are all in that of the store, "public". \
                    Remedy: remove postgresSchema, and give the class a configuration of its own
                    """) == true, "\(String(describing: error))")
        }
    }
}
