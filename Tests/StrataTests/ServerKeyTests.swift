import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Tables of another program, whose keys functions of the database make.
enum Served {
    @Model(table: "invoices") final class Invoice {
        @Attribute(.primaryKey) var code: String = ""
        var note: String
        @Relationship(deleteRule: .cascade, inverse: \Parcel.invoice) var parcels: [Parcel] = []
        init(note: String) { self.note = note }
    }

    @Model(table: "parcels") final class Parcel {
        @Attribute(.primaryKey) var id: UUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        @Relationship(column: "invoice") var invoice: Invoice?
        init() {}
    }

    /// No property holds the key.
    @Model(table: "readings", keyColumn: "id") final class Reading {
        var value: Int
        init(value: Int) { self.value = value }
    }

    /// A number that the program may give, or leave to the sequence.
    @Model(table: "batches") final class Batch {
        @Attribute(.primaryKey) var number: Int = 0
        var note: String
        init(note: String) { self.note = note }
    }

    static let types: [any PersistentModel.Type] = [Invoice.self, Parcel.self, Reading.self, Batch.self]

    static let tables = [
        "CREATE SEQUENCE codes", "CREATE SEQUENCE steps",
        "CREATE FUNCTION next_code() RETURNS text LANGUAGE sql AS $$ SELECT 'C-' || nextval('codes') $$",
        #"CREATE FUNCTION "madeID"() RETURNS uuid LANGUAGE sql AS $$ SELECT gen_random_uuid() $$"#,
        "CREATE TABLE invoices (code varchar(20) PRIMARY KEY DEFAULT next_code(), note text NOT NULL)",
        #"CREATE TABLE parcels (id uuid PRIMARY KEY DEFAULT "madeID"(), invoice varchar(20) REFERENCES invoices ON DELETE CASCADE)"#,
        "CREATE TABLE readings (id bigint PRIMARY KEY DEFAULT nextval('steps') * 10, value bigint NOT NULL)",
        "CREATE TABLE batches (number bigserial PRIMARY KEY, note text NOT NULL)",
    ]
}

@Suite struct ServerKeyTests {
    @Test func `a key is final at insert, and made by the default of the column`() async throws {
        try await withExternalTables(Served.tables, Served.types) { store in
            let context = ModelContext(store.container)
            let (invoice, parcel) = (Served.Invoice(note: "one"), Served.Parcel())
            parcel.invoice = invoice
            context.insert(parcel)
            #expect(invoice.code == "C-1" && parcel.id != UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
            #expect(
                Set(store.recorder.statements) == [
                    "SELECT (next_code())::text FROM (SELECT pg_catalog.set_config('lock_timeout', '3s', true) OFFSET 0) AS s CROSS JOIN pg_catalog.generate_series(1, $1::integer)",
                    #"SELECT ("madeID"())::uuid FROM (SELECT pg_catalog.set_config('lock_timeout', '3s', true) OFFSET 0) AS s CROSS JOIN pg_catalog.generate_series(1, $1::integer)"#,
                ], "\(store.recorder.statements)")
            let identifiers = (invoice.persistentModelID, parcel.persistentModelID)
            try await context.save()
            #expect(identifiers == (invoice.persistentModelID, parcel.persistentModelID))
            #expect(
                try await store.database.texts(
                    "SELECT p.id::text || ' ' || code FROM parcels p JOIN invoices ON code = invoice")
                    == ["\(parcel.id.uuidString.lowercased()) C-1"])

