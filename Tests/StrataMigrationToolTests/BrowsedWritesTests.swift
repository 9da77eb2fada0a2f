import SampleTripsModels
import Strata
import StrataBrowsing
import StrataTestSupport
import Testing

/// What a browser writes where the database does not let it, and limits that nobody can keep to.
@Suite struct BrowsedWritesTests {
    private func withTrips(_ body: (TestDatabase, StoreBrowser, StoredSchema) async throws -> Void) async throws {
        try await withTestDatabase("browsed") { database in
            let container = try await ModelContainer(
                for: SampleTripsSchemaTests.sample,
                configurations: ModelConfiguration(url: try #require(database.foundationURL)))
            await container.close()
            let browser = try StoreBrowser(url: database.url, allowsEdits: true)
            do { try await body(database, browser, try await browser.schema(named: "public")) } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    private func trip(_ name: String = "a") -> [InitialValue] {
        [
            ("name", name), ("destination", "b"), ("startDate", "2026-05-01"), ("endDate", "2026-05-02"),
            ("perdiem", "1"),
        ].map { InitialValue(property: $0.0, source: .text($0.1)) }
    }

    /// A trigger that leaves each row out as others leave out those that they do not like: nothing fails.
    private func leaveOut(_ event: String, of table: String, _ database: TestDatabase) async throws {
        try await database.execute(
            "CREATE OR REPLACE FUNCTION public.leave_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER a_leaves_out BEFORE \(event) ON public.\(table) FOR EACH ROW EXECUTE FUNCTION public.leave_out()"
        )
    }

    private func expectRefusal(_ beginning: String, _ work: () async throws -> Void) async {
        do {
            try await work()
            Issue.record("it was not refused")
        } catch {
            let error = error as? BrowsingError
            #expect(error?.code == .refused)
            #expect(error?.message.hasPrefix(beginning) == true, "\(String(describing: error))")
        }
    }

    private let unwritten = "The database has written no row where it was to write one"

    @Test(arguments: ["trip", "business_trip"])
    func `an object whose row a trigger leaves out is not made`(table: String) async throws {
        try await withTrips { database, browser, schema in
            try await leaveOut("INSERT", of: table, database)
            await expectRefusal(unwritten) { _ = try await browser.create(trip(), of: "BusinessTrip", in: schema) }
            #expect(try await database.texts("SELECT count(*)::text FROM public.trip") == ["0"])
        }
    }

    @Test func `a value that a trigger leaves out is not said to be stored`() async throws {
        try await withTrips { database, browser, schema in
            let key = try await browser.create(trip(), of: "BusinessTrip", in: schema)
            try await leaveOut("UPDATE", of: "business_trip", database)
            let mark = try await browser.editableValue(of: "perdiem", key: key, of: "BusinessTrip", in: schema).mark
            let edit = PropertyEdit(
                className: "BusinessTrip", key: key, property: "perdiem", mark: mark, value: "2")
            await expectRefusal(unwritten) { try await browser.save(edit, in: schema) }
        }
    }

    @Test func `an object that a trigger keeps is not said to be deleted`() async throws {
        try await withTrips { database, browser, schema in
            let key = try await browser.create(trip(), of: "BusinessTrip", in: schema)
            try await leaveOut("DELETE", of: "trip", database)
            let mark = try #require(try await browser.mark(of: key, of: "BusinessTrip", in: schema))
            await expectRefusal(unwritten) { try await browser.delete(key, of: "BusinessTrip", mark: mark, in: schema) }
            #expect(try await database.texts("SELECT count(*)::text FROM public.business_trip") == ["1"])
        }
    }

    @Test(arguments: [Int.min, -1, 0, 10_001, .max])
    func `a limit that nobody can keep to is refused`(limit: Int) async throws {
        try await withTrips { _, browser, schema in
            let relationship = try #require(schema.storedClass(named: "Trip")?.relationships.first)
            let calls: [() async throws -> Void] = [
                { _ = try await browser.objects(of: "Trip", in: schema, limit: limit) },
                { _ = try await browser.related(to: 1, by: relationship, in: schema, limit: limit) },
                { _ = try await browser.history(of: 1, of: "Trip", in: schema, limit: limit) },
                { _ = try await browser.latestChanges(in: schema, limit: limit) },
            ]
            for call in calls {
                await expectRefusal("The limit \(limit) is none: it may be from 1 to 10000.") { try await call() }
            }
        }
    }

    @Test func `the smallest and the largest limit are kept to`() async throws {
        try await withTrips { _, browser, schema in
            for name in ["a", "b"] { _ = try await browser.create(trip(name), of: "BusinessTrip", in: schema) }
            let page = try await browser.objects(of: "Trip", in: schema, limit: 1)
            #expect(page.objects.count == 1 && page.next != nil)
            #expect(try await browser.objects(of: "Trip", in: schema, limit: 10_000).objects.count == 2)
            #expect(try await browser.latestChanges(in: schema, limit: 1).changes.count == 1)
            #expect(try await browser.count(of: "Trip", in: schema, limit: 1) == 1)
            await expectRefusal("The limit 0 is none") {
                _ = try await browser.count(of: "Trip", in: schema, limit: 0)
            }
        }
    }
}
