import StrataClient
import StrataIntrospection
import StrataRepository
import StrataTestSupport
import Testing

/// Keys that a default of the database makes: classes that leave them to it.
@Suite struct ServedKeyIntrospectionTests {
    @Test func `a class leaves its key to the default that makes it`() async throws {
        try await withTestDatabase("served keys") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await database.execute(
                "CREATE FUNCTION next_code() RETURNS text LANGUAGE sql AS $$ SELECT 'C' || random() $$",
                "CREATE FUNCTION made_id() RETURNS uuid LANGUAGE sql AS $$ SELECT gen_random_uuid() $$",
                "CREATE FUNCTION snowflake() RETURNS bigint LANGUAGE sql AS $$ SELECT (random() * 1000000)::bigint $$",
                "CREATE TABLE invoices (code text PRIMARY KEY DEFAULT next_code(), note text NOT NULL)",
                "CREATE TABLE parcels (id uuid PRIMARY KEY DEFAULT made_id(), note text NOT NULL)",
                "CREATE TABLE readings (id bigint PRIMARY KEY DEFAULT snowflake(), note text NOT NULL)",
                "CREATE TABLE fixed (id bigint PRIMARY KEY DEFAULT 7, note text NOT NULL)")
            let description = try #require(try DatabaseDescription.read(schemaName: "public", connection: connection))
            let plan = ModelPlan(description)
            #expect(plan.gaps.isEmpty, "\(plan.gaps)")
            let keys = plan.classes.map { model in
                let key = model.properties.first { $0.arguments.first == ".primaryKey" }
                return "\(model.name): \(key.map { "\($0.name) = \($0.initialValue ?? "-")" } ?? "-")"
            }
            #expect(
                keys.sorted() == [
                    "Fixed: id = -", #"Invoice: code = """#,
                    "Parcel: id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))", "Reading: -",
                ], "\(keys.sorted())")
            let remarks = plan.classes.flatMap(\.properties).flatMap(\.remarks)
            #expect(
                remarks.sorted() == [
                    "Left so, it gets what the database's default makes when the object is inserted: made_id().",
                    "Left so, it gets what the database's default makes when the object is inserted: next_code().",
                ])
        }
    }

    @Test(arguments: [
        ("gen_random_uuid()", true), ("app.next_id('orders'::text)", true), (#""nextID"()"#, true),
        ("('C-'::text || nextval('codes'::regclass))", true), ("'C-nextval('::text", false),
        ("'XXXX'::character varying", false), ("'XXXX'::character varying(5)", false), ("(1)::bit(3)", false),
        ("(0)::bigint", false), ("lower('A'::text)", false),
    ])
    func `what calls a function makes keys`(expression: String, isMaker: Bool) {
        let column = ColumnDefinition(name: "id", type: .text, defaultExpression: expression)
        #expect((column.keyMaker != nil) == isMaker)
    }
}