            // What a property says is its key.
            let named = Served.Invoice(note: "two")
            named.code = "mine"
            context.insert(named)
            // Each is asked for: a function may say when a row is made, or for whom.
            store.recorder.reset()
            for number in 1...3 { context.insert(Served.Invoice(note: "\(number)")) }
            #expect(store.recorder.statements.count == 3)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT string_agg(code, ' ' ORDER BY code) FROM invoices") == [
                    "C-1 C-2 C-3 C-4 mine"
                ])
            let other = ModelContext(store.container)
            let again = try await other.fetch(
                FetchDescriptor<Served.Invoice>(predicate: #Predicate { $0.code == "C-1" }))
            #expect(again.first?.parcels.map(\.id) == [parcel.id])
        }
    }

    @Test func `numbers come from any default, for rows without objects too, and a sequence is one`() async throws {
        try await withExternalTables(Served.tables, Served.types) { store in
            let context = ModelContext(store.container)
            let reading = Served.Reading(value: 1)
            context.insert(reading)
            try await context.save()
            try await context.insert(into: Served.Reading.self, \.value, rows: [2, 3])
            let (batch, other) = (Served.Batch(note: "sequence"), Served.Batch(note: "own"))
            other.number = 77
            context.insert(batch)
            context.insert(other)
            #expect((batch.number, other.number) == (1, 77))
            context.rollback()
            // Inserted again, it keeps the key that it has.
            context.insert(batch)
            #expect(batch.number == 1)
            try await context.save()
            #expect(try await store.database.texts("SELECT number || note FROM batches") == ["1sequence"])
            #expect(
                try await store.database.texts("SELECT id || ' ' || value FROM readings ORDER BY id") == [
                    "10 1", "20 2", "30 3",
                ])
        }
    }

    @Test(
        arguments: [
            ("no_key()", "it makes NULL, which is no key"),
            ("empty()", "it makes 00000000-0000-0000-0000-000000000000, which is no key"),
            ("closed()", "it failed: no open year"),
        ])
    func `a default that makes no keys is refused, with what to do`(function: String, reason: String) async throws {
        let tables = [
            "CREATE FUNCTION no_key() RETURNS uuid LANGUAGE sql AS $$ SELECT NULL::uuid $$",
            "CREATE FUNCTION empty() RETURNS uuid LANGUAGE sql AS $$ SELECT '00000000-0000-0000-0000-000000000000'::uuid $$",
            "CREATE FUNCTION closed() RETURNS uuid LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no open year'; END $$",
            "CREATE TABLE invoices (code varchar(20) PRIMARY KEY, note text NOT NULL)",
            "CREATE TABLE parcels (id uuid PRIMARY KEY DEFAULT \(function), invoice varchar(20) REFERENCES invoices ON DELETE CASCADE)",
        ]
        try await withExternalTables(tables, [Served.Invoice.self, Served.Parcel.self]) { store in
            let context = ModelContext(store.container)
            let parcel = Served.Parcel()
            context.insert(parcel)
            for _ in 1...2 {
                let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(error?.code == .unsupportedFeature)
                #expect(
                    error?.message.lowercased()
                        == ("The default of parcels.id, \(function), gives no keys to new objects of Parcel: \(reason). Let the database have another one, insert "
                        + "with SQL, or give Parcel.id a value before the object is inserted.").lowercased(),
                    "\(error as Any)")
            }
            // Given one meanwhile, it is saved.
            parcel.id = UUID()
            try await context.save()
            #expect(
                try await store.database.texts("SELECT id::text FROM parcels") == [parcel.id.uuidString.lowercased()])
        }
    }

    @Test func `one key is one object's`() async throws {
        let tables = [
            "CREATE FUNCTION same() RETURNS uuid LANGUAGE sql AS $$ SELECT 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid $$",
            "CREATE TABLE invoices (code varchar(20) PRIMARY KEY, note text NOT NULL)",
            "CREATE TABLE parcels (id uuid PRIMARY KEY DEFAULT same(), invoice varchar(20) REFERENCES invoices ON DELETE CASCADE)",
        ]
        try await withExternalTables(tables, [Served.Invoice.self, Served.Parcel.self]) { store in
            let context = ModelContext(store.container)
            let (one, other) = (Served.Parcel(), Served.Parcel())
            context.insert(one)
            context.insert(other)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .foreignObject, "\(error as Any)")
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM parcels") == ["1"])
            // The UUID of zeros is no key of a row either.
            let zeros = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Served.Parcel.self, \.id, rows: [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
                )
            }
            #expect(zeros?.code == .modelValidationFailure)
        }
    }

    @Test func `rows without objects say their keys, where a function makes them`() async throws {
        try await withExternalTables(Served.tables, Served.types) { store in
            let context = ModelContext(store.container)
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Served.Invoice.self, \.note, rows: ["a"])
            }
            #expect(error?.code == .modelValidationFailure)
            #expect(
                error?.message.contains("Invoice.code says nothing, and the keys that the table makes are for objects")
                    == true, "\(error as Any)")
            try await context.insert(into: Served.Invoice.self, \.code, \.note, rows: [("x", "a")])
            #expect(try await store.database.texts("SELECT code FROM invoices") == ["x"])
        }
        let tables = [
            "CREATE TABLE counters (n bigint NOT NULL)", "INSERT INTO counters VALUES (0)",
            "CREATE FUNCTION next_no() RETURNS bigint LANGUAGE sql AS $$ UPDATE counters SET n = n + 1 RETURNING n $$",
            "CREATE TABLE readings (id bigint PRIMARY KEY DEFAULT next_no(), value bigint NOT NULL)",
        ]
        try await withExternalTables(tables, [Served.Reading.self]) { store in
            let context = ModelContext(store.container)
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Served.Reading.self, \.value, rows: [1])
            }
            #expect(
                error?.code == .unsupportedFeature && error?.message.contains("readings.id, next_no()") == true,
                "\(error as Any)")
            context.insert(Served.Reading(value: 1))
            try await context.save()
            // A transaction that has locked the row that the function wants waits for itself no longer than the limit.
            let waiting = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    try await context.execute("UPDATE counters SET n = n + 10")
                    context.insert(Served.Reading(value: 2))
                    try await context.save()
                }
            }
            #expect(waiting?.message.contains("lock timeout") == true, "\(waiting as Any)")
            #expect(try await store.database.texts("SELECT id || ' ' || value FROM readings") == ["1 1"])
        }
    }

    @Test func `a default that is a constant makes no keys`() async throws {
        let tables = [
            "CREATE TABLE readings (id bigint PRIMARY KEY DEFAULT 7, value bigint NOT NULL)"
        ]
        try await withExternalTables(tables, [Served.Reading.self]) { store in
            let context = ModelContext(store.container)
            context.insert(Served.Reading(value: 1))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                error?.message.contains(
                    "readings.id has neither a sequence nor an identity to take keys from, nor a default") == true)
        }
    }
}
